//! A configuration update neither refills a bucket nor locks anybody out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, Req, Settings, Tally, flood_tally};

use crate::support::{per_key, tally_across_workers};

async fn watched(policy: Value) -> Envoy {
    Envoy::builder().workers(4).watched().listener(Listener::new().policy(policy)).start().await
}

async fn spend(envoy: &Envoy, n: usize, admitted: u64) {
    flood_tally(envoy.addr(), n, 8, |_| Req::get("/").key("k")).await.expect(admitted, n as u64 - admitted);
}

async fn longest_wait(envoy: &Envoy) -> u64 {
    let reply = envoy.client().send(&Req::get("/").key("k")).await;
    assert_eq!(reply.status, 429);
    reply.integer("retry-after")
}

#[tokio::test]
async fn debt_survives_an_update() {
    let mut envoy = watched(per_key("5/hour")).await;
    spend(&envoy, 3, 3).await;
    let mut policy = per_key("5/hour");
    policy["rules"] = json!([{"name": "new", "match": {"paths": ["/new"]}, "limits": ["1/hour"]}]);
    envoy.accept(&[Listener::new().policy(policy)]).await;
    spend(&envoy, 20, 2).await;
    envoy.accept(&[Listener::new().policy(per_key("5/hour"))]).await;
    spend(&envoy, 20, 0).await;
}

#[tokio::test]
async fn a_raised_limit_holds_at_once_and_refills_nothing() {
    let mut envoy = watched(per_key("5/hour")).await;
    spend(&envoy, 20, 5).await;
    envoy.accept(&[Listener::new().policy(per_key("12/hour"))]).await;
    spend(&envoy, 30, 7).await;
    assert!(longest_wait(&envoy).await <= 300);
}

#[tokio::test]
async fn a_lowered_limit_holds_at_once_and_locks_nobody_out() {
    let mut envoy = watched(per_key("10/hour")).await;
    spend(&envoy, 3, 3).await;
    envoy.accept(&[Listener::new().policy(per_key("4/hour"))]).await;
    spend(&envoy, 20, 1).await;
    assert!(longest_wait(&envoy).await <= 900);

    envoy.accept(&[Listener::new().policy(per_key("2/hour"))]).await;
    spend(&envoy, 20, 0).await;
    assert!(longest_wait(&envoy).await <= 1800, "never longer than a token takes at the new rate");
}

#[tokio::test]
async fn a_retimed_limit_holds_at_once() {
    let mut envoy = watched(per_key("5/day")).await;
    spend(&envoy, 20, 5).await;
    envoy.accept(&[Listener::new().policy(per_key("5/minute"))]).await;
    spend(&envoy, 20, 0).await;
    assert!(longest_wait(&envoy).await <= 12);
    envoy.accept(&[Listener::new().policy(per_key("5/hour"))]).await;
    spend(&envoy, 20, 0).await;
    assert!(longest_wait(&envoy).await <= 3600);
}

#[tokio::test]
async fn going_to_and_fro_between_limits_refills_nothing() {
    let mut envoy = watched(per_key("6/hour")).await;
    spend(&envoy, 4, 4).await;
    for rate in ["60/hour", "3/hour", "6/day", "6/hour"] {
        envoy.accept(&[Listener::new().policy(per_key(rate))]).await;
    }
    let tally = flood_tally(envoy.addr(), 20, 8, |_| Req::get("/").key("k")).await;
    tally.expect_no_faults();
    assert!(tally.count(200) <= 2, "{tally:?}");
}

#[tokio::test]
async fn a_rejected_update_leaves_the_old_limits_counting() {
    let mut envoy = watched(per_key("9/hour")).await;
    spend(&envoy, 3, 3).await;
    let mut admitted = 3;
    let broken = json!({"client": [{"header": "x-api-key"}], "limits": [{"rate": "9/hour", "brust": 3}]});
    for settings in [
        Settings::Struct(broken.clone()),
        Settings::Json(broken),
        Settings::Text("{\"limits\": [\"9/hour\",]}".to_owned()),
        Settings::Text(String::new()),
        Settings::Struct(json!({"limits": ["9 per hour"]})),
    ] {
        let rejected = envoy.stat("listener_manager.lds.update_rejected").await;
        envoy.reject(&[Listener::new().settings(settings)]).await;
        assert_eq!(envoy.stat("listener_manager.lds.update_rejected").await, rejected + 1);
        spend(&envoy, 1, 1).await;
        admitted += 1;
    }
    assert!(envoy.log().contains("limits[0].brust"), "{}", envoy.log());
    spend(&envoy, 20, 9 - admitted).await;
    envoy.accept(&[Listener::new().policy(per_key("9/hour"))]).await;
    spend(&envoy, 20, 0).await;
}

#[tokio::test]
async fn a_new_listener_joins_the_buckets_in_use() {
    let mut envoy = watched(per_key("5/hour")).await;
    spend(&envoy, 20, 5).await;
    let both = [Listener::new().policy(per_key("5/hour")), Listener::named("second").policy(per_key("5/hour"))];
    envoy.accept(&both).await;
    let request = Req::get("/").key("k");
    tally_across_workers(envoy.addr_of("second"), 8, &request).await.expect(0, 8);
    envoy.accept(&both[1..]).await;
    tally_across_workers(envoy.addr_of("second"), 8, &request).await.expect(0, 8);
}

/// Asks without a break until told to stop; connections that an update ends are opened again.
async fn keep_asking(addr: std::net::SocketAddr, request: Req, stop: Arc<AtomicBool>) -> Tally {
    let client = Client::new(addr);
    let mut tally = Tally::default();
    while !stop.load(Ordering::Relaxed) {
        tally.add(client.send(&request).await.status);
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    tally
}

#[tokio::test]
async fn sixty_updates_under_load_refill_nothing_break_nothing_and_cost_no_memory() {
    let policy = |round: usize| {
        let mut policy = per_key("40/hour");
        policy["rules"] =
            json!([{"name": format!("rule-{}", round % 2), "match": {"paths": ["/other"]}, "limits": ["1000/second"]}]);
        policy
    };
    let mut envoy = watched(policy(0)).await;
    let stop = Arc::new(AtomicBool::new(false));
    let mut limited = tokio::task::JoinSet::new();
    for _ in 0..4 {
        limited.spawn(keep_asking(envoy.addr(), Req::get("/").key("k"), stop.clone()));
    }
    let modest = tokio::spawn(keep_asking(envoy.addr(), Req::get("/other").key("m"), stop.clone()));
    let mut settled = 0;
    for round in 1..=60 {
        envoy.accept(&[Listener::new().policy(policy(round))]).await;
        if round == 20 {
            settled = envoy.resident_bytes();
        }
    }
    let grown = envoy.resident_bytes().saturating_sub(settled);
    stop.store(true, Ordering::Relaxed);
    let limited = limited.join_all().await;
    limited.iter().for_each(Tally::expect_no_faults);
    assert_eq!(limited.iter().map(|tally| tally.count(200)).sum::<u64>(), 40);
    modest.await.expect("a modest client").expect_no_faults();
    assert!(grown < 3 << 20, "{grown} bytes more after forty updates");
    assert_eq!(envoy.stat("http.main.downstream_rq_5xx").await, 0);
}
