//! `Retry-After` is long enough, to the second.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use weir_tests::{Client, Envoy, Listener, Req};

/// Spends everything, then waits exactly as long as told.
async fn wait_as_told(addr: std::net::SocketAddr, key: usize, longest: u64) {
    // Spread over a second, so that refusals fall on all fractions of it.
    tokio::time::sleep(Duration::from_millis(key as u64 * 33)).await;
    let client = Client::new(addr);
    let request = Req::get("/x").key(&format!("key-{key}"));
    let mut refusal = client.send(&request).await;
    for _ in 0..20 {
        if refusal.status == 200 {
            refusal = client.send(&request).await;
        }
    }
    assert_eq!(refusal.status, 429);
    let wait = refusal.integer("retry-after");
    assert!((1..=longest).contains(&wait), "{wait}");
    tokio::time::sleep(Duration::from_secs(wait)).await;
    assert_eq!(client.send(&request).await.status, 200, "key {key}, after {wait} s");
}

async fn thirty_of_thirty(limit: serde_json::Value, longest: u64) {
    let policy = json!({"client": [{"header": "x-api-key"}], "limits": [limit]});
    let envoy = Envoy::builder().workers(4).listener(Listener::new().policy(policy)).start().await;
    let addr = envoy.addr();
    let mut waiting: JoinSet<()> = (0..30).map(|key| wait_as_told(addr, key, longest)).collect();
    while let Some(outcome) = waiting.join_next().await {
        outcome.expect("one of the thirty");
    }
}

#[tokio::test]
async fn who_waits_as_told_is_admitted_at_one_a_second() {
    thirty_of_thirty(json!("1/second"), 1).await;
}

#[tokio::test]
async fn who_waits_as_told_is_admitted_at_a_rate_of_fractions() {
    thirty_of_thirty(json!({"rate": "7/9s", "burst": 2}), 2).await;
}
