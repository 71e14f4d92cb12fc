//! `per`: what a limit counts apart.

use super::client;
use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::limit::Owner;
use super::name;
use super::value::Value;
use crate::policy::{ClientSource, Part};

const WHAT: &str = "client, ip, plan, method, path, host, header:NAME, cookie:NAME, query:NAME, path:NAME or an object \
                    with one of bearer, header, cookie, metadata, property";

const OBJECT: Shape = Shape { what: WHAT, known: &["bearer", "header", "cookie", "metadata", "property"] };

/// The parts of the key.
pub(super) fn read(cursor: &Cursor<'_>, owner: &Owner<'_>) -> Result<Vec<Part>, ConfigError> {
    let mut parts: Vec<Part> = Vec::new();
    for item in cursor.list("a list")? {
        let part = part(&item, owner)?;
        if let Some(twin) = parts.iter().position(|earlier| *earlier == part) {
            return Err(item.error(format!("the same as {}[{twin}]", cursor.path())));
        }
        parts.push(part);
    }
    Ok(parts)
}

fn part(cursor: &Cursor<'_>, owner: &Owner<'_>) -> Result<Part, ConfigError> {
    let Value::String(text) = cursor.value() else {
        return Ok(match client::object(cursor, &OBJECT)? {
            ClientSource::Bearer => Part::Bearer,
            ClientSource::Header(name) => Part::Header(name),
            ClientSource::Cookie(name) => Part::Cookie(name),
            ClientSource::Attribute(attribute) => Part::Attribute(attribute),
            ClientSource::Ip => Part::Ip,
        });
    };
    match text.split_once(':').map_or((text.as_str(), None), |(kind, name)| (kind, Some(name))) {
        ("client", None) => Ok(Part::Client),
        ("ip", None) => Ok(Part::Ip),
        ("plan", None) if owner.site.plans => Ok(Part::Plan),
        ("plan", None) => Err(cursor.error("there are no plans")),
        ("method", None) => Ok(Part::Method),
        ("path", None) => Ok(Part::Path),
        ("host", None) => Ok(Part::Host),
        ("header", Some(name)) => Ok(Part::Header(name::header(cursor, name)?)),
        ("cookie", Some(name)) => Ok(Part::Cookie(name::cookie(cursor, name)?)),
        ("query", Some(name)) => Ok(Part::Query(name::query(cursor, name)?)),
        ("path", Some(name)) if owner.captures.contains(&name) => Ok(Part::Capture(name.to_owned())),
        ("path", Some(_)) => Err(cursor.expected("path:NAME with a {NAME} in the paths of its rule")),
        _ => Err(cursor.expected(WHAT)),
    }
}
