//! `status`: where the filter tells what is left.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use crate::http::PathPattern;
use crate::policy::StatusPolicy;

const STATUS: Shape = Shape { what: "an object with a path", known: &["path"] };

pub(super) fn read(cursor: &Cursor<'_>, fold_case: bool) -> Result<StatusPolicy, ConfigError> {
    let what = "one path without wildcards, such as /ratelimit";
    let field = cursor.fields(&STATUS)?.require("path", what)?;
    let text = field.string(what)?;
    let path = PathPattern::parse(text, fold_case).map_err(|fault| field.pattern(&fault))?;
    // A segment that is no literal begins with one of these, and a literal has none.
    if text.contains(['*', '{']) { Err(field.expected(what)) } else { Ok(StatusPolicy { path }) }
}
