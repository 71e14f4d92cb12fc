//! `match`: which requests a rule is for.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use crate::http::{host::HostPattern, method::MethodSet, pattern::PathPattern};
use crate::policy::RequestMatch;

const MATCH: Shape =
    Shape { what: "an object", known: &["methods", "paths", "hosts"], later: &["path_regex", "headers", "query"] };

pub(super) fn read(cursor: &Cursor<'_>, fold_case: bool) -> Result<RequestMatch, ConfigError> {
    let fields = cursor.fields(&MATCH)?;
    Ok(RequestMatch {
        methods: fields.read("methods", methods)?,
        paths: fields.read("paths", |paths| {
            let what = "a list of at least one path";
            let path = |item: &Cursor<'_>| {
                let text = item.string("a path")?;
                PathPattern::parse(text, fold_case).map_err(|fault| item.pattern(&fault))
            };
            paths.some(what)?.iter().map(path).collect()
        })?,
        hosts: fields.read("hosts", |hosts| {
            let host = |item: &Cursor<'_>| {
                let text = item.string("a host")?;
                HostPattern::parse(text).map_err(|fault| item.pattern(&fault))
            };
            hosts.some("a list of at least one host")?.iter().map(host).collect()
        })?,
    })
}

/// Whether two are met by the same requests, as far as that shows at once: they list the same.
pub(super) fn same(a: &RequestMatch, b: &RequestMatch) -> bool {
    a.methods == b.methods
        && same_set(a.paths.as_deref(), b.paths.as_deref())
        && same_set(a.hosts.as_deref(), b.hosts.as_deref())
}

fn same_set<T: PartialEq>(a: Option<&[T]>, b: Option<&[T]>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.iter().all(|item| b.contains(item)) && b.iter().all(|item| a.contains(item)),
        _ => false,
    }
}

fn methods(cursor: &Cursor<'_>) -> Result<MethodSet, ConfigError> {
    let mut names = Vec::new();
    for item in cursor.some("a list of at least one method")? {
        let name = item.string("a method")?;
        MethodSet::parse([name]).map_err(|fault| item.pattern(&fault))?;
        names.push(name);
    }
    // In order, so that two sets that are the same are equal.
    names.sort_unstable();
    MethodSet::parse(names).map_err(|fault| cursor.pattern(&fault))
}
