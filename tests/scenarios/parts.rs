//! What is counted apart, how much it costs, and what a rule looks at.

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, Req};

use crate::support::tally;

async fn with_limit(limit: Value) -> Envoy {
    Envoy::with(json!({"limits": [limit]})).await
}

#[tokio::test]
async fn a_header_may_say_the_cost() {
    let limit = json!({"rate": "100/hour", "per": [], "cost": {"header": "x-cost", "default": 2, "max": 30}});
    let envoy = with_limit(limit).await;
    let client = envoy.client();
    let mut left = 100;
    for (cost, taken) in [
        ("10", 10),
        ("", 2),
        ("0", 2),
        ("-3", 2),
        ("1.5", 2),
        ("abc", 2),
        ("1", 1),
        ("30", 30),
        ("31", 30),
        ("99999999999999999999", 30),
    ] {
        let request = Req::get("/").header("x-cost", cost);
        let reply = client.send(&request).await;
        if left < taken {
            assert_eq!(reply.status, 429, "{cost}");
            continue;
        }
        left -= taken;
        assert_eq!((reply.status, reply.integer("x-ratelimit-remaining")), (200, left), "cost {cost}");
    }
    // What costs too much costs nothing, and what fits is let through.
    tally(&client, 2, &Req::get("/").header("x-cost", "30")).await.expect(0, 2);
    let reply = client.send(&Req::get("/")).await;
    assert_eq!((reply.status, reply.integer("x-ratelimit-remaining")), (200, left - 2));
}

#[tokio::test]
async fn what_a_limit_counts_by_may_be_missing() {
    let envoy = with_limit(json!({"rate": "2/hour", "per": ["header:x-team"]})).await;
    tally(&envoy.client(), 3, &Req::get("/").header("x-team", "a")).await.expect(2, 1);
    tally(&envoy.client(), 2, &Req::get("/")).await.expect(2, 0);
    tally(&envoy.client(), 2, &Req::get("/").header("x-team", "")).await.expect(0, 2);
    let other = Client::new(envoy.addr()).from_address([127, 0, 0, 9].into());
    tally(&other, 3, &Req::get("/").header("x-team", " ")).await.expect(2, 1);

    let envoy = with_limit(json!({"rate": "2/hour", "per": ["header:x-team"], "missing": "skip"})).await;
    tally(&envoy.client(), 5, &Req::get("/")).await.expect(5, 0);
    tally(&envoy.client(), 5, &Req::get("/").header("x-team", "a")).await.expect(2, 3);

    let twice = Req::get("/").header("x-team", "a").header("x-team", "a");
    tally(&envoy.client(), 5, &twice).await.expect(2, 3);

    let envoy = with_limit(json!({"rate": "2/hour", "per": ["header:x-team"], "missing": "reject"})).await;
    tally(&envoy.client(), 3, &twice).await.expect(0, 3);
    tally(&envoy.client(), 3, &Req::get("/")).await.expect(0, 3);
    tally(&envoy.client(), 3, &Req::get("/").header("x-team", "a")).await.expect(2, 1);
    let reply = envoy.client().send(&Req::get("/")).await;
    assert_eq!((reply.integer("x-ratelimit-remaining"), &reply.json()["error"]["code"]), (0, &json!("RATE_LIMITED")));
    assert!((1..=3600).contains(&reply.integer("retry-after")));
}

