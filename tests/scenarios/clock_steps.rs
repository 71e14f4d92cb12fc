//! Steps of the wall clock, either way, lock nobody out and admit nobody early.

use std::time::{Duration, Instant};

use serde_json::json;
use weir_tests::{Client, Envoy, Listener, Req, WallClock};

use crate::support::{tally, unix_now};

const HOUR: i64 = 3600;

/// Asks without a break; how many requests were admitted, and the longest `Retry-After`.
async fn greedy(client: &Client, period: Duration) -> (u64, u64) {
    let (started, request) = (Instant::now(), Req::get("/greedy").key("greedy"));
    let (mut admitted, mut longest) = (0, 0);
    while started.elapsed() < period {
        let reply = client.send(&request).await;
        match reply.status {
            200 => admitted += 1,
            429 => longest = longest.max(reply.integer("retry-after")),
            other => panic!("{other}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (admitted, longest)
}

/// Asks at nine tenths of its rate: never refused.
async fn modest(client: &Client, period: Duration) -> u64 {
    let started = Instant::now();
    let mut asked = 0;
    while started.elapsed() < period {
        tally(client, 1, &Req::get("/modest").key("modest")).await.expect(1, 0);
        asked += 1;
        tokio::time::sleep(Duration::from_millis(555)).await;
    }
    asked
}

#[tokio::test]
async fn steps_of_the_wall_clock_change_nothing() {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "rules": [
            {"name": "greedy", "match": {"paths": ["/greedy"]}, "limits": [{"rate": "120/minute", "burst": 5}]},
            {"name": "modest", "match": {"paths": ["/modest"]}, "limits": [{"rate": "2/second", "burst": 1}]},
            {"name": "five", "limits": ["5/minute"]},
        ],
    });
    let clock = WallClock::new();
    let builder = Envoy::builder().wall_clock(&clock);
    let envoy = builder.listener(Listener::new().direct().policy(policy)).start().await;
    let clients: [Client; 3] = std::array::from_fn(|_| envoy.client());
    let spent = Instant::now();
    tally(&clients[2], 6, &Req::get("/").key("spent")).await.expect(5, 1);
    let (started, mut admitted, mut asked) = (Instant::now(), 0, 0);
    for ahead in [0, -HOUR, HOUR, -HOUR, 40_000 * HOUR, 0] {
        clock.set(ahead);
        let period = Duration::from_millis(1300);
        let ((more, longest), served) = tokio::join!(greedy(&clients[0], period), modest(&clients[1], period));
        (admitted, asked) = (admitted + more, asked + served);
        assert!(longest <= 1, "{longest} s until the next token, which comes each half");

        // One token each 12 s, whatever the clock on the wall says.
        let reply = clients[2].send(&Req::get("/").key("spent")).await;
        assert_eq!((reply.status, spent.elapsed() < Duration::from_secs(12)), (429, true), "{ahead} s ahead");
        assert!(reply.integer("retry-after") <= 12);
        // What is shown to people follows it: so it was really stepped.
        let reset = reply.integer("x-ratelimit-reset") as i64 - ahead - unix_now() as i64;
        assert!((-1..=13).contains(&reset), "{ahead} s ahead, {reset}");
    }
    // Two a second, and the five of the beginning: no more, and for one who always asks no fewer.
    let earned = 5 + (2.0 * started.elapsed().as_secs_f64()) as u64;
    assert!((earned - 2..=earned).contains(&admitted), "{admitted} admitted, {earned} earned");
    assert!(asked >= 10, "{asked}");
}
