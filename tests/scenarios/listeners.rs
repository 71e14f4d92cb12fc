//! One VM serves several configurations, each stream by its own.

use serde_json::{Value, json};
use weir_tests::envoy::weir_filter;
use weir_tests::{Client, Envoy, Listener, Req, Settings, flood, flood_tally};

use crate::support::tally;

fn named(rule: &str, limit: &str, rate: &str) -> Value {
    json!({"rules": [{"name": rule, "limits": [{"rate": rate, "name": limit, "per": ["ip"]}]}]})
}

async fn pair(a: Value, b: Value) -> Envoy {
    let builder = Envoy::builder().workers(4).listener(Listener::named("a").policy(a));
    builder.listener(Listener::named("b").policy(b)).start().await
}

#[tokio::test]
async fn two_listeners_of_one_vm_decide_by_their_own_configuration_under_load() {
    let envoy = pair(named("a", "a", "20/hour"), named("b", "b", "70/hour")).await;
    let (a, b) = (envoy.addr_of("a"), envoy.addr_of("b"));
    let (a, b) = tokio::join!(flood(a, 300, 8, |_| Req::get("/")), flood(b, 300, 8, |_| Req::get("/")));
    for (replies, limit, name) in [(a, 20, "\"a\""), (b, 70, "\"b\"")] {
        replies.iter().collect::<weir_tests::Tally>().expect(limit, 300 - limit);
        for reply in &replies {
            assert_eq!(reply.integer("x-ratelimit-limit"), limit);
            assert!(reply.expect("ratelimit").starts_with(name));
        }
    }
    assert_eq!(envoy.upstream.reached(), 90);
}

#[tokio::test]
async fn a_response_is_dressed_by_the_configuration_its_request_met() {
    let mut plain = named("b", "b", "1000/hour");
    plain["headers"] = json!({"x_ratelimit": false, "ratelimit": false});
    let envoy = Envoy::builder().workers(1).listener(Listener::named("a").policy(named("a", "a", "1000/hour")));
    let envoy = envoy.listener(Listener::named("b").policy(plain)).start().await;
    // Answers come in another order than requests, so the responses of both interleave.
    let request = |i: usize| Req::get("/").header("x-want-delay-ms", format!("{}", (i * 7) % 23));
    let (a, b) = (envoy.addr_of("a"), envoy.addr_of("b"));
    let (a, b) = tokio::join!(flood(a, 200, 20, request), flood(b, 200, 20, request));
    assert!(a.iter().all(|reply| reply.integer("x-ratelimit-limit") == 1000));
    assert!(b.iter().all(|reply| reply.header("x-ratelimit-limit").is_none() && reply.header("ratelimit").is_none()));
    // Each response tells its own request's remainder: no two are alike.
    let mut remaining: Vec<u64> = a.iter().map(|reply| reply.integer("x-ratelimit-remaining")).collect();
    remaining.sort_unstable();
    assert_eq!(remaining, (800..1000).collect::<Vec<u64>>());
}

#[tokio::test]
async fn equal_names_share_buckets() {
    let envoy = pair(named("r", "l", "10/hour"), named("r", "l", "10/hour")).await;
    let (a, b) = (envoy.addr_of("a"), envoy.addr_of("b"));
    let (a, b) = tokio::join!(flood_tally(a, 100, 8, |_| Req::get("/")), flood_tally(b, 100, 8, |_| Req::get("/")));
    assert_eq!((a.count(200) + b.count(200), a.count(429) + b.count(429)), (10, 190));
    assert_eq!(envoy.upstream.reached(), 10);
}

