//! What Weir promises, as data: configurations, requests and what becomes of them.
//!
//! The same cases run wherever the engine does: over each store here, by `native`, and in a real proxy. So a store or
//! a shell that behaves in another way than the rest is seen.
//!
//! - `cases`: the cases, by concept
//! - `step`: requests and what is expected of them
//! - `native`: the runner over a store, with clocks moved by hand

mod cases;
pub mod native;
mod step;

#[cfg(test)]
mod tests;

pub use step::{Seen, Shown, Step};

/// One behaviour.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// What is promised; unique.
    pub name: &'static str,
    /// Configurations, as JSON, of filters that share one store (in a proxy: one VM).
    pub filters: &'static [&'static str],
    /// In order; every case begins with an empty store.
    pub steps: &'static [Step],
}

/// All of them.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    cases::ALL.iter().copied().flatten()
}
