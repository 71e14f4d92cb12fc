//! Hostile bytes for the engine.
//!
//! `cargo test` gives every target a moment of random bytes; `make fuzz` gives each a longer while of bytes that are
//! guided by the code they reach.
//!
//! - `tree`: configurations made of bytes, in both of their notations
//! - `request`: requests of any fields
//! - `service`: an engine with a store and a clock
//! - `targets`: what must hold

pub mod request;
pub mod service;
#[cfg(test)]
mod targets;
pub mod tree;
