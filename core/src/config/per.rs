//! `per`: what a limit counts apart.

use super::client;
use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::name;
use super::value::Value;
use crate::policy::{ClientSource, Part};

const WHAT: &str =
    "client, ip, method, path, host, header:NAME, cookie:NAME, path:NAME, {header: NAME} or {cookie: NAME}";

const OBJECT: Shape = Shape { what: WHAT, known: &["header", "cookie"], later: &["bearer", "metadata", "property"] };

/// The parts of the key. `captures` are the names that the rule's paths capture: none outside of rules.
pub(super) fn read(cursor: &Cursor<'_>, captures: &[&str]) -> Result<Vec<Part>, ConfigError> {
    let mut parts: Vec<Part> = Vec::new();
    for item in cursor.list("a list")? {
        let part = part(&item, captures)?;
        if let Some(twin) = parts.iter().position(|earlier| *earlier == part) {
            return Err(item.error(format!("the same as {}[{twin}]", cursor.path())));
        }
        parts.push(part);
    }
    Ok(parts)
}

fn part(cursor: &Cursor<'_>, captures: &[&str]) -> Result<Part, ConfigError> {
    let Value::String(text) = cursor.value() else {
        return match client::object(cursor, &OBJECT)? {
            ClientSource::Header(name) => Ok(Part::Header(name)),
            ClientSource::Cookie(name) => Ok(Part::Cookie(name)),
            ClientSource::Bearer | ClientSource::Ip => Err(cursor.unsupported()),
        };
    };
    match text.split_once(':').map_or((text.as_str(), None), |(kind, name)| (kind, Some(name))) {
        ("client", None) => Ok(Part::Client),
        ("ip", None) => Ok(Part::Ip),
        ("method", None) => Ok(Part::Method),
        ("path", None) => Ok(Part::Path),
        ("host", None) => Ok(Part::Host),
        ("header", Some(name)) => Ok(Part::Header(name::header(cursor, name)?)),
        ("cookie", Some(name)) => Ok(Part::Cookie(name::cookie(cursor, name)?)),
        ("path", Some(name)) if captures.contains(&name) => Ok(Part::Capture(name.to_owned())),
        ("path", Some(_)) => Err(cursor.expected("path:NAME with a {NAME} in the paths of its rule")),
        ("plan", None) | ("query", Some(_)) => Err(cursor.unsupported()),
        _ => Err(cursor.expected(WHAT)),
    }
}
