//! What `response`, `status` and `global` mean.

use super::accepted;
use crate::policy::{GlobalPolicy, OnError, ResponsePolicy};
use crate::time::Nanos;

fn response(fields: &str) -> ResponsePolicy {
    accepted(&format!(r#"{{"limits": ["1/s"], "response": {{{fields}}}}}"#)).response
}

#[test]
fn responses() {
    assert_eq!(response(""), ResponsePolicy::default());
    let whole = response(
        r#""status": 503, "body": "wait {retry_after} s", "content_type": "text/plain; charset=utf-8",
           "headers": {"Access-Control-Allow-Origin": "*", "x-why": "too many, and \"soon\""}"#,
    );
    let mut headers = whole.headers.clone();
    headers.sort();
    let expected = [("access-control-allow-origin", "*"), ("x-why", "too many, and \"soon\"")];
    assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(whole.status, Some(503));
    assert_eq!(whole.body.as_deref(), Some("wait {retry_after} s"));
    assert_eq!(whole.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    for status in [400, 599] {
        assert_eq!(response(&format!(r#""status": {status}"#)).status, Some(status));
    }
}

#[test]
fn a_body_is_json_unless_something_else_is_said() {
    let body =
        r#"{\"in\": {retry_after}, \"at\": \"{reset_at}\", \"of\": [{limit}, {remaining}], \"r\": \"{rule} {plan}\"}"#;
    assert!(response(&format!(r#""body": "{body}""#)).body.is_some());
    assert!(response(&format!(r#""body": "{body}", "content_type": "application/vnd.a+json""#)).body.is_some());
    assert!(response(r#""body": "", "content_type": "text/plain""#).body.is_some());
}

#[test]
fn the_status_path_is_in_normal_form() {
    for (fold, given, path) in [
        (false, "/ratelimit", "/ratelimit"),
        (false, "/a/%61/", "/a/a"),
        (false, "/A", "/A"),
        (true, "/A", "/a"),
        (false, "/", "/"),
    ] {
        let json =
            format!(r#"{{"limits": ["1/s"], "case_insensitive_paths": {fold}, "status": {{"path": "{given}"}}}}"#);
        let status = accepted(&json).status.unwrap();
        assert!(status.path.matches(path.as_bytes(), &mut Default::default()), "{given}");
        assert!(!status.path.matches(b"/b", &mut Default::default()), "{given}");
    }
}

#[test]
fn globals() {
    let global = |fields: &str| accepted(&format!(r#"{{"limits": ["1/s"], "global": {{{fields}}}}}"#)).global.unwrap();
    let defaults = GlobalPolicy {
        cluster: "ratelimit".to_owned(),
        domain: "weir".to_owned(),
        timeout: Nanos(20_000_000),
        on_error: OnError::Local,
    };
    assert_eq!(global(r#""cluster": "ratelimit""#), defaults);
    assert_eq!(global(r#""cluster": "ratelimit", "domain": "weir", "timeout": "20ms", "on_error": "local""#), defaults);
    let other = GlobalPolicy { domain: "d".to_owned(), timeout: Nanos(1_000_000), on_error: OnError::Deny, ..defaults };
    assert_eq!(global(r#""cluster": "ratelimit", "domain": "d", "timeout": "1ms", "on_error": "deny""#), other);
    let other = GlobalPolicy { timeout: Nanos(10_000_000_000), on_error: OnError::Allow, ..other };
    assert_eq!(global(r#""cluster": "ratelimit", "domain": "d", "timeout": "10s", "on_error": "allow""#), other);
}
