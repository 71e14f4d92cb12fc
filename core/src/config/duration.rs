//! Durations shorter than a rate's period.

use super::cursor::Cursor;
use super::error::ConfigError;
use crate::time::{Nanos, SECOND};

const MILLISECOND: u64 = SECOND / 1_000;

/// A whole number of `ms`, `s` or `m`, from `least` to `most`; `bounds` says so in words.
pub(super) fn read(cursor: &Cursor<'_>, least: Nanos, most: Nanos, bounds: &str) -> Result<Nanos, ConfigError> {
    let what = format!("a duration of {bounds}, such as 500ms or 2s");
    let text = cursor.string(&what)?;
    let read = parse(text).filter(|duration| (least..=most).contains(duration));
    read.ok_or_else(|| cursor.expected(&what))
}

fn parse(text: &str) -> Option<Nanos> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let one = match unit {
        "ms" => MILLISECOND,
        "s" => SECOND,
        "m" => 60 * SECOND,
        _ => return None,
    };
    let count: u64 = text.strip_suffix(unit)?.parse().ok()?;
    count.checked_mul(one).map(Nanos)
}
