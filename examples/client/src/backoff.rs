//! How long to wait where nobody says.

#[cfg(test)]
mod tests;

use std::time::Duration;

/// Exponential, with full jitter: clients that were refused together do not come back together.
#[derive(Clone, Debug)]
pub struct Backoff {
    /// The longest first wait.
    pub first: Duration,
    /// The longest wait of all.
    pub longest: Duration,
}

impl Backoff {
    /// The bound before the retry of this number, from 0: it doubles until it is the longest.
    pub fn bound(&self, retry: u32) -> Duration {
        let factor = 1_u32.checked_shl(retry).unwrap_or(u32::MAX);
        self.first.saturating_mul(factor).min(self.longest)
    }

    /// Anything from nothing to the bound, evenly.
    pub fn pause(&self, retry: u32) -> Duration {
        self.bound(retry).mul_f64(fastrand::f64())
    }
}
