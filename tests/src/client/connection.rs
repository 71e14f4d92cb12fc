//! One connection to Envoy.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use super::{Reply, Req};

pub(super) enum Connection {
    Http1(http1::SendRequest<Full<Bytes>>),
    Http2(http2::SendRequest<Full<Bytes>>),
}

/// Why a request got no answer.
pub(super) enum Failure {
    /// A connection from an earlier request turned out to be closed: worth another try.
    KeptConnectionClosed,
    Other(String),
    Http(hyper::Error),
}

impl Failure {
    /// Tells the race with a closing keep-alive connection from a real fault.
    pub(super) fn on(self, reused: bool) -> Self {
        match self {
            Self::Http(fault)
                if reused && (fault.is_incomplete_message() || fault.is_canceled() || fault.is_closed()) =>
            {
                Self::KeptConnectionClosed
            }
            failure => failure,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeptConnectionClosed => f.write_str("the connection was closed, twice"),
            Self::Other(text) => f.write_str(text),
            Self::Http(fault) => write!(f, "{fault:?}"),
        }
    }
}

impl Connection {
    pub(super) async fn open(
        addr: SocketAddr,
        source: Option<IpAddr>,
        http2: bool,
        tls: Option<&Arc<ClientConfig>>,
    ) -> Result<Self, Failure> {
        let other = |what: &str, fault: std::io::Error| Failure::Other(format!("{what}: {fault}"));
        let stream = dial(addr, source).await.map_err(|fault| other("connect", fault))?;
        let Some(tls) = tls else { return Self::over(stream, http2).await };
        let name = ServerName::from(addr.ip());
        let stream = TlsConnector::from(Arc::clone(tls)).connect(name, stream).await;
        Self::over(stream.map_err(|fault| other("TLS", fault))?, http2).await
    }

    async fn over(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, http2: bool) -> Result<Self, Failure> {
        let io = TokioIo::new(stream);
        if http2 {
            let (sender, driver) = http2::handshake(TokioExecutor::new(), io).await.map_err(Failure::Http)?;
            tokio::spawn(driver);
            return Ok(Self::Http2(sender));
        }
        let (sender, driver) = http1::handshake(io).await.map_err(Failure::Http)?;
        tokio::spawn(driver);
        Ok(Self::Http1(sender))
    }

    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Http1(sender) => !sender.is_closed(),
            Self::Http2(sender) => !sender.is_closed(),
        }
    }

    /// Another handle on the same connection, where the protocol allows requests side by side.
    pub(super) fn share(&self) -> Option<Self> {
        match self {
            Self::Http1(_) => None,
            Self::Http2(sender) => Some(Self::Http2(sender.clone())),
        }
    }

    pub(super) async fn send(&mut self, request: &Req) -> Result<Reply, Failure> {
        let response = match self {
            Self::Http1(sender) => {
                sender.ready().await.map_err(Failure::Http)?;
                sender.send_request(request.build(false)).await
            }
            Self::Http2(sender) => {
                sender.ready().await.map_err(Failure::Http)?;
                sender.send_request(request.build(true)).await
            }
        };
        let (head, body) = response.map_err(Failure::Http)?.into_parts();
        let body = body.collect().await.map_err(Failure::Http)?.to_bytes();
        Ok(Reply { status: head.status.as_u16(), headers: head.headers, body })
    }
}

/// Connects, from the given source address if there is one.
pub(super) async fn dial(addr: SocketAddr, source: Option<IpAddr>) -> std::io::Result<TcpStream> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if let Some(source) = source {
        socket.bind(SocketAddr::new(source, 0))?;
    }
    let stream = socket.connect(addr).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
