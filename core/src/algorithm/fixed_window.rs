//! Fixed window: a counter that starts again with each period of the wall clock.
//!
//! Windows are the quota's period W, counted from the Unix epoch (so days begin at midnight UTC, weeks on a
//! Thursday). A request of cost n fits iff
//!
//! ```text
//! count + n ≤ B
//! ```
//!
//! Known error: none within a window, but a span of W that lies across the border of two may see 2·B, all within a
//! moment of each other. It follows the wall clock by
//! definition: a step forward begins a window early.
//!
//! A step back leaves counters of windows that are still to come. They count as the current one, and as a refusal
//! writes nothing, they carry both clocks' readings of their last charge: on the monotonic clock their window ends
//! when it would have without the step, so nobody is locked out for longer than one window.

#[cfg(test)]
mod tests;

use crate::algorithm::state::MAX_COUNT;
use crate::algorithm::verdict::{Charged, Level, Verdict};
use crate::quota::Quota;
use crate::time::{Nanos, Now, SECOND, UnixNanos};

/// How far the clocks may disagree without one of them having been set: they are read one after the other. A smaller
/// step back is not told from that, and may make its window last so much longer.
const SKEW: u64 = SECOND / 10;

/// A quota, prepared for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedWindow {
    capacity: u64,
    window: u64,
}

/// The state: what was charged in the window that the last charge fell into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    /// When the last charge was.
    pub last: Now,
    /// Tokens; those beyond the capacity came along by `pile`, and count in the window after.
    pub count: u64,
}

/// The window that a request falls into.
struct Current {
    count: u64,
    ends_in: u64,
    /// A reading in that window.
    inside: Now,
}

impl FixedWindow {
    /// Prepares a quota.
    #[must_use]
    pub fn new(quota: &Quota) -> Self {
        Self { capacity: quota.burst(), window: quota.rate().period().0.max(1) }
    }

    /// Asks for `cost` tokens at `now`; the caller keeps the new state or does not.
    ///
    /// A cost above the capacity never fits, whatever the wait says.
    #[must_use]
    pub fn check(&self, state: Option<Window>, now: Now, cost: u64) -> Verdict<Window> {
        let current = self.current(state, now);
        match current.count.saturating_add(cost) {
            count if count <= self.capacity => Verdict::Fits(Window { last: current.inside, count }),
            count if count.saturating_sub(self.capacity) <= self.capacity => Verdict::Waits(Nanos(current.ends_in)),
            // More than the next window has left of what came along.
            _ => Verdict::Waits(Nanos(current.ends_in.saturating_add(self.window))),
        }
    }

    /// What is left at `now`.
    #[must_use]
    pub fn level(&self, state: Option<Window>, now: Now) -> Level {
        let current = self.current(state, now);
        let grows_in = Nanos(if current.count == 0 { 0 } else { current.ends_in });
        Level { remaining: self.capacity.saturating_sub(current.count), grows_in }
    }

    /// Whether forgetting the state would change nothing.
    #[must_use]
    pub fn is_full(&self, state: Window, now: Now) -> bool {
        self.used(state, now) == 0
    }

    /// Tokens in use, at most the capacity.
    #[must_use]
    pub fn used(&self, state: Window, now: Now) -> u64 {
        self.current(Some(state), now).count.min(self.capacity)
    }

    /// The state with `used` tokens in use, or the capacity if that is less.
    #[must_use]
    pub fn with_used(&self, used: u64, now: Now) -> Window {
        Window { last: now, count: used.min(self.capacity) }
    }

    /// The longest that an empty bucket may need to fill.
    #[must_use]
    pub const fn refill(&self) -> Nanos {
        Nanos(self.window)
    }

    /// Takes back a charge when the bucket holds `current`; nothing where its window is over. Exact.
    #[must_use]
    pub fn refund(&self, charge: &Charged<Window>, current: Window) -> Window {
        let unknown = charge.charged == Window::default();
        let charged = if unknown { current.last.back_to(charge.at) } else { charge.charged.last };
        // Beyond the capacity it cannot be known in which of two windows it would be given back.
        let same = self.index(charged.wall) == self.index(current.last.wall) && current.count <= self.capacity;
        let given = if same { charge.cost } else { 0 };
        Window { count: current.count.saturating_sub(given), ..current }
    }

    /// Charges what another limit has admitted; the last charge stays as it is. What its window does not hold counts in
    /// the next, and leaves room for one more such request there, unless that has begun.
    #[must_use]
    pub fn pile(&self, state: Window, now: Now, cost: u64) -> Window {
        let (before, spare) =
            if self.is_over(state, now) { (state.count.max(self.capacity), 0) } else { (state.count, cost) };
        let most = self.twice().saturating_sub(spare.min(self.capacity)).min(MAX_COUNT).max(before);
        Window { count: before.saturating_add(cost).min(most), ..state }
    }

    /// Whether the window of the last charge is over, and the one after it too.
    #[must_use]
    pub fn is_paid(&self, state: Window, now: Now) -> bool {
        self.is_over(state, now) && self.index(state.last.wall).saturating_add(1) != self.index(now.wall)
    }

    /// What means the same here of a state of another capacity, at most this one.
    pub(super) fn lowered(&self, state: Window) -> Window {
        Window { count: state.count.min(self.capacity), ..state }
    }

    /// Whether a state of `other` means the same here.
    pub(super) const fn agrees(&self, other: &Self) -> bool {
        self.window == other.window
    }

    const fn twice(&self) -> u64 {
        self.capacity.saturating_mul(2)
    }

    /// Whether nothing counts any more but what came along beyond its window.
    fn is_over(&self, state: Window, now: Now) -> bool {
        self.used(Window { count: state.count.min(self.capacity), ..state }, now) == 0
    }

    fn index(&self, wall: UnixNanos) -> u64 {
        wall.0 / self.window
    }

    /// How long after `wall` its window lasts, at least 1.
    fn rest(&self, wall: UnixNanos) -> u64 {
        self.window.saturating_sub(wall.0 % self.window)
    }

    fn current(&self, state: Option<Window>, now: Now) -> Current {
        let fresh = Current { count: 0, ends_in: self.rest(now.wall), inside: now };
        let (Some(Window { last, count }), index) = (state, self.index(now.wall)) else { return fresh };
        let charged = self.index(last.wall);
        if charged < index {
            let over = count.min(self.twice()).saturating_sub(self.capacity);
            return Current { count: if charged.saturating_add(1) == index { over } else { 0 }, ..fresh };
        }
        // It leaves a token in the next, whatever the state.
        let count = count.min(self.twice().saturating_sub(1));
        let by_wall = last.wall.0.saturating_add(self.rest(last.wall)).saturating_sub(now.wall.0);
        let by_mono = last.mono.0.saturating_add(self.rest(last.wall));
        let set_back = now.mono.0.saturating_add(by_wall) > by_mono.saturating_add(SKEW);
        if !set_back {
            // Another worker's reading may be a little newer, and its window with it.
            let inside = if charged == index { now } else { last };
            return Current { count, ends_in: by_wall.min(self.window.saturating_add(SKEW)), inside };
        }
        match by_mono.saturating_sub(now.mono.0) {
            0 => fresh,
            ends_in => Current { count, ends_in: ends_in.min(self.window), inside: now },
        }
    }
}
