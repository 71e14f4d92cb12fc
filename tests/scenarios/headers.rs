//! The header fields on limited responses.

use serde_json::{Value, json};
use weir_tests::{Envoy, Listener, Req};

use crate::structured::{members, parameter};
use crate::support::{repeat, unix_now};

#[tokio::test]
async fn remaining_counts_down_to_zero_and_stays() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "5/hour", "name": "five"}]})).await;
    let replies = repeat(&envoy.client(), 7, &Req::get("/")).await;
    for (reply, remaining) in replies.iter().zip([4, 3, 2, 1, 0, 0, 0]) {
        assert_eq!(reply.expect("x-ratelimit-limit"), "5");
        assert_eq!(reply.integer("x-ratelimit-remaining"), remaining);
        let policy = [("q".to_owned(), 5), ("w".to_owned(), 3600)];
        assert_eq!(members(reply, "ratelimit-policy"), [("five".to_owned(), policy.to_vec())]);
        assert_eq!(parameter(reply, "ratelimit", "five", "r"), remaining);
        assert!((1..=720).contains(&parameter(reply, "ratelimit", "five", "t")));
        assert_eq!(reply.header("retry-after").is_some(), reply.status == 429);
        assert_eq!(reply.header("x-envoy-ratelimited").is_some(), reply.status == 429);
    }
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
    assert_eq!(replies[6].expect("x-envoy-ratelimited"), "true");
}

#[tokio::test]
async fn resets_are_when_the_remainder_next_grows() {
    let policy = json!({"rules": [
        {"name": "minute", "match": {"paths": ["/minute"]}, "limits": ["5/minute"]},
        {"name": "day", "match": {"paths": ["/day"]}, "limits": ["10/day"]},
    ]});
    let envoy = Envoy::with(policy).await;
    for (path, name, tokens, interval) in [("/minute", "minute", 5, 12), ("/day", "day", 10, 8640)] {
        for reply in repeat(&envoy.client(), tokens + 2, &Req::get(path)).await {
            let t = parameter(&reply, "ratelimit", name, "t");
            assert!((interval - 5..=interval).contains(&t), "{path}: t={t}");
            let reset = reply.integer("x-ratelimit-reset");
            assert!(reset.abs_diff(unix_now() + t) <= 2, "{path}: {reset}");
            if reply.status == 429 {
                let wait = reply.integer("retry-after");
                assert!(wait >= t && wait <= interval, "{path}: {wait} against {t}");
            }
        }
    }
}

#[tokio::test]
async fn resets_may_be_told_from_now() {
    let envoy = Envoy::with(json!({"limits": ["2/minute"], "headers": {"reset": "delta"}})).await;
    for reply in repeat(&envoy.client(), 4, &Req::get("/")).await {
        assert!((1..=30).contains(&reply.integer("x-ratelimit-reset")));
    }
}

#[tokio::test]
async fn both_drafts_and_none() {
    let with = |headers: Value| json!({"limits": [{"rate": "5/hour", "name": "n"}], "headers": headers});
    let envoy = Envoy::with(with(json!({"ratelimit": "draft-12"}))).await;
    for (reply, remaining) in repeat(&envoy.client(), 6, &Req::get("/")).await.iter().zip([4, 3, 2, 1, 0, 0]) {
        assert_eq!(parameter(reply, "ratelimit", "n", "a"), remaining);
        assert!((1..=720).contains(&parameter(reply, "ratelimit", "n", "w")));
        assert!(!reply.expect("ratelimit").contains(";r="));
    }
    let envoy = Envoy::with(with(json!({"ratelimit": false}))).await;
    for reply in repeat(&envoy.client(), 6, &Req::get("/")).await {
        assert_eq!((reply.header("ratelimit"), reply.header("ratelimit-policy")), (None, None));
        assert_eq!(reply.integer("x-ratelimit-limit"), 5);
    }
    let envoy = Envoy::with(with(json!({"x_ratelimit": false, "ratelimit": "draft-11"}))).await;
    for reply in repeat(&envoy.client(), 6, &Req::get("/")).await {
        for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert_eq!(reply.header(name), None);
        }
        assert_eq!(parameter(&reply, "ratelimit-policy", "n", "q"), 5);
    }
    let envoy = Envoy::with(with(json!({"x_ratelimit": false, "ratelimit": false}))).await;
    for reply in repeat(&envoy.client(), 6, &Req::get("/")).await {
        assert!(!reply.headers.keys().any(|name| name.as_str().contains("ratelimit-") || name == "ratelimit"));
        assert_eq!(reply.header("retry-after").is_some(), reply.status == 429);
    }
}

