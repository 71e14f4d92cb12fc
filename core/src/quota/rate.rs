//! `N/unit` as people write it.

use crate::quota::MAX_TOKENS;
use crate::time::{Nanos, SECOND};

/// Nanoseconds in a day.
pub(super) const DAY: u64 = 86_400 * SECOND;

/// The longest period a rate may name, in days.
pub const MAX_PERIOD_DAYS: u64 = 365;

/// Tokens per period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rate {
    tokens: u64,
    period: Nanos,
}

/// Why a text is no rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateError {
    /// Not of the form `N/unit`.
    Syntax,
    /// N outside 1..=[`MAX_TOKENS`].
    Tokens,
    /// A period of zero, or of more than [`MAX_PERIOD_DAYS`].
    Period,
}

impl Rate {
    /// 5 per second.
    pub(super) const FIVE_PER_SECOND: Self = Self { tokens: 5, period: Nanos(SECOND) };

    /// Reads `5/minute`, `5/m`, `300/5m`, `1/2s`.
    ///
    /// # Errors
    /// See [`RateError`].
    pub fn parse(text: &str) -> Result<Self, RateError> {
        let (tokens, period) = text.split_once('/').ok_or(RateError::Syntax)?;
        let tokens = whole(tokens, RateError::Tokens)?;
        let period = seconds(period)?.checked_mul(SECOND).ok_or(RateError::Period)?;
        Self::new(tokens, Nanos(period))
    }

    /// So many tokens in each period.
    ///
    /// # Errors
    /// [`RateError::Tokens`] or [`RateError::Period`] for a number out of bounds or a fraction of a second.
    pub fn new(tokens: u64, period: Nanos) -> Result<Self, RateError> {
        if !(1..=MAX_TOKENS).contains(&tokens) {
            return Err(RateError::Tokens);
        }
        if !(SECOND..=MAX_PERIOD_DAYS * DAY).contains(&period.0) || !period.0.is_multiple_of(SECOND) {
            return Err(RateError::Period);
        }
        Ok(Self { tokens, period })
    }

    /// Tokens in one period, at least 1.
    #[must_use]
    pub const fn tokens(self) -> u64 {
        self.tokens
    }

    /// The period, a whole number of seconds, at least one.
    #[must_use]
    pub const fn period(self) -> Nanos {
        self.period
    }

    /// The period in seconds: the window that headers show.
    #[must_use]
    pub const fn window_seconds(self) -> u64 {
        self.period.0 / SECOND
    }
}

/// A number in plain digits; what is only too long for the machine is `overflow`, not a fault of form.
fn whole(digits: &str, overflow: RateError) -> Result<u64, RateError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(RateError::Syntax);
    }
    digits.parse().map_err(|_| overflow)
}

/// `minute`, `m` or `5m` in seconds.
fn seconds(period: &str) -> Result<u64, RateError> {
    let unit = period.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = period.strip_suffix(unit).unwrap_or_default();
    let (one, spelled_out) = match unit {
        "s" => (1, false),
        "m" => (60, false),
        "h" => (3_600, false),
        "d" => (86_400, false),
        "second" => (1, true),
        "minute" => (60, true),
        "hour" => (3_600, true),
        "day" => (86_400, true),
        _ => return Err(RateError::Syntax),
    };
    match count {
        "" => Ok(one),
        _ if spelled_out => Err(RateError::Syntax),
        _ => whole(count, RateError::Period)?.checked_mul(one).ok_or(RateError::Period),
    }
}
