//! Very many requests: threads that write one on each of their connections, and read the answers behind.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Range;
use std::time::{Duration, Instant};

use super::PATIENCE;
use crate::tally::Tally;

/// Connections of one thread, each with one request on its way: Envoy has little patience with pipelines.
const CONNECTIONS: usize = 16;

/// How a [direct](crate::Listener::direct) answer ends, which is to be recognised quickly.
const DIRECT: &[u8] = b"\r\n\r\n\n";

/// What became of a volley.
#[derive(Debug, Default)]
pub struct Volley {
    /// Answers by status.
    pub tally: Tally,
    /// The longest that any batch took, and so more than any request did.
    pub slowest: Duration,
}

/// Sends one request for each number, from so many threads: `GET`, with the path and `x-api-key` that `ask` gives.
pub async fn volley(
    addr: SocketAddr,
    numbers: Range<u64>,
    threads: u64,
    ask: impl Fn(u64) -> (&'static str, String) + Clone + Send + 'static,
) -> Volley {
    let mut lanes = tokio::task::JoinSet::new();
    for lane in 0..threads {
        let (ask, numbers) = (ask.clone(), (numbers.start + lane..numbers.end).step_by(threads as usize));
        lanes.spawn_blocking(move || run(addr, &numbers.map(ask).collect::<Vec<_>>()));
    }
    let mut all = Volley::default();
    while let Some(lane) = lanes.join_next().await {
        let lane = lane.expect("a lane").unwrap_or_else(|fault| panic!("{addr}: {fault}"));
        all.slowest = all.slowest.max(lane.slowest);
        all.tally += lane.tally;
    }
    all
}

/// So many connections, opened beforehand, ask at the same time under the same key, key after key; the statuses of
/// each key's answers.
pub async fn at_once(addr: SocketAddr, connections: usize, keys: Vec<String>) -> Vec<Vec<u16>> {
    let asked = tokio::task::spawn_blocking(move || {
        let mut connections = (0..connections).map(|_| Connection::open(addr)).collect::<std::io::Result<Vec<_>>>()?;
        let ask = |key: &String| {
            let request = request("/", key);
            // All but the last byte lies ready everywhere before anybody may begin.
            let (most, last) = request.as_bytes().split_at(request.len() - 1);
            for part in [most, last] {
                connections.iter_mut().try_for_each(|connection| connection.stream.write_all(part))?;
            }
            connections.iter_mut().map(Connection::answer).collect()
        };
        keys.iter().map(ask).collect::<std::io::Result<Vec<Vec<u16>>>>()
    });
    asked.await.expect("a thread").unwrap_or_else(|fault| panic!("{addr}: {fault}"))
}

fn run(addr: SocketAddr, asked: &[(&str, String)]) -> std::io::Result<Volley> {
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        connections.push(Connection::open(addr)?);
    }
    let mut volley = Volley::default();
    for batch in asked.chunks(CONNECTIONS) {
        let started = Instant::now();
        for (connection, (path, key)) in connections.iter_mut().zip(batch) {
            connection.stream.write_all(request(path, key).as_bytes())?;
        }
        for (connection, _) in connections.iter_mut().zip(batch) {
            volley.tally.add(connection.answer()?);
        }
        volley.slowest = volley.slowest.max(started.elapsed());
    }
    Ok(volley)
}

fn request(path: &str, key: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\n\r\n")
}

struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    fn open(addr: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream, unread: Vec::new() })
    }

    /// The status of the next answer.
    fn answer(&mut self) -> std::io::Result<u16> {
        let mut bytes = [0; 4096];
        loop {
            if let Some((status, length)) = complete(&self.unread)? {
                self.unread.drain(..length);
                return Ok(status);
            }
            match self.stream.read(&mut bytes)? {
                0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                count => self.unread.extend_from_slice(bytes.get(..count).unwrap_or_default()),
            }
        }
    }
}

/// The first answer's status and length, once all of it is there.
fn complete(bytes: &[u8]) -> std::io::Result<Option<(u16, usize)>> {
    if bytes.starts_with(b"HTTP/1.1 200 ") && bytes.ends_with(DIRECT) {
        return Ok(Some((200, bytes.len())));
    }
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let parsed = head.parse(bytes).map_err(std::io::Error::other)?;
    let (httparse::Status::Complete(end), Some(status)) = (parsed, head.code) else { return Ok(None) };
    let length = head.headers.iter().find(|line| line.name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|line| str::from_utf8(line.value).ok()?.parse::<usize>().ok());
    let end = end + length.ok_or_else(|| std::io::Error::other("an answer without its length"))?;
    Ok((bytes.len() >= end).then_some((status, end)))
}
