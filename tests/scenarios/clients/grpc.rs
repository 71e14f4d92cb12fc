//! A tonic client that retries as the answer says.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use serde_json::json;
use tonic::body::Body;
use tonic::client::{Grpc, GrpcService};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::codegen::{Body as HttpBody, StdError};
use tonic::metadata::MetadataMap;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;
use tonic_types::StatusExt;
use weir_tests::{Envoy, Listener};

use super::refusals;

/// What is sent, and comes back.
#[derive(Clone, PartialEq, prost::Message)]
struct Note {
    #[prost(string, tag = "1")]
    text: String,
}

/// One unary call, which the upstream answers with what it was sent.
pub(super) async fn call<S>(mut client: Grpc<S>) -> Result<(), Status>
where
    S: GrpcService<Body>,
    S::Error: Into<StdError>,
    S::ResponseBody: HttpBody<Data = Bytes> + Send + 'static,
    <S::ResponseBody as HttpBody>::Error: Into<StdError> + Send,
{
    client.ready().await.map_err(|fault| Status::unknown(fault.into().to_string()))?;
    let note = Note { text: "a note".to_owned() };
    let mut request = Request::new(note.clone());
    for (name, value) in [
        ("x-want-body", "echo"),
        ("x-want-header", "content-type=application/grpc"),
        ("x-want-trailer", "grpc-status=0"),
    ] {
        request.metadata_mut().insert(name, value.parse().expect("plain text"));
    }
    let path = PathAndQuery::from_static("/notes.Notes/Echo");
    let answer = client.unary(request, path, ProstCodec::<Note, Note>::default()).await?.into_inner();
    assert_eq!(answer, note);
    Ok(())
}

fn pushback(metadata: &MetadataMap) -> Duration {
    let value = metadata.get("grpc-retry-pushback-ms").expect("pushback").to_str().expect("plain text");
    Duration::from_millis(value.parse().expect("milliseconds"))
}

fn retry_delay(status: &Status) -> Duration {
    let details = status.check_error_details().expect("details that parse");
    details.retry_info().and_then(|info| info.retry_delay).expect("a RetryInfo with a delay")
}

/// Both ways in which a refusal tells when to come back.
pub(super) fn told(status: &Status) -> [Duration; 2] {
    assert_eq!((status.code(), status.message().starts_with("Rate limit exceeded")), (Code::ResourceExhausted, true));
    let (pushback, delay) = (pushback(status.metadata()), retry_delay(status));
    // Milliseconds are rounded up.
    assert!(pushback >= delay && pushback < delay + Duration::from_millis(1), "{pushback:?} against {delay:?}");
    [pushback, delay]
}

/// Six calls of a client that waits exactly as long as the one or the other says: four are refused, once each.
async fn six_calls(which: usize) {
    let listener = Listener::new().policy(json!({"limits": ["2/second"]}));
    let envoy = Envoy::builder().http2_upstream().listener(listener).start().await;
    let endpoint = Endpoint::from_shared(format!("http://{}", envoy.addr())).expect("an address");
    let channel: Channel = endpoint.connect().await.expect("a connection");
    for _ in 0..6 {
        let attempt = || call(Grpc::new(channel.clone()));
        let retried = attempt.retry(ExponentialBuilder::default().with_max_times(1));
        let retried = retried.when(|status| status.code() == Code::ResourceExhausted);
        retried
            .adjust(|status, _| Some(told(status)[which]))
            .await
            .expect("an answer, at the second try at the latest");
    }
    assert_eq!(envoy.upstream.reached_by("POST", "/notes.Notes/Echo"), 6);
    assert!((1..=4).contains(&refusals(&envoy).await), "{}", refusals(&envoy).await);
}

#[tokio::test]
async fn who_waits_as_pushed_back_or_as_retry_info_says_is_admitted() {
    tokio::join!(six_calls(0), six_calls(1));
}
