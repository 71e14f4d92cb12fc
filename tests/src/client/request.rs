//! What a client asks.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, Request, Uri};

/// A request, reusable. The path is sent as it stands, without any clean-up.
#[derive(Clone, Debug)]
pub struct Req {
    method: Method,
    path: String,
    host: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

impl Req {
    /// A request with this method, for the host `api.test`.
    pub fn new(method: &str, path: &str) -> Self {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        Self { method, path: path.to_owned(), host: "api.test".to_owned(), headers: Vec::new(), body: Bytes::new() }
    }

    /// `GET`.
    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// `POST`, without a body unless [`Req::body`] gives one.
    pub fn post(path: &str) -> Self {
        Self::new("POST", path)
    }

    /// Another host.
    pub fn host(mut self, host: &str) -> Self {
        self.host = host.to_owned();
        self
    }

    /// One more header; a name may come again, and the value may be any bytes that HTTP allows.
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let name = HeaderName::try_from(name).expect("a header name");
        self.headers.push((name, HeaderValue::from_bytes(value.as_ref()).expect("a header value")));
        self
    }

    /// `x-api-key`, the credential that most scenarios use.
    pub fn key(self, key: &str) -> Self {
        self.header("x-api-key", key)
    }

    /// A body.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    pub(super) fn build(&self, http2: bool) -> Request<Full<Bytes>> {
        let uri = if http2 { format!("http://{}{}", self.host, self.path) } else { self.path.clone() };
        let uri: Uri =
            uri.parse().unwrap_or_else(|fault| panic!("{uri}: {fault}; send such a path with RawConnection"));
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri;
        if !http2 {
            request.headers_mut().insert("host", HeaderValue::try_from(&self.host).expect("a host"));
        }
        for (name, value) in &self.headers {
            request.headers_mut().append(name, value.clone());
        }
        request
    }
}
