//! Limits that only watch, and requests that are exempt.

use serde_json::json;
use weir_tests::{Client, Envoy, Listener, Req};

use crate::support::tally;

const STATE: &str = "%RESPONSE_CODE% %FILTER_STATE(wasm.weir:PLAIN)%";

#[tokio::test]
async fn a_shadow_limit_refuses_nobody_and_shows_nowhere_but_to_operators() {
    let policy = json!({"limits": [
        {"rate": "2/hour", "per": ["ip"], "name": "watched", "mode": "shadow"},
        {"rate": "5/hour", "per": ["ip"], "name": "kept"},
    ]});
    let envoy = Envoy::builder().listener(Listener::new().policy(policy).access_log(STATE)).start().await;
    let client = envoy.client();
    for left in (0..5).rev() {
        let reply = client.send(&Req::get("/")).await;
        assert_eq!(
            (reply.status, reply.integer("x-ratelimit-limit"), reply.integer("x-ratelimit-remaining")),
            (200, 5, left)
        );
        assert!(
            !reply.expect("ratelimit").contains("watched") && !reply.expect("ratelimit-policy").contains("watched")
        );
    }
    let reply = client.send(&Req::get("/")).await;
    assert_eq!((reply.status, &reply.json()["error"]["limits"]["watched"]), (429, &json!(null)));
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=all;decision=allowed").await, 2);
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=all;decision=shadow_limited").await, 3);
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=all;decision=limited").await, 1);
    let stats = envoy.stats("weir_").await;
    assert_eq!(envoy.stat("wasmcustom.weir_limited_total;rule=all;limit=kept;mode=enforce").await, 1, "{stats:?}");
    assert!(envoy.stat("wasmcustom.weir_limited_total;rule=all;limit=watched;mode=shadow").await >= 3, "{stats:?}");
    let lines = envoy.access_log_lines(6).await;
    assert!(lines[0].starts_with("200 decision=allowed rule=all limit="), "{lines:?}");
    assert!(
        lines[2].starts_with("200 decision=shadow_limited rule=all limit=watched remaining=0 client="),
        "{lines:?}"
    );
    assert!(lines[5].starts_with("429 decision=limited rule=all limit=kept remaining=0 client="), "{lines:?}");
}

#[tokio::test]
async fn in_shadow_mode_nothing_is_refused_and_nothing_shows() {
    let policy = json!({
        "mode": "shadow",
        "limits": [{"rate": "1/hour", "per": ["header:x-absent"], "missing": "reject", "mode": "enforce", "name": "nameless"}],
        "plans": {"default": "free", "tiers": {"free": {"limits": ["2/hour"]}}},
        "rules": [{"name": "r", "limits": [{"rate": "1/hour", "mode": "enforce"}]}],
    });
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    for _ in 0..6 {
        let reply = client.send(&Req::get("/")).await;
        assert_eq!(reply.status, 200);
        assert!(!reply.headers.keys().any(|name| name.as_str().contains("ratelimit")), "{:?}", reply.headers);
    }
    assert_eq!(envoy.upstream.reached(), 6);
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=r;decision=limited").await, 0);
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=r;decision=shadow_limited").await, 6);
    assert_eq!(envoy.stat("wasmcustom.weir_limited_total;rule=r;limit=r;mode=shadow").await, 5);
    assert_eq!(envoy.stat("wasmcustom.weir_limited_total;rule=plan;limit=free;mode=shadow").await, 4);
}

#[tokio::test]
async fn a_shadow_refusal_stops_no_charge() {
    let policy = json!({"limits": [
        {"rate": "1/hour", "per": [], "name": "watched", "mode": "shadow"},
        {"rate": "3/hour", "per": [], "name": "kept"},
    ]});
    let envoy = Envoy::with(policy).await;
    tally(&envoy.client(), 6, &Req::get("/")).await.expect(3, 3);
}

