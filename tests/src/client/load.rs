//! Many requests at once.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::{Client, Reply, Req};
use crate::tally::Tally;

/// Sends `n` requests over so many keep-alive connections, opened beforehand; `request(i)` is the i-th,
/// and the answers come back in that order.
pub async fn flood(
    addr: SocketAddr,
    n: usize,
    connections: usize,
    request: impl Fn(usize) -> Req + Send + Sync + 'static,
) -> Vec<Reply> {
    run(addr, n, connections, request, |reply| reply).await
}

/// [`flood`] that keeps the statuses only.
pub async fn flood_tally(
    addr: SocketAddr,
    n: usize,
    connections: usize,
    request: impl Fn(usize) -> Req + Send + Sync + 'static,
) -> Tally {
    run(addr, n, connections, request, |reply| reply.status).await.into_iter().collect()
}

async fn run<T: Send + 'static>(
    addr: SocketAddr,
    n: usize,
    connections: usize,
    request: impl Fn(usize) -> Req + Send + Sync + 'static,
    keep: fn(Reply) -> T,
) -> Vec<T> {
    let request = Arc::new(request);
    let start = Arc::new(Barrier::new(connections));
    let mut lanes = JoinSet::new();
    for lane in 0..connections {
        let (request, start) = (request.clone(), start.clone());
        lanes.spawn(async move {
            let client = Client::new(addr);
            client.connect().await;
            start.wait().await;
            let mut kept = Vec::new();
            for i in (lane..n).step_by(connections) {
                kept.push((i, keep(client.send(&request(i)).await)));
            }
            kept
        });
    }
    let mut all: Vec<(usize, T)> = lanes.join_all().await.into_iter().flatten().collect();
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, kept)| kept).collect()
}
