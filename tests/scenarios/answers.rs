//! Refusals in other shapes, and asking without spending.

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, Req};

use crate::support::{repeat, tally};

fn one(rate: &str) -> Value {
    json!({"rules": [{"name": "r", "limits": [{"rate": rate, "per": ["ip"]}]}]})
}

#[tokio::test]
async fn who_prefers_problem_details_gets_them() {
    let envoy = Envoy::with(one("1/hour")).await;
    let client = envoy.client();
    tally(&client, 1, &Req::get("/")).await.expect(1, 0);
    for (accept, kind) in [
        ("application/problem+json", "application/problem+json"),
        ("application/json;q=0.5, application/problem+json", "application/problem+json"),
        ("application/json, application/problem+json;q=0.5", "application/json"),
        ("*/*", "application/json"),
        ("text/html", "application/json"),
    ] {
        let reply = client.send(&Req::get("/").header("accept", accept)).await;
        assert_eq!((reply.status, reply.expect("content-type")), (429, kind), "{accept}");
        assert_eq!(reply.expect("cache-control"), "no-store");
        let body = reply.json();
        if kind.contains("problem") {
            assert!(body["type"].as_str().is_some_and(|kind| kind.ends_with("#quota-exceeded")), "{body}");
            assert_eq!((&body["status"], &body["violated-policies"]), (&json!(429), &json!(["r"])));
            assert_eq!(body["retryAfter"], reply.integer("retry-after"));
        } else {
            assert_eq!(body["error"]["code"], "RATE_LIMITED");
        }
    }
}

#[tokio::test]
async fn a_grpc_client_is_refused_in_grpc() {
    let envoy = Envoy::with(one("1/hour")).await;
    let client = Client::http2(envoy.addr());
    let call = |kind: &str| {
        Req::post("/pkg.Service/Do").header("content-type", kind).header("te", "trailers").body("\0\0\0\0\0")
    };
    tally(&client, 1, &call("application/grpc")).await.expect(1, 0);
    let spellings = ["application/grpc;charset=utf-8", "APPLICATION/GRPC+proto"];
    for kind in ["application/grpc", "application/grpc+proto"].into_iter().chain(spellings) {
        let reply = client.send(&call(kind)).await;
        assert_eq!((reply.status, reply.expect("grpc-status")), (200, "8"), "{:?}", reply.headers);
        assert_eq!(reply.expect("x-envoy-ratelimited"), "true");
        assert!(reply.body.is_empty() && reply.expect("content-type").starts_with("application/grpc"));
        let message = reply.expect("grpc-message");
        assert!(message.starts_with("Rate limit exceeded") && !message.contains('{'), "{message}");
        let pushback = reply.integer("grpc-retry-pushback-ms");
        let wait = reply.integer("retry-after");
        assert!(pushback <= wait * 1000 && pushback + 1000 > wait * 1000, "{pushback} {wait}");
        let details = reply.expect("grpc-status-details-bin");
        // `type.googleapis.com/google.rpc.RetryInfo` within, at whichever of the three alignments.
        assert!(["UmV0cnlJbmZv", "JldHJ5SW5mb", "SZXRyeUluZm"].iter().any(|text| details.contains(text)), "{details}");
        assert_eq!(reply.integer("x-ratelimit-remaining"), 0);
    }
    assert_eq!(envoy.upstream.reached(), 1);
}

#[tokio::test]
async fn a_grpc_status_in_the_trailers_decides_what_counts() {
    let policy =
        json!({"limits": [{"rate": "2/hour", "per": ["ip"], "count": {"status": [401], "grpc_status": [16]}}]});
    let envoy = Envoy::builder().http2_upstream().listener(Listener::new().policy(policy)).start().await;
    let client = Client::http2(envoy.addr());
    let call = |status: &str| {
        let call = Req::post("/pkg.Service/Do").header("content-type", "application/grpc").header("te", "trailers");
        let call = call.header("x-want-header", "content-type=application/grpc");
        call.header("x-want-trailer", format!("grpc-status={status}"))
    };
    let reached = async |status: &str| {
        let before = envoy.upstream.reached();
        client.send(&call(status)).await;
        envoy.upstream.reached() - before
    };
    for _ in 0..6 {
        assert_eq!(reached("0").await, 1);
    }
    assert_eq!((reached("16").await, reached("5").await, reached("16").await), (1, 1, 1));
    assert_eq!((reached("0").await, reached("16").await), (0, 0));
    // In the headers, where there are no trailers.
    let other = Client::http2(envoy.addr()).from_address([127, 0, 0, 5].into());
    let only = |status: &str| {
        Req::post("/s/m")
            .header("content-type", "application/grpc")
            .header("x-want-header", "content-type=application/grpc")
            .header("x-want-header", format!("grpc-status={status}"))
    };
    let before = envoy.upstream.reached();
    for status in ["0", "0", "0", "16", "16", "0"] {
        other.send(&only(status)).await;
    }
    assert_eq!(envoy.upstream.reached() - before, 5);
}

