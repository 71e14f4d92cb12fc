//! `algorithm` and `max_delay`: how a limit is measured.

use super::cursor::Cursor;
use super::duration;
use super::error::ConfigError;
use super::fields::Fields;
use crate::algorithm::sliding_log::MAX_LOG;
use crate::policy::AlgorithmKind;
use crate::quota::Quota;
use crate::time::{Nanos, SECOND};

/// The longest that a request may be held: longer, and callers have given up.
const MAX_DELAY: Nanos = Nanos(60 * SECOND);

const METER: AlgorithmKind = AlgorithmKind::LeakyBucket { max_delay: Nanos(0) };

const NAMES: [(&str, AlgorithmKind); 5] = [
    ("token_bucket", AlgorithmKind::TokenBucket),
    ("leaky_bucket", METER),
    ("fixed_window", AlgorithmKind::FixedWindow),
    ("sliding_window", AlgorithmKind::SlidingWindow),
    ("sliding_log", AlgorithmKind::SlidingLog),
];

/// The algorithm of a limit with these fields; it goes with its quota.
pub(super) fn read(fields: &Fields<'_>, quota: &Quota) -> Result<AlgorithmKind, ConfigError> {
    let algorithm = fields.read("algorithm", |field| field.choice(&NAMES))?.unwrap_or_default();
    let max_delay = fields.read("max_delay", |field| match algorithm {
        AlgorithmKind::LeakyBucket { .. } => duration::read(field, Nanos(0), MAX_DELAY, "0s to 60s"),
        _ => Err(field.error("only a leaky_bucket can hold requests")),
    })?;
    match algorithm {
        AlgorithmKind::TokenBucket => {}
        AlgorithmKind::LeakyBucket { .. } => {
            return Ok(AlgorithmKind::LeakyBucket { max_delay: max_delay.unwrap_or_default() });
        }
        AlgorithmKind::FixedWindow | AlgorithmKind::SlidingWindow => check_window(fields, quota)?,
        AlgorithmKind::SlidingLog => {
            check_window(fields, quota)?;
            check_log(fields, quota)?;
        }
    }
    Ok(algorithm)
}

/// A window holds what its rate says: less, and a client at its rate would be refused; more, and it would exceed it.
fn check_window(fields: &Fields<'_>, quota: &Quota) -> Result<(), ConfigError> {
    let tokens = quota.rate().tokens();
    match fields.get("burst") {
        Some(burst) if quota.burst() != tokens => {
            Err(burst.expected(&format!("{tokens}, as the rate has it: a window or log has no other burst")))
        }
        _ => Ok(()),
    }
}

fn check_log(fields: &Fields<'_>, quota: &Quota) -> Result<(), ConfigError> {
    if quota.burst() <= MAX_LOG {
        return Ok(());
    }
    let refuse = |rate: &Cursor<'_>| rate.expected(&format!("N up to {MAX_LOG} for a sliding_log, which keeps each"));
    fields.read("rate", |rate| Err(refuse(rate))).map(|_: Option<()>| ())
}
