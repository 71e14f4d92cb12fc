//! Sliding log: the exact time of every admission that still counts, on the monotonic clock.
//!
//! With a window of W, a request of cost n at time t fits iff
//!
//! ```text
//! Σ cost of the admissions later than t − W + n ≤ B
//! ```
//!
//! Known error: none. No span of length W (one of its ends excluded) ever holds more than B, and whoever asks evenly
//! at its rate is never refused. The price is an entry for each admission.
//!
//! The log is the caller's: admissions in the order of their times, which may hold some that are over.

#[cfg(test)]
mod tests;

use crate::algorithm::verdict::{Level, Verdict};
use crate::quota::Quota;
use crate::time::Nanos;

/// The most tokens that a log may be for. Each may be an entry, and a decision reads the whole log, so a larger one
/// makes every request dear; and from here on one request more or less is below half a percent of the limit, which an
/// approximation serves as well.
pub const MAX_LOG: u64 = 100;

/// A quota, prepared for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlidingLog {
    capacity: u64,
    window: u64,
}

/// One admission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Admission {
    /// When.
    pub at: Nanos,
    /// Tokens.
    pub cost: u64,
}

impl SlidingLog {
    /// Prepares a quota; a burst above [`MAX_LOG`], which configuration refuses, counts as that.
    #[must_use]
    pub fn new(quota: &Quota) -> Self {
        Self { capacity: quota.burst().min(MAX_LOG), window: quota.rate().period().0.max(1) }
    }

    /// Asks for `cost` tokens at `now`; the caller adds the admission to the end of the log or does not.
    ///
    /// A cost above the capacity never fits, whatever the wait says.
    #[must_use]
    pub fn check(&self, log: &[Admission], now: Nanos, cost: u64) -> Verdict<Admission> {
        let live = self.live(log, now);
        let used = tokens(live);
        if used.saturating_add(cost) <= self.capacity {
            // Another worker's reading may be a little newer: the log stays in order.
            let at = live.last().map_or(now, |last| last.at.max(now));
            return Verdict::Fits(Admission { at, cost });
        }
        let mut left = used;
        let frees = live.iter().find(|admission| {
            left = left.saturating_sub(admission.cost);
            left.saturating_add(cost) <= self.capacity
        });
        Verdict::Waits(frees.or(live.last()).map_or(self.refill(), |admission| self.ends_in(admission, now)))
    }

    /// What is left at `now`.
    #[must_use]
    pub fn level(&self, log: &[Admission], now: Nanos) -> Level {
        let live = self.live(log, now);
        let remaining = self.capacity.saturating_sub(tokens(live));
        match self.check(log, now, remaining.saturating_add(1)) {
            Verdict::Waits(wait) if !live.is_empty() => Level { remaining, grows_in: wait },
            _ => Level { remaining, grows_in: Nanos(0) },
        }
    }

    /// Whether forgetting the admission would change nothing.
    #[must_use]
    pub const fn is_over(&self, admission: &Admission, now: Nanos) -> bool {
        admission.at.0.saturating_add(self.window) <= now.0
    }

    /// Tokens in use, at most the capacity.
    #[must_use]
    pub fn used(&self, log: &[Admission], now: Nanos) -> u64 {
        tokens(self.live(log, now)).min(self.capacity)
    }

    /// What stands in an empty log for `used` tokens in use, or the capacity if that is less.
    #[must_use]
    pub fn with_used(&self, used: u64, now: Nanos) -> Option<Admission> {
        self.pile(&[], now, used)
    }

    /// The most tokens in use.
    #[must_use]
    pub const fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The longest that an empty bucket may need to fill.
    #[must_use]
    pub const fn refill(&self) -> Nanos {
        Nanos(self.window)
    }

    /// Takes back an admission: its place in the log, from which to remove it. Exact.
    #[must_use]
    pub fn refund(&self, log: &[Admission], charged: Admission) -> Option<usize> {
        log.iter().rposition(|admission| *admission == charged)
    }

    /// Charges what another limit has admitted, as far as there is room; nothing where there is none.
    #[must_use]
    pub fn pile(&self, log: &[Admission], now: Nanos, cost: u64) -> Option<Admission> {
        let room = self.capacity.saturating_sub(self.used(log, now));
        let Verdict::Fits(admission) = self.check(log, now, cost.min(room)) else { return None };
        (admission.cost > 0).then_some(admission)
    }

    fn live<'l>(&self, log: &'l [Admission], now: Nanos) -> &'l [Admission] {
        let over = log.partition_point(|admission| self.is_over(admission, now));
        log.get(over..).unwrap_or_default()
    }

    fn ends_in(&self, admission: &Admission, now: Nanos) -> Nanos {
        Nanos(admission.at.0.saturating_add(self.window).saturating_sub(now.0).min(self.window))
    }
}

fn tokens(log: &[Admission]) -> u64 {
    log.iter().fold(0, |sum, admission| sum.saturating_add(admission.cost))
}
