//! `envoy/api-keys.yaml`: every number in it.

use std::time::{Duration, Instant};

use weir_tests::{Envoy, Req, WallClock};

use super::{client, earned, flood_from};
use crate::support::unix_now;

const DAY: u64 = 86_400;

/// Long enough for the slowest limit to earn a token.
const PAUSE: Duration = Duration::from_millis(6100);

pub(super) fn with_key(path: &str, key: &str) -> Req {
    Req::get(path).key(key)
}

/// What a limit is to admit, and who asks.
struct Expected<'e> {
    limit: &'e str,
    burst: u64,
    per_minute: u64,
    addresses: &'e [u8],
    request: Req,
}

/// As much as the burst at once, then what is earned meanwhile: no more, and no less. What refuses is that limit.
async fn expect_pace(envoy: &Envoy, expected: Expected<'_>) {
    let Expected { limit, burst, per_minute, addresses, request } = expected;
    let begun = Instant::now();
    let more = usize::try_from(burst + burst / 4 + 20).expect("few");
    let first = flood_from(envoy.addr(), addresses, more, &request).await;
    let drained = Instant::now();
    first.tally.expect_no_faults();
    let at_once = burst..=burst + earned(drained - begun, per_minute);
    assert!(at_once.contains(&first.tally.count(200)), "{limit}: {at_once:?}, {:?}", first.tally);

    tokio::time::sleep(PAUSE).await;
    let paused = Instant::now();
    let more = usize::try_from(earned(PAUSE, per_minute) * 3 + 20).expect("few");
    let second = flood_from(envoy.addr(), addresses, more, &request).await;
    second.tally.expect_no_faults();
    // When the last one was refused, not one whole token was left of what was earned since the first flood.
    let empty = second.refused.unwrap_or(paused);
    let least = earned(paused - drained, per_minute).min(burst) + earned(empty - paused, per_minute);
    assert!(second.tally.count(200) + 1 >= least, "{limit}: {least}, {:?}", second.tally);
    let most = burst + earned(begun.elapsed(), per_minute);
    let admitted = first.tally.count(200) + second.tally.count(200);
    assert!(admitted <= most, "{limit}: {admitted} of {most}");

    let refused = first.refusal.or(second.refusal).expect("a refusal");
    assert_eq!(refused.json()["error"]["policy"], limit);
    assert!(refused.integer("retry-after") <= 60_u64.div_ceil(per_minute).max(1), "{limit}: {refused:?}");
}

/// Connections reached each of them, or the numbers would prove little.
async fn expect_all_workers(envoy: &Envoy, workers: usize) {
    let stats = envoy.stats("downstream_cx_total").await;
    let of_workers =
        stats.iter().filter(|(name, count)| name.contains(".worker_") && !name.contains("admin") && *count > 0);
    assert_eq!(of_workers.count(), workers, "{stats:?}");
}

#[tokio::test]
async fn plans_admit_their_bursts_and_then_their_rates() {
    let envoy = Envoy::from_file("envoy/api-keys.yaml").workers(4).start().await;
    let plan = |limit, key, burst, per_minute, addresses| {
        let request = with_key("/api/items", key);
        expect_pace(&envoy, Expected { limit, burst, per_minute, addresses, request })
    };
    tokio::join!(
        plan("free", "trial-key-of-acme", 10, 60, &[1]),
        plan("pro", "trial-key-of-initech", 100, 600, &[2]),
        // From one address it would meet the 1000 a minute that any address has.
        plan("enterprise", "trial-key-of-globex", 1000, 6000, &[11, 12, 13, 14, 15, 16, 17, 18]),
    );
    expect_all_workers(&envoy, 4).await;
}

#[tokio::test]
async fn rules_admit_what_they_say_whatever_the_plan() {
    let envoy = Envoy::from_file("envoy/api-keys.yaml").start().await;
    let rule = |limit, burst, addresses, request| {
        expect_pace(&envoy, Expected { limit, burst, per_minute: burst, addresses, request })
    };
    tokio::join!(
        rule("auth", 10, &[1], Req::post("/login")),
        rule("search", 30, &[2], with_key("/api/search/boats?q=buoy", "trial-key-of-initech")),
        rule("everything-else", 1000, &[3], with_key("/api/items", "trial-key-of-globex")),
    );
    expect_all_workers(&envoy, 2).await;
}

