//! A leaky bucket that holds requests until their turn.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;
use weir_tests::envoy::weir_filter;
use weir_tests::{Client, Envoy, Listener, RawConnection, Reply, Req, Settings};

use crate::support::{repeat, tally};

fn queue(rate: &str, burst: u64, max_delay: &str) -> Value {
    json!({"limits": [{
        "rate": rate, "burst": burst, "algorithm": "leaky_bucket", "max_delay": max_delay, "per": [], "name": "queue",
    }]})
}

/// All at once, each on a connection of its own; the answers in the order of their arrival, and when they came.
async fn timed(addr: SocketAddr, requests: Vec<Req>) -> Vec<(Duration, Reply)> {
    let clients: Vec<Client> = requests.iter().map(|_| Client::new(addr)).collect();
    for client in &clients {
        client.connect().await;
    }
    let started = Instant::now();
    let mut lanes = JoinSet::new();
    for (client, request) in clients.into_iter().zip(requests) {
        lanes.spawn(async move {
            let reply = client.send(&request).await;
            (started.elapsed(), reply)
        });
    }
    let mut all = lanes.join_all().await;
    all.sort_by_key(|(at, _)| *at);
    all
}

/// How late an answer may be, where another process has the CPU.
const LATE: Duration = Duration::from_millis(600);

/// Answers come one each `apart`, the first at once: none early, and none very late on a busy machine.
#[track_caller]
fn expect_even(admitted: &[(Duration, Reply)], apart: Duration) {
    let first = admitted.first().map(|(at, _)| *at).unwrap_or_default();
    assert!(first < LATE, "the first waits: {first:?}");
    for (place, (at, _)) in admitted.iter().enumerate() {
        let turn = apart * place as u32;
        assert!(*at + Duration::from_millis(1) >= turn, "answer {place} comes early, at {at:?}");
        assert!(*at <= turn + LATE, "answer {place} comes late, at {at:?}");
    }
}

/// When each was answered, and how.
type Timed = Vec<(Duration, Reply)>;

fn split(all: Timed) -> (Timed, Timed) {
    all.into_iter().partition(|(_, reply)| reply.status == 200)
}

#[tokio::test]
async fn held_requests_go_on_evenly_and_what_exceeds_the_longest_delay_is_refused_at_once() {
    let listener = Listener::new().policy(queue("10/second", 100, "1s"));
    let envoy = Envoy::builder().workers(4).listener(listener).start().await;
    let (admitted, refused) = split(timed(envoy.addr(), vec![Req::get("/"); 20]).await);
    // Turns at 0, 100, …, 1000 ms.
    assert!((11..=12).contains(&admitted.len()), "{}", admitted.len());
    expect_even(&admitted, Duration::from_millis(100));
    assert_eq!(admitted.len() + refused.len(), 20);
    for (at, reply) in &refused {
        assert_eq!(reply.status, 429);
        assert!(*at < LATE, "a refusal waited, {at:?}");
        assert_eq!(reply.integer("retry-after"), 1);
    }
    assert_eq!(envoy.upstream.reached(), admitted.len() as u64);
}

#[tokio::test]
async fn the_longest_delay_alone_bounds_the_queue() {
    for burst in [None, Some(1)] {
        let mut policy = queue("5/second", 1, "2s");
        match burst {
            Some(burst) => policy["limits"][0]["burst"] = json!(burst),
            None => drop(policy["limits"][0].as_object_mut().and_then(|limit| limit.remove("burst"))),
        }
        let envoy = Envoy::with(policy).await;
        let (admitted, refused) = split(timed(envoy.addr(), vec![Req::get("/"); 20]).await);
        // Turns at 0, 200, …, 2000 ms; a few more where it takes long to ask.
        assert!((11..=14).contains(&admitted.len()), "{burst:?} {}", admitted.len());
        expect_even(&admitted, Duration::from_millis(200));
        assert_eq!(admitted.len() + refused.len(), 20);
    }
}

