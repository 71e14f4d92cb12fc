//! Memory is bounded, whatever the number of keys, and a flood of them frees nobody.

use std::time::Duration;

use serde_json::json;
use weir_tests::{Envoy, Listener, Req, flood_tally};

use crate::support::{per_key, tally};

async fn start(max_entries: u32, rate: &str) -> Envoy {
    let mut policy = per_key(rate);
    policy["store"] = json!({"max_entries": max_entries});
    Envoy::builder().workers(4).listener(Listener::new().policy(policy)).start().await
}

#[tokio::test]
async fn fifty_thousand_keys_take_no_more_memory_than_ten_thousand() {
    let envoy = start(5000, "5/hour").await;
    tally(&envoy.client(), 6, &Req::get("/").key("counted")).await.expect(5, 1);
    flood_tally(envoy.addr(), 10_000, 32, |i| Req::get("/").key(&format!("first-{i}"))).await.expect(10_000, 0);
    let (resident, heap) = (envoy.resident_bytes(), envoy.heap_bytes().await);
    flood_tally(envoy.addr(), 40_000, 32, |i| Req::get("/").key(&format!("more-{i}"))).await.expect(40_000, 0);
    let resident = envoy.resident_bytes().saturating_sub(resident);
    let heap = envoy.heap_bytes().await.saturating_sub(heap);
    assert!(heap < 2 << 20, "{heap} bytes more on the heap");
    assert!(resident < 10 << 20, "{resident} bytes more resident");
}

#[tokio::test]
async fn a_flood_of_fresh_keys_gives_a_client_at_its_limit_no_fresh_bucket() {
    const ENTRIES: usize = 1000;
    let envoy = start(ENTRIES as u32, "5/hour").await;
    let client = envoy.client();
    let at_limit: Vec<Req> = (0..20).map(|i| Req::get("/").key(&format!("at-limit-{i}"))).collect();
    for request in &at_limit {
        tally(&client, 6, request).await.expect(5, 1);
    }
    let addr = envoy.addr();
    let flood = tokio::spawn(flood_tally(addr, 20 * ENTRIES, 24, |i| Req::get("/").key(&format!("fresh-{i}"))));
    let modest = Req::get("/").key("modest");
    let mut served = 0;
    while !flood.is_finished() {
        for request in &at_limit {
            tally(&client, 1, request).await.expect(0, 1);
        }
        if served < 4 {
            tally(&client, 1, &modest).await.expect(1, 0);
            served += 1;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    flood.await.expect("a flood").expect(20 * ENTRIES as u64, 0);
    for request in &at_limit {
        tally(&client, 2, request).await.expect(0, 2);
    }
    tally(&client, 1, &modest).await.expect(1, 0);
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
