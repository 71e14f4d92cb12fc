//! Answers, over whole requests.

mod structured;

use std::collections::HashMap;

use serde_json::Value;

use crate::answer::fields::Fields;
use crate::answer::format::Format;
use crate::answer::refusal::{Failure, Refusal};
use crate::answer::style::{Overrides, Plans, Style};
use crate::engine::decision::Verdict;
use crate::engine::request::written::Written;
use crate::engine::tests::{Service, get};
use crate::policy::HeaderPolicy;
use crate::time::SECOND;

/// Answers as they are where nothing is configured.
fn plain(headers: HeaderPolicy) -> Style<'static> {
    Style { headers, overrides: Overrides::NONE, plans: Plans::default() }
}

/// The fields and, where it was refused, the refusal.
fn answer(service: &mut Service, request: &Written) -> (HashMap<&'static str, String>, Option<Refusal<'static>>) {
    let (clock, policy) = (service.clock.clone(), service.engine.policy().headers);
    let decision = service.decide(request);
    let refusal = (decision.verdict == Verdict::Limited)
        .then(|| Refusal::of(&decision, &plain(policy), &clock, Format::Json).unwrap());
    let fields =
        refusal.as_ref().map_or_else(|| Fields::of(&decision, &policy, &clock), |refusal| refusal.fields.clone());
    (fields.iter().map(|(name, value)| (name, value.to_owned())).collect(), refusal)
}