#[tokio::test]
async fn a_response_may_be_overridden() {
    let mut policy = one("1/hour");
    policy["response"] = json!({
        "status": 503,
        "body": "wait {retry_after} s: {limit}/{remaining} {reset_at} {rule} [{plan}]",
        "content_type": "text/plain; charset=utf-8",
        "headers": {"access-control-allow-origin": "https://app.test", "access-control-expose-headers": "Retry-After, RateLimit"},
    });
    let envoy = Envoy::with(policy).await;
    let reply =
        repeat(&envoy.client(), 2, &Req::get("/").header("origin", "https://app.test")).await.pop().expect("two");
    assert_eq!((reply.status, reply.expect("content-type")), (503, "text/plain; charset=utf-8"));
    assert_eq!(reply.expect("access-control-allow-origin"), "https://app.test");
    let text = String::from_utf8_lossy(&reply.body).into_owned();
    assert!(
        text.starts_with(&format!("wait {} s: 1/0 20", reply.integer("retry-after"))) && text.ends_with("Z r []"),
        "{text}"
    );
    assert_eq!(reply.integer("content-length"), reply.body.len() as u64);
    assert_eq!(reply.expect("cache-control"), "no-store");
}

#[tokio::test]
async fn behind_envoys_cors_filter_a_browser_can_read_the_refusal() {
    let cors = json!({"name": "envoy.filters.http.cors", "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.cors.v3.Cors"}});
    let listener = Listener::new().policy(one("1/hour")).before(cors).route_filter(
        "envoy.filters.http.cors",
        json!({
            "@type": "type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy",
            "allow_origin_string_match": [{"exact": "https://app.test"}],
            "expose_headers": "Retry-After, RateLimit, RateLimit-Policy",
        }),
    );
    let envoy = Envoy::builder().listener(listener).start().await;
    let reply =
        repeat(&envoy.client(), 2, &Req::get("/").header("origin", "https://app.test")).await.pop().expect("two");
    assert_eq!((reply.status, reply.expect("access-control-allow-origin")), (429, "https://app.test"));
    assert_eq!(reply.expect("access-control-expose-headers"), "Retry-After, RateLimit, RateLimit-Policy");
    reply.integer("retry-after");
}

fn with_status() -> Value {
    json!({
        "client": [{"header": "x-api-key"}],
        "status": {"path": "/ratelimit"},
        "limits": [{"rate": "100/hour", "per": ["ip"]}],
        "plans": {"assign": [{"clients": {"k": "pro"}}], "default": "free", "tiers": {
            "free": {"limits": ["10/hour"]}, "pro": {"limits": ["50/hour", {"rate": "500/day", "algorithm": "fixed_window"}]},
        }},
        "rules": [
            {"name": "auth", "match": {"methods": ["POST"], "paths": ["/login"]}, "limits": [{"rate": "5/hour"}]},
            {"name": "watched", "match": {"paths": ["/watched"]}, "limits": [{"rate": "5/hour", "mode": "shadow"}, {"rate": "6/hour", "name": "seen"}]},
        ],
    })
}

fn left(reply: &weir_tests::Reply, name: &str) -> u64 {
    let body = reply.json();
    let limit = body["limits"].as_array().and_then(|all| all.iter().find(|limit| limit["name"] == name).cloned());
    limit.and_then(|limit| limit["remaining"].as_u64()).unwrap_or_else(|| panic!("{name} in {body}"))
}

