//! Who is on which plan, and what the plans promise.

use serde_json::{Value, json};
use tokio::time::Instant;
use weir_tests::{Client, Envoy, Listener, Req, Settings, flood_tally};

use crate::support::tally;

/// Three plans beside rules for signing in, searching, and everything else.
fn example() -> Value {
    let tier = |minute: u64, burst: u64, day: u64| {
        json!({"limits": [
            {"rate": format!("{minute}/minute"), "burst": burst},
            {"rate": format!("{day}/day"), "algorithm": "fixed_window"},
        ]})
    };
    json!({
        "client": [{"bearer": true}, {"header": "x-api-key"}, "ip"],
        "plans": {
            "assign": [
                {"header": "x-plan", "trusted": true},
                {"clients": {
                    // `pro-key`
                    "sha256:344914c72e5b6734f125bc9779485eb91b91f7bc43c037cc7b109a1678c852b9": "pro",
                    "enterprise-key": "enterprise",
                }},
            ],
            "default": "free",
            "tiers": {"free": tier(60, 10, 1000), "pro": tier(600, 100, 50_000), "enterprise": tier(6000, 1000, 500_000)},
            "upgrade_url": "https://api.example.com/pricing",
        },
        "rules": [
            {"name": "auth", "match": {"methods": ["POST"], "paths": ["/api/auth/**"]}, "limits": [{"rate": "10/minute", "per": ["ip"]}]},
            {"name": "search", "match": {"paths": ["/api/search/**"]}, "limits": ["30/minute"]},
            {"name": "default", "limits": ["1000/minute"]},
        ],
    })
}

/// As many as the burst and what it gained meanwhile, no more and no less.
async fn expect_burst(envoy: &Envoy, count: usize, burst: u64, per_minute: u64, request: Req) {
    let started = Instant::now();
    let tally = flood_tally(envoy.addr(), count, 16, move |_| request.clone()).await;
    let gained = started.elapsed().as_millis() as u64 * per_minute / 60_000 + 1;
    let admitted = tally.count(200);
    assert!((burst..=burst + gained).contains(&admitted), "{admitted} of {burst} + {gained}: {tally:?}");
    assert_eq!(admitted + tally.count(429), count as u64, "{tally:?}");
}

#[tokio::test]
async fn every_number_of_the_example_holds() {
    let envoy = Envoy::builder().workers(4).listener(Listener::new().policy(example())).start().await;
    let on = |plan: &str, key: &str, path: &str| Req::get(path).key(key).header("x-plan", plan);

    // Rules, with a plan that does not get in the way.
    let auth = Req::post("/api/auth/token").key("a").header("x-plan", "enterprise");
    expect_burst(&envoy, 40, 10, 10, auth).await;
    expect_burst(&envoy, 60, 30, 30, on("enterprise", "b", "/api/search/x")).await;
    // Plans; the default rule's 1000 a minute is above those of the first two.
    expect_burst(&envoy, 40, 10, 60, on("free", "c", "/")).await;
    expect_burst(&envoy, 200, 100, 600, on("pro", "d", "/")).await;
    // The plan would give an enterprise more for a while, the default rule does not.
    expect_burst(&envoy, 1300, 1000, 1000, on("enterprise", "e", "/")).await;

    for (plan, n, burst, day) in
        [("free", 60, 10, 1000), ("pro", 600, 100, 50_000), ("enterprise", 6000, 1000, 500_000)]
    {
        let reply = envoy.client().send(&on(plan, "f", "/")).await;
        let policy = reply.expect("ratelimit-policy");
        assert!(policy.contains(&format!("\"{plan}\";q={n};w=60;weir-burst={burst}")), "{policy}");
        assert!(policy.contains(&format!("\"{plan}-2\";q={day};w=86400")), "{policy}");
        assert!(policy.contains("\"default\";q=1000;w=60"), "{policy}");
    }
}

#[tokio::test]
async fn plans_of_their_own_admit_what_they_say() {
    let mut policy = example();
    policy.as_object_mut().expect("an object").remove("rules");
    let envoy = Envoy::builder().workers(4).listener(Listener::new().policy(policy)).start().await;
    let on = |plan: &str, key: &str| Req::get("/").key(key).header("x-plan", plan);
    expect_burst(&envoy, 30, 10, 60, on("free", "a")).await;
    expect_burst(&envoy, 200, 100, 600, on("pro", "b")).await;
    expect_burst(&envoy, 1500, 1000, 6000, on("enterprise", "c")).await;
}

