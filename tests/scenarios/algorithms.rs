//! Every algorithm, in the proxy.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::time::Instant;
use weir_tests::{Envoy, Listener, Req, flood_tally};

use crate::support::{repeat, tally, unix_now};

fn limit(rate: &str, algorithm: &str) -> Value {
    json!({"client": [{"header": "x-api-key"}], "limits": [{"rate": rate, "algorithm": algorithm, "name": "l"}]})
}

#[tokio::test]
async fn each_admits_exactly_its_number_over_all_workers() {
    for algorithm in ["token_bucket", "leaky_bucket", "fixed_window", "sliding_window", "sliding_log"] {
        let listener = Listener::new().policy(limit("50/day", algorithm));
        let envoy = Envoy::builder().workers(4).listener(listener).start().await;
        for round in 0..3 {
            let before = envoy.upstream.reached();
            let tally = flood_tally(envoy.addr(), 300, 16, move |_| Req::get("/").key(&format!("{round}"))).await;
            assert_eq!((algorithm, tally.count(200), tally.count(429)), (algorithm, 50, 250));
            assert_eq!(envoy.upstream.reached() - before, 50, "{algorithm}");
        }
        let replies = repeat(&envoy.client(), 51, &Req::get("/").key("headers")).await;
        for (place, reply) in replies.iter().enumerate() {
            assert_eq!(reply.integer("x-ratelimit-remaining"), 49_u64.saturating_sub(place as u64), "{algorithm}");
            assert!(reply.integer("x-ratelimit-reset") >= unix_now() - 1, "{algorithm}");
            assert_eq!(reply.header("retry-after").is_some(), place == 50, "{algorithm}");
        }
    }
}

