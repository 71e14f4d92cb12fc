//! `client`: where a caller's identity is looked for.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::value::Value;
use super::{attribute, name};
use crate::policy::ClientSource;

const SOURCE: Shape = Shape {
    what: "ip or an object with one of bearer, header, cookie, metadata, property",
    known: &["bearer", "header", "cookie", "metadata", "property"],
};

/// The sources in order, the address always being the last.
pub(super) fn read(cursor: &Cursor<'_>) -> Result<Vec<ClientSource>, ConfigError> {
    let mut sources: Vec<ClientSource> = Vec::new();
    for (index, item) in cursor.some("a list of at least one source")?.iter().enumerate() {
        let source = source(item)?;
        if let Some(twin) = sources.iter().position(|earlier| *earlier == source) {
            return Err(item.error(format!("the same as {}[{twin}]", cursor.path())));
        }
        if sources.last() == Some(&ClientSource::Ip) {
            let ip = index.saturating_sub(1);
            return Err(item.error(format!("never reached: every request has the ip of {}[{ip}]", cursor.path())));
        }
        sources.push(source);
    }
    if sources.last() != Some(&ClientSource::Ip) {
        sources.push(ClientSource::Ip);
    }
    Ok(sources)
}

fn source(cursor: &Cursor<'_>) -> Result<ClientSource, ConfigError> {
    match cursor.value() {
        Value::String(text) if text == "ip" => Ok(ClientSource::Ip),
        _ => object(cursor, &SOURCE),
    }
}

/// An object with one field, which says where to look.
pub(super) fn object(cursor: &Cursor<'_>, shape: &Shape) -> Result<ClientSource, ConfigError> {
    let (kind, field) = cursor.fields(shape)?.only()?;
    match kind {
        "header" => Ok(ClientSource::Header(name::header(&field, field.string("the name of a header")?)?)),
        "cookie" => Ok(ClientSource::Cookie(name::cookie(&field, field.string("the name of a cookie")?)?)),
        "metadata" => attribute::metadata(&field).map(ClientSource::Attribute),
        "property" => attribute::property(&field).map(ClientSource::Attribute),
        _ if *field.value() == Value::Bool(true) => Ok(ClientSource::Bearer),
        _ => Err(field.expected("true")),
    }
}
