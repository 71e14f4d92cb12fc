//! What a refusal says, whatever its form.

use core::fmt::Write as _;
use std::time::{Duration, SystemTime};

use crate::answer::{longest_wait, retry_after, tightest};
use crate::engine::decision::{Applied, Decision};
use crate::time::{Clock, Nanos, UnixNanos};

/// The numbers of a refusal by a limit.
pub(super) struct Figures<'d> {
    /// Every limit that applied.
    pub(super) applied: &'d [Applied<'d>],
    /// The limit to speak of.
    pub(super) tightest: &'d Applied<'d>,
    /// How long until every limit would admit.
    pub(super) wait: Nanos,
    /// The same as `Retry-After` says it.
    pub(super) seconds: u64,
    /// The moment of that, as RFC 3339 writes it.
    pub(super) reset_at: String,
}

impl<'d> Figures<'d> {
    /// `None` where no limit refuses.
    pub(super) fn new(decision: &'d Decision<'_>, clock: &impl Clock) -> Option<Self> {
        let (tightest, wait) = (tightest(&decision.applied)?, longest_wait(decision)?);
        let seconds = retry_after(wait);
        Some(Self { applied: &decision.applied, tightest, wait, seconds, reset_at: moment(decision.wall(clock), wait) })
    }

    /// The number shown as the limit.
    pub(super) fn limit(&self) -> u64 {
        self.tightest.limit.shape.quota.shown_limit()
    }

    /// Whole tokens left.
    pub(super) fn remaining(&self) -> u64 {
        self.tightest.ruling.level.remaining
    }

    /// A sentence for people.
    pub(super) fn message(&self) -> String {
        format!("Rate limit exceeded. Try again in {} seconds.", self.seconds)
    }
}

/// The first whole second at which `wait` has passed, as RFC 3339 writes it; empty where the year has more than four
/// digits.
fn moment(wall: UnixNanos, wait: Nanos) -> String {
    let mut text = String::new();
    let moment = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(wall.ceil_seconds_after(wait)));
    let written = moment.map(|moment| write!(text, "{}", humantime::format_rfc3339_seconds(moment)));
    if matches!(written, Some(Ok(()))) { text } else { String::new() }
}
