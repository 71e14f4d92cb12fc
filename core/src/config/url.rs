//! Addresses that answers show.

use super::cursor::Cursor;
use super::error::ConfigError;

/// The longest that browsers and proxies can be relied on to take, bytes.
const MAX_URL: usize = 2_048;

/// An absolute `http` or `https` URL with a host (RFC 9110 §4.2), of the characters that a URI may have (RFC 3986 §2).
pub(super) fn read(cursor: &Cursor<'_>) -> Result<String, ConfigError> {
    let what = "an http or https URL";
    let text = cursor.string(what)?;
    let is_uri = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    let has_host = authority.is_some_and(|authority| !authority.is_empty() && !authority.starts_with(':'));
    let fits = has_host && text.len() <= MAX_URL && text.bytes().all(is_uri);
    if fits { Ok(text.to_owned()) } else { Err(cursor.expected(what)) }
}
