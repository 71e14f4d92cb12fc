//! Plans, exemptions, costs, what is missing, what is in shadow, what is given back.

use super::*;
use crate::engine::pending::{Pending, Settle};
use crate::engine::report::Report;

const PLANS: &str = r#"{
    "client": [{"header": "x-api-key"}],
    "plans": {
        "assign": [
            {"metadata": ["jwt", "plan"]},
            {"header": "x-plan", "trusted": true},
            {"clients": {"pro-key": "pro"}}
        ],
        "default": "free",
        "tiers": {
            "free": {"limits": ["2/h", {"rate": "3/d", "algorithm": "fixed_window"}]},
            "pro": {"limits": ["5/h", {"rate": "9/d", "algorithm": "fixed_window"}]}
        }
    },
    "status": {"path": "/ratelimit"}
}"#;

fn key(key: &str) -> Written {
    request("GET /", &[("x-api-key", key)])
}

#[test]
fn the_first_source_that_knows_the_caller_gives_its_plan() {
    let mut service = Service::new(PLANS);
    for (request, plan) in [
        (key("a"), "free"),
        (key("pro-key"), "pro"),
        (request("GET /", &[("x-api-key", "a"), ("x-plan", "pro")]), "pro"),
        (request("GET /", &[("x-api-key", "a"), ("x-plan", "gold")]), "free"),
        (request("GET /", &[("x-api-key", "a"), ("x-plan", "pro"), ("x-plan", "free")]), "free"),
        (key("pro-key").knows("metadata.filter_metadata.jwt.plan", "free"), "free"),
        (key("b").knows("metadata.filter_metadata.jwt.plan", "pro"), "pro"),
    ] {
        assert_eq!(service.decide(&request).plan, Some(plan), "{request:?}");
    }
}

#[test]
fn debt_follows_a_change_of_plan() {
    let mut service = Service::new(PLANS);
    let free = key("a");
    let pro = key("a").knows("metadata.filter_metadata.jwt.plan", "pro");
    assert_eq!(service.allowed(&free, 9), 2);
    assert_eq!(service.allowed(&pro, 9), 3, "two of five are spent");
    assert_eq!(service.allowed(&free, 9), 0);
    let names: Vec<_> = service.decide(&pro).applied.iter().map(|one| one.limit.limit.name.clone()).collect();
    assert_eq!(names, ["pro", "pro-2"]);
}

