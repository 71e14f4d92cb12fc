//! Which of many rules a request meets: the first that matches, found in a time that hardly depends on their number.
//!
//! Each kind of condition has an index that says which rules a request may still meet, as a set of bits; the sets are
//! intersected, and what an index cannot say is checked on what is left, in order.
//!
//! - `bits`, `posting`, `keyed`, `prefixes`: sets of rules, and what they are found by
//! - `methods`, `hosts`, `paths`, `values`: one index for each kind of condition
//! - `checks`: conditions on a candidate
//!
//! **A value that is given several times** (a repeated header or parameter of the query) says different things to
//! different readers. So a rule is met where *any* of the values passes, and a limit is not escaped by adding one; an
//! exemption is granted only where *all* are the same, and that one passes. A header's line is one value, commas and
//! all; blanks around it do not count, and a blank header is none. A parameter without a value is present, and empty.

mod bits;
mod checks;
mod hosts;
mod keyed;
mod methods;
mod paths;
mod posting;
mod prefixes;
#[cfg(test)]
mod tests;
mod values;

use crate::http::{Captures, NormalPath};
use crate::policy::RequestMatch;

use self::bits::Bits;
use self::checks::Checks;
use self::hosts::HostIndex;
use self::methods::MethodIndex;
use self::paths::PathIndex;
use self::values::{Given, ValueIndex};

/// What is done with what matches; in doubt, more is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Rules. A preflight meets only those that name `OPTIONS`.
    Limit,
    /// Exemptions. One that speaks of paths is granted only to a path that arrived in its normal form.
    Exempt,
}

/// What is matched of a request, besides its header fields.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'r> {
    /// The method; empty where there is none.
    pub method: &'r [u8],
    /// Whether it is a CORS preflight ([`crate::http::is_preflight`]).
    pub preflight: bool,
    /// The path in its normal form.
    pub path: Option<NormalPath<'r>>,
    /// The host in its normal form.
    pub host: Option<&'r [u8]>,
    /// `:path` as it arrived, for the query.
    pub raw_path: Option<&'r [u8]>,
}

/// Conditions of many rules (or exemptions), ready to be searched.
#[derive(Debug)]
pub struct Matcher {
    purpose: Purpose,
    all: Bits,
    methods: MethodIndex,
    hosts: HostIndex,
    paths: PathIndex,
    values: ValueIndex,
    /// Those whose paths capture something.
    capturing: Bits,
    /// What is left to be checked, by rule.
    checks: Vec<Checks>,
}

/// Buffers kept from one search to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    live: Bits,
    term: Bits,
    walk: paths::Walk,
    /// How many rules had conditions checked one by one, over all searches.
    pub checked: u64,
}

/// A search under way: what the indexes have left, in order.
#[derive(Debug)]
pub struct Search<'m, 's> {
    matcher: &'m Matcher,
    subject: Subject<'s>,
    given: Given<'s>,
    live: &'m Bits,
    checked: &'m mut u64,
}

impl Matcher {
    /// Prepares conditions, in the order in which they are tried.
    #[must_use]
    pub fn new<'m>(matches: impl IntoIterator<Item = &'m RequestMatch>, purpose: Purpose) -> Self {
        let matches: Vec<&RequestMatch> = matches.into_iter().collect();
        let values = ValueIndex::new(&matches, purpose);
        let mut capturing = Bits::empty(matches.len());
        let captures = |one: &RequestMatch| one.paths.iter().flatten().any(|path| path.names().next().is_some());
        matches.iter().enumerate().filter(|(_, one)| captures(one)).for_each(|(rule, _)| capturing.insert(rule));
        Self {
            purpose,
            capturing,
            all: Bits::full(matches.len()),
            methods: MethodIndex::new(&matches),
            hosts: HostIndex::new(&matches),
            paths: PathIndex::new(&matches),
            checks: matches.iter().map(|one| Checks::new(one, purpose, &values)).collect(),
            values,
        }
    }

    /// The first that matches, by its place; see [`search`](Self::search).
    pub fn find<'s, 'r: 's, F>(
        &self,
        subject: &Subject<'s>,
        fields: impl FnOnce() -> F,
        scratch: &mut Scratch,
    ) -> Option<usize>
    where
        F: Iterator<Item = (&'r [u8], &'r [u8])>,
    {
        self.search(subject, fields, scratch).first(|_| true)
    }

    /// Begins a search; `fields` are all header fields of the request, names in lower case, and asked for only where they
    /// matter.
    pub fn search<'m, 's, 'r: 's, F>(
        &'m self,
        subject: &Subject<'s>,
        fields: impl FnOnce() -> F,
        scratch: &'m mut Scratch,
    ) -> Search<'m, 's>
    where
        F: Iterator<Item = (&'r [u8], &'r [u8])>,
    {
        self.narrow(subject, scratch);
        let mut given = Given::default();
        if self.values.concern(&scratch.live) {
            self.values.gather(subject.raw_path, fields(), &mut given);
            self.values.narrow(&given, &mut scratch.live, &mut scratch.term);
        }
        let Scratch { live, checked, .. } = scratch;
        Search { matcher: self, subject: *subject, given, live, checked }
    }

    /// What the path patterns of the rule at this place capture in a path that it matched.
    #[must_use]
    pub fn captures<'p>(&self, rule: usize, matches: &'p RequestMatch, path: &'p [u8]) -> Captures<'p> {
        let mut captures = Captures::default();
        if self.capturing.contains(rule) {
            matches.paths.iter().flatten().any(|pattern| pattern.matches(path, &mut captures));
        }
        captures
    }

    /// Leaves those that the method, the host and the path admit.
    fn narrow(&self, subject: &Subject<'_>, scratch: &mut Scratch) {
        let Scratch { live, term, walk, .. } = scratch;
        live.clone_from(&self.all);
        let preflight = subject.preflight && self.purpose == Purpose::Limit;
        self.methods.narrow(subject.method, preflight, live, term);
        self.hosts.narrow(subject.host, live, term);
        self.paths.narrow(subject.path.map(|path| path.bytes), live, term, walk);
    }
}

impl Search<'_, '_> {
    /// The first that matches, by its place, and is also accepted by `further` conditions, which are asked in order, of
    /// no more than it takes.
    pub fn first(self, mut further: impl FnMut(usize) -> bool) -> Option<usize> {
        let Self { matcher, subject, given, live, checked } = self;
        live.find(|rule| {
            let holds = matcher.checks.get(rule).is_some_and(|checks| {
                *checked += u64::from(!checks.is_empty());
                checks.hold(&subject, &given, matcher.purpose)
            });
            holds && further(rule)
        })
    }
}
