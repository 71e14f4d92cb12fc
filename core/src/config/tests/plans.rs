//! What plans, exemptions and sources of identity mean.

use std::net::IpAddr;

use super::{accepted, limit};
use crate::policy::{AlgorithmKind, Attribute, ClientSource, Limit, Part, PlanSource, Policy};

/// The example of the documentation, all in one.
const WHOLE: &str = r#"{
    "client": [{"bearer": true}, {"metadata": ["envoy.filters.http.jwt_authn", "payload", "sub"]},
        {"property": ["connection", "uri_san_peer_certificate"]}, "ip"],
    "plans": {
        "assign": [
            {"metadata": ["envoy.filters.http.jwt_authn", "payload", "plan"]},
            {"property": ["connection", "requested_server_name"]},
            {"header": "X-Plan", "trusted": true},
            {"clients": {"sha256:9F86D081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08": "pro", "plain-text-key": "free"}}
        ],
        "default": "free",
        "tiers": {
            "free": {"limits": [{"rate": "60/minute", "burst": 10}, {"rate": "1000/day", "algorithm": "fixed_window"}]},
            "pro": {"limits": ["600/minute", {"rate": "9/s", "name": "fast"}]}
        },
        "upgrade_url": "https://api.example.com/pricing?from=429"
    },
    "exempt": [
        {"paths": ["/healthz"]},
        {"cidr": ["10.0.0.0/8", "2001:db8::/32"], "methods": ["GET"]},
        {"property": {"path": ["connection", "uri_san_peer_certificate"], "equals": "spiffe://corp/batch"}}
    ]}"#;

fn path(segments: &[&str]) -> Vec<String> {
    segments.iter().map(|segment| (*segment).to_owned()).collect()
}

fn peer() -> Attribute {
    Attribute::Property(path(&["connection", "uri_san_peer_certificate"]))
}

#[test]
fn sources_of_identity() {
    let sources = [
        ClientSource::Bearer,
        ClientSource::Attribute(Attribute::Metadata(path(&["envoy.filters.http.jwt_authn", "payload", "sub"]))),
        ClientSource::Attribute(peer()),
        ClientSource::Ip,
    ];
    assert_eq!(accepted(WHOLE).client, sources);
}

#[test]
fn a_plan_names_its_limits() {
    let plans = accepted(WHOLE).plans.unwrap();
    let of = |name: &str| &plans.tiers[plans.find(name.as_bytes()).unwrap()].limits;
    let daily = Limit { algorithm: AlgorithmKind::FixedWindow, ..limit("free-2", "1000/d", None, &[Part::Client]) };
    assert_eq!(*of("free"), [limit("free", "60/m", Some(10), &[Part::Client]), daily]);
    assert_eq!(*of("pro"), [limit("pro", "600/m", None, &[Part::Client]), limit("fast", "9/s", None, &[Part::Client])]);
    assert_eq!((plans.find(b"Free"), plans.default), (None, plans.find(b"free")));
    assert_eq!(plans.upgrade_url.as_deref(), Some("https://api.example.com/pricing?from=429"));
}

#[test]
fn plans_are_assigned_in_order() {
    let plans = accepted(WHOLE).plans.unwrap();
    let [metadata, property, header, PlanSource::Clients(clients)] = plans.assign.as_slice() else {
        panic!("{:?}", plans.assign)
    };
    let claim = Attribute::Metadata(path(&["envoy.filters.http.jwt_authn", "payload", "plan"]));
    assert_eq!(*metadata, PlanSource::Attribute(claim));
    let name = Attribute::Property(path(&["connection", "requested_server_name"]));
    assert_eq!(*property, PlanSource::Attribute(name));
    assert_eq!(*header, PlanSource::Header("x-plan".to_owned()));
    // The digest is that of `test`.
    let found = [&b"test"[..], b"plain-text-key", b"9f86"].map(|credential| clients.plan_of(credential));
    assert_eq!(found, [plans.find(b"pro"), plans.find(b"free"), None]);
}

#[test]
fn no_credential_is_kept_in_clear() {
    assert!(!format!("{:?}", accepted(WHOLE)).contains("plain-text-key"));
}

#[test]
fn plans_without_one_for_everybody() {
    let json = r#"{"plans": {"assign": [{"metadata": ["a", "b"]}], "tiers": {"x": {"limits": ["1/s"]}}}}"#;
    assert_eq!(accepted(json).plans.unwrap().default, None);
    let json = r#"{"plans": {"default": "x", "tiers": {"x": {"limits": ["1/s"]}}}, "store": {"max_entries": 1}}"#;
    assert!(accepted(json).plans.unwrap().assign.is_empty());
}

#[test]
fn urls() {
    for url in ["http://a", "https://example.com/a?b=c#d", "https://[2001:db8::1]:8443/", "https://u@a.test/%7B"] {
        let json = format!(
            r#"{{"plans": {{"default": "x", "tiers": {{"x": {{"limits": ["1/s"]}}}}, "upgrade_url": "{url}"}}}}"#
        );
        assert_eq!(accepted(&json).plans.unwrap().upgrade_url.as_deref(), Some(url));
    }
}

#[test]
fn exemptions() {
    let Policy { exempt, .. } = accepted(&WHOLE.replace(r#""client""#, r#""limits": ["1/s"], "client""#));
    let [health, inside, batch] = exempt.as_slice() else { panic!("{exempt:?}") };
    assert!(health.matches.paths.is_some() && health.networks.is_none() && health.property.is_none());
    let networks = inside.networks.as_ref().unwrap();
    let holds =
        ["10.255.0.1", "2001:db8::1", "11.0.0.1", "2001:db9::1"].map(|ip| networks.contains(ip.parse().unwrap()));
    assert_eq!(holds, [true, true, false, false]);
    assert!(networks.contains("::ffff:10.0.0.1".parse::<IpAddr>().unwrap()));
    assert!(inside.matches.methods.is_some() && inside.matches.paths.is_none());
    let property = batch.property.as_ref().unwrap();
    assert_eq!((&property.attribute, property.equals.as_str()), (&peer(), "spiffe://corp/batch"));
    assert!(batch.matches.matches_everything());
}

#[test]
fn an_exemption_takes_every_field_of_a_match() {
    let policy = accepted(
        r#"{"limits": ["1/s"], "exempt": [{"methods": ["GET"], "paths": ["/a"], "path_regex": "/a", "hosts": ["a.test"],
            "headers": [{"name": "a", "equals": "b"}], "query": [{"name": "a", "present": true}], "cidr": ["192.0.2.1"],
            "property": {"path": ["node", "id"], "equals": "x"}}]}"#,
    );
    let matches = &policy.exempt[0].matches;
    assert!(matches.methods.is_some() && matches.paths.is_some() && matches.hosts.is_some());
    assert!(matches.path_regex.is_some() && matches.headers.len() == 1 && matches.query.len() == 1);
}

#[test]
fn exempt_paths_fold_case_where_asked() {
    let policy = accepted(r#"{"limits": ["1/s"], "case_insensitive_paths": true, "exempt": [{"paths": ["/Health"]}]}"#);
    let paths = policy.exempt[0].matches.paths.as_ref().unwrap();
    assert!(paths[0].matches(b"/health", &mut Default::default()));
}
