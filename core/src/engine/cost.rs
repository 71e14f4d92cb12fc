//! What one request takes.

use crate::engine::facts::{Facts, FieldId, Names};
use crate::policy::Cost;

/// A [`Cost`] with its field looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompiledCost {
    /// Always so many.
    Fixed(u64),
    /// As a header says.
    Header {
        /// Which.
        field: FieldId,
        /// Where it is not a whole number of at least 1.
        default: u64,
        /// Where it is more than this.
        max: u64,
    },
}

impl CompiledCost {
    pub(super) fn new(cost: &Cost, names: &mut Names) -> Self {
        match cost {
            Cost::Fixed(tokens) => Self::Fixed(*tokens),
            Cost::Header { name, default, max } => {
                Self::Header { field: names.intern(name), default: *default, max: *max }
            }
        }
    }

    /// The tokens that the request takes.
    #[must_use]
    pub fn of(self, facts: &Facts<'_>) -> u64 {
        match self {
            Self::Fixed(tokens) => tokens,
            Self::Header { field, default, max } => match facts.field(field) {
                Some(digits) if digits.iter().all(u8::is_ascii_digit) => match number(digits) {
                    0 => default,
                    tokens => tokens.min(max),
                },
                _ => default,
            },
        }
    }
}

/// Digits as a number, saturating: what is too long to count is above any bound.
fn number(digits: &[u8]) -> u64 {
    digits
        .iter()
        .fold(0, |sum: u64, digit| sum.saturating_mul(10).saturating_add(u64::from(digit.saturating_sub(b'0'))))
}
