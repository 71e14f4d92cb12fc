//! The `Retry-After` field.

#[cfg(test)]
mod tests;

use std::time::{Duration, SystemTime};

/// How long to wait: whole seconds, or until a date. `None` where the value is neither, and so says nothing.
pub fn parse(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim_matches([' ', '\t']);
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More seconds than a number holds are as good as for ever.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}
