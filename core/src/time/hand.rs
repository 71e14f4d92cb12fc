//! Clocks for those who have no time to wait.

use std::cell::Cell;

use super::{Clock, Nanos, UnixNanos};

/// Both clocks, moved by hand.
#[derive(Debug, Clone)]
pub struct Hand {
    /// The monotonic clock, in nanoseconds.
    pub monotonic: Cell<u64>,
    /// The wall clock, in nanoseconds since the Unix epoch.
    pub wall: Cell<u64>,
}

impl Hand {
    /// Clocks that show this.
    #[must_use]
    pub const fn new(monotonic: u64, wall: u64) -> Self {
        Self { monotonic: Cell::new(monotonic), wall: Cell::new(wall) }
    }

    /// Lets time pass on both.
    pub fn pass(&self, time: Nanos) {
        for clock in [&self.monotonic, &self.wall] {
            clock.set(clock.get().saturating_add(time.0));
        }
    }
}

impl Clock for Hand {
    fn monotonic(&self) -> Nanos {
        Nanos(self.monotonic.get())
    }

    fn wall(&self) -> UnixNanos {
        UnixNanos(self.wall.get())
    }
}
