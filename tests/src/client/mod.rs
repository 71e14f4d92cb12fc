//! Clients: ordinary ones here, one that sends exact bytes in [`raw`].

mod connection;
mod load;
pub mod raw;
mod reply;
mod request;
mod volley;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

pub use load::{flood, flood_tally};
pub use reply::Reply;
pub use request::Req;
use tokio::sync::Mutex;
use tokio_rustls::rustls::ClientConfig;
pub use volley::{Volley, at_once, volley};

use connection::{Connection, Failure};

/// No request of these tests takes so long: one that does hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// An HTTP client with one connection, kept alive unless it is [`Client::one_shot`].
pub struct Client {
    addr: SocketAddr,
    source: Option<IpAddr>,
    http2: bool,
    tls: Option<Arc<ClientConfig>>,
    keep_alive: bool,
    connection: Mutex<Option<Connection>>,
}

impl Client {
    /// HTTP/1.1 with keep-alive.
    pub fn new(addr: SocketAddr) -> Self {
        Self { addr, source: None, http2: false, tls: None, keep_alive: true, connection: Mutex::new(None) }
    }

    /// HTTP/2 with prior knowledge; requests may run side by side.
    pub fn http2(addr: SocketAddr) -> Self {
        Self { http2: true, ..Self::new(addr) }
    }

    /// Connects from another loopback address, `127.0.0.0/8`, so as to be another client.
    pub fn from_address(mut self, source: Ipv4Addr) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Speaks TLS, to a server whose certificate names its address.
    pub fn tls(mut self, config: Arc<ClientConfig>) -> Self {
        self.tls = Some(config);
        self
    }

    /// Opens a connection for each request.
    pub fn one_shot(mut self) -> Self {
        self.keep_alive = false;
        self
    }

    /// Opens the connection now, so that the first request does not wait for it.
    pub async fn connect(&self) {
        let connection = self.open().await.unwrap_or_else(|fault| panic!("connecting to {}: {fault}", self.addr));
        *self.connection.lock().await = Some(connection);
    }

    /// Sends one request; a connection fault or a hang fails the test. As HTTP clients do, tries once more
    /// if the peer had closed a kept connection meanwhile.
    pub async fn send(&self, request: &Req) -> Reply {
        match self.try_send(request).await {
            Ok(reply) => reply,
            Err(fault) => panic!("{request:?} to {}: {fault}", self.addr),
        }
    }

    /// [`Client::send`] for requests which may fail to be answered.
    ///
    /// # Errors
    /// What broke, in words.
    pub async fn try_send(&self, request: &Req) -> Result<Reply, String> {
        let sent = async {
            match self.attempt(request).await {
                Err(Failure::KeptConnectionClosed) => self.attempt(request).await,
                outcome => outcome,
            }
        };
        match tokio::time::timeout(PATIENCE, sent).await {
            Ok(outcome) => outcome.map_err(|failure| failure.to_string()),
            Err(_) => Err(format!("no answer within {PATIENCE:?}")),
        }
    }

    async fn attempt(&self, request: &Req) -> Result<Reply, Failure> {
        let mut slot = self.connection.lock().await;
        let kept = slot.take().filter(Connection::is_open);
        let reused = kept.is_some();
        let mut connection = match kept {
            Some(connection) => connection,
            None => self.open().await?,
        };
        let slot = match connection.share() {
            // HTTP/2 carries several requests, so others need not wait for this one.
            Some(shared) => {
                *slot = Some(shared);
                drop(slot);
                None
            }
            None => Some(slot),
        };
        let outcome = connection.send(request).await.map_err(|failure| failure.on(reused));
        if let (Some(mut slot), Ok(_), true) = (slot, &outcome, self.keep_alive) {
            *slot = Some(connection);
        }
        outcome
    }

    async fn open(&self) -> Result<Connection, Failure> {
        Connection::open(self.addr, self.source, self.http2, self.tls.as_ref()).await
    }
}