#[tokio::test]
async fn a_burst_of_its_own_is_told() {
    let policy = json!({"rules": [
        {"name": "larger", "match": {"paths": ["/larger"]}, "limits": [{"rate": "5/hour", "burst": 10}]},
        {"name": "smaller", "match": {"paths": ["/smaller"]}, "limits": [{"rate": "100/hour", "burst": 3}]},
        {"name": "equal", "match": {"paths": ["/equal"]}, "limits": [{"rate": "7/hour", "burst": 7}]},
    ]});
    let envoy = Envoy::with(policy).await;
    for (path, limit, remaining, fields) in [
        ("larger", "10", 9, "\"larger\";q=5;w=3600;weir-burst=10"),
        ("smaller", "100", 2, "\"smaller\";q=100;w=3600;weir-burst=3"),
        ("equal", "7", 6, "\"equal\";q=7;w=3600"),
    ] {
        let reply = envoy.client().send(&Req::get(&format!("/{path}"))).await;
        assert_eq!(reply.expect("x-ratelimit-limit"), limit);
        assert_eq!(reply.integer("x-ratelimit-remaining"), remaining);
        assert_eq!(reply.expect("ratelimit-policy"), fields);
    }
}

#[tokio::test]
async fn every_limit_that_applied_is_listed_under_its_name() {
    let policy = json!({
        "limits": ["1000/hour", {"rate": "500/hour", "per": []}],
        "rules": [{"name": "r", "limits": ["50/hour", {"rate": "5/minute", "name": "minute"}]}],
    });
    let envoy = Envoy::with(policy).await;
    let reply = envoy.client().send(&Req::get("/")).await;
    let mut names: Vec<String> = members(&reply, "ratelimit").into_iter().map(|(name, _)| name).collect();
    let policies: Vec<String> = members(&reply, "ratelimit-policy").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, policies);
    names.sort_unstable();
    assert_eq!(names, ["all", "all-2", "minute", "r"]);
    assert_eq!(reply.integer("x-ratelimit-limit"), 5);
}

fn own_fields(request: Req) -> Req {
    let fields = ["X-RateLimit-Limit=999", "X-RateLimit-Limit=998", "X-RateLimit-Remaining=997", "X-RateLimit-Reset=1"];
    let fields =
        fields.iter().chain(&["RateLimit=\"up\";r=1;t=1", "RateLimit=\"up2\";r=1", "RateLimit-Policy=\"up\";q=1;w=1"]);
    fields.fold(request, |request, field| request.header("x-want-header", field))
}

#[tokio::test]
async fn an_upstreams_own_fields_are_replaced_where_a_limit_applied_and_only_there() {
    let policy = json!({"rules": [{"name": "limited", "match": {"paths": ["/limited"]}, "limits": ["5/hour"]}]});
    let envoy = Envoy::with(policy).await;
    let reply = envoy.client().send(&own_fields(Req::get("/limited"))).await;
    assert_eq!((reply.expect("x-ratelimit-limit"), reply.expect("x-ratelimit-remaining")), ("5", "4"));
    assert!(reply.integer("x-ratelimit-reset") > 1);
    assert_eq!(reply.expect("ratelimit-policy"), "\"limited\";q=5;w=3600");
    assert_eq!(parameter(&reply, "ratelimit", "limited", "r"), 4);

    let reply = envoy.client().send(&own_fields(Req::get("/free"))).await;
    assert_eq!(reply.headers.get_all("x-ratelimit-limit").iter().count(), 2);
    assert_eq!((reply.expect("x-ratelimit-remaining"), reply.expect("x-ratelimit-reset")), ("997", "1"));
    assert_eq!(reply.headers.get_all("ratelimit").iter().count(), 2);
}

#[tokio::test]
async fn an_upstreams_retry_after_is_left_alone() {
    let envoy = Envoy::with(json!({"limits": ["5/hour"]})).await;
    let request = Req::get("/").header("x-want-status", "503").header("x-want-header", "retry-after=77");
    let reply = envoy.client().send(&request).await;
    assert_eq!((reply.status, reply.expect("retry-after"), reply.expect("x-ratelimit-remaining")), (503, "77", "4"));
    assert_eq!(reply.header("x-envoy-ratelimited"), None);
}

#[tokio::test]
async fn requests_that_meet_no_limit_carry_no_fields() {
    let policy = json!({"rules": [{"name": "r", "match": {"paths": ["/limited"]}, "limits": ["5/hour"]}]});
    let envoy = Envoy::with(policy).await;
    envoy.client().send(&Req::get("/limited")).await.expect("ratelimit");
    let reply = envoy.client().send(&Req::get("/free")).await;
    assert!(!reply.headers.keys().any(|name| name.as_str().contains("ratelimit")), "{:?}", reply.headers);
}

#[tokio::test]
async fn names_that_need_escaping_are_escaped() {
    let name = r#"a"b\c d;e,f"#;
    let envoy = Envoy::builder().listener(
        Listener::new()
            .policy(json!({"limits": [{"rate": "1/hour", "name": name}]}))
            .access_log("%RESPONSE_CODE_DETAILS%"),
    );
    let envoy = envoy.start().await;
    let replies = repeat(&envoy.client(), 2, &Req::get("/")).await;
    for reply in &replies {
        for field in ["ratelimit", "ratelimit-policy"] {
            let names: Vec<String> = members(reply, field).into_iter().map(|(name, _)| name).collect();
            assert_eq!(names, [name]);
        }
    }
    let error = &replies[1].json()["error"];
    assert_eq!((&error["policy"], &error["limits"][name]["limit"]), (&json!(name), &json!(1)));
    let lines = envoy.access_log_lines(2).await;
    assert!(lines[1].starts_with("weir_rate_limited{a"), "{lines:?}");
}
