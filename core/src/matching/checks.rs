//! What no index can say for sure, checked on a candidate.

use super::values::{Given, Place, Slot, ValueIndex, conditions};
use super::{Purpose, Subject};
use crate::http::WholeRegex;
use crate::policy::{RequestMatch, ValueMatch, ValueTest};

/// The remaining conditions of one rule.
#[derive(Debug)]
pub(super) struct Checks {
    /// Whether the path must have arrived in its normal form.
    canonical: bool,
    path_regex: Option<WholeRegex>,
    values: Vec<ValueCheck>,
}

#[derive(Debug)]
struct ValueCheck {
    slot: Slot,
    place: Place,
    test: ValueTest,
}

impl Checks {
    pub(super) fn new(one: &RequestMatch, purpose: Purpose, index: &ValueIndex) -> Self {
        let check = |(place, value): (Place, &ValueMatch)| {
            Some(ValueCheck { slot: index.slot(place, &value.name)?, place, test: value.test.clone() })
        };
        Self {
            canonical: purpose == Purpose::Exempt && (one.paths.is_some() || one.path_regex.is_some()),
            path_regex: one.path_regex.clone(),
            values: conditions(one).filter_map(check).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.canonical && self.path_regex.is_none() && self.values.is_empty()
    }

    pub(super) fn hold(&self, subject: &Subject<'_>, given: &Given<'_>, purpose: Purpose) -> bool {
        (!self.canonical || subject.path.is_some_and(|path| path.canonical))
            && self.values.iter().all(|check| holds(&check.test, check.place, purpose, given.values(check.slot)))
            // Last, as it takes longest.
            && self.path_regex.as_ref().is_none_or(|regex| subject.path.is_some_and(|path| regex.matches(path.bytes)))
    }
}

/// Whether a condition holds of all values that were given under its name (headers: without the blanks around them).
pub(super) fn holds<'v>(
    test: &ValueTest,
    place: Place,
    purpose: Purpose,
    mut values: impl Iterator<Item = &'v [u8]>,
) -> bool {
    let is_given = |value: &[u8]| place == Place::Query || !value.is_empty();
    match (test, purpose) {
        (ValueTest::Present(false), _) => !values.any(is_given),
        (_, Purpose::Limit) => values.any(|value| is_given(value) && passes(test, value)),
        (_, Purpose::Exempt) => values
            .next()
            .is_some_and(|first| is_given(first) && values.all(|value| value == first) && passes(test, first)),
    }
}

fn passes(test: &ValueTest, value: &[u8]) -> bool {
    match test {
        ValueTest::Equals(own) => value == own,
        ValueTest::Prefix(prefix) => value.starts_with(prefix),
        ValueTest::Regex(regex) => regex.matches(value),
        ValueTest::Present(present) => *present,
    }
}
