//! `envoy/shadow.yaml`: a roll-out, step by step.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::{Envoy, EnvoyFile, Listener, Reply, Req};

use super::{client, earned, flood_from, policy_of};
use crate::support::tally;

const FILE: &str = "envoy/shadow.yaml";

/// What became of some requests from one address.
struct Seen {
    envoy: Envoy,
    admitted: u64,
    refusal: Option<Reply>,
    lines: Vec<String>,
    took: Duration,
}

impl Seen {
    async fn of(file: EnvoyFile, requests: usize) -> Self {
        let envoy = file.start().await;
        let begun = Instant::now();
        let flood = flood_from(envoy.addr(), &[1], requests, &Req::get("/")).await;
        let took = begun.elapsed();
        flood.tally.expect_no_faults();
        let lines = envoy.access_log_lines(requests).await;
        Self { envoy, admitted: flood.tally.count(200), refusal: flood.refusal, lines, took }
    }

    fn count(&self, text: &str) -> u64 {
        self.lines.iter().filter(|line| line.contains(text)).count() as u64
    }

    /// What a limit of so many a minute admits of them.
    fn quota(&self, per_minute: u64) -> RangeInclusive<u64> {
        per_minute..=per_minute + earned(self.took, per_minute)
    }
}

#[tokio::test]
async fn today_is_enforced_and_tomorrow_is_seen_in_the_log() {
    let seen = Seen::of(Envoy::from_file(FILE), 130).await;
    assert!(seen.quota(100).contains(&seen.admitted), "{}", seen.admitted);
    let plainly = seen.count("GET / 200 via_upstream decision=allowed rule=");
    assert!(seen.quota(40).contains(&plainly), "{plainly}");
    let watched = "GET / 200 via_upstream decision=shadow_limited rule=reads limit=reads-next remaining=0 client=ip";
    assert_eq!(seen.count(watched), seen.admitted - plainly, "{:?}", seen.lines);
    let refused = "GET / 429 weir_rate_limited{reads} decision=limited rule=reads limit=reads remaining=0 client=ip";
    assert_eq!(seen.count(refused), 130 - seen.admitted, "{:?}", seen.lines);
    let counted = "wasmcustom.weir_limited_total;rule=reads;limit=reads-next;mode=shadow";
    assert_eq!(seen.envoy.stat(counted).await, 130 - plainly);

    // Clients see nothing of it.
    let reply = client(&seen.envoy, 2).send(&Req::get("/")).await;
    assert_eq!(reply.expect("ratelimit-policy"), "\"all\";q=3000;w=60, \"reads\";q=100;w=60");
    let limits = seen.refusal.expect("a refusal").json()["error"]["limits"].clone();
    assert_eq!((limits["reads"].is_object(), &limits["reads-next"]), (true, &Value::Null));
    // And what it does not match goes on.
    assert_eq!(client(&seen.envoy, 1).send(&Req::post("/")).await.status, 200);
}

#[tokio::test]
async fn with_the_top_level_in_shadow_all_of_it_is_seen_and_nothing_refused() {
    let seen = Seen::of(Envoy::from_file(FILE).replace("mode: enforce\n", "mode: shadow\n"), 130).await;
    assert_eq!(seen.admitted, 130);
    assert!(seen.quota(40).contains(&seen.count("decision=allowed")));
    assert_eq!(seen.count("decision=allowed") + seen.count("decision=shadow_limited"), 130);
    let reads = seen.envoy.stat("wasmcustom.weir_limited_total;rule=reads;limit=reads;mode=shadow").await;
    assert!(seen.quota(100).contains(&(130 - reads)), "{reads}");
    let reply = client(&seen.envoy, 1).send(&Req::get("/")).await;
    assert!(reply.header("ratelimit").is_none());
}

#[tokio::test]
async fn without_its_mode_the_stricter_limit_is_enforced() {
    let seen = Seen::of(Envoy::from_file(FILE).replace(", mode: shadow }", " }"), 60).await;
    assert!(seen.quota(40).contains(&seen.admitted), "{}", seen.admitted);
    assert_eq!(seen.count("weir_rate_limited{reads-next} decision=limited"), 60 - seen.admitted);
}

#[tokio::test]
async fn what_the_shadow_counted_is_owed_when_it_is_enforced() {
    let listener = |mode: &str| {
        let mut policy = policy_of(FILE);
        policy["mode"] = json!(mode);
        [Listener::new().policy(policy)]
    };
    let [first] = listener("shadow");
    let mut envoy = Envoy::builder().watched().listener(first).start().await;
    let begun = Instant::now();
    tally(&client(&envoy, 1), 110, &Req::get("/")).await.expect(110, 0);
    envoy.accept(&listener("enforce")).await;
    let seen = tally(&client(&envoy, 1), 60, &Req::get("/")).await;
    assert!(seen.count(200) <= earned(begun.elapsed(), 100), "{seen:?}");
    tally(&client(&envoy, 2), 10, &Req::get("/")).await.expect(10, 0);
}
