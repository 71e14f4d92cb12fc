//! The proxy-wasm ABI (version 0.2.1), made safe.
//!
//! The raw imports are used instead of the public SDK because its getters panic on bytes that are not UTF-8 and on
//! any status it does not know, and one panic takes down every request of a worker.

mod abi;
mod call;
mod memory;
mod shared_data;

pub(crate) use call::{Call, Level, MetricKind, enter};
