//! What the client is told.
//!
//! - `names`: a limit's name and policy as structured fields
//! - `fields`: the rate limit header fields of any response
//! - `style`: what the configuration says about answers
//! - `format`, `accept`, `grpc`: the form that a client wants
//! - `refusal`: the response that takes the place of the upstream's
//! - `figures`, `json`, `problem`, `template`, `escape`: what it says, and how
//! - `verdict`: the outcome of a request, for access logs

mod accept;
mod escape;
pub mod fields;
mod figures;
pub mod format;
pub mod grpc;
mod json;
pub mod names;
mod problem;
pub mod refusal;
pub mod style;
pub mod template;
pub mod verdict;

#[cfg(test)]
mod tests;

use crate::engine::decision::{Applied, Decision};
use crate::time::Nanos;

/// Of these, the limit that a client should heed first: of those that refuse, the one with the longest wait; where none
/// does, the one closest to exhaustion, by remaining ÷ burst, and of equals the one that grows last.
#[must_use]
pub fn tightest<'d, 'e>(applied: &'d [Applied<'e>]) -> Option<&'d Applied<'e>> {
    let applied = applied.iter();
    let refusing = applied.clone().filter(|applied| applied.ruling.wait.is_some());
    refusing.max_by_key(|applied| applied.ruling.wait).or_else(|| {
        applied.reduce(|best, other| {
            // a/b < c/d as a·d < c·b: exact, and no burst is zero.
            let ratio = |one: &Applied<'_>, two: &Applied<'_>| {
                u128::from(one.ruling.level.remaining) * u128::from(two.limit.shape.quota.burst())
            };
            let (left, right) = (ratio(other, best), ratio(best, other));
            let later = other.ruling.level.grows_in > best.ruling.level.grows_in;
            if left < right || (left == right && later) { other } else { best }
        })
    })
}

/// How long until every refusing limit would admit; `None` where none refuses.
#[must_use]
pub fn longest_wait(decision: &Decision<'_>) -> Option<Nanos> {
    decision.applied.iter().filter_map(|applied| applied.ruling.wait).max()
}

/// A wait as `Retry-After` says it (RFC 9110 §10.2.3): whole seconds, rounded up, at least 1.
#[must_use]
pub fn retry_after(wait: Nanos) -> u64 {
    wait.ceil_seconds().max(1)
}
