//! The state of any bucket but a log, and its bytes.

#[cfg(test)]
mod tests;

use crate::algorithm::fixed_window::Window;
use crate::algorithm::sliding_window::Windows;
use crate::algorithm::span::Span;
use crate::algorithm::token_bucket::Tat;
use crate::quota::MAX_TOKENS;
use crate::time::{Nanos, Now, UnixNanos};

/// A state's bytes: 64 bits, 40 bits, 64 bits, each little-endian.
pub const STATE_BYTES: usize = 21;

/// The largest count that there are bits for.
pub(super) const MAX_COUNT: u64 = (1 << 40) - 1;

const _: () = assert!(MAX_TOKENS < MAX_COUNT, "counts are written as 40 bits");

/// One bucket's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Of a token or leaky bucket.
    Tat {
        /// The state.
        tat: Tat,
        /// When the last charge was that did not come along by `pile`.
        touched: Nanos,
    },
    /// Of a fixed window.
    Fixed(Window),
    /// Of a sliding window.
    Sliding(Windows),
}

/// Which of them: what its bytes do not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// [`State::Tat`].
    Tat,
    /// [`State::Fixed`].
    Fixed,
    /// [`State::Sliding`].
    Sliding,
}

impl Default for State {
    fn default() -> Self {
        Self::Tat { tat: Tat::default(), touched: Nanos::default() }
    }
}

impl State {
    /// Which form it has.
    #[must_use]
    pub const fn form(&self) -> Form {
        match self {
            Self::Tat { .. } => Form::Tat,
            Self::Fixed(_) => Form::Fixed,
            Self::Sliding(_) => Form::Sliding,
        }
    }

    /// When it was last charged; in windows this counts what came along by `pile`, where it began one.
    #[must_use]
    pub const fn touched(&self) -> Nanos {
        match self {
            Self::Tat { touched, .. } => *touched,
            Self::Fixed(window) => window.last.mono,
            Self::Sliding(windows) => windows.last,
        }
    }

    /// Its bytes; see [`Self::decode`].
    #[must_use]
    pub fn encode(&self) -> [u8; STATE_BYTES] {
        match *self {
            Self::Tat { tat: Tat(span), touched } => join(span.ns, span.sub, touched.0),
            Self::Fixed(window) => join(window.last.mono.0, window.count, window.last.wall.0),
            Self::Sliding(windows) => {
                let [current, previous] = windows.even.map(u64::from);
                let rest = u64::from(windows.age) | current << 8 | previous << 9 | u64::from(windows.undone) << 10;
                join(windows.last.0, windows.current, low40(windows.previous) | rest << 40)
            }
        }
    }

    /// Reads what [`Self::encode`] wrote of a state of this form. Any bytes are one.
    #[must_use]
    pub fn decode(form: Form, bytes: &[u8; STATE_BYTES]) -> Self {
        let [a, b, c] = split(bytes);
        match form {
            Form::Tat => Self::Tat { tat: Tat(Span { ns: a, sub: b }), touched: Nanos(c) },
            Form::Fixed => Self::Fixed(Window { last: Now { mono: Nanos(a), wall: UnixNanos(c) }, count: b }),
            Form::Sliding => {
                let [.., age, flags, _] = c.to_le_bytes();
                let [current, previous, undone] = [1, 2, 4].map(|flag| flags & flag != 0);
                let even = [current, previous];
                Self::Sliding(Windows { last: Nanos(a), current: b, previous: low40(c), age, even, undone })
            }
        }
    }
}

const fn low40(value: u64) -> u64 {
    value & MAX_COUNT
}

fn join(a: u64, b: u64, c: u64) -> [u8; STATE_BYTES] {
    let [b0, b1, b2, b3, b4, ..] = b.to_le_bytes();
    let [a0, a1, a2, a3, a4, a5, a6, a7] = a.to_le_bytes();
    let [c0, c1, c2, c3, c4, c5, c6, c7] = c.to_le_bytes();
    [a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, c5, c6, c7]
}

fn split(bytes: &[u8; STATE_BYTES]) -> [u64; 3] {
    let &[a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, c5, c6, c7] = bytes;
    [
        u64::from_le_bytes([a0, a1, a2, a3, a4, a5, a6, a7]),
        u64::from_le_bytes([b0, b1, b2, b3, b4, 0, 0, 0]),
        u64::from_le_bytes([c0, c1, c2, c3, c4, c5, c6, c7]),
    ]
}
