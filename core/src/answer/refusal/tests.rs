//! Refusals in every form.

use serde_json::{Value, json};

use super::*;
use crate::engine::request::written::Written;
use crate::engine::tests::{Service, get};
use crate::policy::ResponsePolicy;
use crate::time::hand::Hand;

const PRO: Plans<'_> = Plans { name: Some("pro"), upgrade_url: Some("https://api.test/pricing?a=\"b\"") };

/// 5 an hour in rule `auth`, drained half a second ago.
fn drained() -> (Service, Written) {
    let mut service = Service::new(r#"{"rules": [{"name": "auth", "limits": ["5/h"]}]}"#);
    assert_eq!(service.allowed(&get("/"), 6), 5);
    service.clock.monotonic.set(service.clock.monotonic.get() + SECOND / 2);
    (service, get("/"))
}

fn refused(service: &mut Service, request: &Written, overrides: &Overrides, plans: Plans<'_>, format: Format) -> Shown {
    let (clock, headers) = (service.clock.clone(), service.engine.policy().headers);
    let decision = service.decide(request);
    let style = Style { headers, overrides, plans };
    Shown::new(&Refusal::of(&decision, &style, &clock, format).unwrap())
}

/// A refusal, as it is handed to the proxy.
struct Shown {
    status: u32,
    grpc_status: i32,
    details: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Shown {
    fn new(refusal: &Refusal<'_>) -> Self {
        let Refusal { status, grpc_status, ref details, ref body, .. } = *refusal;
        let headers = refusal.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { status, grpc_status, details: details.clone(), headers, body: body.clone() }
    }

    fn names(&self) -> Vec<&str> {
        self.headers.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The value of a field, which must be there once.
    fn header(&self, name: &str) -> &str {
        let mut values = self.headers.iter().filter(|(own, _)| own == name);
        let (_, value) = values.next().unwrap_or_else(|| panic!("no {name}"));
        assert!(values.next().is_none(), "{name} twice");
        value
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn overrides(policy: ResponsePolicy) -> Overrides {
    Overrides::new(&policy).unwrap()
}

#[test]
fn plans_show_in_the_json() {
    let (mut service, request) = drained();
    let shown = refused(&mut service, &request, Overrides::NONE, PRO, Format::Json);
    assert_eq!(shown.json()["error"]["plan"], "pro");
    assert_eq!(shown.json()["error"]["upgradeUrl"], "https://api.test/pricing?a=\"b\"");
    let nobody = Plans { name: None, ..PRO };
    let shown = refused(&mut service, &request, Overrides::NONE, nobody, Format::Json);
    assert_eq!(shown.json()["error"].get("plan"), None);
    assert_eq!(shown.header("content-type"), "application/json");
}

#[test]
fn limits_of_one_name_are_all_there() {
    let mut service = Service::new(
        r#"{"limits": [{"rate": "9/h", "name": "x\""}, "8/h"],
            "rules": [{"name": "all", "limits": [{"rate": "1/h", "name": "x\""}, {"rate": "7/h", "name": "all"}]}]}"#,
    );
    assert_eq!(service.allowed(&get("/"), 2), 1);
    let shown = refused(&mut service, &get("/"), Overrides::NONE, Plans::default(), Format::Json);
    let limits = shown.json()["error"]["limits"].clone();
    let of = |name: &str| limits[name]["limit"].as_u64();
    assert_eq!(["x\"", "all/x\"", "all-2", "all"].map(of), [Some(1), Some(9), Some(8), Some(7)], "{limits}");
}

#[test]
fn problem_details() {
    let (mut service, request) = drained();
    let shown = refused(&mut service, &request, Overrides::NONE, PRO, Format::Problem);
    assert_eq!((shown.status, shown.grpc_status), (429, 8));
    assert_eq!(shown.details, "weir_rate_limited{auth}");
    assert_eq!(shown.header("content-type"), "application/problem+json");
    assert_eq!(shown.header("cache-control"), "no-store");
    assert_eq!(shown.header("retry-after"), "720");
    assert_eq!(shown.header("x-envoy-ratelimited"), "true");
    assert_eq!(
        shown.json(),
        json!({
            "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
            "title": "Quota Exceeded",
            "status": 429,
            "detail": "Rate limit exceeded. Try again in 720 seconds.",
            "violated-policies": ["auth"],
            "retryAfter": 720,
            "limit": 5,
            "remaining": 0,
            "resetAt": "2026-01-15T10:42:00Z",
            "plan": "pro",
            "upgradeUrl": "https://api.test/pricing?a=\"b\"",
        })
    );
}

#[test]
fn every_refusing_limit_is_violated_and_no_other() {
    let mut service = Service::new(
        r#"{"limits": [{"rate": "9/h", "name": "roomy"}, {"rate": "1/m", "name": "a\"b"}],
            "rules": [{"name": "r", "limits": [{"rate": "1/h", "name": "long"}, {"rate": "1/d", "name": "a\"b"}]}]}"#,
    );
    service.decide(&get("/"));
    let shown = refused(&mut service, &get("/"), Overrides::NONE, Plans::default(), Format::Problem);
    assert_eq!(shown.json()["violated-policies"], json!(["a\"b", "long"]));
    assert_eq!(shown.json()["retryAfter"], 86_400);
}

#[test]
fn grpc_gets_its_status_and_when_to_come_back() {
    let (mut service, request) = drained();
    let html = overrides(ResponsePolicy {
        body: Some("<p>".into()),
        content_type: Some("text/html".into()),
        ..ResponsePolicy::default()
    });
    for overrides in [Overrides::NONE, &html] {
        let shown = refused(&mut service, &request, overrides, PRO, Format::Grpc);
        assert_eq!((shown.status, shown.grpc_status, shown.body.as_str()), (200, 8, ""));
        assert_eq!((shown.header("content-type"), shown.header("grpc-status")), ("application/grpc", "8"));
        assert_eq!(shown.header("grpc-message"), "Rate limit exceeded. Try again in 720 seconds.");
        assert_eq!(shown.header("grpc-retry-pushback-ms"), "719500", "exact, where Retry-After is in whole seconds");
        assert_eq!(shown.header("retry-after"), "720");
        assert_eq!(shown.header("ratelimit"), r#""auth";r=0;t=720"#);
        assert_eq!(shown.header("x-envoy-ratelimited"), "true");
        assert!(!shown.header("grpc-status-details-bin").is_empty());
    }
    for format in [Format::Json, Format::Problem] {
        let shown = refused(&mut service, &request, Overrides::NONE, PRO, format);
        assert!(!shown.names().iter().any(|name| name.starts_with("grpc-")));
    }
}

#[test]
fn a_configured_body_takes_the_place_of_either_form() {
    let (mut service, request) = drained();
    let body = r#"{"wait": {retry_after}, "n": [{limit}, {remaining}], "at": "{reset_at}", "who": "{rule} {plan}"}"#;
    let overrides = overrides(ResponsePolicy {
        status: Some(503),
        body: Some(body.to_owned()),
        content_type: Some("application/vnd.api+json".to_owned()),
        ..ResponsePolicy::default()
    });
    for (format, plans, who) in [(Format::Json, PRO, "auth pro"), (Format::Problem, Plans::default(), "auth ")] {
        let shown = refused(&mut service, &request, &overrides, plans, format);
        assert_eq!(shown.status, 503);
        assert_eq!(shown.header("content-type"), "application/vnd.api+json");
        let expected = json!({"wait": 720, "n": [5, 0], "at": "2026-01-15T10:42:00Z", "who": who});
        assert_eq!(shown.json(), expected);
    }
}

#[test]
fn a_configured_status_is_told_in_problem_details_too() {
    let (mut service, request) = drained();
    let overrides = overrides(ResponsePolicy { status: Some(420), ..ResponsePolicy::default() });
    let shown = refused(&mut service, &request, &overrides, PRO, Format::Problem);
    assert_eq!((shown.status, &shown.json()["status"]), (420, &json!(420)));
    assert_eq!(refused(&mut service, &request, &overrides, PRO, Format::Json).status, 420);
}

#[test]
fn a_body_without_a_type_is_json() {
    let policy = |body: &str| ResponsePolicy { body: Some(body.to_owned()), ..ResponsePolicy::default() };
    assert_eq!(overrides(policy("{}")).body.unwrap().content_type(), "application/json");
    assert!(Overrides::new(&policy("slow down")).is_err());
    assert_eq!(overrides(ResponsePolicy::default()), *Overrides::NONE);
}

#[test]
fn configured_fields_are_on_every_refusal_and_stand_for_ours() {
    let headers = [("access-control-allow-origin", "*"), ("cache-control", "no-store, private")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let overrides = overrides(ResponsePolicy { headers, ..ResponsePolicy::default() });
    let (mut service, request) = drained();
    let mut all = Vec::new();
    for format in [Format::Json, Format::Problem, Format::Grpc] {
        all.push(refused(&mut service, &request, &overrides, PRO, format));
        all.push(Shown::new(&Refusal::failed(Failure::Busy, &overrides, format)));
    }
    for shown in all {
        assert_eq!(shown.header("access-control-allow-origin"), "*");
        assert_eq!(shown.header("cache-control"), "no-store, private");
        assert!(!shown.header("content-type").is_empty());
    }
}

#[test]
fn what_could_not_be_decided_is_no_quota() {
    let outage = Failure::Outage { probe_in: Nanos(3 * SECOND + 1) };
    for (failure, code, details, wait, pushback) in [
        (Failure::Busy, "LIMITER_BUSY", "weir_limiter_busy", "1", "1000"),
        (outage, "LIMITER_UNAVAILABLE", "weir_limiter_unavailable", "4", "3001"),
        (Failure::Outage { probe_in: Nanos(0) }, "LIMITER_UNAVAILABLE", "weir_limiter_unavailable", "1", "1"),
    ] {
        let shown = |format| Shown::new(&Refusal::failed(failure, Overrides::NONE, format));
        for format in [Format::Json, Format::Problem, Format::Grpc] {
            let shown = shown(format);
            assert_eq!((shown.status, shown.grpc_status), (if format == Format::Grpc { 200 } else { 503 }, 14));
            assert_eq!((shown.details.as_str(), shown.header("retry-after")), (details, wait));
            let quota = |name: &&str| name.contains("ratelimit");
            assert_eq!(shown.names().into_iter().find(quota), None, "speaks of no quota, and may be tried elsewhere");
        }
        let json = shown(Format::Json);
        assert_eq!(json.names(), ["retry-after", "cache-control", "content-type"]);
        assert_eq!(json.json()["error"]["code"], code);
        let problem = shown(Format::Problem).json();
        assert_eq!((&problem["type"], &problem["code"]), (&json!("about:blank"), &json!(code)));
        assert_eq!((&problem["title"], &problem["status"]), (&json!("Service Unavailable"), &json!(503)));
        assert_eq!(shown(Format::Grpc).header("grpc-retry-pushback-ms"), pushback);
        let grpc = shown(Format::Grpc);
        assert_eq!((grpc.header("grpc-status"), grpc.body.as_str()), ("14", ""));
        // Nothing in it that gRPC would have percent-encoded.
        assert!(grpc.header("grpc-message").bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'%'));
    }
}

#[test]
fn one_second_is_no_plural() {
    let mut service = Service::new(r#"{"limits": ["1/s"]}"#);
    service.decide(&get("/"));
    let shown = refused(&mut service, &get("/"), Overrides::NONE, Plans::default(), Format::Json);
    assert_eq!(shown.json()["error"]["message"], "Rate limit exceeded. Try again in 1 seconds.");
}

#[test]
fn an_admitted_request_has_no_refusal() {
    let mut service = Service::new(r#"{"limits": ["1/s"]}"#);
    let headers = service.engine.policy().headers;
    let style = Style { headers, overrides: Overrides::NONE, plans: PRO };
    let decision = service.decide(&get("/"));
    assert_eq!(Refusal::of(&decision, &style, &Hand::new(0, 0), Format::Json), None);
}

#[test]
fn the_last_moment_that_fits_is_a_date() {
    let (mut service, request) = drained();
    service.clock.wall.set(u64::MAX);
    let shown = refused(&mut service, &request, Overrides::NONE, PRO, Format::Json);
    assert_eq!(shown.json()["error"]["resetAt"], "2554-07-21T23:34:34Z");
}
