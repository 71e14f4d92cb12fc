//! What a configuration means.

use super::{accepted, limit};
use crate::http::PrefixLengths;
use crate::policy::{
    AddressPolicy, ClientSource, Draft, HeaderPolicy, Limit, Mode, Part, Policy, ResetUnit, ResponsePolicy,
    StorePolicy, WhenFull,
};

fn names(limits: &[Limit]) -> Vec<&str> {
    limits.iter().map(|limit| limit.name.as_str()).collect()
}

#[test]
fn the_smallest_has_the_defaults() {
    let policy = accepted(r#"{"limits": ["100/minute"]}"#);
    let Policy {
        instance,
        mode,
        fold_case,
        limits,
        client,
        address,
        plans,
        exempt,
        rules,
        headers,
        response,
        status,
        global,
        store,
    } = policy;
    assert_eq!((instance.as_str(), mode, fold_case), ("weir", Mode::Enforce, false));
    assert!(plans.is_none() && exempt.is_empty() && status.is_none() && global.is_none());
    assert_eq!(response, ResponsePolicy::default());
    assert_eq!(limits, [limit("all", "100/m", None, &[Part::Client])]);
    assert_eq!(client, [ClientSource::Ip]);
    assert_eq!(address, AddressPolicy { prefix: PrefixLengths { v4: 32, v6: 64 }, trust_forwarded: false });
    assert!(rules.is_empty());
    assert_eq!(headers, HeaderPolicy { x_ratelimit: true, ratelimit: Some(Draft::Draft11), reset: ResetUnit::Epoch });
    assert_eq!(store, StorePolicy { max_entries: 100_000, when_full: WhenFull::Displace });
}

#[test]
fn a_whole_configuration() {
    let policy = accepted(
        r#"{
        "mode": "enforce",
        "limits": [{"rate": "3000/minute", "per": ["ip"]}],
        "client": [{"bearer": true}, {"header": "X-Api-Key"}, {"cookie": "Session"}, "ip"],
        "ip": {"v4_prefix": 24, "v6_prefix": 56, "trust_forwarded": true},
        "rules": [
            {"name": "auth", "match": {"methods": ["POST"], "paths": ["/login", "/signup", "/api/auth/**"]},
             "limits": [{"rate": "5/minute", "per": ["ip"]}]},
            {"name": "search", "match": {"paths": ["/api/search/**"]}, "limits": [{"rate": "30/minute"}]},
            {"name": "reads", "match": {"methods": ["GET", "HEAD"], "hosts": ["*.example.com"]}, "limits": ["1000/minute"]},
            {"name": "everything-else", "limits": [{"rate": "100/minute", "burst": 20}]}
        ],
        "headers": {"x_ratelimit": false, "ratelimit": "draft-12", "reset": "delta"},
        "store": {"max_entries": 5000, "when_full": "overflow"},
        "instance": "edge",
        "case_insensitive_paths": true
    }"#,
    );
    assert_eq!((policy.instance.as_str(), policy.fold_case), ("edge", true));
    assert_eq!(policy.limits, [limit("all", "3000/m", None, &[Part::Ip])]);
    let sources = [
        ClientSource::Bearer,
        ClientSource::Header("x-api-key".to_owned()),
        ClientSource::Cookie("Session".to_owned()),
        ClientSource::Ip,
    ];
    assert_eq!(policy.client, sources);
    assert_eq!(policy.address, AddressPolicy { prefix: PrefixLengths { v4: 24, v6: 56 }, trust_forwarded: true });
    assert_eq!(
        policy.headers,
        HeaderPolicy { x_ratelimit: false, ratelimit: Some(Draft::Draft12), reset: ResetUnit::Delta }
    );
    assert_eq!(policy.store, StorePolicy { max_entries: 5000, when_full: WhenFull::Overflow });

    let [auth, search, reads, rest] = policy.rules.as_slice() else { panic!("{:?}", policy.rules) };
    assert_eq!(auth.limits, [limit("auth", "5/m", None, &[Part::Ip])]);
    assert_eq!(search.limits, [limit("search", "30/m", None, &[Part::Client])]);
    assert_eq!(reads.limits, [limit("reads", "1000/m", None, &[Part::Client])]);
    assert_eq!(rest.limits, [limit("everything-else", "100/m", Some(20), &[Part::Client])]);
    let methods = auth.matches.methods.as_ref().unwrap();
    assert!(methods.contains(b"POST") && !methods.contains(b"GET"));
    assert_eq!(auth.matches.paths.as_ref().map(Vec::len), Some(3));
    assert!(reads.matches.hosts.as_ref().unwrap().iter().all(|host| host.matches(b"a.example.com")));
    assert!(rest.matches.matches_everything() && !reads.matches.matches_everything());
}

