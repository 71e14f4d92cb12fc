//! Names that a configuration gives or refers to.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::show::quoted;

const LABEL: &str = "a name of 1 to 64 printable ASCII characters";

/// The longest name of a rule, limit or instance, bytes.
const MAX_NAME: usize = 64;

/// The name of a rule or limit: printable ASCII, as it becomes a String of RFC 9651 (§3.3.3).
pub(super) fn label(cursor: &Cursor<'_>) -> Result<String, ConfigError> {
    let text = cursor.string(LABEL)?;
    if is_label(text) { Ok(text.to_owned()) } else { Err(cursor.expected(LABEL)) }
}

/// The name under which something is given, as a [`label`].
pub(super) fn key(cursor: &Cursor<'_>, name: &str) -> Result<String, ConfigError> {
    if is_label(name) {
        Ok(name.to_owned())
    } else {
        Err(cursor.error(format!("expected {LABEL}, got {}", quoted(name))))
    }
}

/// The name of a cluster, which only Envoy knows.
pub(super) fn cluster(cursor: &Cursor<'_>) -> Result<String, ConfigError> {
    let what = "the name of a cluster";
    let text = cursor.string(what)?;
    if text.is_empty() { Err(cursor.expected(what)) } else { Ok(text.to_owned()) }
}

/// The name of this filter's set of buckets.
pub(super) fn instance(cursor: &Cursor<'_>) -> Result<String, ConfigError> {
    let what = "a text of 1 to 64 bytes";
    let text = cursor.string(what)?;
    let fits = (1..=MAX_NAME).contains(&text.len());
    if fits { Ok(text.to_owned()) } else { Err(cursor.expected(what)) }
}

/// A header field's name (RFC 9110 §5.1), in the lower case that Envoy has. HTTP/2's pseudo-headers are none.
pub(super) fn header(cursor: &Cursor<'_>, text: &str) -> Result<String, ConfigError> {
    if is_token(text) { Ok(text.to_ascii_lowercase()) } else { Err(cursor.expected("the name of a header")) }
}

/// A cookie's name (RFC 6265 §4.1.1); its case matters.
pub(super) fn cookie(cursor: &Cursor<'_>, text: &str) -> Result<String, ConfigError> {
    if is_token(text) { Ok(text.to_owned()) } else { Err(cursor.expected("the name of a cookie")) }
}

/// A parameter's name in a query, as it reads without escapes; its case matters.
pub(super) fn query(cursor: &Cursor<'_>, text: &str) -> Result<String, ConfigError> {
    if text.is_empty() { Err(cursor.expected("the name of a query parameter")) } else { Ok(text.to_owned()) }
}

fn is_label(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A token of RFC 9110 §5.6.2.
pub(super) fn is_token(text: &str) -> bool {
    let is_tchar = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_tchar)
}
