//! `make memory`: two million clients, and what they cost, beside Envoy's own limiter.

use std::time::Instant;

use serde_json::{Value, json};
use weir_tests::{Envoy, Listener, volley};

use crate::native;
use crate::table::{line, megabytes};

const WORKERS: usize = 4;
const THREADS: u64 = 4;
/// What the documentation promises for each of `max_entries`, all overhead included.
const BYTES_PER_ENTRY: u64 = 40;
/// And for each worker: its VM's buffers and compiled code, the connections.
const BYTES_PER_WORKER: u64 = 500_000;
/// By how much memory may still grow once as many clients as in the first round have come.
const FLAT: u64 = 10_000_000;
const PATHS: [&str; 14] = ["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9", "/10", "/11", "/12", "/13"];

type Ask = fn(u64) -> (&'static str, String);

/// Memory at one time.
#[derive(Clone, Copy)]
struct Mark {
    resident: u64,
    heap: u64,
}

impl Mark {
    async fn of(envoy: &Envoy) -> Self {
        Self { resident: envoy.resident_bytes(), heap: envoy.heap_bytes().await }
    }

    fn since(self, earlier: Self) -> Self {
        let more = u64::saturating_sub;
        Self { resident: more(self.resident, earlier.resident), heap: more(self.heap, earlier.heap) }
    }

    fn show(self) -> [String; 2] {
        [megabytes(self.resident), megabytes(self.heap)]
    }

    fn each(self, entries: u32) -> [String; 2] {
        [self.resident, self.heap].map(|bytes| format!("{:.1} B", bytes as f64 / f64::from(entries)))
    }
}

/// Growth over an Envoy that has served nobody, after each of two rounds.
struct Growth([Mark; 2]);

/// Prints every figure; panics where a bound is passed.
pub(crate) async fn run() {
    let keys = std::env::var("WEIR_KEYS").map_or(1_000_000, |keys| keys.parse().expect("a number of keys"));
    let client: Ask = |n| ("/", format!("client-{n:012}"));
    line("growth over an Envoy that has served nobody", &["resident", "heap", "requests/s"].map(str::to_owned));
    let mut faults = Vec::new();
    for (entries, keys) in [(1000, keys / 10), (1_000_000, keys), (100_000, keys)] {
        let name = format!("Weir, max_entries {entries}");
        let growth = grow(&name, weir(entries), keys, client).await;
        faults.extend(check(&name, &growth, entries));
    }
    let name = format!("Weir, {} limits, max_entries 100000", PATHS.len());
    let growth = grow(&name, many_limits(), keys / 4, |n| (PATHS[n as usize % PATHS.len()], format!("c-{n}"))).await;
    faults.extend(check(&name, &growth, 100_000));
    for (entries, keys) in [(100_000, keys.min(200_000)), (1_000_000, keys * 11 / 20)] {
        let name = format!("local_ratelimit, {entries} descriptors");
        let Growth([_, full]) =
            grow(&name, Listener::new().direct().before(native::per_key(entries)), keys, client).await;
        line("  for each client", &full.each(entries));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn policy(entries: u32) -> Value {
    json!({"client": [{"header": "x-api-key"}], "store": {"max_entries": entries}})
}

fn weir(entries: u32) -> Listener {
    let mut policy = policy(entries);
    policy["limits"] = json!(["5/hour"]);
    Listener::new().direct().policy(policy)
}

/// Every rule has numbers of its own, which a set has to remember.
fn many_limits() -> Listener {
    let mut policy = policy(100_000);
    policy["rules"] = (0..)
        .zip(PATHS)
        .map(|(n, path)| {
            json!({"name": format!("rule-{n}"), "match": {"paths": [path]}, "limits": [format!("{}/hour", 5 + n)]})
        })
        .collect();
    Listener::new().direct().policy(policy)
}

async fn grow(name: &str, listener: Listener, keys: u64, ask: Ask) -> Growth {
    let envoy = Envoy::builder().workers(WORKERS).listener(listener).start().await;
    let fresh = Mark::of(&envoy).await;
    let mut marks = [fresh; 2];
    for (round, mark) in (0..).zip(&mut marks) {
        let started = Instant::now();
        let volley = volley(envoy.addr(), round * keys..(round + 1) * keys, THREADS, ask).await;
        volley.tally.expect_no_faults();
        *mark = Mark::of(&envoy).await.since(fresh);
        let [resident, heap] = mark.show();
        let rate = format!("{:.0}", keys as f64 / started.elapsed().as_secs_f64());
        line(&format!("{name}: {} requests", (round + 1) * keys), &[resident, heap, rate]);
    }
    Growth(marks)
}

/// What is wrong with the growth.
fn check(name: &str, growth: &Growth, entries: u32) -> Vec<String> {
    let Growth([first, full]) = growth;
    line("  for each entry", &full.each(entries));
    let between = full.since(*first);
    line("  in the second round", &between.show());
    let bound = BYTES_PER_ENTRY * u64::from(entries) + BYTES_PER_WORKER * WORKERS as u64;
    let bounds = [
        (between.resident, FLAT, "resident in the second round"),
        (between.heap, FLAT, "on the heap in the second round"),
        (full.resident, bound, "resident"),
        (full.heap, bound, "on the heap"),
    ];
    let passed = bounds.into_iter().filter(|(grown, bound, _)| grown > bound);
    passed.map(|(grown, bound, what)| format!("{name}: {grown} bytes more {what}, over {bound}")).collect()
}