#[test]
fn paths_fold_case_where_asked() {
    for (fold, path) in [(true, "/a/b"), (false, "/A/b")] {
        let json = format!(
            r#"{{"rules": [{{"name": "a", "match": {{"paths": ["/A/b"]}}, "limits": ["1/s"]}}], "case_insensitive_paths": {fold}}}"#
        );
        let policy = accepted(&json);
        let pattern = &policy.rules[0].matches.paths.as_ref().unwrap()[0];
        assert!(pattern.matches(path.as_bytes(), &mut Default::default()), "{json}");
    }
}

#[test]
fn names_go_by_place() {
    let policy = accepted(r#"{"limits": ["1/s", {"rate": "9/m", "name": "slow"}, {"rate": "99/h"}]}"#);
    assert_eq!(names(&policy.limits), ["all", "slow", "all-3"]);
    let policy = accepted(
        r#"{"limits": [{"rate": "1/s", "name": "a"}],
            "rules": [{"name": "a", "match": {"paths": ["/a"]}, "limits": ["1/s", "9/m"]}, {"name": "b", "limits": [{"rate": "1/s", "name": "a"}]}]}"#,
    );
    assert_eq!(names(&policy.limits), ["a"]);
    assert_eq!(policy.rules.iter().map(|rule| names(&rule.limits)).collect::<Vec<_>>(), [vec!["a", "a-2"], vec!["a"]]);
}

#[test]
fn every_part_and_every_default_by_name() {
    let policy = accepted(
        r#"{"rules": [{"name": "a", "match": {"paths": ["/none", "/u/{id}/{Item}"]}, "limits": [
            {"rate": "1/s", "per": ["client", "ip", "method", "path", "host", "header:X-Tenant", {"header": "x-other"},
             "cookie:S", {"cookie": "s"}, "path:id", "path:Item"]},
            {"rate": "2/s", "per": [], "algorithm": "token_bucket", "cost": 1, "count": "all", "missing": "ip", "scope": "proxy",
             "mode": "enforce"}]}]}"#,
    );
    let parts = [
        Part::Client,
        Part::Ip,
        Part::Method,
        Part::Path,
        Part::Host,
        Part::Header("x-tenant".to_owned()),
        Part::Header("x-other".to_owned()),
        Part::Cookie("S".to_owned()),
        Part::Cookie("s".to_owned()),
        Part::Capture("id".to_owned()),
        Part::Capture("Item".to_owned()),
    ];
    assert_eq!(policy.rules[0].limits, [limit("a", "1/s", None, &parts), limit("a-2", "2/s", None, &[])]);
}

#[test]
fn bounds_are_inclusive() {
    let policy = accepted(
        r#"{"limits": [{"rate": "1000000000000/s", "burst": 1000000000000}, {"rate": "1/365d", "burst": 10.0}]}"#,
    );
    assert_eq!(policy.limits.iter().map(|limit| limit.quota.burst()).collect::<Vec<_>>(), [1_000_000_000_000, 10]);
    let policy =
        accepted(r#"{"limits": ["1/s"], "ip": {"v4_prefix": 1, "v6_prefix": 128}, "store": {"max_entries": 1}}"#);
    assert_eq!((policy.address.prefix.v4, policy.address.prefix.v6, policy.store.max_entries), (1, 128, 1));
}

#[test]
fn an_overlap_is_no_fault() {
    let policy = accepted(
        r#"{"rules": [{"name": "a", "match": {"paths": ["/a/**"]}, "limits": ["1/s"]}, {"name": "b", "match": {"paths": ["/a/b"]}, "limits": ["1/s"]},
            {"name": "c", "match": {"paths": ["/a/b", "/c"]}, "limits": ["1/s"]}, {"name": "d", "match": {}, "limits": ["1/s"]}]}"#,
    );
    assert_eq!(policy.rules.len(), 4);
}
