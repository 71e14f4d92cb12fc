//! What is said of one variant.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::rounds::{Bench, Measurement, Round};
use crate::stats::{Summary, Times, times};
use crate::variants::Variant;

/// The figures of one variant.
pub(crate) struct Line {
    /// Its name.
    pub(crate) name: String,
    /// CPU time of a request, in µs.
    pub(crate) cpu: Summary,
    /// Requests in a second.
    pub(crate) throughput: Summary,
    /// CPU time over that of the variant without a filter, in µs.
    pub(crate) added: Option<Summary>,
    /// That as a multiple of what Envoy's own limiter adds for the like of it.
    pub(crate) times: Option<Times>,
    like: Option<&'static str>,
    workers: Summary,
    rounds: Vec<Value>,
}

/// One line for each variant.
///
/// # Errors
/// One was never measured.
pub(crate) fn lines(bench: &Bench, rounds: &[Round]) -> Result<Vec<Line>> {
    let mut lines: Vec<_> =
        (0..bench.subjects.len()).map(|index| Line::new(bench, rounds, index)).collect::<Result<_>>()?;
    let added: Vec<_> = lines.iter().map(|line| (line.name.clone(), line.added)).collect();
    for line in &mut lines {
        let like = added.iter().find(|(name, _)| line.like == Some(name));
        line.times = line.added.zip(like.and_then(|(_, added)| *added)).and_then(|(own, like)| times(&own, &like));
    }
    Ok(lines)
}

impl Line {
    fn new(bench: &Bench, rounds: &[Round], index: usize) -> Result<Self> {
        let variant = &bench.subjects.get(index).context("no variant")?.variant;
        let comparable = |other: &Variant| other.filter.is_none() && other.workers == variant.workers;
        let baseline = bench.subjects.iter().position(|other| comparable(&other.variant));
        // Both from the same round, so that a slow one is slow for both.
        let added = rounds.iter().filter_map(|round| {
            let baseline = round.get(baseline.filter(|baseline| *baseline != index)?)?;
            Some(round.get(index)?.cpu_micros() - baseline.cpu_micros())
        });
        let own: Vec<_> = rounds.iter().filter_map(|round| round.get(index)).collect();
        let summary = |figure: fn(&Measurement) -> f64| {
            Summary::of(own.iter().map(|measurement| figure(measurement))).context("no rounds")
        };
        Ok(Self {
            name: variant.name.clone(),
            cpu: summary(Measurement::cpu_micros)?,
            throughput: summary(Measurement::throughput)?,
            added: Summary::of(added),
            times: None,
            like: variant.like,
            workers: summary(Measurement::worker_micros)?,
            rounds: own.iter().map(|one| json!([one.cpu_micros(), one.worker_micros(), one.throughput()])).collect(),
        })
    }

    /// All of it; `rounds` holds CPU time, CPU time in workers, and requests a second.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "cpu_us_per_request": self.cpu.to_json(),
            "worker_cpu_us_per_request": self.workers.to_json(),
            "added_us_per_request": self.added.map(Summary::to_json),
            "requests_per_second": self.throughput.to_json(),
            "like": self.like,
            "times_what_that_adds": self.times.map(|times| json!([times.ends.0, times.median, times.ends.1])),
            "rounds": self.rounds,
        })
    }
}
