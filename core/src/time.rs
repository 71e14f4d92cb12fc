//! Time as the engine sees it: whole nanoseconds from two clocks that never mix.

#[cfg(any(test, feature = "model"))]
pub mod hand;

/// Nanoseconds on a clock that only moves forward, from an origin shared by every worker of a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

/// Nanoseconds since the Unix epoch; may step either way, so only fixed windows and what is shown to
/// people are computed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct UnixNanos(pub u64);

/// One instant, on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Now {
    /// On the monotonic clock.
    pub mono: Nanos,
    /// On the wall clock.
    pub wall: UnixNanos,
}

/// Nanoseconds in one second.
pub const SECOND: u64 = 1_000_000_000;

impl Nanos {
    /// The duration in seconds, rounded up: what a client must wait is never shortened.
    #[must_use]
    pub const fn ceil_seconds(self) -> u64 {
        self.0.div_ceil(SECOND)
    }
}

impl UnixNanos {
    /// The first whole Unix second at which `wait` has passed.
    #[must_use]
    pub const fn ceil_seconds_after(self, wait: Nanos) -> u64 {
        self.0.saturating_add(wait.0).div_ceil(SECOND)
    }
}

impl Now {
    /// The instant of an earlier monotonic reading, as if the wall clock had not been set since.
    #[must_use]
    pub const fn back_to(self, mono: Nanos) -> Self {
        let passed = self.mono.0.saturating_sub(mono.0);
        Self { mono: Nanos(self.mono.0.saturating_sub(passed)), wall: UnixNanos(self.wall.0.saturating_sub(passed)) }
    }
}

/// Where the engine reads time. Buckets use the monotonic reading, so a step of the wall clock moves
/// nobody; fixed windows alone follow the wall clock, by definition.
pub trait Clock {
    /// The monotonic clock.
    fn monotonic(&self) -> Nanos;
    /// The wall clock.
    fn wall(&self) -> UnixNanos;
}
