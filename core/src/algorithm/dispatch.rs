//! Any algorithm but the log, behind one interface.
//!
//! A state of another form than the algorithm's own counts as none: whoever keeps states keeps the form beside them.

#[cfg(test)]
mod tests;

use crate::algorithm::REFILLS_KEPT;
use crate::algorithm::fixed_window::{FixedWindow, Window};
use crate::algorithm::leaky_bucket::LeakyBucket;
use crate::algorithm::sliding_window::{SlidingWindow, Windows};
use crate::algorithm::span::Span;
use crate::algorithm::state::{Form, State};
use crate::algorithm::token_bucket::{Tat, TokenBucket};
use crate::algorithm::verdict::{Charged, Level, Verdict};
use crate::time::{Nanos, Now};

/// A quota, prepared for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`TokenBucket`].
    TokenBucket(TokenBucket),
    /// See [`LeakyBucket`].
    LeakyBucket(LeakyBucket),
    /// See [`FixedWindow`].
    FixedWindow(FixedWindow),
    /// See [`SlidingWindow`].
    SlidingWindow(SlidingWindow),
}

impl Algorithm {
    /// The form of its states.
    #[must_use]
    pub const fn form(&self) -> Form {
        match self {
            Self::TokenBucket(_) | Self::LeakyBucket(_) => Form::Tat,
            Self::FixedWindow(_) => Form::Fixed,
            Self::SlidingWindow(_) => Form::Sliding,
        }
    }

    /// Whether its decisions depend on the wall clock; where they do not, [`Now::wall`] may be anything.
    #[must_use]
    pub const fn reads_wall(&self) -> bool {
        matches!(self, Self::FixedWindow(_))
    }

    /// Asks for `cost` tokens at `now`; the caller keeps the new state or does not.
    #[must_use]
    pub fn check(&self, state: Option<State>, now: Now, cost: u64) -> Verdict<State> {
        let tat = |tat| State::Tat { tat, touched: now.mono };
        match self {
            Self::TokenBucket(bucket) => bucket.check(state.and_then(State::tat), now.mono, cost).map(tat),
            Self::LeakyBucket(bucket) => bucket.check(state.and_then(State::tat), now.mono, cost).map(tat),
            Self::FixedWindow(window) => window.check(state.and_then(State::fixed), now, cost).map(State::Fixed),
            Self::SlidingWindow(window) => {
                window.check(state.and_then(State::sliding), now.mono, cost).map(State::Sliding)
            }
        }
    }

    /// How long to hold a request that found `state` at `now` and was charged.
    #[must_use]
    pub fn delay(&self, state: Option<State>, now: Now) -> Nanos {
        match self {
            Self::LeakyBucket(bucket) => bucket.delay(state.and_then(State::tat), now.mono),
            _ => Nanos(0),
        }
    }

    /// What is left at `now`.
    #[must_use]
    pub fn level(&self, state: Option<State>, now: Now) -> Level {
        match self {
            Self::TokenBucket(bucket) => bucket.level(state.and_then(State::tat), now.mono),
            Self::LeakyBucket(bucket) => bucket.level(state.and_then(State::tat), now.mono),
            Self::FixedWindow(window) => window.level(state.and_then(State::fixed), now),
            Self::SlidingWindow(window) => window.level(state.and_then(State::sliding), now.mono),
        }
    }

    /// Whether forgetting the state would change nothing.
    #[must_use]
    pub fn is_full(&self, state: State, now: Now) -> bool {
        match (self, state) {
            (Self::FixedWindow(window), State::Fixed(state)) => window.is_full(state, now),
            (Self::SlidingWindow(window), State::Sliding(state)) => window.is_full(state, now.mono),
            (_, State::Tat { tat, .. }) => self.meter().is_none_or(|bucket| bucket.is_full(tat, now.mono)),
            _ => true,
        }
    }

    /// Whether it may be forgotten although [`pile`](Self::pile) goes on, for its own limit has long charged nothing;
    /// ask before the next of those.
    #[must_use]
    pub fn is_paid(&self, state: State, now: Now) -> bool {
        match (self, state) {
            (Self::SlidingWindow(window), State::Sliding(state)) => window.is_paid(state, now.mono),
            (Self::FixedWindow(window), State::Fixed(state)) => window.is_paid(state, now),
            (_, State::Tat { touched, .. }) => {
                now.mono.0.saturating_sub(touched.0) > self.refill().0.saturating_mul(REFILLS_KEPT)
                    || self.is_full(state, now)
            }
            _ => true,
        }
    }

    /// Whether not even one token is left.
    #[must_use]
    pub fn at_limit(&self, state: State, now: Now) -> bool {
        matches!(self.check(Some(state), now, 1), Verdict::Waits(_))
    }

    /// The debt as a fraction of the capacity, for comparison only.
    #[must_use]
    pub fn debt_fraction(&self, state: State, now: Now) -> f64 {
        match (self.meter(), state) {
            (Some(bucket), State::Tat { tat, .. }) => bucket.debt_fraction(tat, now.mono),
            _ => self.used(state, now) as f64 / self.capacity(now).max(1) as f64,
        }
    }

