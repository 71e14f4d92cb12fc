//! The table, and the numbers behind it.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;

use crate::line::{self, Line};
use crate::rounds::{Bench, Measurement, Round};
use crate::settings::Settings;
use crate::stats::Summary;

/// The outcome of a run.
pub(crate) struct Report {
    lines: Vec<Line>,
    rounds: usize,
    requests: usize,
    waited: Summary,
}

impl Report {
    /// Draws it up.
    ///
    /// # Errors
    /// Something was never measured.
    pub(crate) fn new(settings: &Settings, bench: &Bench, rounds: &[Round]) -> Result<Self> {
        let waited = rounds.iter().flatten().map(Measurement::waited);
        Ok(Self {
            lines: line::lines(bench, rounds)?,
            rounds: rounds.len(),
            requests: settings.requests,
            waited: Summary::of(waited).context("no rounds")?,
        })
    }

    /// Writes the numbers as JSON.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let json = json!({
            "rounds": self.rounds,
            "requests_per_round": self.requests,
            "machine": {"processor": processor(), "cpus": cpus(), "workers_waited": self.waited.to_json()},
            "variants": self.lines.iter().map(Line::to_json).collect::<Vec<_>>(),
        });
        let text = serde_json::to_string_pretty(&json)?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text + "\n").with_context(|| format!("writing {}", path.display()))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, requests, .. } = self;
        writeln!(f, "\nEnvoy's CPU time for a request: medians of {rounds} rounds of {requests} requests.")?;
        writeln!(
            f,
            "  added   over no filter in the same round; 95 %: where the median lies; quartiles: of the rounds"
        )?;
        writeln!(
            f,
            "  times   what is added, as a multiple of what Envoy's local_ratelimit adds for the like of it\n"
        )?;
        let heads = ["variant", "CPU, µs", "added, µs", "95 %", "quartiles", "times", "95 %", "requests/s"];
        row(f, heads.map(str::to_owned))?;
        for line in &self.lines {
            let range = |(low, high): (f64, f64), digits| format!("{low:.digits$} … {high:.digits$}");
            let added = line.added.as_ref();
            let cells = [
                line.name.clone(),
                format!("{:.1}", line.cpu.median),
                added.map(|added| format!("{:.1}", added.median)).unwrap_or_default(),
                added.map(|added| range(added.interval, 1)).unwrap_or_default(),
                added.map(|added| range((added.lower, added.upper), 1)).unwrap_or_default(),
                line.times.map(|times| format!("{:.2}", times.median)).unwrap_or_default(),
                line.times.map(|times| range(times.ends, 2)).unwrap_or_default(),
                format!("{:.0}", line.throughput.median),
            ];
            row(f, cells)?;
        }
        writeln!(
            f,
            "\n{} CPUs ({}). For each second they ran, workers waited {:.2} s for a CPU (median; worst {:.2}): \
             near 0 is a quiet machine.",
            cpus(),
            processor(),
            self.waited.median,
            self.waited.max
        )
    }
}

fn row(f: &mut fmt::Formatter<'_>, cells: [String; 8]) -> fmt::Result {
    let [name, cpu, added, interval, quartiles, times, ends, throughput] = cells;
    writeln!(f, "{name:<16} {cpu:>8} {added:>10} {interval:>13} {quartiles:>13} {times:>7} {ends:>13} {throughput:>11}")
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(0, usize::from)
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| "unknown".to_owned(), |(_, name)| name.trim().to_owned())
}