#[tokio::test]
async fn a_plan_is_found_by_header_credential_or_default_and_told_on_refusal() {
    let envoy = Envoy::with(example()).await;
    let client = envoy.client();
    let cases = [
        (Req::get("/").key("nobody"), "free"),
        (Req::get("/"), "free"),
        (Req::get("/").key("pro-key"), "pro"),
        (Req::get("/").header("authorization", "bearer  pro-key"), "pro"),
        (Req::get("/").key("enterprise-key"), "enterprise"),
        (Req::get("/").key("Enterprise-key"), "free"),
        // The digest is no key.
        (Req::get("/").key("sha256:344914c72e5b6734f125bc9779485eb91b91f7bc43c037cc7b109a1678c852b9"), "free"),
        // Whoever sets the header is trusted, but an unknown plan is none, nor is one that is said twice.
        (Req::get("/").key("pro-key").header("x-plan", "enterprise"), "enterprise"),
        (Req::get("/").key("pro-key").header("x-plan", "platinum"), "pro"),
        (Req::get("/").header("x-plan", "pro").header("x-plan", "enterprise"), "free"),
        (Req::get("/").key("enterprise-key").key("pro-key"), "free"),
    ];
    for (place, (request, plan)) in cases.iter().enumerate() {
        let reply = client.send(request).await;
        let policy = reply.expect("ratelimit-policy").to_owned();
        assert!(policy.contains(&format!("\"{plan}\";")), "case {place}: {policy}");
        assert_eq!(policy.matches(";w=86400").count(), 1, "case {place}: {policy}");
    }
    let refused = crate::support::repeat(&client, 12, &Req::get("/").key("other")).await.pop().expect("twelve");
    let error = &refused.json()["error"];
    assert_eq!(
        (refused.status, &error["plan"], &error["upgradeUrl"]),
        (429, &json!("free"), &json!("https://api.example.com/pricing"))
    );
    assert_eq!((&error["rule"], &error["policy"], &error["limit"]), (&json!("plan"), &json!("free"), &json!(60)));
}

#[tokio::test]
async fn debt_follows_a_change_of_plan() {
    let envoy = Envoy::with(example()).await;
    let client = envoy.client();
    let on = |plan: &str| Req::get("/").key("k").header("x-plan", plan);
    tally(&client, 15, &on("free")).await.expect(10, 5);
    // Ten of a hundred are spent.
    let reply = client.send(&on("pro")).await;
    let state = reply.expect("ratelimit");
    assert!((80..=99).any(|left| state.contains(&format!("\"pro\";r={left};"))), "{state}");
    // And back: no fresh bucket.
    let tally = tally(&client, 12, &on("free")).await;
    assert!(tally.count(200) <= 1, "{tally:?}");
}

#[tokio::test]
async fn a_plan_may_stand_in_dynamic_metadata() {
    let metadata = json!({"name": "metadata", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
        "request_rules": [
            {"header": "x-jwt-plan", "on_header_present": {"metadata_namespace": "jwt", "key": "plan", "type": "STRING"}},
            {"header": "x-jwt-sub", "on_header_present": {"metadata_namespace": "jwt", "key": "sub", "type": "STRING"}},
        ],
    }});
    let policy = json!({
        "client": [{"metadata": ["jwt", "sub"]}, "ip"],
        "plans": {
            "assign": [{"metadata": ["jwt", "plan"]}],
            "tiers": {"gold": {"limits": ["3/hour"]}, "tin": {"limits": ["1/hour"]}},
        },
    });
    for settings in [Settings::Struct(policy.clone()), Settings::Json(policy)] {
        let listener =
            Listener::new().settings(settings).before(metadata.clone()).access_log("%FILTER_STATE(wasm.weir:PLAIN)%");
        let envoy = Envoy::builder().listener(listener).start().await;
        let client = envoy.client();
        let of = |sub: &str, plan: &str| Req::get("/").header("x-jwt-plan", plan).header("x-jwt-sub", sub);
        tally(&client, 5, &of("anne", "gold")).await.expect(3, 2);
        tally(&client, 5, &of("bob", "gold")).await.expect(3, 2);
        tally(&client, 5, &of("carl", "tin")).await.expect(1, 4);
        // No plan, no default: nothing limits.
        tally(&client, 5, &Req::get("/").header("x-jwt-sub", "dora")).await.expect(5, 0);
        tally(&Client::new(envoy.addr()), 2, &Req::get("/").header("x-jwt-plan", "tin")).await.expect(1, 1);
        let lines = envoy.access_log_lines(22).await;
        assert_eq!(lines[0], "decision=allowed rule=plan limit=gold remaining=2 client=metadata");
        assert_eq!(lines[20], "decision=allowed rule=plan limit=tin remaining=0 client=ip");
    }
}

#[tokio::test]
async fn preflights_meet_no_plan_and_no_rule_but_one_that_names_them() {
    let envoy = Envoy::with(example()).await;
    let client = Client::new(envoy.addr());
    let preflight =
        Req::new("OPTIONS", "/").header("origin", "https://app.test").header("access-control-request-method", "GET");
    tally(&client, 30, &preflight).await.expect(30, 0);
    let tally = tally(&client, 15, &Req::new("OPTIONS", "/")).await;
    assert!((10..=11).contains(&tally.count(200)), "{tally:?}");
}
