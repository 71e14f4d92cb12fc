//! Limits, prepared once for each configuration.

use crate::answer::names::LimitText;
use crate::engine::caller::Lookup;
use crate::engine::facts::{FieldId, Names};
use crate::policy::{Limit, Part, Policy};
use crate::table::partition::Salt;
use crate::table::secret::Secret;
use crate::table::shape::Shape;
use crate::time::Nanos;

/// The rule label of top-level limits.
pub const TOP_LEVEL: &str = "all";

/// What is computed from a policy before its first request.
#[derive(Debug)]
pub struct Compiled {
    /// The fields to pick out of a request.
    pub names: Names,
    /// Whether any are needed.
    pub reads_headers: bool,
    /// How to find the caller.
    pub client: Vec<Lookup>,
    /// Every distinct `per`.
    pub pers: Vec<Vec<CompiledPart>>,
    /// Top-level limits.
    pub top: Vec<CompiledLimit>,
    /// The limits of each rule.
    pub rules: Vec<Vec<CompiledLimit>>,
}

/// One limit.
#[derive(Debug)]
pub struct CompiledLimit {
    /// As configured.
    pub limit: Limit,
    /// Its numbers, ready for decisions.
    pub shape: Shape,
    /// What sets its buckets apart.
    pub salt: Salt,
    /// Since when it has these numbers.
    pub since: Nanos,
    /// Its `per`, as an index into [`Compiled::pers`].
    pub per: usize,
    /// Its fixed part of answers.
    pub text: LimitText,
}

/// A [`Part`] with its field looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompiledPart {
    /// The caller.
    Client,
    /// The peer's network.
    Ip,
    /// The method.
    Method,
    /// The normalised path.
    Path,
    /// The normalised host.
    Host,
    /// A header.
    Header(FieldId),
    /// A cookie, by name.
    Cookie(String),
    /// A capture, by name.
    Capture(String),
}

impl Compiled {
    /// Prepares `policy`, in force since `since`.
    #[must_use]
    pub fn new(policy: &Policy, secret: &Secret, since: Nanos) -> Self {
        let mut names = Names::default();
        let client: Vec<_> = policy.client.iter().map(|source| Lookup::new(source, &mut names)).collect();
        let mut compiled =
            Self { names, reads_headers: false, client, pers: Vec::new(), top: Vec::new(), rules: Vec::new() };
        // The kind comes first: a rule may have any name, so it must not be taken for another kind's.
        compiled.top = compiled.limits(&policy.limits, secret, since, &["top", &policy.instance, TOP_LEVEL]);
        for rule in &policy.rules {
            let limits = compiled.limits(&rule.limits, secret, since, &["rule", &policy.instance, &rule.name]);
            compiled.rules.push(limits);
        }
        let by_client = compiled.pers.iter().flatten().any(|part| *part == CompiledPart::Client);
        let from_header = compiled.client.iter().any(|lookup| *lookup != Lookup::Ip);
        let other = compiled.pers.iter().flatten().any(|part| !matches!(part, CompiledPart::Client | CompiledPart::Ip));
        compiled.reads_headers = !policy.rules.is_empty() || other || (by_client && from_header);
        compiled
    }

    /// Takes over from an earlier configuration since when limits have the numbers that they have here too.
    pub fn inherit(&mut self, earlier: &Self) {
        for limit in self.top.iter_mut().chain(self.rules.iter_mut().flatten()) {
            let same = |other: &&CompiledLimit| other.salt == limit.salt && other.shape.quota == limit.shape.quota;
            if let Some(other) = earlier.top.iter().chain(earlier.rules.iter().flatten()).find(same) {
                limit.since = limit.since.min(other.since);
            }
        }
    }

    fn limits(&mut self, limits: &[Limit], secret: &Secret, since: Nanos, scope: &[&str; 3]) -> Vec<CompiledLimit> {
        let [kind, instance, label] = *scope;
        let compile = |limit: &Limit| CompiledLimit {
            limit: limit.clone(),
            shape: Shape::new(limit.quota),
            salt: Salt::new(secret, &[kind, instance, label, &limit.name]),
            since,
            per: self.per(&limit.per),
            text: LimitText::new(limit, label),
        };
        limits.iter().map(compile).collect()
    }

    fn per(&mut self, parts: &[Part]) -> usize {
        let per: Vec<_> = parts.iter().map(|part| CompiledPart::new(part, &mut self.names)).collect();
        let known = self.pers.iter().position(|known| *known == per);
        known.unwrap_or_else(|| {
            self.pers.push(per);
            self.pers.len().saturating_sub(1)
        })
    }
}

impl CompiledPart {
    fn new(part: &Part, names: &mut Names) -> Self {
        match part {
            Part::Client => Self::Client,
            Part::Ip => Self::Ip,
            Part::Method => Self::Method,
            Part::Path => Self::Path,
            Part::Host => Self::Host,
            Part::Header(name) => Self::Header(names.intern(name)),
            Part::Cookie(name) => Self::Cookie(name.clone()),
            Part::Capture(name) => Self::Capture(name.clone()),
        }
    }
}
