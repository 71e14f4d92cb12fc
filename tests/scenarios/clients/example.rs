//! The client of `examples/client`, beside one that does not wait.

use serde_json::{Value, json};
use weir_client::{Manner, Summary, run};
use weir_tests::{Envoy, Listener};

use super::refusals;

/// The client's summary, and what it wrote.
async fn jobs(envoy: &Envoy, jobs: u32, manner: Manner) -> (Summary, String) {
    let url = format!("http://{}/", envoy.addr());
    let running = tokio::task::spawn_blocking(move || {
        let mut lines = Vec::new();
        let summary = run(&url, jobs, &manner, &mut lines).expect("answers");
        (summary, String::from_utf8(lines).expect("text"))
    });
    running.await.expect("the client")
}

fn two_a_second() -> Value {
    json!({"limits": ["2/second"]})
}

#[tokio::test]
async fn who_waits_as_told_is_refused_once_for_each_wait() {
    let envoy = Envoy::with(two_a_second()).await;
    let (summary, lines) = jobs(&envoy, 6, Manner::polite()).await;
    // Two at once, then two after each second; fewer refusals, if the machine stalls.
    assert!((1..=2).contains(&summary.refused), "{lines}");
    assert_eq!((summary.done, summary.sent), (6, summary.refused + 6), "{lines}");
    assert_eq!((envoy.upstream.reached(), refusals(&envoy).await), (6, u64::from(summary.refused)));
    let waits = lines.matches("429, Retry-After: 1; again in 1.0 s\n").count();
    assert_eq!(waits, summary.refused as usize, "{lines}");
}

#[tokio::test]
async fn who_does_not_wait_gains_nothing() {
    let envoy = Envoy::with(two_a_second()).await;
    let (summary, _) = jobs(&envoy, 4, Manner::naive()).await;
    assert_eq!((summary.done, envoy.upstream.reached()), (4, 4));
    // One who waits is refused once.
    assert!(summary.refused > 4 && summary.sent == summary.refused + 4, "{summary}");
    assert_eq!(refusals(&envoy).await, u64::from(summary.refused));
    assert!(summary.time.as_secs_f64() >= 0.95, "{summary}");
}

#[tokio::test]
async fn a_wait_beyond_all_patience_is_not_begun() {
    let envoy = Envoy::with(json!({"limits": ["1/hour"]})).await;
    let (summary, lines) = jobs(&envoy, 2, Manner::polite()).await;
    assert_eq!((summary.done, summary.sent, summary.refused), (1, 2, 1), "{lines}");
    assert!(lines.ends_with("giving up\n") && summary.time.as_secs() < 2, "{summary}: {lines}");
}

#[tokio::test]
async fn refusals_that_say_nothing_are_met_with_backoff() {
    // Envoy's own limiter, which tells nobody when to come back.
    let terse = json!({"name": "terse", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
        "stat_prefix": "terse",
        "token_bucket": {"max_tokens": 1, "tokens_per_fill": 1, "fill_interval": "0.3s"},
        "filter_enabled": {"default_value": {"numerator": 100, "denominator": "HUNDRED"}},
        "filter_enforced": {"default_value": {"numerator": 100, "denominator": "HUNDRED"}},
    }});
    let envoy = Envoy::builder().listener(Listener::new().before(terse)).start().await;
    let (summary, lines) = jobs(&envoy, 4, Manner::polite()).await;
    assert_eq!((summary.done, envoy.upstream.reached()), (4, 4), "{lines}");
    assert!(lines.contains("429, Retry-After: -; again in "), "{lines}");
    assert!((1..=18).contains(&summary.refused), "{summary}: {lines}");
}