    /// Tokens in use, rounded up, at most the capacity.
    #[must_use]
    pub fn used(&self, state: State, now: Now) -> u64 {
        match (self, state) {
            (Self::FixedWindow(window), State::Fixed(state)) => window.used(state, now),
            (Self::SlidingWindow(window), State::Sliding(state)) => window.used(state, now.mono),
            (_, State::Tat { tat, .. }) => self.meter().map_or(0, |bucket| bucket.used(tat, now.mono)),
            _ => 0,
        }
    }

    /// The state with `used` tokens in use, or the capacity if that is less.
    #[must_use]
    pub fn with_used(&self, used: u64, now: Now) -> State {
        match self {
            Self::FixedWindow(window) => State::Fixed(window.with_used(used, now)),
            Self::SlidingWindow(window) => State::Sliding(window.with_used(used, now.mono)),
            Self::TokenBucket(bucket) => spent(bucket, used, now.mono),
            Self::LeakyBucket(bucket) => spent(bucket.meter(), used, now.mono),
        }
    }

    /// Restates what was written under the numbers `from`, as of `anchor`: the tokens in use at that moment, and never
    /// more than this one's own capacity. Exact between token and leaky buckets, and where windows are as long as they
    /// were; otherwise rounded up to a whole token.
    #[must_use]
    pub fn carry(&self, state: State, from: &Self, anchor: Now) -> State {
        if let (Some(to), Some(from), State::Tat { tat, touched }) = (self.meter(), from.meter(), state) {
            return State::Tat { tat: to.carry(tat, from, anchor.mono), touched };
        }
        match (self, from, state) {
            (Self::FixedWindow(to), Self::FixedWindow(from), State::Fixed(state)) if to.agrees(from) => {
                State::Fixed(to.lowered(state))
            }
            (Self::SlidingWindow(to), Self::SlidingWindow(from), State::Sliding(state)) if to.agrees(from) => {
                State::Sliding(to.restated(state, from))
            }
            _ => self.with_used(from.used(state, anchor), anchor),
        }
    }

    /// The longest that an empty bucket may need to fill.
    #[must_use]
    pub fn refill(&self) -> Nanos {
        match self {
            Self::TokenBucket(bucket) => bucket.refill(),
            Self::LeakyBucket(bucket) => bucket.meter().refill(),
            Self::FixedWindow(window) => window.refill(),
            Self::SlidingWindow(window) => window.refill(),
        }
    }

    /// Takes back a charge when the bucket holds `current`; never lets the bound be passed.
    #[must_use]
    pub fn refund(&self, charge: &Charged<State>, current: State, now: Now) -> State {
        match (self, current) {
            (Self::TokenBucket(bucket), State::Tat { tat, touched }) => {
                State::Tat { tat: bucket.refund(&narrow(charge, State::tat), tat, now.mono), touched }
            }
            (Self::LeakyBucket(bucket), State::Tat { tat, touched }) => {
                State::Tat { tat: bucket.refund(&narrow(charge, State::tat), tat, now.mono), touched }
            }
            (Self::FixedWindow(window), State::Fixed(current)) => {
                State::Fixed(window.refund(&narrow(charge, State::fixed), current))
            }
            (Self::SlidingWindow(window), State::Sliding(current)) => {
                State::Sliding(window.refund(&narrow(charge, State::sliding), current))
            }
            _ => current,
        }
    }

    /// Charges what another limit has admitted. Where the bucket does not hold it, it is owed beyond, up to twice the
    /// capacity less `cost`: so one more such request fits no later than an empty bucket would be full.
    #[must_use]
    pub fn pile(&self, state: State, now: Now, cost: u64) -> State {
        if let (Some(bucket), State::Tat { tat, touched }) = (self.meter(), state) {
            return State::Tat { tat: bucket.pile(tat, now.mono, cost), touched };
        }
        match (self, state) {
            (Self::FixedWindow(window), State::Fixed(state)) => State::Fixed(window.pile(state, now, cost)),
            (Self::SlidingWindow(window), State::Sliding(state)) => State::Sliding(window.pile(state, now.mono, cost)),
            _ => self.with_used(cost, now),
        }
    }

    /// The arithmetic of those whose state is a TAT.
    const fn meter(&self) -> Option<&TokenBucket> {
        match self {
            Self::TokenBucket(bucket) => Some(bucket),
            Self::LeakyBucket(bucket) => Some(bucket.meter()),
            _ => None,
        }
    }

    fn capacity(&self, now: Now) -> u64 {
        self.used(self.with_used(u64::MAX, now), now)
    }
}

impl State {
    fn tat(self) -> Option<Tat> {
        if let Self::Tat { tat, .. } = self { Some(tat) } else { None }
    }

    fn fixed(self) -> Option<Window> {
        if let Self::Fixed(window) = self { Some(window) } else { None }
    }

    fn sliding(self) -> Option<Windows> {
        if let Self::Sliding(windows) = self { Some(windows) } else { None }
    }
}

fn spent(bucket: &TokenBucket, used: u64, now: Nanos) -> State {
    let full = Tat(Span::whole(now.0));
    State::Tat { tat: bucket.pile(full, now, used), touched: now }
}

fn narrow<S: Default>(charge: &Charged<State>, form: fn(State) -> Option<S>) -> Charged<S> {
    Charged {
        prior: charge.prior.and_then(form),
        charged: form(charge.charged).unwrap_or_default(),
        at: charge.at,
        cost: charge.cost,
    }
}
