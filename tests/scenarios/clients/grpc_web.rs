//! gRPC-Web: a browser's gRPC, which Envoy's `grpc_web` filter turns into plain gRPC.

use hyper_util::client::legacy::Client as Transport;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tonic::client::Grpc;
use tonic::{Code, Status};
use tonic_web::GrpcWebClientService;
use weir_tests::{Envoy, Listener, Req};

use super::grpc::{call, told};
use super::refusals;
use crate::support::repeat;

fn one_an_hour() -> Value {
    json!({"limits": ["1/hour"]})
}

/// With Envoy's filter in front of Weir.
async fn translated() -> Envoy {
    let grpc_web = json!({"name": "envoy.filters.http.grpc_web", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.grpc_web.v3.GrpcWeb",
    }});
    Envoy::builder().http2_upstream().listener(Listener::new().before(grpc_web).policy(one_an_hour())).start().await
}

/// A call of tonic's client for gRPC-Web.
async fn web_call(envoy: &Envoy) -> Result<(), Status> {
    let transport = Transport::builder(TokioExecutor::new()).build_http();
    let origin = format!("http://{}", envoy.addr()).parse().expect("an address");
    call(Grpc::with_origin(GrpcWebClientService::new(transport), origin)).await
}

/// An empty message, as binary or as text.
fn raw_call(kind: &str) -> Req {
    let body = if kind.contains("text") { "AAAAAAA=" } else { "\0\0\0\0\0" };
    let request = Req::post("/notes.Notes/Echo").header("content-type", kind).header("accept", kind).body(body);
    let request = request.header("x-want-header", "content-type=application/grpc");
    request.header("x-want-body", "echo").header("x-want-trailer", "grpc-status=0")
}

#[tokio::test]
async fn behind_envoys_filter_a_web_client_is_told_resource_exhausted() {
    let envoy = translated().await;
    web_call(&envoy).await.expect("the one that is let through");
    let refusal = web_call(&envoy).await.expect_err("a refusal");
    assert!(told(&refusal).iter().all(|wait| (3590..=3600).contains(&wait.as_secs())), "{refusal:?}");
    assert_eq!((envoy.upstream.reached(), refusals(&envoy).await), (1, 1));
}

#[tokio::test]
async fn behind_envoys_filter_binary_and_text_are_refused_alike() {
    for (kind, answered) in [
        ("application/grpc-web+proto", "application/grpc-web+proto"),
        ("application/grpc-web-text", "application/grpc-web-text+proto"),
    ] {
        let envoy = translated().await;
        let replies = repeat(&envoy.client(), 2, &raw_call(kind)).await;
        let (allowed, refused) = (&replies[0], &replies[1]);
        assert_eq!((allowed.status, allowed.expect("content-type")), (200, answered), "{kind}");
        assert!(!allowed.body.is_empty() && allowed.header("grpc-status").is_none(), "{kind}: {:?}", allowed.headers);
        assert_eq!((refused.status, refused.expect("content-type")), (200, answered), "{kind}");
        assert_eq!((refused.expect("grpc-status"), refused.body.len()), ("8", 0), "{kind}");
        assert!(refused.expect("grpc-message").starts_with("Rate limit exceeded"), "{kind}");
        assert!(refused.integer("retry-after") > 3500 && refused.integer("grpc-retry-pushback-ms") > 3_500_000);
        assert_eq!(envoy.upstream.reached(), 1);
    }
}

#[tokio::test]
async fn without_it_a_web_client_is_refused_in_http() {
    let envoy = Envoy::with(one_an_hour()).await;
    for kind in ["application/grpc-web+proto", "application/grpc-web-text"] {
        let reply = repeat(&envoy.client(), 2, &raw_call(kind)).await.pop().expect("two");
        assert_eq!((reply.status, reply.expect("content-type")), (429, "application/json"), "{kind}");
        assert!(reply.header("grpc-status").is_none() && reply.integer("retry-after") > 3500, "{kind}");
        assert_eq!(reply.json()["error"]["code"], "RATE_LIMITED");
    }
    // From which the client makes a status of its own.
    assert_ne!(web_call(&envoy).await.expect_err("a refusal").code(), Code::ResourceExhausted);
    assert_eq!(envoy.upstream.reached(), 1);
}
