//! What a match means, condition by condition, without an index.

use super::Asked;
use crate::http::{Captures, query, trim_blanks};
use crate::matching::{Purpose, Subject};
use crate::policy::{RequestMatch, ValueTest};

/// The first that matches, and what it captures.
pub(super) fn scan<'p>(
    rules: &'p [RequestMatch],
    subject: &Subject<'p>,
    asked: &Asked,
    purpose: Purpose,
    further: impl Fn(usize) -> bool,
) -> Option<(usize, Captures<'p>)> {
    rules.iter().enumerate().find_map(|(place, one)| {
        let mut captures = Captures::default();
        let holds = matches(one, subject, asked, purpose, &mut captures) && further(place);
        holds.then_some((place, captures))
    })
}

fn matches<'p>(
    one: &'p RequestMatch,
    subject: &Subject<'p>,
    asked: &Asked,
    purpose: Purpose,
    captures: &mut Captures<'p>,
) -> bool {
    let preflight = subject.preflight && purpose == Purpose::Limit;
    let method = match &one.methods {
        Some(methods) => methods.contains(subject.method) && (!preflight || methods.names_options()),
        None => !preflight,
    };
    let host = one
        .hosts
        .as_ref()
        .is_none_or(|hosts| subject.host.is_some_and(|host| hosts.iter().any(|pattern| pattern.matches(host))));
    let path = one.paths.as_ref().is_none_or(|paths| {
        paths.iter().any(|pattern| match subject.path {
            Some(path) => pattern.matches(path.bytes, captures),
            None => pattern.matches_everything(),
        })
    });
    let regex = one.path_regex.as_ref().is_none_or(|regex| subject.path.is_some_and(|path| regex.matches(path.bytes)));
    let speaks_of_paths = one.paths.is_some() || one.path_regex.is_some();
    let arrived_normal =
        purpose == Purpose::Limit || !speaks_of_paths || subject.path.is_some_and(|path| path.canonical);
    let headers = one.headers.iter().all(|condition| {
        let own =
            |(name, value): (&[u8], &[u8])| (name == condition.name.as_bytes()).then(|| trim_blanks(value).to_vec());
        let mut values: Vec<Vec<u8>> = asked.fields().filter_map(own).collect();
        if purpose == Purpose::Limit || values.iter().all(Vec::is_empty) {
            values.retain(|value| !value.is_empty());
        }
        passes(&condition.test, &values, purpose) && (condition.test == ValueTest::Present(false) || values[0] != b"")
    });
    let query = one.query.iter().all(|condition| {
        let parameters = subject.raw_path.into_iter().flat_map(query::parameters);
        let own = parameters.filter(|(name, _)| **name == *condition.name.as_bytes());
        passes(&condition.test, &own.map(|(_, value)| value.into_owned()).collect::<Vec<_>>(), purpose)
    });
    method && host && path && regex && arrived_normal && headers && query
}

fn passes(test: &ValueTest, values: &[Vec<u8>], purpose: Purpose) -> bool {
    let one = |value: &Vec<u8>| match test {
        ValueTest::Equals(own) => value == own,
        ValueTest::Prefix(prefix) => value.starts_with(prefix),
        ValueTest::Regex(regex) => regex.matches(value),
        ValueTest::Present(_) => true,
    };
    match (test, purpose) {
        (ValueTest::Present(false), _) => values.is_empty(),
        (_, Purpose::Limit) => values.iter().any(one),
        (_, Purpose::Exempt) => {
            !values.is_empty() && values.windows(2).all(|pair| pair[0] == pair[1]) && values.iter().all(one)
        }
    }
}