/// Two requests that are told apart, and one that is the first in another guise.
async fn apart(per: Value, first: Req, same: Req, other: Req) {
    let policy = json!({"rules": [{"name": "r", "match": {"paths": ["/{tenant}/**"]}, "limits": [{"rate": "2/hour", "per": per}]}]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let seen = [client.send(&first).await.status, client.send(&same).await.status, client.send(&first).await.status];
    assert_eq!(seen, [200, 200, 429], "{per}");
    assert_eq!(client.send(&other).await.status, 200, "{per}");
}

#[tokio::test]
async fn every_part_of_a_request_can_be_counted_apart() {
    let get = Req::get;
    apart(json!(["method"]), get("/a/b"), get("/a/x"), Req::post("/a/b")).await;
    apart(json!(["path"]), get("/a/b"), get("/a//%62?q"), get("/a/c")).await;
    apart(json!(["host"]), get("/a/b"), get("/a/c").host("API.test:80"), get("/a/b").host("b.test")).await;
    apart(json!(["query:q"]), get("/a/b?q=1"), get("/a/c?x=2&q=1"), get("/a/b?q=2")).await;
    apart(json!(["path:tenant"]), get("/a/b"), get("/a/c"), get("/b/b")).await;
    apart(
        json!(["cookie:s"]),
        get("/a").header("cookie", "x=1; s=1"),
        get("/a").header("cookie", "s=1"),
        get("/a").header("cookie", "s=2"),
    )
    .await;
    apart(
        json!(["header:x-a"]),
        get("/a").header("x-a", "1"),
        get("/a").header("X-A", "1"),
        get("/a").header("x-a", "2"),
    )
    .await;
    let bearer = |token: &str| get("/a").header("authorization", format!("Bearer {token}"));
    apart(json!([{"bearer": true}]), bearer("k"), get("/a").header("authorization", "bearer  k"), bearer("K")).await;
    apart(json!([{"property": ["request", "host"]}]), get("/a"), get("/c"), get("/a").host("b.test")).await;
    apart(json!(["method", "path:tenant"]), get("/a/1"), get("/a/2"), get("/b/1")).await;
}

#[tokio::test]
async fn everybody_may_share_one_bucket() {
    let envoy = with_limit(json!({"rate": "3/hour", "per": []})).await;
    for (place, last) in [1_u8, 2, 3, 4, 5].into_iter().enumerate() {
        let client = Client::new(envoy.addr()).from_address([127, 0, 0, last].into());
        assert_eq!(client.send(&Req::get("/")).await.status, if place < 3 { 200 } else { 429 });
    }
}

#[tokio::test]
async fn rules_may_look_at_headers_queries_and_paths_by_expression() {
    let one = |name: &str, matches: Value| json!({"name": name, "match": matches, "limits": [{"rate": "100/hour", "per": []}]});
    let policy = json!({"rules": [
        one("header-equals", json!({"headers": [{"name": "X-A", "equals": "one"}]})),
        one("header-prefix", json!({"headers": [{"name": "x-a", "prefix": "two-"}]})),
        one("header-regex", json!({"headers": [{"name": "x-a", "regex": "v[0-9]+"}]})),
        one("header-absent", json!({"headers": [{"name": "x-must", "present": false}], "paths": ["/absent"]})),
        one("query-present", json!({"query": [{"name": "debug", "present": true}]})),
        one("query-equals", json!({"query": [{"name": "q", "equals": "a b"}]})),
        one("path-regex", json!({"path_regex": "/v[12]/items/[0-9]{1,4}"})),
        one("all", json!({"methods": ["PUT"], "paths": ["/p/*"], "headers": [{"name": "x-b", "present": true}], "query": [{"name": "z", "prefix": "1"}], "hosts": ["*.example.com"]})),
    ]});
    let envoy = Envoy::builder().listener(Listener::new().policy(policy)).start().await;
    let client = envoy.client();
    let put = || Req::new("PUT", "/p/x?z=12").host("a.example.com");
    let cases = [
        (Req::get("/").header("x-a", "one"), Some("header-equals")),
        (Req::get("/").header("x-a", "one two"), None),
        (Req::get("/").header("x-a", "two-x"), Some("header-prefix")),
        (Req::get("/").header("x-a", "v12"), Some("header-regex")),
        (Req::get("/").header("x-a", "xv12"), None),
        (Req::get("/").header("x-a", "v12x"), None),
        (Req::get("/absent"), Some("header-absent")),
        (Req::get("/absent").header("x-must", "y"), None),
        (Req::get("/?debug"), Some("query-present")),
        (Req::get("/?debug=1"), Some("query-present")),
        (Req::get("/?debugg=1"), None),
        (Req::get("/?q=a%20b"), Some("query-equals")),
        (Req::get("/?q=a+b"), Some("query-equals")),
        (Req::get("/v1/items/77"), Some("path-regex")),
        (Req::get("/v1//items/./7%37?x=1"), Some("path-regex")),
        (Req::get("/v1/items/77777"), None),
        (Req::get("/x/v1/items/77"), None),
        (put().header("x-b", "1"), Some("all")),
        (put(), None),
        (put().header("x-b", "1").host("example.com"), None),
    ];
    for (request, rule) in cases {
        let reply = client.send(&request).await;
        let policy =
            reply.header("ratelimit-policy").map(|policy| policy.split('"').nth(1).unwrap_or_default().to_owned());
        assert_eq!(policy.as_deref(), rule, "{request:?}");
    }
}
