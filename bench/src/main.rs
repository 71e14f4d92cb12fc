//! What a request costs with Weir in a real Envoy, beside no filter, a filter that does nothing, and Envoy's own
//! limiter.
//!
//! Every variant is an Envoy of its own. Rounds go through all of them in turn, each round beginning with another
//! one, so that whatever else the machine does falls on all alike; what a filter adds is the difference to the Envoy
//! without one in the same round.
//!
//! - [`settings`]: what can be set from outside
//! - [`variants`]: what is compared; [`local`] and [`weir`] configure the limiters, [`noop`] builds filters that do
//!   nothing
//! - [`bootstrap`], [`envoy`], [`port`]: the processes
//! - [`load`], [`connection`], [`reply`]: requests, and what must come back
//! - [`cpu`]: time on the CPU
//! - [`rounds`], [`stats`], [`line`], [`report`]: from measurements to a table and `target/bench.json`

mod bootstrap;
mod connection;
mod cpu;
mod envoy;
mod line;
mod load;
mod local;
mod noop;
mod port;
mod reply;
mod report;
mod rounds;
mod settings;
mod stats;
mod variants;
mod weir;

use std::process::ExitCode;

use anyhow::Result;

use crate::rounds::Bench;
use crate::settings::Settings;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("weir-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let settings = Settings::from_env()?;
    let dir = tempfile::Builder::new().prefix("weir-bench-").tempdir()?;
    let variants = variants::selected(&settings, dir.path())?;
    println!(
        "{} variants, up to {} rounds of {} requests each ...",
        variants.len(),
        settings.rounds,
        settings.requests
    );
    let mut bench = Bench::start(&settings, variants, dir.path())?;
    let rounds = bench.run()?;
    let report = report::Report::new(&settings, &bench, &rounds)?;
    print!("{report}");
    report.write(&settings.output)
}