/// Asking again once its share of the window has passed since the last answer is asking below the rate.
#[tokio::test]
async fn a_client_at_its_rate_is_never_refused() {
    const ALGORITHMS: [&str; 5] = ["token_bucket", "leaky_bucket", "fixed_window", "sliding_window", "sliding_log"];
    let rules: Vec<_> = ALGORITHMS
        .iter()
        .flat_map(|algorithm| {
            [("4/1s", "four"), ("1/1s", "one")].map(|(rate, path)| {
                let name = format!("{algorithm}-{path}");
                json!({"match": {"paths": [format!("/{name}")]}, "name": name, "limits": [{"rate": rate, "algorithm": algorithm}]})
            })
        })
        .collect();
    let envoy = Envoy::with(json!({"rules": rules})).await;
    let mut clients = tokio::task::JoinSet::new();
    for algorithm in ALGORITHMS {
        for (path, pause) in [("four", 250), ("one", 1000)] {
            let (client, request) = (envoy.client(), Req::get(&format!("/{algorithm}-{path}")));
            clients.spawn(async move {
                let started = Instant::now();
                while started.elapsed() < Duration::from_millis(4500) {
                    assert_eq!(client.send(&request).await.status, 200, "{algorithm}, {path} a second");
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
            });
        }
    }
    clients.join_all().await;
}

/// Asks as fast as it can for a while; the times of what was admitted.
async fn hammer(envoy: &Envoy, span: Duration) -> Vec<Duration> {
    let client = envoy.client();
    let request = Req::get("/").key("k");
    let started = Instant::now();
    let mut admitted = Vec::new();
    while started.elapsed() < span {
        if client.send(&request).await.status == 200 {
            admitted.push(started.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    admitted
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970")
}

/// The monotonic clock, which the windows of a two-window counter follow.
fn since_boot() -> Duration {
    let uptime = std::fs::read_to_string("/proc/uptime").expect("Linux");
    let seconds = uptime.split(' ').next().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(seconds.expect("seconds"))
}

fn most_within(times: &[Duration], span: Duration) -> usize {
    times
        .iter()
        .map(|first| times.iter().filter(|time| **time >= *first && **time - *first < span).count())
        .max()
        .unwrap_or(0)
}

#[tokio::test]
async fn a_log_never_admits_more_than_its_number_in_any_window() {
    let envoy = Envoy::with(limit("6/1s", "sliding_log")).await;
    let times = hammer(&envoy, Duration::from_millis(3300)).await;
    // Answers arrive a little after their decisions, so the span is a little shorter.
    assert!(most_within(&times, Duration::from_millis(900)) <= 6, "{times:?}");
    assert!((18..=24).contains(&times.len()), "{times:?}");
}

/// Its first window may be spent at the very end; whatever the phase, a span t sees at most B + t · B / W.
#[tokio::test]
async fn a_two_window_counter_never_passes_its_known_error() {
    let envoy = Envoy::with(limit("10/1s", "sliding_window")).await;
    let times = hammer(&envoy, Duration::from_millis(4200)).await;
    assert!((35..=52).contains(&times.len()), "{times:?}");
    assert!(most_within(&times, Duration::from_millis(950)) <= 20, "{times:?}");
    // From the second window on the one before was spent evenly, and the estimate is right.
    let even: Vec<Duration> = times.into_iter().filter(|time| *time > Duration::from_secs(1)).collect();
    assert!(most_within(&even, Duration::from_millis(950)) <= 12, "{even:?}");
}

/// Spends all at the end of a window and asks again just after its edge: what each algorithm is chosen for.
#[tokio::test]
async fn only_a_fixed_window_admits_twice_its_number_at_an_edge() {
    for (algorithm, most) in [("fixed_window", 10), ("sliding_window", 7), ("sliding_log", 5)] {
        let envoy = Envoy::with(limit("5/2s", algorithm)).await;
        let client = envoy.client();
        let clock = if algorithm == "fixed_window" { since_epoch } else { since_boot };
        // 300 ms before the next edge.
        let into = (clock().as_millis() as u64 + 300) % 2000;
        tokio::time::sleep(Duration::from_millis(2000 - into)).await;
        let before = tally(&client, 8, &Req::get("/").key("k")).await;
        assert_eq!(before.count(200), 5, "{algorithm} {before:?}");
        tokio::time::sleep(Duration::from_millis(400)).await;
        let after = tally(&client, 8, &Req::get("/").key("k")).await;
        assert!(before.count(200) + after.count(200) <= most, "{algorithm} {after:?}");
        assert_eq!(algorithm == "fixed_window", after.count(200) == 5, "{algorithm} {after:?}");
    }
}

#[tokio::test]
async fn a_fixed_window_opens_at_whole_multiples_of_its_length() {
    let envoy = Envoy::with(limit("5/2s", "fixed_window")).await;
    let client = envoy.client();
    let request = Req::get("/").key("k");
    for _ in 0..2 {
        let mut refused = client.send(&request).await;
        let mut admitted = 0;
        while refused.status == 200 {
            admitted += 1;
            refused = client.send(&request).await;
        }
        assert!((1..=10).contains(&admitted), "{admitted}");
        let reset = refused.integer("x-ratelimit-reset");
        assert!(reset % 2 == 0 && reset > unix_now() - 1 && reset <= unix_now() + 2, "{reset}");
        tokio::time::sleep(Duration::from_secs(refused.integer("retry-after"))).await;
        assert_eq!(client.send(&request).await.status, 200);
    }
}

#[tokio::test]
async fn a_leaky_meter_drains_at_its_rate() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "10/second", "burst": 5, "algorithm": "leaky_bucket"}]})).await;
    let client = envoy.client();
    let burst = tally(&client, 12, &Req::get("/")).await;
    assert!((5..=8).contains(&burst.count(200)), "{burst:?}");
    tokio::time::sleep(Duration::from_millis(600)).await;
    let again = tally(&client, 12, &Req::get("/")).await;
    assert!((5..=8).contains(&again.count(200)), "{again:?}");
}

/// Short windows beside a long one: whoever refuses, nothing else is charged.
async fn rounds(limits: Value) {
    let listener = Listener::new().policy(json!({"limits": limits}));
    let envoy = Envoy::builder().workers(4).listener(listener).start().await;
    for round in 0..8 {
        let tally = flood_tally(envoy.addr(), 30, 30, |_| Req::get("/")).await;
        tally.expect_no_faults();
        assert!(tally.count(200) <= 6, "round {round}: {tally:?}");
        if envoy.upstream.reached() == 10 && round > 5 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1050)).await;
    }
    assert_eq!(envoy.upstream.reached(), 10);
}

#[tokio::test]
async fn a_short_limit_before_a_long_one_admits_exactly_the_long_one() {
    rounds(json!([{"rate": "3/2s", "name": "short"}, {"rate": "10/hour", "name": "long"}])).await;
}

#[tokio::test]
async fn a_long_limit_before_a_short_one_admits_exactly_the_long_one() {
    rounds(json!([{"rate": "10/hour", "name": "long"}, {"rate": "3/2s", "name": "short"}])).await;
}

#[tokio::test]
async fn limits_of_several_algorithms_are_decided_together() {
    rounds(json!([
        {"rate": "3/2s", "name": "short", "algorithm": "sliding_log"},
        {"rate": "10/day", "name": "long", "algorithm": "fixed_window"},
        {"rate": "1000/hour", "name": "wide", "algorithm": "sliding_window", "per": []},
    ]))
    .await;
}