#[test]
fn a_drain_of_five_an_hour() {
    let mut service = Service::new(r#"{"rules": [{"name": "auth", "limits": ["5/h"]}]}"#);
    for remaining in [4, 3, 2, 1, 0, 0, 0] {
        let (fields, refusal) = answer(&mut service, &get("/"));
        assert_eq!(fields["x-ratelimit-limit"], "5");
        assert_eq!(fields["x-ratelimit-remaining"], remaining.to_string());
        assert_eq!(fields["x-ratelimit-reset"], (1_768_473_000 + 720).to_string());
        assert_eq!(fields["ratelimit-policy"], r#""auth";q=5;w=3600"#);
        assert_eq!(fields["ratelimit"], format!(r#""auth";r={remaining};t=720"#));
        assert_eq!(refusal.is_some(), fields.contains_key("retry-after"));
    }
    let (fields, refusal) = answer(&mut service, &get("/"));
    let refusal = refusal.unwrap();
    assert_eq!((refusal.status, refusal.grpc_status), (429, 8));
    assert_eq!(refusal.details, "weir_rate_limited{auth}");
    assert_eq!(fields["retry-after"], "720");
    assert_eq!(fields["x-envoy-ratelimited"], "true");
    assert_eq!(fields["cache-control"], "no-store");
    assert_eq!(fields["content-type"], "application/json");
    assert_eq!(
        refusal.body,
        r#"{"error": {"code": "RATE_LIMITED", "message": "Rate limit exceeded. Try again in 720 seconds.", "retryAfter": 720, "limit": 5, "remaining": 0, "resetAt": "2026-01-15T10:42:00Z", "rule": "auth", "policy": "auth", "limits": {"auth": {"limit": 5, "window": 3600, "remaining": 0}}}}"#
    );
}

#[test]
fn styles_of_headers() {
    for (headers, expected) in [
        (r#"{"reset": "delta"}"#, &[("x-ratelimit-reset", Some("12")), ("ratelimit", Some(r#""all";r=4;t=12"#))][..]),
        (r#"{"ratelimit": "draft-12"}"#, &[("ratelimit", Some(r#""all";a=4;w=12"#))]),
        (
            r#"{"ratelimit": false}"#,
            &[("ratelimit", None), ("ratelimit-policy", None), ("x-ratelimit-limit", Some("5"))],
        ),
        (r#"{"x_ratelimit": false}"#, &[("x-ratelimit-limit", None), ("ratelimit", Some(r#""all";r=4;t=12"#))]),
        (r#"{"x_ratelimit": false, "ratelimit": false}"#, &[("x-ratelimit-limit", None), ("ratelimit", None)]),
    ] {
        let mut service = Service::new(&format!(r#"{{"headers": {headers}, "limits": ["5/m"]}}"#));
        let (fields, _) = answer(&mut service, &get("/"));
        for (name, value) in expected {
            assert_eq!(fields.get(name).map(String::as_str), *value, "{headers} {name}");
        }
    }
}

/// 2 per 10 s and 5 per hour: limit, remaining and reset always speak of one of them, the right one.
#[test]
fn two_windows() {
    let mut service = Service::new(
        r#"{"headers": {"reset": "delta"}, "rules": [{"name": "r", "limits": [{"rate": "2/10s", "name": "short"}, {"rate": "5/h", "name": "long"}]}]}"#,
    );
    let mut shown = |seconds| {
        service.pass(seconds);
        let (fields, _) = answer(&mut service, &get("/"));
        ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"]
            .map(|name| fields.get(name).map_or(String::new(), Clone::clone))
            .join(" ")
    };
    assert_eq!(shown(0), "2 1 5 ");
    assert_eq!(shown(0), "2 0 5 ");
    assert_eq!(shown(0), "2 0 5 5");
    assert_eq!(shown(10), "5 2 710 ", "2 of 5 is less than 1 of 2");
    assert_eq!(shown(0), "2 0 5 ");
    assert_eq!(shown(10), "5 0 700 ");
    assert_eq!(shown(0), "5 0 700 700");
}

#[test]
fn the_longest_of_several_waits_is_told() {
    let mut service = Service::new(
        r#"{"rules": [{"name": "r", "limits": [{"rate": "1/10s", "name": "short"}, {"rate": "1/h", "name": "long"}]}]}"#,
    );
    answer(&mut service, &get("/"));
    let (fields, refusal) = answer(&mut service, &get("/"));
    assert_eq!(fields["retry-after"], "3600");
    let body: Value = serde_json::from_str(&refusal.unwrap().body).unwrap();
    assert_eq!(body["error"]["policy"], "long");
    assert_eq!(body["error"]["limits"]["short"]["remaining"], 0);
}

#[test]
fn waits_are_rounded_up_to_whole_seconds() {
    let mut service = Service::new(r#"{"limits": ["10/s", "7/m"]}"#);
    while service.decide(&get("/")).verdict == Verdict::Allowed {}
    for (later, told) in [(0, "9"), (SECOND / 2, "9"), (SECOND / 2, "8"), (7 * SECOND, "1"), (SECOND / 2, "1")] {
        service.clock.monotonic.set(service.clock.monotonic.get() + later);
        let (fields, _) = answer(&mut service, &get("/"));
        assert_eq!(fields["retry-after"], told, "after {later} more");
    }
}

#[test]
fn a_burst_that_differs_is_shown() {
    for (burst, policy, limit) in [(3, ";weir-burst=3", "7"), (7, "", "7"), (10, ";weir-burst=10", "10")] {
        let mut service = Service::new(&format!(r#"{{"limits": [{{"rate": "7/m", "burst": {burst}}}]}}"#));
        let (fields, _) = answer(&mut service, &get("/"));
        assert_eq!(fields["ratelimit-policy"], format!(r#""all";q=7;w=60{policy}"#));
        assert_eq!(fields["x-ratelimit-limit"], limit);
    }
}

#[test]
fn names_are_escaped() {
    let mut service = Service::new(r#"{"rules": [{"name": "a\"b\\c", "limits": ["1/h"]}]}"#);
    let (fields, _) = answer(&mut service, &get("/"));
    assert_eq!(fields["ratelimit"], r#""a\"b\\c";r=0;t=3600"#);
    let (_, refusal) = answer(&mut service, &get("/"));
    let body: Value = serde_json::from_str(&refusal.unwrap().body).unwrap();
    assert_eq!(body["error"]["rule"], "a\"b\\c");
    assert_eq!(body["error"]["limits"]["a\"b\\c"]["limit"], 1);
}

#[test]
fn a_name_that_two_limits_share_is_one_member_of_the_body() {
    let mut service =
        Service::new(r#"{"limits": [{"rate": "9/h", "name": "r"}], "rules": [{"name": "r", "limits": ["1/h"]}]}"#);
    answer(&mut service, &get("/"));
    let (_, refusal) = answer(&mut service, &get("/"));
    assert_eq!(refusal.unwrap().body.matches(r#""r": {"limit""#).count(), 1);
}

#[test]
fn busy_is_no_quota() {
    let busy = Refusal::failed(Failure::Busy, Overrides::NONE, Format::Json);
    let fields: Vec<_> = busy.fields.iter().map(|(name, _)| name).collect();
    assert_eq!((busy.status, busy.grpc_status), (503, 14));
    assert_eq!(fields, ["retry-after", "cache-control", "content-type"]);
    let body: Value = serde_json::from_str(&busy.body).unwrap();
    assert_eq!(body["error"]["code"], "LIMITER_BUSY");
}
