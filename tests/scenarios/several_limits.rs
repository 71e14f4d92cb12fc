//! Limits that apply together are decided together.

use std::time::Duration;

use serde_json::json;
use weir_tests::{Envoy, Listener, Req, flood_tally};

use crate::support::{repeat, tally};

#[tokio::test]
async fn a_refusal_by_one_limit_charges_no_other() {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "limits": [{"rate": "10/hour", "per": ["ip"]}],
        "rules": [{"name": "each", "limits": ["2/hour"]}],
    });
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    for key in 0..5 {
        tally(&client, 20, &Req::get("/").key(&format!("key-{key}"))).await.expect(2, 18);
    }
    tally(&client, 5, &Req::get("/").key("one more")).await.expect(0, 5);
    assert_eq!(envoy.upstream.reached(), 10);
}

#[tokio::test]
async fn a_refusal_at_the_top_charges_no_rule() {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "limits": [{"rate": "3/hour", "per": ["header:x-group"], "name": "group"}],
        "rules": [{"name": "each", "limits": ["5/hour"]}],
    });
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let of_group = |group: &str| Req::get("/").key("k").header("x-group", group);
    tally(&client, 10, &of_group("a")).await.expect(3, 7);
    tally(&client, 10, &of_group("b")).await.expect(2, 8);
}

#[tokio::test]
async fn both_bounds_hold_under_concurrency() {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "limits": [{"rate": "60/hour", "per": []}],
        "rules": [{"name": "each", "limits": ["20/hour"]}],
    });
    let envoy = Envoy::builder().workers(4).listener(Listener::new().policy(policy)).start().await;
    // Were refusals charged, the shared limit would be spent by the first key's.
    flood_tally(envoy.addr(), 200, 16, |_| Req::get("/").key("a")).await.expect(20, 180);
    flood_tally(envoy.addr(), 200, 16, |i| Req::get("/").key(if i % 2 == 0 { "b" } else { "c" })).await.expect(40, 160);
    flood_tally(envoy.addr(), 50, 16, |_| Req::get("/").key("d")).await.expect(0, 50);
    assert_eq!(envoy.upstream.reached(), 60);
}

#[tokio::test]
async fn headers_tell_of_the_limit_that_matters() {
    let policy = json!({"limits": [
        {"rate": "2/2s", "name": "short"},
        {"rate": "5/hour", "name": "long"},
    ]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let request = Req::get("/");

    let first = repeat(&client, 3, &request).await;
    let statuses: Vec<u16> = first.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 429]);
    assert_eq!((first[0].integer("x-ratelimit-limit"), first[0].integer("x-ratelimit-remaining")), (2, 1));
    assert_eq!((first[2].integer("x-ratelimit-limit"), first[2].integer("x-ratelimit-remaining")), (2, 0));
    assert!(first[2].integer("retry-after") <= 2);
    assert_eq!(first[2].json()["error"]["policy"], "short");

    tokio::time::sleep(Duration::from_millis(2050)).await;
    tally(&client, 2, &request).await.expect(2, 0);
    tokio::time::sleep(Duration::from_millis(2050)).await;
    let last = repeat(&client, 2, &request).await;
    assert_eq!((last[0].status, last[1].status), (200, 429));
    assert_eq!((last[0].integer("x-ratelimit-limit"), last[0].integer("x-ratelimit-remaining")), (5, 0));
    assert_eq!((last[1].integer("x-ratelimit-limit"), last[1].integer("x-ratelimit-remaining")), (5, 0));
    assert!(last[1].integer("retry-after") > 600);
    let error = &last[1].json()["error"];
    assert_eq!((&error["policy"], &error["rule"], &error["limit"]), (&json!("long"), &json!("all"), &json!(5)));
    assert_eq!(error["limits"]["short"]["limit"], 2);
}

#[tokio::test]
async fn where_several_refuse_the_longest_wait_is_told() {
    let policy = json!({"limits": [
        {"rate": "1/minute", "name": "minute"},
        {"rate": "1/day", "name": "day"},
        {"rate": "1/hour", "name": "hour"},
    ]});
    let envoy = Envoy::with(policy).await;
    let reply = repeat(&envoy.client(), 2, &Req::get("/")).await.pop().expect("two replies");
    assert_eq!(reply.status, 429);
    assert!((86_390..=86_400).contains(&reply.integer("retry-after")));
    let reset = reply.integer("x-ratelimit-reset");
    assert!(reset.abs_diff(crate::support::unix_now() + reply.integer("retry-after")) <= 2);
    assert_eq!(reply.json()["error"]["policy"], "day");
}
