//! Clients whose every request is accounted for, by what reached the upstream.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use weir_tests::{Client, Req, Upstream};

use super::Stop;

/// Tokens a second, and at once, of the tracked.
pub(super) const RATE: u64 = 5;
pub(super) const BURST: u64 = 10;
const TRACKED: usize = 12;
const OFFENDERS: usize = 12;

pub(super) struct Tracked {
    greedy: JoinSet<Asked>,
    modest: JoinSet<u64>,
}

/// What one client did.
struct Asked {
    path: String,
    requests: u64,
    period: Duration,
    rate: f64,
    burst: u64,
}

/// Everybody asks both listeners in turn, which share buckets.
pub(super) fn spawn(a: SocketAddr, b: SocketAddr, stop: &Stop) -> Tracked {
    let (mut greedy, mut modest) = (JoinSet::new(), JoinSet::new());
    for n in 0..TRACKED {
        greedy.spawn(ask(
            [a, b],
            format!("/tracked/{n}"),
            (RATE as f64, BURST),
            Duration::from_millis(25),
            stop.clone(),
        ));
    }
    for n in 0..OFFENDERS {
        let pause = Duration::from_millis(200);
        greedy.spawn(ask([a, b], format!("/offender/{n}"), (5.0 / 3600.0, 5), pause, stop.clone()));
    }
    for n in 0..4 {
        modest.spawn(stay_below(if n % 2 == 0 { a } else { b }, n, stop.clone()));
    }
    Tracked { greedy, modest }
}

async fn ask(addrs: [SocketAddr; 2], path: String, (rate, burst): (f64, u64), pause: Duration, stop: Stop) -> Asked {
    let clients = addrs.map(Client::new);
    let request = Req::get(&path).key(&path);
    let (started, mut requests) = (Instant::now(), 0);
    while !stop.told() {
        for client in &clients {
            let status = client.send(&request).await.status;
            assert!([200, 429].contains(&status), "{path}: {status}");
            requests += 1;
        }
        tokio::time::sleep(pause).await;
    }
    Asked { path, requests, period: started.elapsed(), rate, burst }
}

async fn stay_below(addr: SocketAddr, n: usize, stop: Stop) -> u64 {
    let (client, request, mut served) = (Client::new(addr), Req::get("/modest").key(&format!("modest-{n}")), 0);
    while !stop.told() {
        let reply = client.send(&request).await;
        assert_eq!(reply.status, 200, "a client below its rate");
        served += 1;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    served
}

impl Tracked {
    /// The sums, once all have been told to stop.
    pub(super) async fn finish(mut self, upstream: &Upstream) {
        while let Some(asked) = self.greedy.join_next().await {
            let Asked { path, requests, period, rate, burst } = asked.expect("a tracked client");
            let earned = burst + (rate * period.as_secs_f64()) as u64;
            let reached = upstream.reached_by("GET", &path);
            println!("{path}: {requests} asked in {:.1} s, {earned} earned, {reached} reached", period.as_secs_f64());
            assert!(reached <= earned, "{path}: {reached} reached, {earned} earned");
            // Who always asks gets all of it, but for what a stalled machine let run over.
            let due = earned.min(requests);
            assert!(reached * 10 >= due * 8, "{path}: {reached} reached, {due} due");
        }
        while let Some(served) = self.modest.join_next().await {
            println!("a modest client: {} served", served.expect("a modest client"));
        }
    }
}
