//! Sliding window, approximated by two counters on the monotonic clock.
//!
//! Windows have the quota's period W. With e of the current one gone, a request of cost n fits iff
//!
//! ```text
//! previous · (W − e) / W + current + n ≤ B
//! ```
//!
//! compared exactly, as integers. The left side less n estimates the last W by supposing that the previous window's
//! charges were spread evenly over it (Cloudflare, “How we built rate limiting capable of scaling to millions of
//! domains”: 0.003 % of 400 million requests were decided wrongly).
//!
//! Known error: whoever spends B at the very end of a window may spend B · e / W more by e into the next, so a span
//! of W may see up to 2·B; no span of length t sees more than B + t · B / W. Whoever spends B at the start of one is
//! refused what a log would admit, but not for longer than W: once so much time has passed since the last charge, none
//! weighs anything.
//!
//! By that formula a client that asks evenly, at exactly its rate, would lose about one request in B. So it is known
//! of either window whether every charge in it kept its distance, W · n / B, from the one before. While all of them
//! did, a request that does too, and fits the current window, need only find
//!
//! ```text
//! previous · (W − e) / W + current ≤ B
//! ```
//!
//! which such a client always does: with p and c even charges in the two windows, e ≥ c · W / B, so p · (W − e) / W
//! ≤ B − c.

#[cfg(test)]
mod tests;

use crate::algorithm::REFILLS_KEPT;
use crate::algorithm::state::MAX_COUNT;
use crate::algorithm::verdict::{Charged, Level, Verdict};
use crate::quota::Quota;
use crate::time::Nanos;

/// A quota, prepared for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlidingWindow {
    capacity: u64,
    window: u64,
}

/// The state: the window that the last charge fell into, and the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Windows {
    /// When the last charge was; its window is the current one.
    pub last: Nanos,
    /// Tokens charged in it.
    pub current: u64,
    /// Tokens charged in the window before.
    pub previous: u64,
    /// How many windows have begun since the last charge that did not come along by `pile`; at most [`AGED`].
    pub age: u8,
    /// Whether charges kept their distance: all in the current window, and all in the one before.
    pub even: [bool; 2],
    /// Whether a charge was taken back since `last`: no other is known to be the latest then.
    pub undone: bool,
}

/// After so many windows the state is kept no longer for the sake of `pile`; after two a charge has no weight.
const AGED: u8 = 2 * REFILLS_KEPT as u8;

impl Windows {
    /// Whether nothing has weight.
    const fn is_empty(&self) -> bool {
        self.current == 0 && self.previous == 0
    }
}

impl SlidingWindow {
    /// Prepares a quota.
    #[must_use]
    pub fn new(quota: &Quota) -> Self {
        Self { capacity: quota.burst(), window: quota.rate().period().0.max(1) }
    }

    /// Asks for `cost` tokens at `now`; the caller keeps the new state or does not.
    ///
    /// A cost above the capacity never fits, whatever the wait says.
    #[must_use]
    pub fn check(&self, state: Option<Windows>, now: Nanos, cost: u64) -> Verdict<Windows> {
        let seen = self.seen(state, now);
        if self.fits(&seen, cost) || self.fits_evenly(state, &seen, cost) {
            let next = self.charged(state, &seen, cost);
            Verdict::Fits(Windows { current: seen.current.saturating_add(cost), age: 0, ..next })
        } else {
            Verdict::Waits(self.wait(state, &seen, now, cost))
        }
    }

    /// What is left at `now`.
    #[must_use]
    pub fn level(&self, state: Option<Windows>, now: Nanos) -> Level {
        let seen = self.seen(state, now);
        let remaining = self.remaining(&seen).max(self.fits_evenly(state, &seen, 1).into());
        let grows_in = match remaining {
            _ if seen.is_empty() => Nanos(0),
            0 => self.wait(state, &seen, now, 1),
            _ => self.fade(state, &seen, now, remaining.saturating_add(1)),
        };
        Level { remaining, grows_in }
    }

    /// Whether forgetting the state would change nothing.
    #[must_use]
    pub fn is_full(&self, state: Windows, now: Nanos) -> bool {
        self.seen(Some(state), now).is_empty()
    }

