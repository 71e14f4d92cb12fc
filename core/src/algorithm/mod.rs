//! Algorithms: each a pure function of its own state and the time, without a store, a clock or a key.
//!
//! - `token_bucket`, `leaky_bucket`: one instant, on exact time (`span`)
//! - `fixed_window`, `sliding_window`: one or two counters
//! - `sliding_log`: a list, so it stands apart from the others
//! - `verdict`: what each of them says
//! - `state`, `dispatch`: any of them but the log, behind one interface

mod dispatch;
pub mod fixed_window;
pub mod leaky_bucket;
pub mod sliding_log;
pub mod sliding_window;
pub mod span;
mod state;
#[cfg(test)]
mod testing;
pub mod token_bucket;
mod verdict;

pub use dispatch::Algorithm;
pub use state::{Form, STATE_BYTES, State};
pub use verdict::{Charged, Level, Verdict};

/// For how many refills a bucket that is only charged by `pile` is kept: the longer, the less it forgets of what its
/// own limit admitted; the shorter, the sooner the place of numbers that nobody uses any more is free.
pub(crate) const REFILLS_KEPT: u64 = 2;