#[tokio::test]
async fn headers_tell_all_of_it_and_the_upstream_learns_the_name_and_not_the_key() {
    let envoy = Envoy::from_file("envoy/api-keys.yaml").start().await;
    let auth = "\"auth\";q=10;w=60";
    let other = "\"everything-else\";q=1000;w=60";
    let free = "\"free\";q=60;w=60;weir-burst=10, \"free-2\";q=1000;w=86400";
    let pro = "\"pro\";q=600;w=60;weir-burst=100, \"pro-2\";q=50000;w=86400";
    let enterprise = "\"enterprise\";q=6000;w=60;weir-burst=1000, \"enterprise-2\";q=500000;w=86400";
    for (request, rule, plan, name) in [
        (Req::post("/login"), auth, free, None),
        (Req::post("/signup?from=ad"), auth, free, None),
        (with_key("/", "trial-key-of-acme"), other, free, Some("acme")),
        (with_key("/", "trial-key-of-initech"), other, pro, Some("initech")),
        (with_key("/", "second-key-of-initech"), other, pro, Some("initech")),
        (with_key("/", "trial-key-of-globex"), other, enterprise, Some("globex")),
        (with_key("/api/search", "trial-key-of-globex"), "\"search\";q=30;w=60", enterprise, Some("globex")),
    ] {
        let reply = client(&envoy, 1).send(&request).await;
        assert_eq!((reply.status, reply.expect("ratelimit-policy")), (200, format!("{rule}, {plan}").as_str()));
        assert_eq!(reply.echoed("x-client"), Vec::from_iter(name), "{request:?}");
        assert_eq!(reply.echoed("x-api-key"), Vec::<String>::new(), "{request:?}");
    }
    let status = client(&envoy, 1).send(&with_key("/ratelimit", "trial-key-of-initech")).await;
    assert_eq!((status.status, &status.json()["plan"]), (200, &"pro".into()));
    assert_eq!(client(&envoy, 1).send(&Req::get("/ratelimit")).await.status, 401);
    let flood = flood_from(envoy.addr(), &[1], 60, &with_key("/", "trial-key-of-acme")).await;
    let refused = flood.refusal.expect("a refusal");
    assert_eq!(refused.json()["error"]["plan"], "free");
    assert_eq!(refused.json()["error"]["upgradeUrl"], "https://api.example.com/pricing");
}

/// That a day holds as many as it should is shown by `days`, by the hour.
#[tokio::test]
async fn a_day_begins_anew_at_midnight_utc() {
    let clock = WallClock::new();
    let noon = DAY + DAY / 2 - unix_now() % DAY;
    clock.set(noon as i64);
    let envoy = Envoy::from_file("envoy/api-keys.yaml").wall_clock(&clock).start().await;
    let plans = [
        ("free-2", "trial-key-of-acme", 1000),
        ("pro-2", "trial-key-of-initech", 50_000),
        ("enterprise-2", "trial-key-of-globex", 500_000),
    ];
    for (days, spent) in [(0, 1..=4), (1, 1..=3), (4, 1..=2)] {
        clock.set((noon + days * DAY) as i64);
        for (limit, key, day) in plans {
            for left in spent.clone().map(|spent| day - spent) {
                let reply = client(&envoy, 1).send(&with_key("/", key)).await;
                let state = reply.expect("ratelimit").to_owned();
                let (_, rest) =
                    state.split_once(&format!("\"{limit}\";r={left};t=")).unwrap_or_else(|| panic!("{left}: {state}"));
                let until: u64 = rest.split(',').next().and_then(|digits| digits.parse().ok()).expect("seconds");
                assert!((DAY / 2 - 60..=DAY / 2).contains(&until), "{state}");
            }
        }
    }
}
