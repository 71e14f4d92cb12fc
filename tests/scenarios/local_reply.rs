//! A refusal is one local reply, and nothing of the request goes upstream.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use weir_tests::{Client, Envoy, Listener, RawConnection, Reply, Req};

use crate::support::{per_key, tally};

/// The bound for a single refusal on a machine that is busy with other tests.
const PROMPT: Duration = Duration::from_secs(1);

fn spent() -> Value {
    json!({"limits": [{"rate": "1/hour", "per": []}]})
}

#[track_caller]
fn expect_fields_once(reply: &Reply) {
    assert_eq!(reply.status, 429);
    for name in [
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
    ] {
        reply.expect(name);
    }
    for name in ["content-type", "content-length", "cache-control", "x-envoy-ratelimited"] {
        reply.expect(name);
    }
}

async fn five_hundred(envoy: &Envoy, client: Client) {
    tally(&client, 1, &Req::get("/")).await.expect_no_faults();
    for i in 0..500 {
        let request = match i % 3 {
            0 => Req::get("/"),
            1 => Req::post("/").body("a small body"),
            _ => Req::post("/").body(vec![b'x'; 40_000]),
        };
        let started = Instant::now();
        expect_fields_once(&client.send(&request).await);
        assert!(started.elapsed() < PROMPT, "{:?}", started.elapsed());
    }
    assert_eq!(envoy.upstream.reached(), 1);
}

#[tokio::test]
async fn five_hundred_refusals_on_a_kept_connection() {
    let envoy = Envoy::with(spent()).await;
    five_hundred(&envoy, envoy.client()).await;
}

#[tokio::test]
async fn five_hundred_refusals_over_http2() {
    let envoy = Envoy::with(spent()).await;
    five_hundred(&envoy, Client::http2(envoy.addr())).await;
}

async fn refused_upload(addr: SocketAddr) {
    let mut connection = RawConnection::open(addr).await;
    connection.write(b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n").await;
    let started = Instant::now();
    expect_fields_once(&connection.reply().await.expect("an answer before the upload's end"));
    assert!(started.elapsed() < PROMPT, "{:?}", started.elapsed());
    // The rest may still arrive: it is dropped, or the connection is closed.
    connection.write(b"5\r\nworld\r\n0\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
    if let Some(reply) = connection.reply().await {
        expect_fields_once(&reply);
    }
}

#[tokio::test]
async fn an_upload_still_running_is_answered_at_once() {
    let envoy = Envoy::with(spent()).await;
    tally(&envoy.client(), 1, &Req::get("/")).await.expect(1, 0);
    // Envoy keeps a connection with an unread upload for a second: they wait side by side.
    let mut uploads: JoinSet<()> = (0..50).map(|_| refused_upload(envoy.addr())).collect();
    while let Some(outcome) = uploads.join_next().await {
        outcome.expect("one of the uploads");
    }
    assert_eq!(envoy.upstream.reached(), 1);
}

#[tokio::test]
async fn other_filters_still_dress_the_refusal() {
    let security = json!({"name": "hsts", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation",
        "mutations": {"response_mutations": [{"append": {
            "header": {"key": "strict-transport-security", "value": "max-age=1"},
            "append_action": "OVERWRITE_IF_EXISTS_OR_ADD",
        }}]},
    }});
    let envoy = Envoy::builder().listener(Listener::new().policy(spent()).before(security)).start().await;
    tally(&envoy.client(), 1, &Req::get("/")).await.expect(1, 0);
    let reply = envoy.client().send(&Req::get("/")).await;
    expect_fields_once(&reply);
    assert_eq!(reply.expect("strict-transport-security"), "max-age=1");
}

#[tokio::test]
async fn answers_of_later_filters_carry_the_fields() {
    let refuse = json!({"name": "refuse", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault",
        "abort": {"http_status": 418, "percentage": {"numerator": 100}},
    }});
    let envoy = Envoy::builder().listener(Listener::new().policy(per_key("5/hour")).after(refuse)).start().await;
    for remaining in [4, 3] {
        let reply = envoy.client().send(&Req::get("/")).await;
        assert_eq!((reply.status, reply.integer("x-ratelimit-remaining")), (418, remaining));
    }
    assert_eq!(envoy.upstream.reached(), 0);
}
