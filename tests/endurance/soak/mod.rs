//! `make soak`: everything at once, for as long as one likes, and then the sums.

mod noise;
mod tracked;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use weir_tests::{Envoy, Listener, Settings};

use crate::table::megabytes;

/// Small, so that it is full all the time.
const ENTRIES: u32 = 2000;
const BETWEEN_UPDATES: Duration = Duration::from_millis(1500);
/// By then every kind of request and of update has been seen.
const WARM_UP: Duration = Duration::from_secs(20);
/// By how much memory may grow after that.
const HEAP: u64 = 3_000_000;
const RESIDENT: u64 = 12_000_000;

/// Tells everybody to stop.
#[derive(Clone, Default)]
struct Stop(Arc<AtomicBool>);

impl Stop {
    fn told(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) async fn run() {
    let seconds = std::env::var("SOAK_SECONDS").map_or(180, |seconds| seconds.parse().expect("SOAK_SECONDS"));
    let period = Duration::from_secs(seconds).max(WARM_UP + 2 * BETWEEN_UPDATES);
    let mut envoy = start().await;
    let (stop, mut tasks) = (Stop::default(), JoinSet::new());
    let (a, b) = (envoy.addr_of("a"), envoy.addr_of("b"));
    let tracked = tracked::spawn(a, b, &stop);
    // Whom the sums are about is in debt before the table fills up; else the first flood may forget a debt of one.
    tokio::time::sleep(Duration::from_secs(2)).await;
    noise::spawn(&mut tasks, [a, b, envoy.addr_of("hostile")], &stop);

    let (started, mut warm, mut updates) = (Instant::now(), None, [0_u32; 2]);
    while started.elapsed() < period {
        tokio::time::sleep(BETWEEN_UPDATES).await;
        update(&mut envoy, &mut updates).await;
        let entries = envoy.stat("wasmcustom.weir_store_entries").await;
        assert!(entries <= u64::from(ENTRIES), "{entries} entries");
        envoy.assert_no_vm_failure();
        while let Some(ended) = tasks.try_join_next() {
            ended.expect("noise");
            assert!(stop.told(), "noise ended early");
        }
        if warm.is_none() && started.elapsed() >= WARM_UP {
            warm = Some(Warm::of(&envoy).await);
        }
    }
    stop.0.store(true, Ordering::Relaxed);
    tracked.finish(&envoy.upstream).await;
    while let Some(ended) = tasks.join_next().await {
        println!("{}", ended.expect("noise"));
    }
    let [accepted, rejected] = updates;
    println!("{accepted} updates accepted, {rejected} rejected, {} requests upstream", envoy.upstream.reached());
    check(&mut envoy, &warm.expect("a warm-up")).await;
}

/// How things stood when all had been seen.
struct Warm {
    names: BTreeSet<String>,
    heap: u64,
    resident: u64,
}

impl Warm {
    async fn of(envoy: &Envoy) -> Self {
        let names = envoy.stats("weir_requests_total").await.into_iter().map(|(name, _)| name).collect();
        Self { names, heap: envoy.heap_bytes().await, resident: envoy.resident_bytes() }
    }
}

async fn check(envoy: &mut Envoy, warm: &Warm) {
    envoy.assert_no_vm_failure();
    for (name, faults) in envoy.stats("downstream_rq_5xx").await {
        assert_eq!(faults, 0, "{name}");
    }
    let now = Warm::of(envoy).await;
    assert_eq!(now.names, warm.names, "one for each rule and decision, whatever clients send");
    for (name, value) in envoy.stats("weir").await {
        println!("{name} {value}");
    }
    let (heap, resident) = (now.heap.saturating_sub(warm.heap), now.resident.saturating_sub(warm.resident));
    println!("growth since the warm-up: {} on the heap, {} resident", megabytes(heap), megabytes(resident));
    assert!(heap <= HEAP, "{heap} bytes more on the heap");
    assert!(resident <= RESIDENT, "{resident} bytes more resident");
    assert!(envoy.stat("wasmcustom.weir_store_displaced_total").await > u64::from(ENTRIES), "the table was never full");
    assert_eq!(envoy.stat("wasmcustom.weir_store_foreign_total").await, 0, "damaged records");
}

async fn start() -> Envoy {
    let mut builder = Envoy::builder().workers(4).watched();
    for listener in listeners(0) {
        builder = builder.listener(listener);
    }
    builder.start().await
}

/// What the n-th update brings: another rule, and every other time one more listener.
fn listeners(update: u32) -> Vec<Listener> {
    let named = |name| Listener::named(name).policy(policy(update));
    let mut listeners = vec![named("a"), named("b"), named("hostile").direct()];
    if update % 4 == 0 {
        listeners.push(named("guest"));
    }
    listeners
}

fn policy(update: u32) -> Value {
    let rule = |name: &str, path: &str, rate: &str, burst: u64| {
        json!({
            "name": name, "match": {"paths": [path]}, "limits": [{"rate": rate, "burst": burst}],
        })
    };
    json!({
        "client": [{"header": "x-api-key"}],
        "store": {"max_entries": ENTRIES},
        "rules": [
            rule(&format!("other-{}", update % 2), "/other", "1000/second", 1000),
            rule("tracked", "/tracked/*", &format!("{}/second", tracked::RATE), tracked::BURST),
            rule("offender", "/offender/*", "5/hour", 5),
            rule("modest", "/modest", "8/second", 8),
            rule("rest", "/**", "20/hour", 20),
        ],
    })
}

/// Two that are accepted, then one that is not.
async fn update(envoy: &mut Envoy, [accepted, rejected]: &mut [u32; 2]) {
    if (*accepted + *rejected) % 3 == 2 {
        let broken = Settings::Struct(json!({"limits": [{"rate": "5 per hour"}]}));
        let mut listeners = listeners(*accepted);
        listeners[0] = Listener::named("a").settings(broken);
        envoy.reject(&listeners).await;
        *rejected += 1;
    } else {
        *accepted += 1;
        envoy.accept(&listeners(*accepted)).await;
    }
}
