//! What many scenarios need.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use weir_tests::{Client, Reply, Req, Tally};

/// One top-level limit for each value of `x-api-key`.
pub(crate) fn per_key(rate: &str) -> Value {
    json!({"client": [{"header": "x-api-key"}], "limits": [rate]})
}

/// One top-level limit for each address.
pub(crate) fn per_address(rate: &str) -> Value {
    json!({"limits": [{"rate": rate, "per": ["ip"]}]})
}

/// Sends the request so many times, one after another.
pub(crate) async fn repeat(client: &Client, times: usize, request: &Req) -> Vec<Reply> {
    let mut replies = Vec::new();
    for _ in 0..times {
        replies.push(client.send(request).await);
    }
    replies
}

/// [`repeat`], counted.
pub(crate) async fn tally(client: &Client, times: usize, request: &Req) -> Tally {
    repeat(client, times, request).await.iter().collect()
}

/// One plain request on each of so many fresh connections held side by side, which so reach every worker.
pub(crate) async fn tally_across_workers(addr: SocketAddr, connections: usize, request: &Req) -> Tally {
    let clients: Vec<Client> = (0..connections).map(|_| Client::new(addr)).collect();
    let mut tally = Tally::default();
    for client in &clients {
        tally.add(client.send(request).await.status);
    }
    tally
}

/// Seconds since the Unix epoch.
pub(crate) fn unix_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970").as_secs()
}