#[tokio::test]
async fn asking_costs_nothing_and_agrees_with_what_comes_next() {
    let envoy = Envoy::with(with_status()).await;
    let client = envoy.client();
    tally(&client, 3, &Req::post("/login").key("k")).await.expect(3, 0);
    let ask = |query: &str| Req::get(&format!("/ratelimit{query}")).key("k");
    for _ in 0..5 {
        let reply = client.send(&ask("?method=POST&path=/login")).await;
        assert_eq!(
            (reply.status, reply.expect("cache-control"), reply.expect("content-type")),
            (200, "no-store", "application/json")
        );
        assert_eq!(
            (left(&reply, "auth"), left(&reply, "all"), left(&reply, "pro"), left(&reply, "pro-2")),
            (2, 97, 47, 497)
        );
        let body = reply.json();
        assert_eq!((&body["client"], &body["plan"]), (&json!("header"), &json!("pro")));
    }
    let head = client.send(&Req::new("HEAD", "/ratelimit").key("k")).await;
    assert_eq!((head.status, head.expect("cache-control"), head.body.len()), (200, "no-store", 0));
    let names = |reply: &weir_tests::Reply| reply.json()["limits"].as_array().map(Vec::len);
    assert_eq!(names(&client.send(&ask("")).await), Some(3));
    assert_eq!(names(&client.send(&ask("?path=/login")).await), Some(3));
    assert_eq!(names(&client.send(&ask("?method=POST&path=%2Flogin%3Fx")).await), Some(4));
    let shadow = client.send(&ask("?path=/watched")).await;
    assert_eq!((names(&shadow), left(&shadow, "seen")), (Some(4), 6));

    let next = client.send(&Req::post("/login").key("k")).await;
    assert!(next.expect("ratelimit").contains("\"auth\";r=1;"), "{}", next.expect("ratelimit"));
    assert!(next.expect("ratelimit").contains("\"all\";r=96;"), "{}", next.expect("ratelimit"));
    assert_eq!(envoy.upstream.reached(), 4);
    // Another caller, another plan.
    let other = client.send(&Req::get("/ratelimit")).await.json();
    assert_eq!((&other["client"], &other["plan"]), (&json!("ip"), &json!("free")));
    // Other methods go upstream.
    assert_eq!(client.send(&Req::post("/ratelimit").key("k")).await.status, 200);
    assert_eq!(envoy.upstream.reached(), 5);
}

#[tokio::test]
async fn asking_is_limited_by_address_whatever_key_is_shown() {
    let envoy = Envoy::with(with_status()).await;
    let client = envoy.client();
    let mut seen = weir_tests::Tally::default();
    for key in 0..150 {
        seen.add(client.send(&Req::get("/ratelimit").key(&format!("guess-{key}"))).await.status);
    }
    assert!((60..=100).contains(&seen.count(200)) && seen.count(200) + seen.count(429) == 150, "{seen:?}");
    let other = Client::new(envoy.addr()).from_address([127, 0, 0, 8].into());
    assert_eq!(other.send(&Req::get("/ratelimit")).await.status, 200);
    assert_eq!((envoy.upstream.reached(), client.send(&Req::get("/")).await.status), (0, 200));
}

#[tokio::test]
async fn every_verdict_is_counted_and_logged_once() {
    let policy = json!({
        "exempt": [{"paths": ["/free"]}],
        "rules": [{"name": "r", "match": {"paths": ["/r"]}, "limits": [{"rate": "1/hour", "per": ["ip"]}]}],
    });
    let listener = Listener::new().policy(policy).access_log("%FILTER_STATE(wasm.weir:PLAIN)% %RESPONSE_CODE_DETAILS%");
    let envoy = Envoy::builder().listener(listener).start().await;
    let client = envoy.client();
    for path in ["/free", "/r", "/r", "/r", "/none"] {
        client.send(&Req::get(path)).await;
    }
    let stats = envoy.stats("weir_requests_total").await;
    let of = |name: &str| stats.iter().filter(|(found, _)| found.contains(name)).map(|(_, value)| value).sum::<u64>();
    assert_eq!((of("decision=exempt"), of("decision=limited")), (1, 2), "{stats:?}");
    assert_eq!(envoy.stat("wasmcustom.weir_limited_total;rule=r;limit=r;mode=enforce").await, 2);
    assert_eq!(stats.iter().map(|(_, value)| value).sum::<u64>(), 5, "each request is counted once: {stats:?}");
    let lines = envoy.access_log_lines(5).await;
    assert!(lines[0].starts_with("decision=exempt rule=- limit=- remaining=- client="), "{lines:?}");
    assert_eq!(lines[1], "decision=allowed rule=r limit=r remaining=0 client=ip via_upstream");
    assert_eq!(lines[2], "decision=limited rule=r limit=r remaining=0 client=ip weir_rate_limited{r}");
    assert!(lines[4].starts_with("decision=allowed rule=- limit=-"), "{lines:?}");
}
