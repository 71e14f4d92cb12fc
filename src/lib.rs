//! The filter: a thin shell between Envoy and the engine, and the only place that calls the host.
//!
//! - `host`: the proxy-wasm ABI, made safe
//! - `exports`: what Envoy calls
//! - `vm`: what one worker's VM holds
//! - `root`: one configuration
//! - `stream`: one request, from its headers to those of its response
//! - `held`: requests that wait for their turn
//! - `metrics`: counters

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
#![deny(clippy::undocumented_unsafe_blocks, reason = "each call to the host rests on a promise: write it down")]

mod exports;
mod held;
mod host;
mod metrics;
mod root;
mod stream;
mod vm;