    /// Whether nothing has weight, or has for long but what came along by `pile`.
    #[must_use]
    pub fn is_paid(&self, state: Windows, now: Nanos) -> bool {
        let seen = self.seen(Some(state), now);
        seen.age >= AGED || seen.is_empty()
    }

    /// Tokens in use, rounded up, at most the capacity.
    #[must_use]
    pub fn used(&self, state: Windows, now: Nanos) -> u64 {
        self.capacity.saturating_sub(self.remaining(&self.seen(Some(state), now)))
    }

    /// The state with `used` tokens in use, or the capacity if that is less.
    #[must_use]
    pub fn with_used(&self, used: u64, now: Nanos) -> Windows {
        Windows { last: now, current: used.min(self.capacity), previous: 0, age: 0, even: [true; 2], undone: false }
    }

    /// The longest that an empty bucket may need to fill.
    #[must_use]
    pub const fn refill(&self) -> Nanos {
        Nanos(self.window)
    }

    /// Takes back a charge when the bucket holds `current`, in the window that it fell into. Exact.
    #[must_use]
    pub fn refund(&self, charge: &Charged<Windows>, current: Windows) -> Windows {
        // Where nothing came after it, distances too are as they were.
        if let Some(prior) = charge.prior.filter(|_| current == charge.charged && !current.undone) {
            return prior;
        }
        let charged = if charge.charged == Windows::default() { charge.at } else { charge.charged.last };
        match self.index(current.last).checked_sub(self.index(charged)) {
            Some(0) => Windows { current: current.current.saturating_sub(charge.cost), undone: true, ..current },
            Some(1) => Windows { previous: current.previous.saturating_sub(charge.cost), undone: true, ..current },
            _ => current,
        }
    }

    /// Charges what another limit has admitted, in this window up to twice the capacity less `cost`.
    #[must_use]
    pub fn pile(&self, state: Windows, now: Nanos, cost: u64) -> Windows {
        let seen = self.seen(Some(state), now);
        let twice = self.capacity.saturating_mul(2).saturating_sub(cost.min(self.capacity)).min(MAX_COUNT);
        let next = self.charged(Some(state), &seen, cost);
        Windows { current: seen.current.saturating_add(cost).min(twice.max(seen.current)), ..next }
    }

    /// What means the same here of a state of another capacity.
    pub(super) fn restated(&self, state: Windows, from: &Self) -> Windows {
        let even = if self.capacity < from.capacity { [false; 2] } else { state.even };
        Windows { even, ..state }
    }

    /// Whether a state of `other` means the same here.
    pub(super) const fn agrees(&self, other: &Self) -> bool {
        self.window == other.window
    }

    /// The state as it stands at `now`, or at its last charge where another worker's reading was newer.
    fn seen(&self, state: Option<Windows>, now: Nanos) -> Windows {
        let Some(state) = state else {
            return Windows { last: now, age: AGED, even: [true; 2], ..Windows::default() };
        };
        let last = now.max(state.last);
        let begun = self.index(last).saturating_sub(self.index(state.last));
        let (previous, current, even) = match begun {
            _ if last.0 - state.last.0 >= self.window => (0, 0, [true; 2]),
            0 => (state.previous, state.current, state.even),
            _ => (state.current, 0, [true, state.even[0]]),
        };
        let age = u64::from(state.age).saturating_add(begun).min(AGED.into()) as u8;
        Windows { last, current, previous, age, even, undone: state.undone && last == state.last }
    }

    /// Whether the estimate leaves `cost` tokens.
    fn fits(&self, seen: &Windows, cost: u64) -> bool {
        self.weight(seen).saturating_add(self.weigh(cost)) <= self.weigh(self.capacity)
    }

    /// Whether `cost` tokens fit although the estimate does not leave them, as long as all charges keep their distance.
    fn fits_evenly(&self, state: Option<Windows>, seen: &Windows, cost: u64) -> bool {
        seen.even == [true; 2]
            && self.keeps_distance(state, seen, cost)
            && seen.current.saturating_add(cost) <= self.capacity
            && self.fits(seen, 0)
    }

