//! A quota: so many tokens per period, and how many may be spent at once.

mod rate;
#[cfg(test)]
mod tests;

pub use rate::{MAX_PERIOD_DAYS, Rate, RateError};

use crate::time::Nanos;

/// The most tokens a rate or a burst may name: far above any proxy's traffic, and small enough that no product
/// of it overflows.
pub const MAX_TOKENS: u64 = 1_000_000_000_000;

/// The longest time an empty bucket may need to fill, in days (ten years).
pub const MAX_REFILL_DAYS: u64 = 3_650;

/// A validated quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Quota {
    rate: Rate,
    burst: u64,
}

/// Why a burst does not go with its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaError {
    /// Outside 1..=[`MAX_TOKENS`].
    Burst,
    /// The bucket would need more than [`MAX_REFILL_DAYS`] to fill.
    Refill,
}

impl Quota {
    /// 5 per second, 60 at once.
    pub(crate) const PER_SECOND_FIVE: Self = Self { rate: Rate::FIVE_PER_SECOND, burst: 60 };

    /// A bucket that holds `burst` tokens (the rate's own number where `None`) and fills at `rate`.
    ///
    /// # Errors
    /// Where the burst is zero or too large, alone or for this rate.
    pub fn new(rate: Rate, burst: Option<u64>) -> Result<Self, QuotaError> {
        let burst = burst.unwrap_or(rate.tokens());
        if !(1..=MAX_TOKENS).contains(&burst) {
            return Err(QuotaError::Burst);
        }
        let refill = u128::from(burst) * u128::from(rate.period().0) / u128::from(rate.tokens());
        if refill > u128::from(MAX_REFILL_DAYS * rate::DAY) {
            return Err(QuotaError::Refill);
        }
        Ok(Self { rate, burst })
    }

    /// The same rate, with a bucket that holds besides what `delay` pays back; unchanged where that is too much.
    #[must_use]
    pub fn deeper(self, delay: Nanos) -> Self {
        let tokens = u128::from(delay.0).saturating_mul(self.rate.tokens().into());
        let more = tokens.div_ceil(self.rate.period().0.max(1).into());
        let burst = u64::try_from(more).ok().and_then(|more| self.burst.checked_add(more));
        burst.and_then(|burst| Self::new(self.rate, Some(burst)).ok()).unwrap_or(self)
    }

    /// Tokens per period.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// The bucket's capacity, tokens.
    #[must_use]
    pub const fn burst(&self) -> u64 {
        self.burst
    }

    /// The number shown as the limit: the rate's tokens, or the burst where that is larger.
    #[must_use]
    pub fn shown_limit(&self) -> u64 {
        self.rate.tokens().max(self.burst)
    }
}
