//! How many statistics there are depends on the configuration alone.

use serde_json::json;
use weir_tests::{Envoy, Listener, Req, flood_tally};

use super::tag_rules;

const METHODS: [&str; 8] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PURGE", "REPORT"];

/// `make memory` has two hundred.
const UPDATES: usize = 5;

fn listener(update: usize) -> Listener {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "exempt": [{"paths": ["/healthz"]}],
        "rules": [
            {"name": format!("odd {{}};=\" {}", update % 2), "match": {"methods": ["POST", "REPORT"]}, "limits": ["2/hour"]},
            {"name": "shadowed", "match": {"methods": ["PUT"]}, "limits": [{"rate": "2/hour", "mode": "shadow"}]},
            {"name": "keyless", "match": {"methods": ["PURGE"]}, "limits": [
                {"rate": "2/hour", "per": ["header:x-tenant", "path"], "missing": "reject"},
            ]},
            {"name": "others", "limits": [{"rate": format!("{}/hour", 2 + update % 2), "per": ["client", "path", "method"]}]},
        ],
    });
    Listener::new().policy(policy)
}

/// Keys and paths by the thousand, with every method; a third of the keys again and again.
async fn traffic(envoy: &Envoy, requests: usize) {
    let request = |i: usize| {
        let path = if i.is_multiple_of(100) { "/healthz".to_owned() } else { format!("/{}", i % 1000) };
        let key = if i.is_multiple_of(3) { format!("often-{}", i % 9) } else { format!("key-{i}") };
        Req::new(METHODS[i / 3 % METHODS.len()], &path).key(&key)
    };
    let tally = flood_tally(envoy.addr(), requests, 16, request).await;
    tally.expect_no_faults();
    assert!(tally.count(429) > requests as u64 / 20 && tally.count(200) > requests as u64 / 20, "{tally:?}");
}

async fn names(envoy: &Envoy) -> Vec<String> {
    let all = envoy.admin("/stats").await;
    all.lines().filter_map(|line| Some(line.split_once(": ")?.0.to_owned())).collect()
}

#[tokio::test]
async fn neither_clients_nor_updates_add_statistics() {
    let mut envoy = Envoy::builder().watched().overlay(&tag_rules()).listener(listener(0)).start().await;
    let own = |names: &[String]| names.iter().filter(|name| name.contains("weir_")).cloned().collect::<Vec<_>>();
    let fresh = own(&names(&envoy).await);
    // Envoy's own come with their first use: statuses seen, updates taken.
    for method in METHODS {
        envoy.client().send(&Req::new(method, "/").key("k")).await;
    }
    traffic(&envoy, 15_000).await;
    assert_eq!(own(&names(&envoy).await), fresh, "the filter's own are all there from the start");
    envoy.accept(&[listener(1)]).await;
    traffic(&envoy, 1000).await;
    let before = names(&envoy).await;
    assert_eq!(own(&before).len(), fresh.len() + 5 + 1, "one rule and its limit have a new name");
    for update in 2..2 + UPDATES {
        envoy.accept(&[listener(update)]).await;
    }
    traffic(&envoy, 1000).await;
    assert_eq!(names(&envoy).await, before);
    let sum: u64 = envoy.stats("weir_requests_total").await.into_iter().map(|(_, value)| value).sum();
    assert_eq!(sum, 17_000 + METHODS.len() as u64, "each request is counted once");
}
