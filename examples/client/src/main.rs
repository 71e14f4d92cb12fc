//! Gets a URL some times, as a client should that may be refused:
//!
//!     weir-client [--naive] [--quiet] [--jobs N] URL

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use weir_client::{Manner, run};

const USAGE: &str = "usage: weir-client [--naive] [--quiet] [--jobs N] URL";

fn main() -> Result<ExitCode> {
    let (mut manner, mut lines, mut jobs, mut url) = (Manner::polite(), true, 10, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--naive" => manner = Manner::naive(),
            "--quiet" => lines = false,
            "--jobs" => jobs = arguments.next().context(USAGE)?.parse().context("--jobs")?,
            other if other.starts_with('-') || url.is_some() => bail!("{other}: {USAGE}"),
            _ => url = Some(argument),
        }
    }
    let url = url.context(USAGE)?;
    let mut out: Box<dyn Write> = if lines { Box::new(io::stdout()) } else { Box::new(io::sink()) };
    let summary = run(&url, jobs, &manner, &mut out)?;
    println!("{summary}");
    Ok(if summary.done == summary.jobs { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
