//! Memory is bounded, whatever the number of keys, and a flood of them frees nobody.

use std::time::Duration;

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, Req, flood_tally, volley};

use crate::support::{per_key, tally};

fn policy(max_entries: u32, rate: &str) -> Value {
    let mut policy = per_key(rate);
    policy["store"] = json!({"max_entries": max_entries});
    policy
}

async fn start(max_entries: u32, rate: &str) -> Envoy {
    Envoy::builder().workers(4).listener(Listener::new().policy(policy(max_entries, rate))).start().await
}

/// `make memory` shows the same for millions.
#[tokio::test]
async fn memory_is_within_its_bound_and_stays_whatever_the_number_of_keys() {
    // Enough of them for Envoy's own ups and downs, some 200 KB, to be a small part.
    const ENTRIES: u32 = 50_000;
    const KEYS: u64 = 2 * ENTRIES as u64;
    let listener = Listener::new().direct().policy(policy(ENTRIES, "5/hour"));
    let envoy = Envoy::builder().workers(4).listener(listener).start().await;
    // Connections, statistics and every worker's VM have taken what they need before the first mark.
    volley(envoy.addr(), 0..5000, 4, |_| ("/", "one".to_owned())).await.tally.expect(5, 4995);
    let before = envoy.heap_bytes().await;
    volley(envoy.addr(), 0..KEYS, 4, |n| ("/", format!("client-{n:012}"))).await.tally.expect(KEYS, 0);
    let (resident, heap) = (envoy.resident_bytes(), envoy.heap_bytes().await);
    let each = heap.saturating_sub(before) / u64::from(ENTRIES);
    assert!((25..=40).contains(&each), "{each} bytes for each entry");
    let gauge = envoy.stat("wasmcustom.weir_store_entries").await;
    assert!((u64::from(ENTRIES) * 9 / 10..=u64::from(ENTRIES)).contains(&gauge), "{gauge} entries");

    volley(envoy.addr(), KEYS..2 * KEYS, 4, |n| ("/", format!("client-{n:012}"))).await.tally.expect(KEYS, 0);
    let resident = envoy.resident_bytes().saturating_sub(resident);
    let heap = envoy.heap_bytes().await.saturating_sub(heap);
    assert!(heap < 1 << 20, "{heap} bytes more on the heap");
    assert!(resident < 10 << 20, "{resident} bytes more resident");
    assert!(envoy.stat("wasmcustom.weir_store_entries").await <= u64::from(ENTRIES));
    assert!(envoy.stat("wasmcustom.weir_store_displaced_total").await >= 2 * KEYS - 2 * u64::from(ENTRIES));
}

/// Asks for all of them again and again; every one must be refused. Counts the rounds.
async fn stay_refused(client: &Client, requests: &[Req], rounds: &mut u32) -> ! {
    loop {
        for request in requests {
            tally(client, 1, request).await.expect(0, 1);
        }
        *rounds += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Asks at four fifths of its rate; every request must be served. Counts them.
async fn stay_served(client: &Client, served: &mut u32) -> ! {
    loop {
        tally(client, 1, &Req::get("/modest").key("modest")).await.expect(1, 0);
        *served += 1;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

#[tokio::test]
async fn a_flood_of_fresh_keys_frees_no_client_at_its_limit_and_starves_none_below() {
    const ENTRIES: u32 = 1000;
    const FRESH: u64 = 20 * ENTRIES as u64;
    let mut policy = json!({"client": [{"header": "x-api-key"}], "store": {"max_entries": ENTRIES}});
    policy["rules"] = json!([
        {"name": "modest", "match": {"paths": ["/modest"]}, "limits": ["5/second"]},
        {"name": "others", "limits": ["5/hour"]},
    ]);
    let listener = Listener::new().direct().policy(policy);
    let envoy = Envoy::builder().workers(4).listener(listener).start().await;
    let client = envoy.client();
    let at_limit: Vec<Req> = (0..20).map(|i| Req::get("/").key(&format!("at-limit-{i}"))).collect();
    for request in &at_limit {
        tally(&client, 6, request).await.expect(5, 1);
    }
    let (mut rounds, mut served, modest) = (0, 0, envoy.client());
    let flood = tokio::select! {
        flood = volley(envoy.addr(), 0..FRESH, 4, |n| ("/", format!("fresh-{n}"))) => flood,
        never = stay_refused(&client, &at_limit, &mut rounds) => never,
        never = stay_served(&modest, &mut served) => never,
    };
    flood.tally.expect(FRESH, 0);
    assert!(flood.slowest < Duration::from_secs(1), "{:?}", flood.slowest);
    assert!(rounds >= 5 && served >= 3, "asked {rounds} and {served} times during the flood");
    assert!(envoy.stat("wasmcustom.weir_store_displaced_total").await >= FRESH - 2 * u64::from(ENTRIES));
    for request in &at_limit {
        tally(&envoy.client(), 2, request).await.expect(0, 2);
    }
}

#[tokio::test]
async fn entries_whose_buckets_are_full_again_make_room() {
    let envoy = start(64, "1/second").await;
    tally(&envoy.client(), 2, &Req::get("/").key("counted")).await.expect(1, 1);
    for round in 0..5 {
        let tally = flood_tally(envoy.addr(), 2000, 16, move |i| Req::get("/").key(&format!("key-{round}-{i}"))).await;
        tally.expect(2000, 0);
    }
}
