//! By header fields and parameters of the query.

use std::borrow::Cow;

use super::Purpose;
use super::bits::Bits;
use super::keyed::Keyed;
use super::posting::Posting;
use super::prefixes::PrefixIndex;
use crate::http::{query, trim_blanks};
use crate::policy::{RequestMatch, ValueMatch, ValueTest};

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Header,
    Query,
}

/// A name that some rule has a condition on, by its place among those.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(usize);

/// The values of one request, under names that matter.
#[derive(Debug, Default)]
pub(super) struct Given<'r>(Vec<(Slot, Cow<'r, [u8]>)>);

/// Rules by one of the values that they ask for: of several, the one that the fewest rules share.
#[derive(Debug)]
pub(super) struct ValueIndex {
    purpose: Purpose,
    /// Those that no value has to speak for.
    any: Bits,
    /// Those without any condition on values.
    indifferent: Bits,
    headers: Keyed<usize>,
    query: Keyed<usize>,
    /// By slot.
    names: Vec<NameIndex>,
}

#[derive(Debug, Default)]
struct NameIndex {
    equals: Keyed<Posting>,
    prefixes: PrefixIndex,
    present: Posting,
}

/// What a value must at least be for a condition to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need<'m> {
    Equals(&'m [u8]),
    Prefix(&'m [u8]),
    Present,
}

impl ValueIndex {
    pub(super) fn new(matches: &[&RequestMatch], purpose: Purpose) -> Self {
        let rules = matches.len();
        let mut index = Self {
            purpose,
            any: Bits::empty(rules),
            indifferent: Bits::empty(rules),
            headers: Keyed::default(),
            query: Keyed::default(),
            names: Vec::new(),
        };
        let needs: Vec<Vec<(Slot, Need<'_>)>> = matches.iter().map(|one| index.needs(one)).collect();
        let mut shared: Keyed<usize> = Keyed::default();
        needs.iter().flatten().for_each(|(slot, need)| *shared.entry(&need.key(*slot), || 0) += 1);

        for (rule, _) in matches.iter().enumerate().filter(|(_, one)| conditions(one).next().is_none()) {
            index.indifferent.insert(rule);
        }
        let mut prefixes = vec![Vec::new(); index.names.len()];
        for (rule, needs) in needs.iter().enumerate() {
            let rarest = needs.iter().min_by_key(|(slot, need)| (shared.get(&need.key(*slot)), need.rank()));
            let Some((slot, need)) = rarest else {
                index.any.insert(rule);
                continue;
            };
            let (Some(name), Some(prefixes)) = (index.names.get_mut(slot.0), prefixes.get_mut(slot.0)) else {
                continue;
            };
            match need {
                Need::Equals(value) => name.equals.entry(value, Posting::default).push(rule, rules),
                Need::Prefix(prefix) => prefixes.push((prefix.to_vec(), rule)),
                Need::Present => name.present.push(rule, rules),
            }
        }
        for (name, prefixes) in index.names.iter_mut().zip(prefixes) {
            name.prefixes = PrefixIndex::new(prefixes, rules);
        }
        index
    }

    /// The slot of a name, made if it is new.
    fn make_slot(&mut self, place: Place, name: &str) -> Slot {
        let new = self.names.len();
        let slots = match place {
            Place::Header => &mut self.headers,
            Place::Query => &mut self.query,
        };
        let slot = *slots.entry(name.as_bytes(), || new);
        if slot == new {
            self.names.push(NameIndex::default());
        }
        Slot(slot)
    }

    fn needs<'m>(&mut self, one: &'m RequestMatch) -> Vec<(Slot, Need<'m>)> {
        let tests = conditions(one).map(|(place, value)| (self.make_slot(place, &value.name), Need::of(&value.test)));
        tests.filter_map(|(slot, need)| Some((slot, need?))).collect()
    }

    /// The slot of a name that some rule has a condition on.
    pub(super) fn slot(&self, place: Place, name: &str) -> Option<Slot> {
        let slots = match place {
            Place::Header => &self.headers,
            Place::Query => &self.query,
        };
        slots.get(name.as_bytes()).copied().map(Slot)
    }

    /// Whether any of these has a condition on values.
    pub(super) fn concern(&self, live: &Bits) -> bool {
        !self.names.is_empty() && live.exceeds(&self.indifferent)
    }

    /// Collects the values that any rule has a condition on.
    pub(super) fn gather<'s, 'r: 's>(
        &self,
        raw_path: Option<&'s [u8]>,
        fields: impl Iterator<Item = (&'r [u8], &'r [u8])>,
        given: &mut Given<'s>,
    ) {
        let parameters = raw_path.filter(|_| !self.query.is_empty()).map(query::parameters);
        for (name, value) in parameters.into_iter().flatten() {
            given.0.extend(self.query.get(&name).map(|slot| (Slot(*slot), value)));
        }
        if self.headers.is_empty() {
            return;
        }
        for (name, value) in fields {
            let Some(slot) = self.headers.get(name) else { continue };
            let value = trim_blanks(value);
            // Beside another value a blank one is a contradiction, of which only exemptions take notice.
            if !value.is_empty() || self.purpose == Purpose::Exempt {
                given.0.push((Slot(*slot), Cow::Borrowed(value)));
            }
        }
    }

    /// Leaves those for which the right value is there, as far as that shows here.
    pub(super) fn narrow(&self, given: &Given<'_>, live: &mut Bits, term: &mut Bits) {
        term.clone_from(&self.any);
        for (slot, value) in &given.0 {
            if let Some(name) = self.names.get(slot.0) {
                name.mark(value, term);
            }
        }
        live.retain(term);
    }
}

impl<'r> Given<'r> {
    /// The values under one name, in order.
    pub(super) fn values(&self, slot: Slot) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter(move |(own, _)| *own == slot).map(|(_, value)| &**value)
    }
}

impl NameIndex {
    fn mark(&self, value: &[u8], set: &mut Bits) {
        self.present.mark(set);
        if let Some(posting) = self.equals.get(value) {
            posting.mark(set);
        }
        if let Some(posting) = self.prefixes.get(value) {
            posting.mark(set);
        }
    }
}

impl<'m> Need<'m> {
    /// None where nothing may be needed: the value's absence is.
    fn of(test: &'m ValueTest) -> Option<Self> {
        match test {
            ValueTest::Equals(value) => Some(Self::Equals(value)),
            ValueTest::Prefix(prefix) => Some(Self::Prefix(prefix)),
            ValueTest::Regex(regex) => Some(match regex.literal_prefix() {
                [] => Self::Present,
                prefix => Self::Prefix(prefix),
            }),
            ValueTest::Present(true) => Some(Self::Present),
            ValueTest::Present(false) => None,
        }
    }

    /// The better to search by, the less.
    const fn rank(self) -> u8 {
        match self {
            Self::Equals(_) => 0,
            Self::Prefix(_) => 1,
            Self::Present => 2,
        }
    }

    /// Of a name: alike for needs that are.
    fn key(self, slot: Slot) -> Vec<u8> {
        let value = match self {
            Self::Equals(value) | Self::Prefix(value) => value,
            Self::Present => &[],
        };
        [&[self.rank()], slot.0.to_be_bytes().as_slice(), value].concat()
    }
}

/// All conditions on values.
pub(super) fn conditions(one: &RequestMatch) -> impl Iterator<Item = (Place, &ValueMatch)> {
    let headers = one.headers.iter().map(|value| (Place::Header, value));
    headers.chain(one.query.iter().map(|value| (Place::Query, value)))
}
