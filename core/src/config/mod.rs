//! From the bytes that Envoy hands over to a [`Policy`], strictly: what is not understood is refused, by its path.
//!
//! A configuration is JSON text or a `google.protobuf.Struct`; both become one small tree, and one reader for each
//! concept reads its part of that.

mod address;
mod algorithm;
mod attribute;
mod client;
mod cost;
mod count;
mod cursor;
mod duration;
mod error;
mod exempt;
mod fields;
mod global;
mod headers;
mod json;
mod limit;
mod matching;
mod name;
mod per;
mod plan;
mod policy;
mod protobuf;
mod response;
mod rule;
mod show;
mod status;
mod store;
mod suggest;
#[cfg(test)]
mod tests;
mod unbuilt;
mod url;
mod value;

pub use error::ConfigError;

use crate::policy::Policy;
use cursor::Cursor;
use value::Value;

/// Reads a filter's configuration.
///
/// # Errors
/// The first fault found; which one that is depends on the configuration alone.
pub fn parse(bytes: &[u8]) -> Result<Policy, ConfigError> {
    let policy = understand(bytes)?;
    unbuilt::refuse(&policy)?;
    Ok(policy)
}

fn understand(bytes: &[u8]) -> Result<Policy, ConfigError> {
    let value = read(bytes)?;
    policy::read(&Cursor::root(&value))
}

/// The bytes as a tree. Which notation they have is seen by reading: a Struct begins with a line break to JSON,
/// but none that holds a value is JSON, since the tag of a value is a control character.
fn read(bytes: &[u8]) -> Result<Value, ConfigError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ConfigError::new("", format!("empty, {}", policy::NOTHING_LIMITED)));
    }
    let in_json = match json::parse(bytes) {
        Ok(value) => return Ok(value),
        Err(fault) => fault,
    };
    protobuf::parse(bytes).map_err(|in_protobuf| {
        let message = if is_text(bytes) {
            format!("not valid JSON: {in_json}")
        } else {
            format!("neither JSON nor a google.protobuf.Struct: as a Struct, {in_protobuf}")
        };
        ConfigError::new("", message)
    })
}

/// Whether someone wrote this as text, so that they should be told about JSON.
fn is_text(bytes: &[u8]) -> bool {
    let is_written = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_written))
}
