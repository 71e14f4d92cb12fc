//! A client that sends exact bytes, and reads whatever comes back.

use std::net::SocketAddr;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{PATIENCE, Reply, connection};

/// A TCP connection for hand-written HTTP/1.1.
pub struct RawConnection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl RawConnection {
    /// Connects.
    pub async fn open(addr: SocketAddr) -> Self {
        let stream = connection::dial(addr, None).await.unwrap_or_else(|fault| panic!("connecting to {addr}: {fault}"));
        Self { stream, unread: Vec::new() }
    }

    /// Writes the bytes; whether the peer still reads them shows in [`RawConnection::reply`].
    pub async fn write(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// The next answer to a request other than `HEAD`; `None` once the peer has closed the connection.
    pub async fn reply(&mut self) -> Option<Reply> {
        self.read(true).await
    }

    /// The next answer to a `HEAD` request, which has no body whatever its length field says.
    pub async fn head_reply(&mut self) -> Option<Reply> {
        self.read(false).await
    }

    /// The next answer's status and fields, where it may be the last of HTTP (`101`).
    pub async fn handshake(&mut self) -> Option<Reply> {
        loop {
            if let Some(reply) = self.take_head() {
                return Some(reply);
            }
            if !self.fill().await {
                return None;
            }
        }
    }

    /// The next bytes, whatever they mean; fewer if the peer closes the connection before.
    pub async fn bytes(&mut self, count: usize) -> Bytes {
        while self.unread.len() < count && self.fill().await {}
        self.unread.drain(..count.min(self.unread.len())).collect()
    }

    /// Opens a connection, sends the bytes, and reads one answer.
    pub async fn exchange(addr: SocketAddr, bytes: &[u8]) -> Option<Reply> {
        let mut connection = Self::open(addr).await;
        connection.write(bytes).await;
        connection.reply().await
    }

    async fn read(&mut self, body: bool) -> Option<Reply> {
        let mut reply = loop {
            if let Some(reply) = self.take_head() {
                // 1xx answers are followed by the real one.
                if reply.status >= 200 {
                    break reply;
                }
            } else if !self.fill().await {
                return None;
            }
        };
        if body {
            reply.body = self.read_body(&reply.headers).await;
        }
        Some(reply)
    }

    fn take_head(&mut self) -> Option<Reply> {
        let mut lines = vec![httparse::EMPTY_HEADER; 256];
        let mut head = httparse::Response::new(&mut lines);
        let parsed = head
            .parse(&self.unread)
            .unwrap_or_else(|fault| panic!("{fault}: {:?}", Bytes::copy_from_slice(&self.unread)));
        let httparse::Status::Complete(length) = parsed else {
            return None;
        };
        let mut headers = HeaderMap::new();
        for line in head.headers.iter() {
            let name = HeaderName::try_from(line.name).expect("a header name");
            headers.append(name, HeaderValue::from_bytes(line.value).expect("a header value"));
        }
        let status = head.code.expect("a status");
        self.unread.drain(..length);
        Some(Reply { status, headers, body: Bytes::new() })
    }

    async fn read_body(&mut self, headers: &HeaderMap) -> Bytes {
        if headers.get("transfer-encoding").is_some() {
            return self.read_chunks().await;
        }
        let length = headers.get("content-length").and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        while self.unread.len() < length.unwrap_or(usize::MAX) && self.fill().await {}
        let end = length.unwrap_or(usize::MAX).min(self.unread.len());
        self.unread.drain(..end).collect()
    }

    async fn read_chunks(&mut self) -> Bytes {
        let mut body = Vec::new();
        loop {
            match httparse::parse_chunk_size(&self.unread) {
                Ok(httparse::Status::Complete((line, size))) => {
                    let size = usize::try_from(size).expect("a chunk's size");
                    let end = line + size + 2;
                    while self.unread.len() < end && self.fill().await {}
                    body.extend(self.unread.drain(..end.min(self.unread.len())).skip(line).take(size));
                    if size == 0 {
                        return body.into();
                    }
                }
                Ok(httparse::Status::Partial) if self.fill().await => {}
                _ => panic!("a broken chunk: {:?}", Bytes::copy_from_slice(&self.unread)),
            }
        }
    }

    /// Reads more; false at the end of the stream.
    async fn fill(&mut self) -> bool {
        let read = timeout(PATIENCE, self.stream.read_buf(&mut self.unread)).await;
        let read = read.unwrap_or_else(|_| panic!("nothing to read within {PATIENCE:?}"));
        matches!(read, Ok(count) if count > 0)
    }
}
