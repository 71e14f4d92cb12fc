//! One keep-alive connection, with one request under way.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::reply::Expected;

/// Far longer than any response takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client's connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    filled: usize,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// Nobody listens.
    pub(crate) fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream, buffer: vec![0; 16 * 1024], filled: 0 })
    }

    /// Sends a request.
    ///
    /// # Errors
    /// The connection broke.
    pub(crate) fn send(&mut self, request: &[u8]) -> Result<()> {
        self.stream.write_all(request).context("sending a request")
    }

    /// Waits for the response.
    ///
    /// # Errors
    /// It is not as expected, or the connection broke.
    pub(crate) fn receive(&mut self, expected: Option<&Expected>) -> Result<()> {
        loop {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            ensure!(!room.is_empty(), "a response longer than {} bytes", self.filled);
            let read = self.stream.read(room).context("waiting for a response")?;
            ensure!(read > 0, "Envoy closed the connection");
            self.filled += read;
            let bytes = self.buffer.get(..self.filled).unwrap_or_default();
            if let Some(length) = Expected::check(expected, bytes)? {
                ensure!(length == self.filled, "more than one response to one request");
                self.filled = 0;
                return Ok(());
            }
        }
    }
}
