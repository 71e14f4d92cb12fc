//! The service behind Envoy: echoes what reached it, and counts.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::HeaderMap;
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::trickle::Trickle;

/// An HTTP/1.1 and h2c server on loopback. Requests steer their own answer:
///
/// - `x-want-status: 503` sets the status;
/// - `x-want-header: name=value`, any number of times, adds a response header;
/// - `x-want-delay-ms: 20` waits before answering;
/// - `x-want-trailer: name=value` adds a trailer;
/// - `x-want-pieces: 20` sends so many lines instead, one each 100 ms, as an event stream does;
/// - `x-want-body: echo` sends back the body as it came, and nothing else;
/// - `upgrade: websocket` is agreed to, and every byte comes back from then on.
///
/// The body is `{"method": …, "path": …, "headers": [[name, value], …], "body": length}`.
pub struct Upstream {
    addr: SocketAddr,
    counts: Arc<Mutex<Counts>>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct Counts {
    total: u64,
    by_route: HashMap<(String, String), u64>,
}

impl Upstream {
    /// Starts on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port for the upstream");
        let addr = listener.local_addr().expect("the upstream's own address");
        let counts = Arc::new(Mutex::new(Counts::default()));
        let server = tokio::spawn(serve(listener, counts.clone()));
        Self { addr, counts, server }
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Requests that reached it so far.
    pub fn reached(&self) -> u64 {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).total
    }

    /// Requests that reached it with this method and this path, the query included.
    pub fn reached_by(&self, method: &str, path: &str) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.by_route.get(&(method.to_owned(), path.to_owned())).copied().unwrap_or(0)
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, counts: Arc<Mutex<Counts>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let counts = counts.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, counts.clone()));
            let mut server = auto::Builder::new(TokioExecutor::new());
            server.http1().max_buf_size(1 << 20);
            // A connection that Envoy breaks off is no fault of the upstream's.
            let _ = server.serve_connection_with_upgrades(TokioIo::new(stream), service).await;
        });
    }
}

type Body = UnsyncBoxBody<Bytes, Infallible>;

async fn answer(mut request: Request<Incoming>, counts: Arc<Mutex<Counts>>) -> Result<Response<Body>, Infallible> {
    let upgrade = request.headers().contains_key("upgrade").then(|| hyper::upgrade::on(&mut request));
    let (head, body) = request.into_parts();
    let path = head.uri.path_and_query().map_or("", |path| path.as_str()).to_owned();
    {
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.total += 1;
        *counts.by_route.entry((head.method.to_string(), path.clone())).or_default() += 1;
    }
    if let Some(upgrade) = upgrade {
        return Ok(echo_bytes(upgrade));
    }
    let sent = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let wanted = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(delay) = wanted("x-want-delay-ms").and_then(|value| value.parse().ok()) {
        tokio::time::sleep(Duration::from_millis(delay)).await;
    }

    let headers: Vec<Value> = head
        .headers
        .iter()
        .map(|(name, value)| json!([name.as_str(), String::from_utf8_lossy(value.as_bytes())]))
        .collect();
    let echo = json!({"method": head.method.as_str(), "path": path, "headers": headers, "body": sent.len()});
    let body = Full::new(if wanted("x-want-body") == Some("echo") { sent } else { Bytes::from(echo.to_string()) });
    let trailers = pairs(&head.headers, "x-want-trailer");
    let pieces = wanted("x-want-pieces").and_then(|value| value.parse().ok());
    let mut response = Response::new(match pieces {
        Some(pieces) => Trickle::new(pieces).boxed_unsync(),
        None if trailers.is_empty() => body.boxed_unsync(),
        None => body.with_trailers(std::future::ready(Some(Ok(trailers)))).boxed_unsync(),
    });
    if let Some(status) = wanted("x-want-status").and_then(|value| value.parse().ok()) {
        *response.status_mut() = status;
    }
    *response.headers_mut() = pairs(&head.headers, "x-want-header");
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().entry("content-type").or_insert(json);
    Ok(response)
}

/// What all fields of this name ask for, each as `name=value`.
fn pairs(fields: &HeaderMap, field: &str) -> HeaderMap {
    let mut pairs = HeaderMap::new();
    for wanted in fields.get_all(field) {
        let pair = wanted.to_str().ok().and_then(|text| text.split_once('='));
        let (name, value) = pair.unwrap_or_else(|| panic!("{field}: name=value"));
        let name = HeaderName::try_from(name).expect("a header name");
        pairs.append(name, HeaderValue::try_from(value).expect("a header value"));
    }
    pairs
}

/// Agrees to another protocol, in which everything comes back as it was sent.
fn echo_bytes(upgrade: hyper::upgrade::OnUpgrade) -> Response<Body> {
    tokio::spawn(async move {
        if let Ok(stream) = upgrade.await {
            let (mut reader, mut writer) = tokio::io::split(TokioIo::new(stream));
            let _ = tokio::io::copy(&mut reader, &mut writer).await;
        }
    });
    let mut response = Response::new(Full::default().boxed_unsync());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    response.headers_mut().insert("connection", HeaderValue::from_static("upgrade"));
    response.headers_mut().insert("upgrade", HeaderValue::from_static("websocket"));
    response
}
