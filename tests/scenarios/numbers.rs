//! Numbers at their extremes: they work, or they are refused by name.

use serde_json::{Value, json};
use weir_tests::envoy::validate;
use weir_tests::{Envoy, Listener, Req};

use crate::support::repeat;

#[tokio::test]
async fn very_large_and_very_small_rates_work_or_are_refused_by_name() {
    let limits = [
        json!({"rate": "4294967295/second"}),
        json!({"rate": "4294967296/day"}),
        json!({"rate": "1000000000000/day"}),
        json!({"rate": "999999999999999/365d"}),
        json!({"rate": "1/365d"}),
        json!({"rate": "1/second", "burst": 1_000_000_000_u64}),
        json!({"rate": "1/day", "burst": 4_294_967_295_u64}),
        json!({"rate": "1/365d", "burst": 1_000_000}),
        json!({"rate": "18446744073709551615/second"}),
        json!({"rate": "99999999999999999999999/second"}),
        json!({"rate": "1/18446744073709551615d"}),
        json!({"rate": "5/hour", "burst": 1e300}),
    ];
    let mut sound = Vec::new();
    for (i, limit) in limits.into_iter().enumerate() {
        let policy = json!({"limits": [limit]});
        match validate(Listener::new().policy(policy)).await {
            Ok(()) => sound.push((i, limit)),
            Err(failure) => assert!(
                failure.log.contains("limits[0].rate") || failure.log.contains("limits[0].burst"),
                "{limit}: {failure}"
            ),
        }
    }
    assert!(sound.len() >= 4, "{sound:?}");
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
