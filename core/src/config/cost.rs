//! `cost`: what one request takes.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::name;
use super::value::Value;
use crate::policy::Cost;
use crate::quota::MAX_TOKENS;

const COST: Shape = Shape { what: "a whole number, or an object with a header", known: &["header", "default", "max"] };

/// A cost that a bucket of `burst` tokens can pay.
pub(super) fn read(cursor: &Cursor<'_>, burst: u64) -> Result<Cost, ConfigError> {
    let Value::Object(_) = cursor.value() else {
        return tokens(cursor, burst).map(Cost::Fixed);
    };
    let fields = cursor.fields(&COST)?;
    let header = fields.require("header", "the name of a header")?;
    let name = name::header(&header, header.string("the name of a header")?)?;
    // More than the burst could never be paid.
    let max = fields.read("max", |max| tokens(max, burst))?.unwrap_or(burst);
    let default = fields.read("default", |default| {
        let tokens = default.whole(1..=MAX_TOKENS)?;
        if tokens <= max { Ok(tokens) } else { Err(default.expected(&format!("no more than the max of {max}"))) }
    })?;
    Ok(Cost::Header { name, default: default.unwrap_or(1), max })
}

fn tokens(cursor: &Cursor<'_>, burst: u64) -> Result<u64, ConfigError> {
    let tokens = cursor.whole(1..=MAX_TOKENS)?;
    if tokens <= burst { Ok(tokens) } else { Err(cursor.expected(&format!("no more than the burst of {burst}"))) }
}
