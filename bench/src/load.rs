//! Requests, as fast as they are answered, over connections that stay open.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::connection::Connection;
use crate::reply::Expected;

/// Connections for each worker: enough that it always finds another request when it is done with one.
const CONNECTIONS: usize = 16;

/// The clients of one Envoy.
pub(crate) struct Load {
    lanes: Vec<Lane>,
    requests: Vec<Vec<u8>>,
}

/// A thread's connections.
struct Lane {
    connections: Vec<Connection>,
    /// The client whose turn it is.
    turn: usize,
}

impl Load {
    /// Connects: one thread and [`CONNECTIONS`] connections for each of `workers`, on which `clients` take turns.
    ///
    /// # Errors
    /// A connection fails.
    pub(crate) fn open(address: SocketAddr, workers: usize, clients: usize) -> Result<Self> {
        let lane = |lane| -> Result<Lane> {
            let connections = (0..CONNECTIONS).map(|_| Connection::open(address)).collect::<Result<_>>()?;
            Ok(Lane { connections, turn: lane * clients / workers })
        };
        let lanes = (0..workers).map(lane).collect::<Result<_>>()?;
        Ok(Self { lanes, requests: (0..clients).map(|client| request(address, client)).collect() })
    }

    /// Sends `count` requests; how long it took until all were answered.
    ///
    /// # Errors
    /// Any response was not as expected.
    pub(crate) fn run(&mut self, count: usize, expected: Option<&Expected>) -> Result<Duration> {
        let (requests, share) = (&self.requests, count.div_ceil(self.lanes.len()));
        let start = Instant::now();
        std::thread::scope(|scope| {
            let mut left = count;
            let threads: Vec<_> = self
                .lanes
                .iter_mut()
                .map(|lane| {
                    let share = share.min(left);
                    left -= share;
                    scope.spawn(move || lane.run(requests, share, expected))
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a thread that does not panic"))
        })?;
        Ok(start.elapsed())
    }
}

impl Lane {
    /// Connections are read in the order in which they were written to, so the next response is always at the one
    /// that has waited longest.
    fn run(&mut self, requests: &[Vec<u8>], count: usize, expected: Option<&Expected>) -> Result<()> {
        let window = self.connections.len().min(count);
        for sent in 0..count + window {
            let connection = self.connections.get_mut(sent % window).context("no connection")?;
            if sent >= window {
                connection.receive(expected)?;
            }
            if sent < count {
                connection.send(requests.get(self.turn).context("no request")?)?;
                self.turn = (self.turn + 1) % requests.len();
            }
        }
        Ok(())
    }
}

/// What a browser's script might send, with the API key of this client.
fn request(address: SocketAddr, client: usize) -> Vec<u8> {
    format!(
        "GET /api/items/4711?page=2&sort=price HTTP/1.1\r\n\
         host: {address}\r\n\
         user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n\
         accept: application/json\r\n\
         accept-language: en-GB,en;q=0.8\r\n\
         x-api-key: key-of-client-{client:08}\r\n\r\n"
    )
    .into_bytes()
}
