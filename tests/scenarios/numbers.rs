//! Numbers at their extremes: they work, or they are refused by name.

use serde_json::{Value, json};
use weir_tests::envoy::validate;
use weir_tests::{Envoy, Listener, Req};

use crate::support::repeat;

#[tokio::test]
async fn very_large_and_very_small_rates_work_or_are_refused_by_name() {
    // Up to 10^12 at once, in up to 365 days, and never longer than ten years until an empty bucket is full.
    let sound: Vec<(usize, Value)> = (0..)
        .zip([
            json!({"rate": "4294967295/second"}),
            json!({"rate": "4294967296/day"}),
            json!({"rate": "1000000000000/day"}),
            json!({"rate": "1/365d"}),
            json!({"rate": "1/second", "burst": 300_000_000}),
            json!({"rate": "1000000000000/365d", "burst": 2_000_000_000}),
        ])
        .collect();
    for (limit, field) in [
        (json!({"rate": "1000000000001/day"}), "rate"),
        (json!({"rate": "999999999999999/365d"}), "rate"),
        (json!({"rate": "1/366d"}), "rate"),
        (json!({"rate": "1/second", "burst": 1_000_000_000_u64}), "burst"),
        (json!({"rate": "1/day", "burst": 4_294_967_295_u64}), "burst"),
        (json!({"rate": "1/365d", "burst": 1_000_000}), "burst"),
        (json!({"rate": "18446744073709551615/second"}), "rate"),
        (json!({"rate": "99999999999999999999999/second"}), "rate"),
        (json!({"rate": "1/18446744073709551615d"}), "rate"),
        (json!({"rate": "5/hour", "burst": 1e300}), "burst"),
    ] {
        let failure = validate(Listener::new().policy(json!({"limits": [limit]}))).await.expect_err("a refusal");
        let named = format!("weir: configuration refused: limits[0].{field}: ");
        assert!(failure.log.contains(&named), "{limit}: {failure}");
    }
    let rule = |(i, limit): &(usize, Value)| json!({"name": format!("r{i}"), "match": {"paths": [format!("/{i}")]}, "limits": [limit]});
    let envoy = Envoy::with(json!({"rules": sound.iter().map(rule).collect::<Vec<_>>()})).await;
    for (i, limit) in &sound {
        let replies = repeat(&envoy.client(), 10, &Req::get(&format!("/{i}"))).await;
        let capacity = replies[0].integer("x-ratelimit-limit");
        assert!(capacity <= 999_999_999_999_999, "{limit}: a structured field's integer has 15 digits");
        for (sent, reply) in replies.iter().enumerate() {
            assert_eq!(reply.status == 200, (sent as u64) < capacity, "{limit}: {sent}");
            assert!(reply.integer("x-ratelimit-remaining") < capacity, "{limit}");
            assert!(reply.expect("ratelimit").contains(";t="), "{limit}");
            if reply.status == 429 {
                assert!((1..=365 * 86_400).contains(&reply.integer("retry-after")), "{limit}");
            }
        }
    }
}

#[tokio::test]
async fn one_a_year_is_one() {
    let envoy = Envoy::with(json!({"limits": ["1/365d"]})).await;
    let replies = repeat(&envoy.client(), 3, &Req::get("/")).await;
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 429, 429]);
    assert!((365 * 86_400 - 10..=365 * 86_400).contains(&replies[2].integer("retry-after")));
}
