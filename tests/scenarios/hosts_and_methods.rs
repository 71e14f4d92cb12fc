//! Rules by host and method, and preflights.

use serde_json::json;
use weir_tests::{Envoy, Req};

use crate::support::tally;

#[tokio::test]
async fn hosts_are_compared_without_port_trailing_dot_or_case() {
    let policy = json!({"rules": [
        {"name": "api", "match": {"hosts": ["api.example.com"]}, "limits": [{"rate": "3/hour", "per": ["ip"]}]},
        {"name": "below", "match": {"hosts": ["*.example.com"]}, "limits": [{"rate": "4/hour", "per": ["host"]}]},
    ]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    for host in ["api.example.com", "API.Example.com:8080", "api.example.com."] {
        tally(&client, 1, &Req::get("/").host(host)).await.expect(1, 0);
    }
    for host in ["api.example.com", "api.EXAMPLE.com", "api.example.com.:80"] {
        tally(&client, 1, &Req::get("/").host(host)).await.expect(0, 1);
    }
    tally(&client, 6, &Req::get("/").host("a.example.com")).await.expect(4, 2);
    tally(&client, 1, &Req::get("/").host("A.example.com:1")).await.expect(0, 1);
    tally(&client, 6, &Req::get("/").host("b.c.example.com")).await.expect(4, 2);
    tally(&client, 6, &Req::get("/").host("example.com")).await.expect(6, 0);
    tally(&client, 6, &Req::get("/").host("notexample.com")).await.expect(6, 0);
}

#[tokio::test]
async fn head_counts_as_get_and_no_header_or_query_restates_the_method() {
    let policy = json!({"rules": [
        {"name": "options", "match": {"methods": ["OPTIONS"]}, "limits": ["100/hour"]},
        {"name": "items", "match": {"methods": ["GET"], "paths": ["/items"]}, "limits": ["5/hour"]},
    ]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    tally(&client, 3, &Req::new("HEAD", "/items")).await.expect(3, 0);
    let overridden =
        Req::get("/items").header("x-http-method-override", "OPTIONS").header("x-method-override", "OPTIONS");
    tally(&client, 10, &overridden).await.expect(2, 8);
    tally(&client, 2, &Req::get("/items?_method=OPTIONS")).await.expect(0, 2);
    tally(&client, 10, &Req::new("HEAD", "/items")).await.expect(0, 10);
    assert_eq!(envoy.upstream.reached(), 5);
    tally(&client, 2, &Req::post("/items").header("x-http-method-override", "GET")).await.expect(2, 0);
}

#[tokio::test]
async fn unknown_methods_meet_the_catch_all() {
    let policy = json!({"rules": [
        {"name": "reads", "match": {"methods": ["GET"]}, "limits": ["100/hour"]},
        {"name": "rest", "limits": ["3/hour"]},
    ]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let before = envoy.upstream.reached();
    for method in ["PROPFIND", "PURGE", "get", "PROPFIND", "M-SEARCH", "get"] {
        // Whether Envoy lets a method pass is Envoy's affair.
        let reply = client.send(&Req::new(method, "/")).await;
        assert!([200, 400, 429].contains(&reply.status), "{method}: {}", reply.status);
    }
    assert!(envoy.upstream.reached() - before <= 3);
    tally(&client, 4, &Req::new("PROPFIND", "/")).await.expect(0, 4);
    tally(&client, 4, &Req::get("/")).await.expect(4, 0);
}

fn preflight(path: &str) -> Req {
    let request = Req::new("OPTIONS", path).header("origin", "https://app.test");
    request.header("access-control-request-method", "GET")
}

#[tokio::test]
async fn preflights_meet_no_rule_and_plain_options_do() {
    let policy = json!({"rules": [{"name": "api", "match": {"paths": ["/api/**"]}, "limits": ["5/hour"]}]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let mut gets = Vec::new();
    for _ in 0..10 {
        let reply = client.send(&preflight("/api/x")).await;
        assert_eq!((reply.status, reply.header("ratelimit")), (200, None));
        gets.push(client.send(&Req::get("/api/x")).await);
    }
    gets.iter().collect::<weir_tests::Tally>().expect(5, 5);
    tally(&client, 5, &Req::new("OPTIONS", "/api/x")).await.expect(0, 5);
    tally(&client, 5, &Req::new("OPTIONS", "/api/x").header("origin", "https://app.test")).await.expect(0, 5);
    let no_origin = Req::new("OPTIONS", "/api/x").header("access-control-request-method", "GET");
    tally(&client, 5, &no_origin).await.expect(0, 5);
    tally(&client, 5, &preflight("/api/x")).await.expect(5, 0);
    let disguised =
        Req::get("/api/x").header("origin", "https://app.test").header("access-control-request-method", "GET");
    tally(&client, 5, &disguised).await.expect(0, 5);
}

#[tokio::test]
async fn top_level_limits_count_preflights() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "8/hour", "per": ["ip"]}]})).await;
    tally(&envoy.client(), 10, &preflight("/api/x")).await.expect(8, 2);
}

#[tokio::test]
async fn a_rule_that_names_options_counts_preflights() {
    let policy = json!({"rules": [
        {"name": "any", "match": {"paths": ["/a/**"]}, "limits": ["1/hour"]},
        {"name": "options", "match": {"methods": ["OPTIONS"]}, "limits": ["3/hour"]},
    ]});
    let envoy = Envoy::with(policy).await;
    tally(&envoy.client(), 5, &preflight("/a/x")).await.expect(3, 2);
    tally(&envoy.client(), 5, &preflight("/b")).await.expect(0, 5);
}
