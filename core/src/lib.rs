//! The engine of Weir: everything that decides, without a host.
//!
//! - `config`: text to policy, strictly
//! - `policy`: what is limited, and how
//! - `http`: reading a request's parts
//! - `matching`: which of many rules a request meets
//! - `quota`, `algorithm`: the arithmetic of one bucket
//! - `store`, `table`: where buckets are kept, bounded and shared
//! - `engine`: a request meets the policy
//! - `answer`: what the client is told
//! - `order`: what is sorted, and how little code that takes
//! - `suite`: what all of it promises, as cases to run over any store
//!
//! No clock, no I/O and no randomness of its own: the shell hands them in.

#![forbid(unsafe_code, reason = "what needs it belongs into the shell, beside the host call that it is for")]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::get_unwrap,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented,
    reason = "a panic takes down every request of a worker"
)]

pub mod algorithm;
pub mod answer;
pub mod config;
pub mod engine;
pub mod http;
pub mod matching;
mod order;
pub mod policy;
pub mod quota;
pub mod store;
#[cfg(any(test, feature = "model"))]
pub mod suite;
pub mod table;
pub mod time;
