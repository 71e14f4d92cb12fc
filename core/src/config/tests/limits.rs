//! What the fields of a limit mean.

use super::{accepted, limit};
use crate::policy::{AlgorithmKind, Attribute, Cost, Count, Limit, Missing, Mode, Part, Scope};
use crate::time::{Nanos, SECOND};

/// The one limit of `{"limits": [{"rate": "10/m", …}]}`.
fn only(fields: &str) -> Limit {
    let json = format!(r#"{{"limits": [{{"rate": "10/m", {fields}}}], "global": {{"cluster": "c"}}}}"#);
    let [limit] = accepted(&json).limits.try_into().unwrap();
    limit
}

fn plain() -> Limit {
    limit("all", "10/m", None, &[Part::Client])
}

#[test]
fn algorithms() {
    let held = |max_delay| AlgorithmKind::LeakyBucket { max_delay: Nanos(max_delay) };
    for (fields, algorithm) in [
        (r#""algorithm": "token_bucket""#, AlgorithmKind::TokenBucket),
        (r#""algorithm": "leaky_bucket""#, held(0)),
        (r#""algorithm": "leaky_bucket", "max_delay": "0s""#, held(0)),
        (r#""algorithm": "leaky_bucket", "max_delay": "2s""#, held(2 * SECOND)),
        (r#""algorithm": "leaky_bucket", "max_delay": "1500ms""#, held(3 * SECOND / 2)),
        (r#""max_delay": "1m", "algorithm": "leaky_bucket", "burst": 3"#, held(60 * SECOND)),
        (r#""algorithm": "fixed_window", "burst": 10"#, AlgorithmKind::FixedWindow),
        (r#""algorithm": "sliding_window""#, AlgorithmKind::SlidingWindow),
        (r#""algorithm": "sliding_log""#, AlgorithmKind::SlidingLog),
    ] {
        assert_eq!(only(fields).algorithm, algorithm, "{fields}");
    }
    let policy = accepted(r#"{"limits": [{"rate": "100/d", "algorithm": "sliding_log"}]}"#);
    assert_eq!(policy.limits[0].quota.burst(), 100);
}

#[test]
fn costs() {
    let header = |default, max| Cost::Header { name: "x-cost".to_owned(), default, max };
    for (cost, read) in [
        ("10", Cost::Fixed(10)),
        (r#"{"header": "X-Cost", "default": 2, "max": 5}"#, header(2, 5)),
        (r#"{"header": "x-cost", "default": 10, "max": 10}"#, header(10, 10)),
        (r#"{"header": "x-cost"}"#, header(1, 10)),
    ] {
        assert_eq!(only(&format!(r#""cost": {cost}"#)), Limit { cost: read, ..plain() });
    }
}

#[test]
fn counts() {
    let responses = |status: &[u16], grpc_status: &[u8]| Count::Responses {
        status: status.to_vec(),
        grpc_status: grpc_status.to_vec(),
    };
    for (count, read) in [
        (r#""all""#, Count::All),
        (r#"{"status": [401, 403], "grpc_status": [16]}"#, responses(&[401, 403], &[16])),
        (r#"{"status": [100, 599]}"#, responses(&[100, 599], &[])),
        (r#"{"grpc_status": [0]}"#, responses(&[], &[0])),
    ] {
        assert_eq!(only(&format!(r#""count": {count}"#)), Limit { count: read, ..plain() });
    }
}

#[test]
fn choices() {
    assert_eq!(only(r#""missing": "skip""#), Limit { missing: Missing::Skip, ..plain() });
    assert_eq!(only(r#""missing": "reject""#), Limit { missing: Missing::Reject, ..plain() });
    assert_eq!(only(r#""scope": "global""#), Limit { scope: Scope::Global, ..plain() });
    assert_eq!(only(r#""mode": "shadow""#), Limit { mode: Mode::Shadow, ..plain() });
}

#[test]
fn shadow_at_the_top_is_shadow_everywhere() {
    let json = |mode| {
        format!(
            r#"{{"mode": "{mode}", "limits": ["1/s", {{"rate": "1/m", "mode": "enforce"}}, {{"rate": "1/h", "mode": "shadow"}}],
                "rules": [{{"name": "a", "limits": ["1/s"]}}], "plans": {{"default": "x", "tiers": {{"x": {{"limits": ["1/s"]}}}}}}}}"#
        )
    };
    let modes = |mode| {
        let policy = accepted(&json(mode));
        let tiers = policy.plans.as_ref().map(|plans| &plans.tiers).unwrap();
        let limits = policy.limits.iter().chain(&policy.rules[0].limits).chain(&tiers[0].limits);
        (policy.mode, limits.map(|limit| limit.mode).collect::<Vec<_>>())
    };
    use Mode::{Enforce, Shadow};
    assert_eq!(modes("enforce"), (Enforce, vec![Enforce, Enforce, Shadow, Enforce, Enforce]));
    assert_eq!(modes("shadow"), (Shadow, vec![Shadow; 5]));
}

#[test]
fn parts_of_every_kind() {
    let policy = accepted(
        r#"{"limits": [{"rate": "1/s", "per": ["plan", "query:Q", "query:a:b", {"bearer": true},
            {"metadata": ["envoy.filters.http.jwt_authn", "payload", "sub"]}, {"property": ["connection", "uri_san_peer_certificate"]}]}],
            "plans": {"default": "x", "tiers": {"x": {"limits": ["1/s"]}}}}"#,
    );
    let path = |segments: &[&str]| segments.iter().map(|segment| (*segment).to_owned()).collect();
    let parts = [
        Part::Plan,
        Part::Query("Q".to_owned()),
        Part::Query("a:b".to_owned()),
        Part::Bearer,
        Part::Attribute(Attribute::Metadata(path(&["envoy.filters.http.jwt_authn", "payload", "sub"]))),
        Part::Attribute(Attribute::Property(path(&["connection", "uri_san_peer_certificate"]))),
    ];
    assert_eq!(policy.limits, [limit("all", "1/s", None, &parts)]);
}

#[test]
fn global_rates() {
    for rate in ["1/s", "4294967295/m", "1/hour", "1/d", "5/60s", "5/24h"] {
        let json = format!(
            r#"{{"limits": [{{"rate": "{rate}", "scope": "global", "burst": 7}}], "global": {{"cluster": "ratelimit"}}}}"#
        );
        assert_eq!(accepted(&json).limits[0].scope, Scope::Global, "{rate}");
    }
}
