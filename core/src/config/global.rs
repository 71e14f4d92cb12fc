//! `global`: the service that counts for a fleet.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::limit::Site;
use super::{duration, name};
use crate::policy::{GlobalPolicy, OnError};
use crate::quota::Quota;
use crate::time::{Nanos, SECOND};

const GLOBAL: Shape = Shape { what: "an object", known: &["cluster", "domain", "timeout", "on_error"] };

const ON_ERROR: [(&str, OnError); 3] = [("local", OnError::Local), ("allow", OnError::Allow), ("deny", OnError::Deny)];

const DEFAULT_DOMAIN: &str = "weir";
const DEFAULT_TIMEOUT: Nanos = Nanos(SECOND / 50);
const MIN_TIMEOUT: Nanos = Nanos(SECOND / 1_000);
/// Requests wait for the service: longer, and it had better be taken for dead.
const MAX_TIMEOUT: Nanos = Nanos(10 * SECOND);

/// The windows that the service counts, in seconds: `RateLimitResponse.RateLimit.Unit` up to a day.
const UNITS: [u64; 4] = [1, 60, 3_600, 86_400];

pub(super) fn read(cursor: &Cursor<'_>) -> Result<GlobalPolicy, ConfigError> {
    let fields = cursor.fields(&GLOBAL)?;
    let timeout = |field: &Cursor<'_>| duration::read(field, MIN_TIMEOUT, MAX_TIMEOUT, "1ms to 10s");
    Ok(GlobalPolicy {
        cluster: name::cluster(&fields.require("cluster", "the name of a cluster")?)?,
        domain: fields.read("domain", name::label)?.unwrap_or_else(|| DEFAULT_DOMAIN.to_owned()),
        timeout: fields.read("timeout", timeout)?.unwrap_or(DEFAULT_TIMEOUT),
        on_error: fields.read("on_error", |field| field.choice(&ON_ERROR))?.unwrap_or(OnError::Local),
    })
}

/// Refuses a limit of global scope that the service cannot count.
pub(super) fn check_limit(
    scope: &Cursor<'_>,
    rate: &Cursor<'_>,
    quota: &Quota,
    site: &Site,
) -> Result<(), ConfigError> {
    if !site.global {
        return Err(scope.error("global needs the top level's global, which names the service"));
    }
    if !UNITS.contains(&quota.rate().window_seconds()) {
        return Err(rate.expected("N/second, /minute, /hour or /day for a global limit"));
    }
    // `requests_per_unit` has 32 bits.
    if u32::try_from(quota.rate().tokens()).is_err() {
        return Err(rate.expected(&format!("N up to {} for a global limit", u32::MAX)));
    }
    Ok(())
}
