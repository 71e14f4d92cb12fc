//! `match`: which requests a rule is for.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::name;
use crate::http::path::normalise;
use crate::http::{HostPattern, MethodSet, PathPattern, WholeRegex, trim_blanks};
use crate::order::sorted;
use crate::policy::{RequestMatch, ValueMatch, ValueTest};

const MATCH: Shape =
    Shape { what: "an object", known: &["methods", "paths", "path_regex", "hosts", "headers", "query"] };

const VALUE: Shape = Shape {
    what: "an object with name and one of equals, prefix, regex, present",
    known: &["name", "equals", "prefix", "regex", "present"],
};

/// Where a value is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Header,
    Query,
}

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
        path_regex: fields.read("path_regex", |pattern| path_regex(pattern, fold_case))?,
        hosts: fields.read("hosts", |hosts| {
            let host = |item: &Cursor<'_>| {
                let text = item.string("a host")?;
                HostPattern::parse(text).map_err(|fault| item.pattern(&fault))
            };
            hosts.some("a list of at least one host")?.iter().map(host).collect()
        })?,
        headers: fields.read("headers", |list| values(list, Place::Header))?.unwrap_or_default(),
        query: fields.read("query", |list| values(list, Place::Query))?.unwrap_or_default(),
    })
}

/// Whether two are met by the same requests, as far as that shows at once: they list the same.
pub(super) fn same(a: &RequestMatch, b: &RequestMatch) -> bool {
    a.methods == b.methods
        && same_set(a.paths.as_deref(), b.paths.as_deref())
        && a.path_regex == b.path_regex
        && same_set(a.hosts.as_deref(), b.hosts.as_deref())
        && same_set(Some(&a.headers), Some(&b.headers))
        && same_set(Some(&a.query), Some(&b.query))
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
    MethodSet::parse(sorted(names)).map_err(|fault| cursor.pattern(&fault))
}

/// A regular expression that normal paths can match, as far as its beginning and its end show.
fn path_regex(cursor: &Cursor<'_>, fold_case: bool) -> Result<WholeRegex, ConfigError> {
    let regex = regex(cursor, fold_case)?;
    let begins = regex.literal_prefix();
    let is_beginning = begins.is_empty() || {
        let path = [begins, b"x"].concat();
        path.starts_with(b"/") && normalise(&path, fold_case, &mut Vec::new()).bytes == path
    };
    let ends_in_slash = cursor.string("")?.strip_suffix('/').is_some_and(|before| !before.is_empty());
    if ends_in_slash || !is_beginning {
        return Err(cursor.expected(
            "a regular expression of whole paths in their normal form, which begin with a slash, end in none \
             and have no query",
        ));
    }
    Ok(regex)
}

fn regex(cursor: &Cursor<'_>, fold_case: bool) -> Result<WholeRegex, ConfigError> {
    let text = cursor.string("a regular expression")?;
    WholeRegex::parse(text, fold_case).map_err(|fault| cursor.expected(&format!("a regular expression ({fault})")))
}

fn values(cursor: &Cursor<'_>, place: Place) -> Result<Vec<ValueMatch>, ConfigError> {
    let what = match place {
        Place::Header => "a list of at least one header",
        Place::Query => "a list of at least one parameter",
    };
    let mut values: Vec<ValueMatch> = Vec::new();
    for item in cursor.some(what)? {
        let value = value(&item, place)?;
        if let Some(twin) = values.iter().position(|earlier| *earlier == value) {
            return Err(item.error(format!("the same as {}[{twin}]", cursor.path())));
        }
        values.push(value);
    }
    Ok(values)
}

fn value(cursor: &Cursor<'_>, place: Place) -> Result<ValueMatch, ConfigError> {
    let fields = cursor.fields(&VALUE)?;
    let named = fields.require("name", "a name")?;
    let name = match place {
        Place::Header => header(&named)?,
        Place::Query => name::query(&named, named.string("the name of a query parameter")?)?,
    };
    let tests = [
        fields.read("equals", |field| equals(field, place))?,
        fields.read("prefix", |field| prefix(field, place))?,
        fields.read("regex", |field| regex(field, false).map(ValueTest::Regex))?,
        fields.read("present", |field| field.boolean().map(ValueTest::Present))?,
    ];
    match one(tests) {
        Some(test) => Ok(ValueMatch { name, test }),
        None => Err(cursor.error("expected exactly one of equals, prefix, regex, present")),
    }
}

fn one<T, const N: usize>(given: [Option<T>; N]) -> Option<T> {
    let mut given = given.into_iter().flatten();
    given.next().filter(|_| given.next().is_none())
}

fn header(cursor: &Cursor<'_>) -> Result<String, ConfigError> {
    let name = name::header(cursor, cursor.string("the name of a header")?)?;
    // Envoy makes it `:authority`.
    if name == "host" { Err(cursor.error("never there as a header, use hosts instead")) } else { Ok(name) }
}

/// A header's value is compared without the blanks around it, so that it cannot equal or begin with what has some.
fn equals(cursor: &Cursor<'_>, place: Place) -> Result<ValueTest, ConfigError> {
    let what = match place {
        Place::Header => "a text without blanks around it, not empty (present: false is for none)",
        Place::Query => "a text",
    };
    let text = cursor.string(what)?.as_bytes();
    let possible = place == Place::Query || (!text.is_empty() && trim_blanks(text) == text && is_field_text(text));
    if possible { Ok(ValueTest::Equals(text.to_owned())) } else { Err(cursor.expected(what)) }
}

fn prefix(cursor: &Cursor<'_>, place: Place) -> Result<ValueTest, ConfigError> {
    let what = match place {
        Place::Header => "a text that begins with no blank, not empty (present: true is for any value)",
        Place::Query => "a text that is not empty (present: true is for any value)",
    };
    let text = cursor.string(what)?.as_bytes();
    let possible = match place {
        Place::Header => !matches!(text, [] | [b' ' | b'\t', ..]) && is_field_text(text),
        Place::Query => !text.is_empty(),
    };
    if possible { Ok(ValueTest::Prefix(text.to_owned())) } else { Err(cursor.expected(what)) }
}

/// Whether a field can have it (RFC 9110 §5.5): there are no controls in one.
fn is_field_text(text: &[u8]) -> bool {
    text.iter().all(|byte| *byte == b'\t' || !byte.is_ascii_control())
}
