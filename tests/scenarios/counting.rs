//! Exactly what a limit says, over all workers, under any concurrency.

use std::time::Duration;

use serde_json::json;
use weir_tests::{Envoy, Listener, Req, flood, flood_tally};

use crate::support::{per_key, tally};

async fn with_workers(workers: usize, rate: &str) -> Envoy {
    Envoy::builder().workers(workers).listener(Listener::new().policy(per_key(rate))).start().await
}

#[tokio::test]
async fn parallel_requests_are_admitted_exactly_up_to_the_limit_round_after_round() {
    let envoy = with_workers(4, "50/hour").await;
    for round in 0..10 {
        let before = envoy.upstream.reached();
        let tally = flood_tally(envoy.addr(), 400, 16, move |_| Req::get("/x").key(&format!("round-{round}"))).await;
        tally.expect(50, 350);
        assert_eq!(envoy.upstream.reached() - before, 50, "round {round}");
    }
}

async fn one_key_with_workers(workers: usize) {
    let envoy = with_workers(workers, "100/hour").await;
    flood_tally(envoy.addr(), 2000, 64, |_| Req::get("/x").key("one")).await.expect(100, 1900);
    assert_eq!(envoy.upstream.reached(), 100);
}

#[tokio::test]
async fn one_worker_counts_exactly() {
    one_key_with_workers(1).await;
}

#[tokio::test]
async fn four_workers_count_exactly_together() {
    one_key_with_workers(4).await;
}

#[tokio::test]
async fn sixteen_workers_count_exactly_together() {
    one_key_with_workers(16).await;
}

async fn many_keys_with_workers(workers: usize) {
    let envoy = with_workers(workers, "5/hour").await;
    let replies = flood(envoy.addr(), 1000, 32, |i| Req::get("/x").key(&format!("key-{}", i % 50))).await;
    for key in 0..50 {
        let admitted = replies.iter().skip(key).step_by(50).filter(|reply| reply.status == 200).count();
        assert_eq!(admitted, 5, "key {key}");
    }
    assert_eq!(envoy.upstream.reached(), 250);
}

#[tokio::test]
async fn many_keys_at_once_have_each_their_own_limit() {
    many_keys_with_workers(4).await;
}

#[tokio::test]
async fn sixteen_workers_keep_many_keys_apart() {
    many_keys_with_workers(16).await;
}

#[tokio::test]
async fn ten_a_minute_is_ten_at_once_and_one_each_six_seconds() {
    let envoy = with_workers(2, "10/minute").await;
    let client = envoy.client();
    let request = Req::get("/x").key("one");
    tally(&client, 12, &request).await.expect(10, 2);
    tokio::time::sleep(Duration::from_millis(6200)).await;
    tally(&client, 3, &request).await.expect(1, 2);
}

#[tokio::test]
async fn a_smaller_burst_bounds_what_passes_at_once() {
    let policy = json!({"limits": [{"rate": "10/minute", "burst": 3}]});
    let envoy = Envoy::with(policy).await;
    tally(&envoy.client(), 5, &Req::get("/x")).await.expect(3, 2);
}

#[tokio::test]
async fn a_client_at_its_rate_is_never_refused() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "20/second", "burst": 1}]})).await;
    let client = envoy.client();
    for _ in 0..30 {
        let reply = client.send(&Req::get("/x")).await;
        assert_eq!((reply.status, reply.integer("x-ratelimit-remaining")), (200, 0));
        // 20 a second are one each 50 ms.
        tokio::time::sleep(Duration::from_millis(51)).await;
    }
}

#[tokio::test]
async fn refusals_cost_nothing() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "1/second", "burst": 1}]})).await;
    let client = envoy.client();
    tally(&client, 1, &Req::get("/x")).await.expect(1, 0);
    let started = tokio::time::Instant::now();
    while started.elapsed() < Duration::from_millis(700) {
        tally(&client, 1, &Req::get("/x")).await.expect(0, 1);
    }
    tokio::time::sleep_until(started + Duration::from_millis(1001)).await;
    tally(&client, 1, &Req::get("/x")).await.expect(1, 0);
}
