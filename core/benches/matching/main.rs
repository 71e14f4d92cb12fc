//! What it costs to find the rule of a request, of a thousand rules against ten, and to prepare that.
//!
//! The two are measured in turns and the quickest of many rounds is taken, so that what else the machine does falls on
//! both, or on neither.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod memory;
mod sets;

use std::hint::black_box;
use std::time::{Duration, Instant};

use weir_core::config;
use weir_core::http::{host, path};
use weir_core::matching::{Matcher, Purpose, Scratch, Subject};

use sets::{Set, SetRequest};

const FEW: usize = 10;
const MANY: usize = 1_000;
const ROUNDS: usize = 300;
const ITERATIONS: u32 = 100;

struct Prepared {
    matcher: Matcher,
    /// How long it took to read the configuration, and to prepare the search.
    read: Duration,
    built: Duration,
    /// What the search keeps, bytes.
    memory: usize,
    requests: Vec<SetRequest>,
    scratch: Scratch,
    path: Vec<u8>,
    host: Vec<u8>,
}

fn main() {
    println!("rules that differ in            10, ns  1000, ns  ratio  read, ms  prepare, ms  memory, KiB");
    let mut worst: f64 = 0.0;
    for (few, many) in sets::all(FEW).zip(sets::all(MANY)) {
        let kind = few.kind;
        let (mut few, mut many) = (Prepared::new(few), Prepared::new(many));
        let [mut quickest_few, mut quickest_many] = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            quickest_few = quickest_few.min(few.round());
            quickest_many = quickest_many.min(many.round());
        }
        let (few_ns, many_ns) = (few.each(quickest_few), many.each(quickest_many));
        let ratio = many_ns / few_ns;
        worst = worst.max(ratio);
        let (read, built) = (many.read.as_secs_f64() * 1e3, many.built.as_secs_f64() * 1e3);
        let memory = many.memory >> 10;
        println!("{kind:<28} {few_ns:>9.0} {many_ns:>9.0} {ratio:>6.2} {read:>9.1} {built:>12.1} {memory:>12}");
    }
    println!("worst ratio {worst:.2}");
}

impl Prepared {
    fn new(set: Set) -> Self {
        let start = Instant::now();
        let policy = config::parse(set.config.as_bytes()).unwrap_or_else(|fault| panic!("{}: {fault}", set.kind));
        let read = start.elapsed();
        let (start, before) = (Instant::now(), memory::in_use());
        let matcher = Matcher::new(policy.rules.iter().map(|rule| &rule.matches), Purpose::Limit);
        let (built, memory) = (start.elapsed(), memory::in_use() - before);
        let (scratch, path, host) = Default::default();
        Self { matcher, read, built, memory, requests: set.requests, scratch, path, host }
    }

    /// All requests, over and over; each as it arrives, so from its raw fields on.
    fn round(&mut self) -> Duration {
        let start = Instant::now();
        for _ in 0..ITERATIONS {
            for request in &self.requests {
                let subject = Subject {
                    method: request.method.as_bytes(),
                    preflight: false,
                    path: Some(path::normalise(black_box(request.path.as_bytes()), false, &mut self.path)),
                    host: Some(host::normalise(black_box(request.host.as_bytes()), &mut self.host)),
                    raw_path: Some(request.path.as_bytes()),
                };
                let fields = || request.fields.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes()));
                let found = self.matcher.find(&subject, fields, &mut self.scratch);
                assert_eq!(black_box(found), request.rule);
            }
        }
        start.elapsed()
    }

    /// Of the time of a round, the nanoseconds for each request.
    fn each(&self, round: Duration) -> f64 {
        round.as_nanos() as f64 / f64::from(ITERATIONS) / self.requests.len() as f64
    }
}
