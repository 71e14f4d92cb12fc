use super::*;

fn rule_of(service: &mut Service, request: &Written) -> Option<String> {
    service.decide(request).rule.map(|rule| rule.name.clone())
}

#[test]
fn the_first_rule_that_matches_applies() {
    let mut service = Service::new(
        r#"{"rules": [
            {"name": "auth", "match": {"methods": ["POST"], "paths": ["/login", "/api/auth/**"]}, "limits": ["5/m"]},
            {"name": "admin", "match": {"hosts": ["admin.test", "*.admin.test"]}, "limits": ["5/m"]},
            {"name": "reads", "match": {"methods": ["GET"]}, "limits": ["5/m"]},
            {"name": "rest", "limits": ["5/m"]}]}"#,
    );
    for (line, rule) in [
        ("POST /login", "auth"),
        ("POST /login/", "auth"),
        ("POST //lo%67in?x=1", "auth"),
        ("POST /api/auth", "auth"),
        ("POST /api/auth/x/y", "auth"),
        ("POST /loginx", "rest"),
        ("GET /login", "reads"),
        ("HEAD /login", "reads"),
        ("get /login", "rest"),
        ("PROPFIND /login", "rest"),
    ] {
        assert_eq!(rule_of(&mut service, &request(line, &[])).as_deref(), Some(rule), "{line}");
    }
    for (host, rule) in [("ADMIN.test:8443", "admin"), ("a.b.admin.test.", "admin"), ("badmin.test", "reads")] {
        let mut request = get("/");
        request.fields[2].1 = host.into();
        assert_eq!(rule_of(&mut service, &request).as_deref(), Some(rule), "{host}");
    }
}

#[test]
fn a_request_without_path_or_host_meets_only_what_asks_for_neither() {
    let mut service = Service::new(
        r#"{"rules": [{"name": "p", "match": {"paths": ["/x", "/y/**"]}, "limits": ["5/m"]},
                      {"name": "h", "match": {"hosts": ["api.test"]}, "limits": ["5/m"]},
                      {"name": "rest", "limits": [{"rate": "2/m", "per": ["path", "host"]}]}]}"#,
    );
    let mut request = request("CONNECT /", &[]);
    request.fields.truncate(1);
    assert_eq!(rule_of(&mut service, &request).as_deref(), Some("rest"));
    assert_eq!(service.allowed(&request, 5), 1);
}

#[test]
fn a_path_is_exempt_in_any_case_where_case_is_folded() {
    let config = r#"{"case_insensitive_paths": true, "limits": ["1/h"], "exempt": [{"paths": ["/Healthz", "/a/**"]}]}"#;
    let mut service = Service::new(config);
    for path in ["/Healthz", "/HEALTHZ?x", "/healthz", "/A/b"] {
        assert_eq!(service.decide(&get(path)).verdict, Verdict::Exempt, "{path}");
    }
    for path in ["/Healthz/", "/%48ealthz", "/HEALTHZ;a", "/x/../Healthz", "/a/%2f"] {
        assert_ne!(service.decide(&get(path)).verdict, Verdict::Exempt, "{path}");
    }
}

#[test]
fn a_preflight_meets_the_top_level_and_rules_that_name_its_method() {
    let preflight = |path: &str| {
        request(&format!("OPTIONS {path}"), &[("origin", "https://app.test"), ("access-control-request-method", "PUT")])
    };
    let mut service = Service::new(
        r#"{"limits": [{"rate": "9/h", "per": ["ip"]}],
            "rules": [{"name": "named", "match": {"methods": ["OPTIONS"], "paths": ["/named"]}, "limits": ["2/h"]},
                      {"name": "rest", "limits": ["1/h"]}]}"#,
    );
    assert_eq!(rule_of(&mut service, &preflight("/x")), None);
    assert_eq!(rule_of(&mut service, &preflight("/named")).as_deref(), Some("named"));
    assert_eq!(service.allowed(&preflight("/x"), 9), 7, "two of nine are spent");
    assert_eq!(service.decide(&preflight("/x")).verdict, Verdict::Limited);
    service.pass(3_600);
    let plain = request("OPTIONS /x", &[("origin", "https://app.test")]);
    assert_eq!(service.allowed(&plain, 5), 1, "without the other header it is no preflight");
}

#[test]
fn no_rule_and_no_top_level_limit_is_no_limit() {
    let mut service = Service::new(r#"{"rules": [{"name": "p", "match": {"paths": ["/x"]}, "limits": ["5/m"]}]}"#);
    let decision = service.decide(&get("/y"));
    assert_eq!(decision.verdict, Verdict::Unlimited);
    assert!(decision.applied.is_empty());
}

#[test]
fn captures_and_paths_are_keys_in_their_normal_form() {
    let mut service = Service::new(
        r#"{"rules": [{"name": "user", "match": {"paths": ["/users/{id}/**"]}, "limits": [{"rate": "2/h", "per": ["path:id"]}]},
                      {"name": "rest", "limits": [{"rate": "2/h", "per": ["path", "method"]}]}]}"#,
    );
    for group in [
        &["/users/7", "/users/7/a", "//users/%37/b?x", "/users/./7;v=1/c"][..],
        &["/users/8/a"],
        &["/a", "/a/", "/b/../a", "/%61?q"],
        &["/b"],
    ] {
        let allowed: usize = group.iter().map(|path| service.allowed(&get(path), 3)).sum();
        assert_eq!(allowed, 2, "{group:?}");
    }
}

#[test]
fn case_is_folded_on_demand() {
    for (fold, allowed) in [(false, 4), (true, 2)] {
        let config = format!(
            r#"{{"case_insensitive_paths": {fold}, "rules": [{{"name": "r", "match": {{"paths": ["/Login", "/login"]}}, "limits": [{{"rate": "2/h", "per": ["path"]}}]}}]}}"#
        );
        let mut service = Service::new(&config);
        assert_eq!(service.allowed(&get("/login"), 3) + service.allowed(&get("/Login"), 3), allowed);
    }
}

#[test]
fn a_rule_asks_for_headers_and_the_query() {
    let mut service = Service::new(
        r#"{"rules": [
            {"name": "bots", "match": {"headers": [{"name": "User-Agent", "regex": "(?i).*bot.*"}]}, "limits": ["5/m"]},
            {"name": "live", "match": {"headers": [{"name": "x-env", "equals": "live"}], "query": [{"name": "dry run", "present": false}]},
             "limits": ["5/m"]},
            {"name": "items", "match": {"path_regex": "/items/[0-9]+"}, "limits": ["5/m"]}]}"#,
    );
    for (path, fields, rule) in [
        ("/", &[("user-agent", "Googlebot/2.1")][..], Some("bots")),
        ("/", &[("user-agent", "curl"), ("user-agent", "a robot")], Some("bots")),
        ("/", &[("user-agent", "curl")], None),
        ("/?q", &[("x-env", " live")], Some("live")),
        ("/?dry+run=1", &[("x-env", "live")], None),
        ("//items/%317?x", &[("x-env", "test")], Some("items")),
        ("/items/x", &[], None),
    ] {
        let request = request(&format!("GET {path}"), fields);
        assert_eq!(rule_of(&mut service, &request).as_deref(), rule, "{path} {fields:?}");
    }
}
