//! A bench for the filter: a real Envoy on loopback, an echo upstream behind it, clients in front.
//!
//! Nothing here is ever skipped: where Envoy or the built module is missing, the test fails and
//! says what to run.

pub mod client;
pub mod envoy;
mod paths;
pub mod prometheus;
pub mod tally;
mod trickle;
pub mod upstream;

pub use client::raw::RawConnection;
pub use client::{Client, Reply, Req, Volley, at_once, flood, flood_tally, volley};
pub use envoy::{Builder, Envoy, EnvoyFile, Listener, Settings, StartFailure, Update, WallClock};
pub use paths::{clients, shipped, shipped_text, wasm};
pub use prometheus::{Prometheus, promtool};
pub use tally::Tally;
pub use upstream::Upstream;
