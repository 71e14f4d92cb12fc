//! Leaky bucket: as a meter, or as a queue that holds requests back.
//!
//! The meter (ITU-T I.371 Annex A, continuous-state leaky bucket) fills by each request and drains at the rate; what
//! would spill is refused. That is the token bucket upside down, and its arithmetic is used: see there.
//!
//! With a longest delay D the bucket is a queue, whose length D alone bounds. A request's turn is max(t, TAT), when
//! everybody before it has had theirs, and it fits iff
//!
//! ```text
//! max(t, TAT) − t ≤ D
//! ```
//!
//! so that turns are evenly n·T apart and no request is held for longer than D. Known error: a turn is told as the
//! first whole nanosecond at or after it; as TAT is exact, that does not add up.

#[cfg(test)]
mod tests;

use crate::algorithm::token_bucket::{Charged, Tat, TokenBucket};
use crate::algorithm::verdict::{Level, Verdict};
use crate::quota::Quota;
use crate::time::Nanos;

/// A quota, prepared for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeakyBucket {
    /// Of a queue, deep enough for every debt that it can have.
    meter: TokenBucket,
    burst: u64,
    /// Zero for a meter alone.
    max_delay: Nanos,
}

impl LeakyBucket {
    /// Prepares a quota whose requests are held for `max_delay` at most; zero is a meter, which holds none.
    #[must_use]
    pub fn new(quota: &Quota, max_delay: Nanos) -> Self {
        // The last in a queue finds a debt of D, and adds its own cost.
        Self { meter: TokenBucket::new(quota).deeper(max_delay), burst: quota.burst(), max_delay }
    }

    /// Asks for `cost` tokens at `now`; the caller keeps the new state, and holds the request for its
    /// [`delay`](Self::delay), or does not.
    #[must_use]
    pub fn check(&self, state: Option<Tat>, now: Nanos, cost: u64) -> Verdict<Tat> {
        let early = Nanos(self.delay(state, now).0.saturating_sub(self.max_delay.0));
        match self.meter.check(state, now, cost) {
            Verdict::Fits(_) if early > Nanos(0) => Verdict::Waits(early),
            Verdict::Waits(wait) => Verdict::Waits(wait.max(early)),
            fits => fits,
        }
    }

    /// How long after `now` the turn of a request is that finds `state`; zero for a meter.
    #[must_use]
    pub fn delay(&self, state: Option<Tat>, now: Nanos) -> Nanos {
        if self.max_delay == Nanos(0) {
            return Nanos(0);
        }
        let turn = self.meter.start(state, now).ceil();
        Nanos(turn.saturating_sub(now.0))
    }

    /// How many single tokens would be admitted at `now`, held or not; at most the burst.
    #[must_use]
    pub fn level(&self, state: Option<Tat>, now: Nanos) -> Level {
        if self.max_delay == Nanos(0) {
            return self.meter.level(state, now);
        }
        // The last of them finds a debt of D: together they reach one token beyond.
        let scale = self.meter.scale;
        let one = u128::from(self.meter.numerator.max(1));
        let reach = u128::from(self.max_delay.0).saturating_mul(scale.0.into()).saturating_add(one);
        let reach = reach.min(scale.units(self.meter.depth));
        let debt = scale.units(self.meter.debt(state, now));
        let remaining = reach.saturating_sub(debt) / one;
        let missing = remaining.saturating_add(1).saturating_mul(one).saturating_add(debt).saturating_sub(reach);
        let most = (reach / one).min(self.burst.into());
        let grows_in = if remaining >= most { 0 } else { scale.span(missing).ceil() };
        Level { remaining: u64::try_from(remaining.min(most)).unwrap_or(u64::MAX), grows_in: Nanos(grows_in) }
    }

    /// Takes back a charge; see [`TokenBucket::refund`].
    ///
    /// In a queue, those behind keep the turns that they were told, so the turn that is given up stays empty:
    /// moving the end of the queue instead would put the next one onto the last one's turn. Exact where nobody is
    /// behind.
    #[must_use]
    pub fn refund(&self, charge: &Charged, current: Tat, now: Nanos) -> Tat {
        let queued = self.max_delay > Nanos(0) && current != charge.charged;
        if queued { current } else { self.meter.refund(charge, current, now) }
    }

    /// The bucket as a meter, for all in which a queue does not differ.
    #[must_use]
    pub const fn meter(&self) -> &TokenBucket {
        &self.meter
    }
}