#[test]
fn asking_what_is_left_spends_nothing_and_is_limited_itself() {
    let mut service = Service::new(PLANS);
    let ask = request("GET /ratelimit", &[("x-api-key", "a")]);
    assert_eq!(service.decide(&ask).verdict, Verdict::Asks);
    assert_eq!(service.allowed(&key("a"), 1), 1);
    let mut left = || {
        let Service { engine, store, scratch, clock } = &mut service;
        match engine.report(&mut &ask, store, clock, scratch) {
            Report::Left(json) => Some(json),
            Report::Refused(_) => None,
        }
    };
    let first = left().unwrap();
    assert!(first.starts_with(r#"{"client": "header", "plan": "free", "limits": [{"name": "free", "limit": 2, "window": 3600, "remaining": 1, "reset": "#), "{first}");
    assert_eq!((0..100).filter(|_| left().as_ref() == Some(&first)).count(), 59);
    assert_eq!(service.allowed(&key("a"), 9), 1);
}

#[test]
fn nothing_is_left_to_tell_of_where_nothing_applies() {
    let mut service = Service::new(
        r#"{"limits": ["9/h"], "exempt": [{"paths": ["/free"]}, {"cidr": ["10.0.0.0/8"]}], "status": {"path": "/rl"}}"#,
    );
    let mut limits = |request: Written| {
        let Service { engine, store, scratch, clock } = &mut service;
        let Report::Left(json) = engine.report(&mut &request, store, clock, scratch) else { panic!("refused") };
        json.matches("\"name\"").count()
    };
    assert_eq!(limits(get("/rl")), 1);
    assert_eq!(limits(get("/rl?path=/free/x")), 1);
    assert_eq!(limits(get("/rl?path=/free")), 0);
    assert_eq!(limits(get("/rl").from("10.0.0.1:1")), 0);
}

#[test]
fn what_is_exempt_is_neither_limited_nor_counted() {
    let mut service = Service::new(
        r#"{"limits": [{"rate": "3/h", "per": ["ip"]}],
            "exempt": [{"paths": ["/healthz", "/static/**"]}, {"cidr": ["10.0.0.0/8"]},
                       {"property": {"path": ["connection", "uri_san_peer_certificate"], "equals": "spiffe://corp/batch"}}]}"#,
    );
    let trusted = "connection.uri_san_peer_certificate";
    for request in [
        get("/healthz"),
        get("/healthz?x"),
        get("/static/caf%C3%A9/x"),
        get("/x").from("10.1.2.3:5"),
        get("/x").knows(trusted, "spiffe://corp/batch"),
    ] {
        (0..9).for_each(|_| assert_eq!(service.decide(&request).verdict, Verdict::Exempt, "{request:?}"));
    }
    let allowed: usize = [
        get("/healthz/../x"),
        get("/%68ealthz"),
        get("/healthz/"),
        get("/static/..%2Fx"),
        get("/static/..%5C..%5Cx"),
        get("/static/..\\x"),
        get("/static/%252e%252e/x"),
        get("/x").knows(trusted, "spiffe://corp/other"),
        get("/x").knows(trusted, ""),
    ]
    .iter()
    .map(|request| service.allowed(request, 9))
    .sum();
    assert_eq!(allowed, 3);
    assert_eq!(service.allowed(&get("/x").from("10.1.2.3:0"), 9), 3, "an address from a header grants nothing");
}

#[test]
fn a_request_takes_what_its_header_says() {
    let mut service =
        Service::new(r#"{"limits": [{"rate": "20/h", "cost": {"header": "x-cost", "default": 2, "max": 5}}]}"#);
    let mut spent = |cost: Option<&str>| {
        let fields: Vec<_> = cost.iter().map(|cost| ("x-cost", *cost)).collect();
        let decision = service.decide(&request("GET /", &fields));
        20 - decision.applied[0].ruling.level.remaining
    };
    let spent: Vec<_> =
        [None, Some("3"), Some("0"), Some("-1"), Some("99999999999999999999999")].map(&mut spent).into();
    assert_eq!(spent, [2, 5, 7, 9, 14]);
}

#[test]
fn a_missing_part_is_counted_skipped_or_rejected() {
    for (missing, allowed) in [("ip", 2), ("skip", 0), ("reject", 0)] {
        let config = format!(r#"{{"limits": [{{"rate": "2/h", "per": ["query:user"], "missing": "{missing}"}}]}}"#);
        let mut service = Service::new(&config);
        assert_eq!(service.allowed(&get("/"), 5), allowed, "{missing}");
        let verdict = service.decide(&get("/?user=")).verdict;
        assert_eq!(verdict, if missing == "skip" { Verdict::Unlimited } else { Verdict::Limited });
        assert_eq!(service.allowed(&get("/?user=a"), 5), 2);
        assert_eq!(service.allowed(&get("/?b=c&user=%61"), 5), 0);
    }
}

/// Whoever could choose by saying it twice would be rid of the limit.
#[test]
fn a_part_given_twice_is_counted_by_address_or_rejected_and_never_skipped() {
    let twice = [
        (r#""header:x-team""#, request("GET /", &[("x-team", "a"), ("x-team", "a")])),
        (r#""cookie:s""#, request("GET /", &[("cookie", "s=a; s=a")])),
        (r#"{"bearer": true}"#, request("GET /", &[("authorization", "Bearer K, x")])),
        (r#""query:user""#, get("/?user=a&user=a")),
    ];
    for (part, request) in twice {
        for (missing, allowed) in [("ip", 2), ("skip", 2), ("reject", 0)] {
            let config = format!(r#"{{"limits": [{{"rate": "2/h", "per": [{part}], "missing": "{missing}"}}]}}"#);
            assert_eq!(Service::new(&config).allowed(&request, 5), allowed, "{part} {missing}");
        }
    }
}

#[test]
fn a_limit_in_shadow_shows_nowhere() {
    let mut service = Service::new(r#"{"limits": ["9/h", {"rate": "1/h", "mode": "shadow", "name": "trial"}]}"#);
    assert!(!service.decide(&get("/")).is_shadow_limited());
    let decision = service.decide(&get("/"));
    assert_eq!(decision.verdict, Verdict::Allowed);
    assert!(decision.is_shadow_limited());
    assert_eq!((decision.applied.len(), decision.shadow.len()), (1, 1));
    let mut service = Service::new(r#"{"mode": "shadow", "limits": ["1/h"]}"#);
    assert_eq!(service.allowed(&get("/"), 9), 9);
}

/// Decides one request and, after some seconds, settles it by `settle`: what its client is told before and after.
fn settled(service: &mut Service, seconds: u64, settle: Settle) -> [Vec<(u64, u64)>; 2] {
    let told = |decision: &Decision<'_>| {
        let levels = decision.applied.iter().map(|applied| applied.ruling.level);
        levels.map(|level| (level.remaining, level.grows_in.ceil_seconds())).collect::<Vec<_>>()
    };
    let decision = service.decide(&get("/"));
    let before = told(&decision);
    let mut pending = Pending::of(decision);
    service.pass(seconds);
    let Service { engine, store, scratch, clock } = service;
    let changed =
        pending.settle(engine, store, clock, scratch, |_, _| settle, |effects| assert_eq!(effects.retries, 0));
    assert_eq!(changed, settle == Settle::GiveBack);
    assert_eq!(pending.is_empty(), settle != Settle::Wait);
    [before, told(&pending.decision(engine))]
}

#[test]
fn what_does_not_count_is_given_back_and_told_so() {
    let mut service = Service::new(r#"{"limits": [{"rate": "2/h", "count": {"status": [401]}}, "9/h"]}"#);
    for left in [8, 7, 6, 5] {
        let [before, after] = settled(&mut service, 0, Settle::GiveBack);
        assert_eq!(before.first(), Some(&(1, 1800)));
        assert_eq!(after.first(), Some(&(2, 0)), "full, and so nothing grows");
        assert_eq!((before.last(), after.last()), (Some(&(left, 400)), Some(&(left, 400))));
    }
    assert_eq!(service.allowed(&get("/"), 9), 2, "none of the four counted");
}

#[test]
fn what_is_told_after_a_slow_response_is_as_of_then() {
    let mut service = Service::new(r#"{"limits": [{"rate": "2/h", "count": {"status": [401]}}, "9/h"]}"#);
    assert_eq!(settled(&mut service, 100, Settle::Keep), [[(1, 1800), (8, 400)], [(1, 1800), (8, 400)]]);
    assert_eq!(settled(&mut service, 150, Settle::GiveBack), [[(0, 1700), (7, 300)], [(1, 1550), (7, 150)]]);
    assert_eq!(settled(&mut service, 900, Settle::GiveBack), [[(0, 1550), (6, 150)], [(1, 650), (6, 1)]]);
    assert_eq!(settled(&mut service, 0, Settle::Wait)[1][0].0, 0);
}

/// Two configurations with other numbers on one bucket: what the one gives back, the other does not gain.
#[test]
fn giving_back_makes_no_tokens_elsewhere() {
    let store = SharedData::default();
    let config = |rate: &str| format!(r#"{{"limits": [{{"rate": "{rate}", "count": {{"status": [401]}}}}]}}"#);
    let (mut small, mut large) = (Service::on(store.clone(), &config("5/h")), Service::on(store, &config("50/h")));
    assert_eq!(small.allowed(&get("/"), 9), 5);
    for _ in 0..9 {
        settled(&mut large, 0, Settle::GiveBack);
        assert_eq!(small.allowed(&get("/"), 9), 0);
    }
}

#[test]
fn the_longest_log_keeps_its_debt_through_a_change_of_algorithm() {
    let store = SharedData::default();
    let config = |rate: &str, kind: &str| format!(r#"{{"limits": [{{"rate": "{rate}", "algorithm": "{kind}"}}]}}"#);
    let service = |rate, kind| Service::on(store.clone(), &config(rate, kind));
    assert_eq!(service("100/h", "sliding_log").allowed(&get("/"), 150), 100);
    for kind in ["token_bucket", "fixed_window", "sliding_window", "leaky_bucket", "sliding_log"] {
        assert_eq!(service("100/h", kind).allowed(&get("/"), 9), 0, "{kind}");
        assert_eq!(service("40/h", kind).allowed(&get("/"), 9), 0, "{kind}");
    }
}