#[tokio::test]
async fn requests_with_bodies_are_held_as_well() {
    let listener = Listener::new().policy(queue("10/second", 100, "1s"));
    let envoy = Envoy::builder().workers(2).listener(listener).start().await;
    let megabyte = Req::post("/").body(vec![b'x'; 1 << 20]);
    let (admitted, refused) = split(timed(envoy.addr(), vec![megabyte; 8]).await);
    assert_eq!((admitted.len(), refused.len()), (8, 0));
    expect_even(&admitted, Duration::from_millis(100));
    assert!(admitted.iter().all(|(_, reply)| reply.json()["body"] == 1 << 20));
}

#[tokio::test]
async fn a_body_that_comes_later_does_not_set_its_request_free() {
    let envoy = Envoy::with(queue("1/s", 100, "2s")).await;
    tally(&envoy.client(), 1, &Req::get("/")).await.expect(1, 0);
    let started = Instant::now();
    let mut connection = RawConnection::open(envoy.addr()).await;
    connection.write(b"POST /late HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n").await;
    for byte in [b"b", b"o", b"d", b"y"] {
        tokio::time::sleep(Duration::from_millis(50)).await;
        connection.write(byte).await;
    }
    let reply = connection.reply().await.expect("an answer");
    assert_eq!((reply.status, &reply.json()["body"]), (200, &json!(4)));
    assert!(started.elapsed() >= Duration::from_millis(900), "{:?}", started.elapsed());
}

#[tokio::test]
async fn streams_of_one_http2_connection_are_held_each_by_itself() {
    let envoy = Envoy::with(queue("10/second", 100, "1s")).await;
    let client = std::sync::Arc::new(Client::http2(envoy.addr()));
    client.connect().await;
    let started = Instant::now();
    let mut lanes = JoinSet::new();
    for lane in 0..8 {
        let client = client.clone();
        lanes.spawn(async move {
            let body = if lane % 2 == 0 { vec![b'x'; 200_000] } else { Vec::new() };
            let reply = client.send(&Req::post("/").body(body)).await;
            (started.elapsed(), reply)
        });
    }
    let mut all = lanes.join_all().await;
    all.sort_by_key(|(at, _)| *at);
    let (admitted, refused) = split(all);
    assert_eq!((admitted.len(), refused.len()), (8, 0));
    expect_even(&admitted, Duration::from_millis(100));
}