#[tokio::test]
async fn other_names_or_another_instance_share_nothing() {
    let mut instance = named("r", "l", "3/hour");
    instance["instance"] = json!("other");
    let top = json!({"limits": [{"rate": "3/hour", "name": "l", "per": ["ip"]}]});
    let builder = Envoy::builder().listener(Listener::named("first").policy(named("r", "l", "3/hour")));
    let builder = builder.listener(Listener::named("rule").policy(named("r2", "l", "3/hour")));
    let builder = builder.listener(Listener::named("limit").policy(named("r", "l2", "3/hour")));
    let builder = builder.listener(Listener::named("top").policy(top));
    let builder = builder.listener(Listener::named("instance").policy(instance));
    let builder = builder.listener(Listener::named("vm").policy(named("r", "l", "3/hour")).vm_id("other"));
    // Names that would be alike if they were only strung together.
    let builder = builder.listener(Listener::named("joined").policy(named("ab", "c", "3/hour")));
    let builder = builder.listener(Listener::named("joined too").policy(named("a", "bc", "3/hour")));
    let envoy = builder.start().await;
    for listener in ["first", "rule", "limit", "top", "instance", "vm", "joined", "joined too"] {
        tally(&Client::new(envoy.addr_of(listener)), 5, &Req::get("/")).await.expect(3, 2);
    }
}

#[tokio::test]
async fn an_empty_vm_id_works() {
    let listener = |name| Listener::named(name).policy(named("r", "l", "5/hour")).vm_id("");
    let envoy = Envoy::builder().workers(4).listener(listener("a")).listener(listener("b")).start().await;
    flood_tally(envoy.addr_of("a"), 50, 8, |_| Req::get("/")).await.expect(5, 45);
    flood_tally(envoy.addr_of("b"), 50, 8, |_| Req::get("/")).await.expect(0, 50);
}

#[tokio::test]
async fn two_rules_with_equal_numbers_are_apart() {
    let rule = |name: &str| json!({"name": name, "match": {"paths": [format!("/{name}")]}, "limits": [{"rate": "3/hour", "per": ["ip"]}]});
    let envoy = Envoy::with(json!({"rules": [rule("a"), rule("b")]})).await;
    tally(&envoy.client(), 5, &Req::get("/a")).await.expect(3, 2);
    tally(&envoy.client(), 5, &Req::get("/b")).await.expect(3, 2);
}

#[tokio::test]
async fn the_filter_twice_in_one_chain_counts_in_two_instances() {
    let mut second = named("r", "l", "3/hour");
    second["instance"] = json!("second");
    let second = weir_filter(&Settings::Struct(second), "weir", "FAIL_RELOAD");
    let listener = Listener::new().policy(named("r", "l", "5/hour")).after(second);
    let envoy = Envoy::builder().listener(listener).start().await;
    let tally = tally(&envoy.client(), 8, &Req::get("/")).await;
    tally.expect(3, 5);
    assert_eq!(envoy.upstream.reached(), 3);
}

#[tokio::test]
async fn a_struct_and_its_json_mean_the_same() {
    let policy = json!({
        "client": [{"header": "x-api-key"}, "ip"],
        "limits": [{"rate": "100/5m", "per": ["ip"], "burst": 20, "name": "wide"}],
        "rules": [{"name": "r", "match": {"methods": ["GET"], "paths": ["/{a}/**"], "hosts": ["*.test"]}, "limits": ["7/minute"]}],
        "headers": {"x_ratelimit": true, "ratelimit": "draft-12", "reset": "delta"},
        "ip": {"v4_prefix": 24, "v6_prefix": 48},
        "store": {"max_entries": 1000},
        "instance": "one",
        "case_insensitive_paths": true,
    });
    let mut answers = Vec::new();
    for settings in [Settings::Struct(policy.clone()), Settings::Json(policy)] {
        let envoy = Envoy::builder().listener(Listener::new().settings(settings)).start().await;
        let reply = envoy.client().send(&Req::get("/x/y").key("k")).await;
        let fields = ["x-ratelimit-limit", "x-ratelimit-remaining", "ratelimit-policy", "ratelimit"];
        answers.push(fields.map(|name| reply.expect(name).to_owned()));
    }
    assert_eq!(answers[0], answers[1]);
}
