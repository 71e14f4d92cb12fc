//! `headers`: which header fields answers carry.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::value::Value;
use crate::policy::{Draft, HeaderPolicy, ResetUnit};

const HEADERS: Shape = Shape { what: "an object", known: &["x_ratelimit", "ratelimit", "reset"] };

pub(super) fn read(cursor: &Cursor<'_>) -> Result<HeaderPolicy, ConfigError> {
    let fields = cursor.fields(&HEADERS)?;
    let default = HeaderPolicy::default();
    let units = [("epoch", ResetUnit::Epoch), ("delta", ResetUnit::Delta)];
    Ok(HeaderPolicy {
        x_ratelimit: fields.read("x_ratelimit", Cursor::boolean)?.unwrap_or(default.x_ratelimit),
        ratelimit: fields.read("ratelimit", draft)?.unwrap_or(default.ratelimit),
        reset: fields.read("reset", |reset| reset.choice(&units))?.unwrap_or(default.reset),
    })
}

fn draft(cursor: &Cursor<'_>) -> Result<Option<Draft>, ConfigError> {
    match cursor.value() {
        Value::Bool(false) => Ok(None),
        Value::String(text) if text == "draft-11" => Ok(Some(Draft::Draft11)),
        Value::String(text) if text == "draft-12" => Ok(Some(Draft::Draft12)),
        _ => Err(cursor.expected("draft-11, draft-12 or false")),
    }
}