#[tokio::test]
async fn who_leaves_while_held_never_reaches_the_upstream_and_gives_up_the_turn() {
    let listener = Listener::new().policy(queue("1/second", 100, "3s"));
    let envoy = Envoy::builder().workers(1).listener(listener).start().await;
    tally(&envoy.client(), 1, &Req::get("/first")).await.expect(1, 0);
    for _ in 0..5 {
        // Nobody is behind, so the turn itself is free again.
        let mut leaving = RawConnection::open(envoy.addr()).await;
        leaving.write(b"GET /leaving HTTP/1.1\r\nhost: a\r\n\r\n").await;
        tokio::time::sleep(Duration::from_millis(60)).await;
        drop(leaving);
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    let started = Instant::now();
    tally(&envoy.client(), 1, &Req::get("/last")).await.expect(1, 0);
    assert!(started.elapsed() < Duration::from_millis(900), "{:?}", started.elapsed());
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!((envoy.upstream.reached_by("GET", "/leaving"), envoy.upstream.reached()), (0, 2));
}

#[tokio::test]
async fn a_hold_longer_than_the_request_timeout_ends_in_an_answer() {
    let listener = Listener::new().policy(queue("1/2s", 100, "5s")).manager("request_timeout", json!("0.5s"));
    let envoy = Envoy::builder().workers(1).listener(listener).start().await;
    let client = envoy.client();
    let replies = repeat(&client, 2, &Req::post("/").body("x")).await;
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert!(statuses[0] == 200 && [200, 408, 504].contains(&statuses[1]), "{statuses:?}");
}

#[tokio::test]
async fn what_is_held_survives_an_update_and_so_does_holding() {
    let listener = |burst| Listener::new().policy(queue("2/second", burst, "4s"));
    let mut envoy = Envoy::builder().workers(2).watched().listener(listener(100)).start().await;
    let addr = envoy.addr();
    let held = tokio::spawn(async move {
        let mut lanes = JoinSet::new();
        for _ in 0..8 {
            // Envoy ends connections of the configuration before: no answer is in order, a hang is not.
            lanes
                .spawn(async move { Client::new(addr).try_send(&Req::get("/before")).await.map(|reply| reply.status) });
        }
        lanes.join_all().await
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    envoy.accept(&[listener(101)]).await;
    let after = timed(addr, vec![Req::get("/after"); 3]).await;
    for outcome in held.await.expect("held requests") {
        let in_order = match &outcome {
            Ok(status) => *status == 200 || *status == 503,
            Err(fault) => !fault.contains("no answer within"),
        };
        assert!(in_order, "{outcome:?}");
    }
    assert!(after.iter().all(|(_, reply)| [200, 429].contains(&reply.status)), "{after:?}");
    assert!(after.iter().any(|(_, reply)| reply.status == 200), "{after:?}");
    // And still, once the old configuration is gone.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    let (admitted, _) = split(timed(addr, vec![Req::get("/later"); 3]).await);
    assert_eq!(admitted.len(), 3);
}

#[tokio::test]
async fn two_listeners_of_one_vm_both_hold() {
    let policy = |name: &str| {
        let mut policy = queue("10/second", 100, "1s");
        policy["instance"] = json!(name);
        policy
    };
    let builder = Envoy::builder().workers(1).listener(Listener::named("a").policy(policy("a")));
    let envoy = builder.listener(Listener::named("b").policy(policy("b"))).start().await;
    let (a, b) = tokio::join!(
        timed(envoy.addr_of("a"), vec![Req::get("/"); 6]),
        timed(envoy.addr_of("b"), vec![Req::get("/"); 9])
    );
    for (all, count) in [(a, 6), (b, 9)] {
        let (admitted, _) = split(all);
        assert_eq!(admitted.len(), count);
        expect_even(&admitted, Duration::from_millis(100));
    }
}

#[tokio::test]
async fn a_shadow_queue_holds_nobody() {
    let mut policy = queue("1/second", 100, "5s");
    policy["limits"][0]["mode"] = json!("shadow");
    let envoy = Envoy::with(policy).await;
    let started = Instant::now();
    tally(&envoy.client(), 5, &Req::get("/")).await.expect(5, 0);
    assert!(started.elapsed() < Duration::from_millis(800), "{:?}", started.elapsed());
}

/// A plugin may be set up so that bodies go on where headers were stopped.
#[tokio::test]
async fn a_host_that_lets_bodies_go_on_sets_no_request_free() {
    let settings = Settings::Struct(queue("1/s", 100, "2s"));
    let mut filter = weir_filter(&settings, "weir", "FAIL_RELOAD");
    filter["typed_config"]["config"]["allow_on_headers_stop_iteration"] = json!(true);
    let envoy = Envoy::builder().listener(Listener::new().after(filter)).start().await;
    let request = Req::post("/").body(vec![b'x'; 100_000]);
    tally(&envoy.client(), 1, &request).await.expect(1, 0);
    let started = Instant::now();
    tally(&envoy.client(), 1, &request).await.expect(1, 0);
    assert!(started.elapsed() >= Duration::from_millis(600), "{:?}", started.elapsed());
}

/// Requests of a configuration that is gone are no reason to forget those that come after.
#[tokio::test]
async fn holding_goes_on_when_the_configuration_before_ended_with_requests_held() {
    let listener = |max_delay| Listener::new().policy(queue("1/second", 100, max_delay));
    let mut envoy = Envoy::builder().workers(1).watched().listener(listener("20s")).start().await;
    let mut waiting = Vec::new();
    for _ in 0..4 {
        let mut connection = RawConnection::open(envoy.addr()).await;
        connection.write(b"GET /before HTTP/1.1\r\nhost: a\r\n\r\n").await;
        waiting.push(connection);
    }
    envoy.accept(&[listener("19s")]).await;
    // The drain time is a second: after it the old configuration's connections have ended.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    for _ in 0..2 {
        assert_eq!(envoy.client().try_send(&Req::get("/after")).await.map(|reply| reply.status), Ok(200));
    }
}
