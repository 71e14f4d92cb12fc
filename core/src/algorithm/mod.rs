//! Algorithms: each a pure function of its own state and the time, without a store, a clock or a key.

pub mod span;
pub mod token_bucket;
