//! Whoever else may call: floods, connections that come and go, slow answers, bytes that mean nothing.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::task::JoinSet;
use weir_tests::{Client, RawConnection, Req, Tally};

use super::Stop;

/// What one of them did, in words.
pub(super) type Noise = JoinSet<String>;

pub(super) fn spawn(tasks: &mut Noise, [a, b, hostile]: [SocketAddr; 3], stop: &Stop) {
    for lane in 0..6 {
        let client = if lane % 3 == 0 { Client::http2(a) } else { Client::new(if lane % 2 == 0 { a } else { b }) };
        tasks.spawn(flood(client, lane, stop.clone()));
    }
    for (addr, lane) in [(a, 0), (b, 1)] {
        tasks.spawn(come_and_go(addr, lane, stop.clone()));
        tasks.spawn(break_off(addr, stop.clone()));
    }
    for lane in 0..8 {
        tasks.spawn(wait(if lane % 2 == 0 { a } else { b }, lane, stop.clone()));
    }
    for seed in 1..=2 {
        tasks.spawn(send_bytes(hostile, seed, stop.clone()));
    }
}

/// A new key with each request.
async fn flood(client: Client, lane: usize, stop: Stop) -> String {
    let mut tally = Tally::default();
    while !stop.told() {
        let key = format!("flood-{lane}-{}", tally.total());
        tally.add(client.send(&Req::get("/flood").key(&key)).await.status);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    tally.expect_no_faults();
    format!("flood {lane}: {tally:?}")
}

/// A new connection with each request.
async fn come_and_go(addr: SocketAddr, lane: usize, stop: Stop) -> String {
    let (client, mut tally) = (Client::new(addr).one_shot(), Tally::default());
    while !stop.told() {
        let path = if tally.total() % 2 == 0 { "/other" } else { "/own" };
        tally.add(client.send(&Req::post(path).key(&format!("short-{lane}")).body("x")).await.status);
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    tally.expect_no_faults();
    format!("a connection each, {lane}: {tally:?}")
}

/// Leaves in the middle of a request, or before its answer.
async fn break_off(addr: SocketAddr, stop: Stop) -> String {
    let mut times = 0;
    while !stop.told() {
        let head = "GET /slow HTTP/1.1\r\nhost: a\r\nx-want-delay-ms: 300\r\nx-api-key: gone-";
        let whole = format!("{head}{times}\r\n\r\n");
        let part = if times % 3 == 0 { head } else { &whole };
        let mut connection = RawConnection::open(addr).await;
        connection.write(part.as_bytes()).await;
        tokio::time::sleep(Duration::from_millis(30)).await;
        times += 1;
    }
    format!("broken off: {times}")
}

/// Many responses under way at once.
async fn wait(addr: SocketAddr, lane: usize, stop: Stop) -> String {
    let (client, mut tally) = (Client::new(addr), Tally::default());
    while !stop.told() {
        let request = Req::get("/slow").key(&format!("slow-{lane}-{}", tally.total() / 10));
        tally.add(client.send(&request.header("x-want-delay-ms", "250")).await.status);
    }
    tally.expect_no_faults();
    format!("slow answers, {lane}: {tally:?}")
}

/// Random bytes where they may stand, and where they may not.
async fn send_bytes(addr: SocketAddr, seed: u64, stop: Stop) -> String {
    let (mut state, mut tally, mut closed) = (seed, Tally::default(), 0);
    let mut random = move || {
        // Xorshift: enough to vary what is sent, and the same with every run.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    while !stop.told() {
        let mut bytes = |most: u64| -> Vec<u8> { (0..random() % most).map(|_| random() as u8).collect() };
        let name = [&b"x-api-key"[..], b"authorization", b"cookie", b"x-forwarded-for", b"host"][bytes(2).len() * 2];
        let (mut path, mut value) = (bytes(40), bytes(2000));
        if tally.total() % 4 != 0 {
            // Such as Envoy lets through: the filter has to make sense of them.
            path.retain(u8::is_ascii_graphic);
            value.retain(|byte| *byte >= b' ' && *byte != 0x7f);
        }
        let parts = [b"GET /".as_slice(), &path, b" HTTP/1.1\r\nhost: a\r\n", name, b": ", &value, b"\r\n\r\n"];
        match RawConnection::exchange(addr, &parts.concat()).await {
            Some(reply) => {
                assert!(reply.status < 500, "{}: {parts:?}", reply.status);
                tally.add(reply.status);
            }
            None => closed += 1,
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    format!("bytes {seed}: {tally:?}, {closed} closed")
}
