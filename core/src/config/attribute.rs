//! `metadata` and `property`: paths to what Envoy knows.

use super::cursor::Cursor;
use super::error::ConfigError;
use crate::policy::Attribute;

/// Dynamic metadata. A filter's namespace alone is a whole object, never a text.
pub(super) fn metadata(cursor: &Cursor<'_>) -> Result<Attribute, ConfigError> {
    let what = "a list of the filter's namespace and at least one key";
    let path = path(cursor, what)?;
    if path.len() > 1 { Ok(Attribute::Metadata(path)) } else { Err(cursor.expected(what)) }
}

/// Any attribute that may tell callers apart, or name one.
pub(super) fn property(cursor: &Cursor<'_>) -> Result<Attribute, ConfigError> {
    let path = path(cursor, "a list of at least one text")?;
    if path == ["source", "address"] {
        let message =
            "source.address holds the port too, so it differs with every connection; use ip, or cidr to exempt";
        return Err(cursor.error(message));
    }
    Ok(Attribute::Property(path))
}

fn path(cursor: &Cursor<'_>, what: &str) -> Result<Vec<String>, ConfigError> {
    let segment = |item: &Cursor<'_>| {
        let what = "a text that is not empty and without NUL";
        let text = item.string(what)?;
        // Envoy takes the path as one text with NUL between the segments.
        let fits = !text.is_empty() && !text.contains('\0');
        if fits { Ok(text.to_owned()) } else { Err(item.expected(what)) }
    };
    cursor.some(what)?.iter().map(segment).collect()
}
