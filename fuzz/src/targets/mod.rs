//! The targets. Each takes bytes and fails by panicking.

mod addresses;
mod answers;
mod configuration;
mod credentials;
mod hosts;
mod pairs;
mod paths;
mod records;
mod requests;
