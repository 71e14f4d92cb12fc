//! What a script in a browser can read of a refusal (CORS).

use serde_json::{Value, json};
use weir_tests::{Envoy, Listener, Reply, Req};

use crate::support::repeat;

const ORIGIN: &str = "https://app.test";
/// What README tells to expose.
const EXPOSED: &str =
    "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy";

/// The first of these is let through, the second refused; a script of the origin can read both.
#[track_caller]
fn expect_readable(replies: &[Reply]) {
    assert_eq!(replies.iter().map(|reply| reply.status).collect::<Vec<_>>(), [200, 429]);
    for reply in replies {
        assert_eq!(reply.expect("access-control-allow-origin"), ORIGIN);
        assert_eq!(reply.expect("access-control-expose-headers"), EXPOSED);
        for name in EXPOSED.split(", ").filter(|name| *name != "Retry-After" || reply.status == 429) {
            reply.expect(name);
        }
    }
    assert!((3590..=3600).contains(&replies[1].integer("retry-after")));
    assert_eq!((replies[1].integer("x-ratelimit-limit"), replies[1].integer("x-ratelimit-remaining")), (1, 0));
    assert_eq!(replies[1].json()["error"]["code"], "RATE_LIMITED");
}

#[tokio::test]
async fn with_envoys_cors_filter_in_front() {
    let cors = json!({"name": "envoy.filters.http.cors", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.cors.v3.Cors",
    }});
    let route = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy",
        "allow_origin_string_match": [{"exact": ORIGIN}],
        "expose_headers": EXPOSED,
    });
    let listener = Listener::new().policy(json!({"limits": ["1/hour"]})).before(cors);
    let envoy = Envoy::builder().listener(listener.route_filter("envoy.filters.http.cors", route)).start().await;
    expect_readable(&repeat(&envoy.client(), 2, &Req::get("/").header("origin", ORIGIN)).await);
}

#[tokio::test]
async fn with_cors_done_by_the_upstream_and_the_same_fields_configured() {
    let fields = [("access-control-allow-origin", ORIGIN), ("access-control-expose-headers", EXPOSED)];
    let configured: Value = fields.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let envoy = Envoy::with(json!({"limits": ["1/hour"], "response": {"headers": configured}})).await;
    let request = fields.iter().fold(Req::get("/").header("origin", ORIGIN), |request, (name, value)| {
        request.header("x-want-header", format!("{name}={value}"))
    });
    expect_readable(&repeat(&envoy.client(), 2, &request).await);
}