    /// Whether a charge of `cost` tokens keeps its distance from the last: without a division, since each decision asks.
    fn keeps_distance(&self, state: Option<Windows>, seen: &Windows, cost: u64) -> bool {
        let gap = |state: Windows| u128::from(seen.last.0.saturating_sub(state.last.0));
        state.is_none_or(|state| gap(state).saturating_mul(self.capacity.into()) >= self.weigh(cost))
    }

    /// From when on it does.
    fn even_from(&self, state: Option<Windows>, cost: u64) -> Nanos {
        let distance = self.weigh(cost).div_ceil(self.capacity.max(1).into());
        let distance = u64::try_from(distance).unwrap_or(u64::MAX);
        state.map_or(Nanos(0), |state| Nanos(state.last.0.saturating_add(distance)))
    }

    /// The windows once `cost` tokens are charged, but for the count.
    fn charged(&self, state: Option<Windows>, seen: &Windows, cost: u64) -> Windows {
        let [current, previous] = seen.even;
        Windows { even: [current && self.keeps_distance(state, seen, cost), previous], ..*seen }
    }

    /// How long after `now` a request of `cost` tokens fits, where it does not yet: by the estimate, or sooner in this
    /// window or the next because it keeps its distance.
    fn wait(&self, state: Option<Windows>, seen: &Windows, now: Nanos, cost: u64) -> Nanos {
        let room = self.capacity.checked_sub(seen.current).filter(|room| *room >= cost && seen.even == [true; 2]);
        let here = room.map(|room| self.fades(seen.previous, room));
        let next = (seen.even[0] && cost <= self.capacity).then(|| self.fades(seen.current, self.capacity));
        let (begins, even_from) = (seen.last.0 - seen.last.0 % self.window, self.even_from(state, cost).0);
        let ends = begins.saturating_add(self.window);
        let evenly = [(here, begins), (next, ends)].into_iter().find_map(|(fades, begins)| {
            let at = begins.saturating_add(fades?).max(even_from);
            (at < begins.saturating_add(self.window)).then_some(at)
        });
        let fade = self.fade(state, seen, now, cost);
        evenly.map_or(fade, |at| fade.min(Nanos(at.saturating_sub(now.0))))
    }

    /// How long after `now` the estimate in `seen` leaves `cost` tokens, where it does not yet.
    fn fade(&self, state: Option<Windows>, seen: &Windows, now: Nanos, cost: u64) -> Nanos {
        let elapsed = seen.last.0 % self.window;
        let lag = seen.last.0.saturating_sub(now.0);
        let left = self.capacity.saturating_sub(cost);
        let fits_at = match left.checked_sub(seen.current).map(|left| self.fades(seen.previous, left)) {
            Some(at) if at < self.window => at,
            _ => self.window.saturating_add(self.fades(seen.current, left)),
        };
        let full_at = state.map_or(now.0, |state| state.last.0.saturating_add(self.window));
        Nanos(fits_at.saturating_sub(elapsed).saturating_add(lag).min(full_at.saturating_sub(now.0)).min(self.window))
    }

    /// How far into the window after theirs `count` tokens weigh no more than `left`.
    fn fades(&self, count: u64, left: u64) -> u64 {
        if count <= left {
            return 0;
        }
        let rest = self.weigh(left).checked_div(count.into()).unwrap_or(0);
        self.window.saturating_sub(u64::try_from(rest).unwrap_or(u64::MAX))
    }

    fn remaining(&self, seen: &Windows) -> u64 {
        let left = self.weigh(self.capacity).saturating_sub(self.weight(seen));
        u64::try_from(left / u128::from(self.window)).unwrap_or(u64::MAX)
    }

    /// The estimate, times W.
    fn weight(&self, seen: &Windows) -> u128 {
        let rest = self.window.saturating_sub(seen.last.0 % self.window);
        u128::from(seen.previous).saturating_mul(rest.into()).saturating_add(self.weigh(seen.current))
    }

    fn weigh(&self, tokens: u64) -> u128 {
        u128::from(tokens).saturating_mul(self.window.into())
    }

    fn index(&self, at: Nanos) -> u64 {
        at.0 / self.window
    }
}