/// Probes pass and cost nothing anywhere; what only looks like one counts.
#[tokio::test]
async fn health_checks_are_exempt_in_their_canonical_form_only() {
    let policy = json!({
        "exempt": [{"paths": ["/healthz"]}],
        "limits": [{"rate": "100/hour", "per": []}],
        "plans": {"default": "free", "tiers": {"free": {"limits": ["50/hour"]}}},
        "rules": [{"name": "r", "limits": [{"rate": "5/hour", "per": ["ip"]}]}],
    });
    let envoy = Envoy::builder().listener(Listener::new().policy(policy).access_log(STATE)).start().await;
    let client = envoy.client();
    for _ in 0..50 {
        let reply = client.send(&Req::get("/healthz")).await;
        assert_eq!((reply.status, reply.header("x-ratelimit-limit"), reply.header("ratelimit")), (200, None, None));
    }
    let reply = client.send(&Req::get("/x")).await;
    assert!(reply.expect("ratelimit").contains("\"r\";r=4"), "{}", reply.expect("ratelimit"));
    assert!(reply.expect("ratelimit").contains("\"all\";r=99"), "{}", reply.expect("ratelimit"));
    assert!(reply.expect("ratelimit").contains("\"free\";r=49"), "{}", reply.expect("ratelimit"));
    tally(&client, 5, &Req::get("/x")).await.expect(4, 1);
    for path in [
        "/healthz/../x",
        "/healthz/..%2Fx",
        "/healthzz",
        "/healthz/",
        "//healthz",
        "/%68ealthz",
        "/healthz;a",
        "/healthz/x",
        "/Healthz",
        "/./healthz",
    ] {
        assert_eq!(client.send(&Req::get(path)).await.status, 429, "{path}");
    }
    for path in ["/healthz?x", "/healthz?", "/healthz"] {
        assert_eq!(client.send(&Req::get(path)).await.status, 200, "{path}");
    }
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=all;decision=exempt").await, 53);
    assert!(envoy.access_log_lines(1).await[0].starts_with("200 decision=exempt"), "{:?}", envoy.access_log());
}

#[tokio::test]
async fn networks_are_exempt_by_the_peers_own_address_only() {
    let policy =
        json!({"exempt": [{"cidr": ["127.9.0.0/16", "10.0.0.0/8"]}], "limits": [{"rate": "2/hour", "per": ["ip"]}]});
    let envoy = Envoy::with(policy.clone()).await;
    let inside = Client::new(envoy.addr()).from_address([127, 9, 0, 7].into());
    tally(&inside, 10, &Req::get("/")).await.expect(10, 0);
    let forged = Req::get("/").header("x-forwarded-for", "10.1.2.3");
    tally(&envoy.client(), 5, &forged).await.expect(2, 3);

    // Envoy's own default believes the header; Weir does not.
    let naive = Listener::new().policy(policy.clone()).manager("use_remote_address", json!(false));
    let envoy = Envoy::builder().listener(naive).start().await;
    tally(&envoy.client(), 5, &forged).await.expect(2, 3);
    assert_eq!(envoy.log().matches("client addresses come from a request header").count(), 1);

    let mut trusting = policy;
    trusting["ip"] = json!({"trust_forwarded": true});
    let envoy = Envoy::builder().listener(Listener::new().policy(trusting).trusted_hops(1)).start().await;
    tally(&envoy.client(), 5, &forged).await.expect(5, 0);
}

#[tokio::test]
async fn an_attribute_exempts_and_a_header_too_unless_it_is_given_twice() {
    let policy = json!({
        "exempt": [
            {"property": {"path": ["request", "host"], "equals": "batch.test"}},
            {"headers": [{"name": "x-internal", "equals": "yes"}], "methods": ["GET"]},
        ],
        "limits": [{"rate": "1/hour", "per": []}],
    });
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    tally(&client, 5, &Req::get("/").host("batch.test")).await.expect(5, 0);
    tally(&client, 5, &Req::get("/").header("x-internal", "yes")).await.expect(5, 0);
    tally(&client, 2, &Req::get("/")).await.expect(1, 1);
    tally(&client, 2, &Req::get("/").host("batch.test2")).await.expect(0, 2);
    tally(&client, 2, &Req::post("/").header("x-internal", "yes")).await.expect(0, 2);
    tally(&client, 2, &Req::get("/").header("x-internal", "yes").header("x-internal", "no")).await.expect(0, 2);
}
