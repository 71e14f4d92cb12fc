//! A fresh key that all workers see at the same time is one bucket from its first token on.

use serde_json::json;
use weir_tests::{Envoy, Listener, at_once};

use crate::support::per_key;

const WORKERS: usize = 8;
/// Two for each worker.
const CONNECTIONS: usize = 16;

fn once_an_hour() -> Listener {
    Listener::new().direct().policy(per_key("1/hour"))
}

/// So many keys, each asked for on all connections at once: one request each is admitted.
async fn touch(envoy: &Envoy, listener: &str, prefix: &str, keys: usize) {
    let keys: Vec<String> = (0..keys).map(|key| format!("{prefix}-{key}")).collect();
    for (statuses, key) in at_once(envoy.addr_of(listener), CONNECTIONS, keys.clone()).await.iter().zip(keys) {
        let admitted = statuses.iter().filter(|status| **status == 200).count();
        let limited = statuses.iter().filter(|status| **status == 429).count();
        assert_eq!((admitted, limited), (1, CONNECTIONS - 1), "{key}: {statuses:?}");
    }
}

/// Swaps that a worker lost, since another was at the same set at the same time.
async fn collisions(envoy: &Envoy) -> u64 {
    envoy.stat("wasmcustom.weir_cas_retries_total").await
}

/// Fresh keys, 500 at a time, until two workers have met: on a busy machine they may take turns for long.
async fn touch_until_met(envoy: &Envoy, prefix: &str) {
    let before = collisions(envoy).await;
    for round in 0..8 {
        touch(envoy, "main", &format!("{prefix}-{round}"), 500).await;
        if collisions(envoy).await > before {
            return;
        }
    }
    panic!("no two workers met");
}

#[tokio::test]
async fn five_hundred_fresh_keys_touched_by_eight_workers_at_once_admit_one_each() {
    let mut envoy = Envoy::builder().workers(WORKERS).watched().listener(once_an_hour()).start().await;
    touch_until_met(&envoy, "start").await;
    let workers = envoy.stats("downstream_cx_total").await;
    let busy = workers.iter().filter(|(name, connections)| name.contains(".worker_") && *connections >= 2).count();
    assert_eq!(busy, WORKERS, "{workers:?}");

    let mut policy = per_key("1/hour");
    policy["rules"] = json!([{"name": "other", "match": {"paths": ["/other"]}, "limits": ["1/hour"]}]);
    envoy.accept(&[Listener::new().direct().policy(policy)]).await;
    touch_until_met(&envoy, "update").await;
    // Keys from before the update are still known.
    let known = at_once(envoy.addr(), CONNECTIONS, vec!["start-0-0".to_owned(), "start-0-499".to_owned()]).await;
    assert!(known.iter().flatten().all(|status| *status == 429), "{known:?}");
}

#[tokio::test]
async fn workers_agree_on_everything_from_the_very_first_request_of_a_vm() {
    let names = ["a", "b", "c"];
    let mut builder = Envoy::builder().workers(WORKERS);
    for name in names {
        builder = builder.listener(Listener::named(name).direct().policy(per_key("1/hour")).vm_id(name));
    }
    let envoy = builder.start().await;
    for name in names {
        touch(&envoy, name, "first", 20).await;
    }
}
