//! Measuring in turn.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::cpu::CpuTime;
use crate::envoy::Envoy;
use crate::load::Load;
use crate::settings::Settings;
use crate::variants::Variant;

/// After so long no further round begins, whatever the number that was asked for.
const TIME: Duration = Duration::from_secs(300);
/// Fewer rounds say nothing about the spread.
const LEAST_ROUNDS: usize = 6;
/// Requests to each variant before the first round.
const WARM_UP: usize = 10_000;

/// All variants, running.
pub(crate) struct Bench {
    /// What is measured, in the order of the report.
    pub(crate) subjects: Vec<Subject>,
    rounds: usize,
    requests: usize,
    start: Instant,
}

/// One variant with its Envoy and its clients.
pub(crate) struct Subject {
    /// What it is.
    pub(crate) variant: Variant,
    envoy: Envoy,
    load: Load,
}

/// What one round of one variant took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measurement {
    /// Requests sent and answered.
    pub(crate) requests: usize,
    /// By the clock.
    pub(crate) elapsed: Duration,
    /// Of Envoy.
    pub(crate) cpu: CpuTime,
}

/// One measurement for each variant.
pub(crate) type Round = Vec<Measurement>;

impl Bench {
    /// Starts an Envoy for each variant and warms it up: by then V8 has compiled what runs often.
    ///
    /// # Errors
    /// An Envoy does not start, or does not answer as it should.
    pub(crate) fn start(settings: &Settings, variants: Vec<Variant>, dir: &Path) -> Result<Self> {
        let start = Instant::now();
        let mut envoys = Vec::new();
        for (index, variant) in variants.iter().enumerate() {
            envoys.push(Envoy::start(&settings.envoy, variant, dir, &format!("envoy-{index}"))?);
        }
        let mut subjects = Vec::new();
        for (variant, mut envoy) in variants.into_iter().zip(envoys) {
            envoy.ready().with_context(|| variant.name.clone())?;
            let mut load = Load::open(envoy.address(), variant.workers, variant.clients)?;
            // The first request is the one that a limiter which refuses everything has a token for.
            load.run(1, None).with_context(|| variant.name.clone())?;
            subjects.push(Subject { variant, envoy, load });
        }
        let mut bench = Self { subjects, rounds: settings.rounds, requests: settings.requests, start };
        for subject in &mut bench.subjects {
            subject.measure(WARM_UP)?;
        }
        Ok(bench)
    }

    /// Measures every variant once a round, each round beginning with another one.
    ///
    /// # Errors
    /// A response was not as expected, or there was no time for enough rounds.
    pub(crate) fn run(&mut self) -> Result<Vec<Round>> {
        let mut rounds: Vec<Round> = Vec::new();
        let mut longest = Duration::ZERO;
        while rounds.len() < self.rounds && self.start.elapsed() + longest < TIME {
            let begun = Instant::now();
            let mut round: Vec<(usize, Measurement)> = Vec::new();
            for place in 0..self.subjects.len() {
                let index = (place + rounds.len()) % self.subjects.len();
                let subject = self.subjects.get_mut(index).context("no variant")?;
                round.push((index, subject.measure(self.requests)?));
            }
            round.sort_by_key(|(index, _)| *index);
            rounds.push(round.into_iter().map(|(_, measurement)| measurement).collect());
            longest = longest.max(begun.elapsed());
        }
        ensure!(rounds.len() >= LEAST_ROUNDS, "no time for {LEAST_ROUNDS} rounds: ask for fewer REQUESTS");
        Ok(rounds)
    }
}

impl Subject {
    fn measure(&mut self, requests: usize) -> Result<Measurement> {
        let measured = self.try_measure(requests);
        measured.with_context(|| format!("{}, whose Envoy logged:\n{}", self.variant.name, self.envoy.log()))
    }

    fn try_measure(&mut self, requests: usize) -> Result<Measurement> {
        let before = self.envoy.cpu()?;
        let elapsed = self.load.run(requests, Some(&self.variant.expected))?;
        let cpu = self.envoy.cpu()?.since(&before)?;
        Ok(Measurement { requests, elapsed, cpu })
    }
}

impl Measurement {
    /// CPU time of a request, in µs.
    pub(crate) fn cpu_micros(&self) -> f64 {
        self.per_request(self.cpu.process)
    }

    /// CPU time of a request in the workers alone, in µs.
    pub(crate) fn worker_micros(&self) -> f64 {
        self.per_request(self.cpu.workers)
    }

    /// Time that a worker had to wait for a CPU, as a share of the time it ran.
    pub(crate) fn waited(&self) -> f64 {
        self.cpu.waited.as_secs_f64() / self.cpu.workers.as_secs_f64()
    }

    /// Requests in a second.
    pub(crate) fn throughput(&self) -> f64 {
        self.requests as f64 / self.elapsed.as_secs_f64()
    }

    fn per_request(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / self.requests as f64
    }
}
