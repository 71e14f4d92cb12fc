//! What is said of `response`, `status` and `global`.

use super::check;
use crate::config::tests::refusal;

fn check_setting(setting: &str, table: &[(&str, &str)]) {
    for (value, message) in table {
        check(&[(&format!(r#"{{"limits": ["1/s"], "{setting}": {value}}}"#), &format!("{setting}{message}"))]);
    }
}

#[test]
fn responses() {
    check_setting(
        "response",
        &[
            ("429", ": expected an object, got 429"),
            (r#"{"status": 399}"#, ".status: expected a whole number from 400 to 599, got 399"),
            (r#"{"status": 600}"#, ".status: expected a whole number from 400 to 599, got 600"),
            (r#"{"status": "429"}"#, r#".status: expected a whole number from 400 to 599, got "429""#),
            (r#"{"body": {}}"#, ".body: expected a text, got an object"),
            (
                r#"{"body": "{retry} s", "content_type": "text/plain"}"#,
                r#".body: unknown placeholder "{retry}" (known here: {retry_after}, {limit}, {remaining}, {reset_at}, {rule}, {plan})"#,
            ),
            (r#"{"content_type": "text/plain"}"#, ".content_type: needs a body, whose type it says"),
            (
                r#"{"body": "", "content_type": "text"}"#,
                r#".content_type: expected a media type such as text/plain; charset=utf-8, got "text""#,
            ),
            (
                r#"{"body": "", "content_type": "text/plain\r\na: b"}"#,
                r#".content_type: expected a media type such as text/plain; charset=utf-8, got "text/plain\r\na: b""#,
            ),
            (
                r#"{"headres": {}}"#,
                ".headres: unknown field, did you mean headers? (known here: status, body, content_type, headers)",
            ),
        ],
    );
    let message = refusal(r#"{"limits": ["1/s"], "response": {"body": "slow down"}}"#);
    let begin = "response.body: not valid JSON with its placeholders filled in; for another type set content_type (";
    assert!(message.starts_with(begin), "{message}");
}

#[test]
fn response_headers() {
    let own = ": not a header to set: the proxy or Weir itself writes it";
    let value = "a text of printable ASCII without blanks around it";
    for (headers, message) in [
        ("{}", ": expected an object with at least one header, got an empty one"),
        (r#"["a"]"#, ": expected an object with at least one header, got a list"),
        (r#"{":status": "200"}"#, r#".":status": not the name of a header"#),
        (r#"{"a b": "c"}"#, r#"."a b": not the name of a header"#),
        (r#"{"a\r\nb": "c"}"#, r#"."a\r\nb": not the name of a header"#),
        (r#"{"Content-Length": "0"}"#, &*format!(".Content-Length{own}")),
        (r#"{"transfer-encoding": "chunked"}"#, &format!(".transfer-encoding{own}")),
        (r#"{"connection": "close"}"#, &format!(".connection{own}")),
        (r#"{"Retry-After": "1"}"#, &format!(".Retry-After{own}")),
        (r#"{"x-ratelimit-limit": "1"}"#, &format!(".x-ratelimit-limit{own}")),
        (r#"{"content-type": "text/html"}"#, ".content-type: set content_type instead, beside headers"),
        (r#"{"X-A": "1", "x-a": "2"}"#, ".x-a: given twice"),
        (r#"{"x-a": 1}"#, &format!(".x-a: expected {value}, got 1")),
        (r#"{"x-a": ""}"#, &format!(r#".x-a: expected {value}, got """#)),
        (r#"{"x-a": " b"}"#, &format!(r#".x-a: expected {value}, got " b""#)),
        (r#"{"x-a": "b\r\nc: d"}"#, &format!(r#".x-a: expected {value}, got "b\r\nc: d""#)),
        (r#"{"x-a": "\u00e9"}"#, &format!(r#".x-a: expected {value}, got "\u{{e9}}""#)),
    ] {
        check_setting("response", &[(&format!(r#"{{"headers": {headers}}}"#), &format!(".headers{message}"))]);
    }
}

#[test]
fn status() {
    let what = "one path without wildcards, such as /ratelimit";
    check_setting(
        "status",
        &[
            (r#""/a""#, r#": expected an object with a path, got "/a""#),
            ("{}", &format!(".path: missing, expected {what}")),
            (r#"{"path": 1}"#, &format!(".path: expected {what}, got 1")),
            (r#"{"path": "a"}"#, r#".path: expected a path that begins with "/", got "a""#),
            (r#"{"path": "/a/*"}"#, &format!(r#".path: expected {what}, got "/a/*""#)),
            (r#"{"path": "/**"}"#, &format!(r#".path: expected {what}, got "/**""#)),
            (r#"{"path": "/{id}"}"#, &format!(r#".path: expected {what}, got "/{{id}}""#)),
            (r#"{"path": "/a?b"}"#, r#".path: expected a path without query, fragment and ";" parameters, got "/a?b""#),
            (r#"{"path": "/a", "limit": 1}"#, ".limit: unknown field (known here: path)"),
        ],
    );
}

#[test]
fn global() {
    let timeout = ".timeout: expected a duration of 1ms to 10s, such as 500ms or 2s, got";
    check_setting(
        "global",
        &[
            ("true", ": expected an object, got true"),
            ("{}", ".cluster: missing, expected the name of a cluster"),
            (r#"{"cluster": ""}"#, r#".cluster: expected the name of a cluster, got """#),
            (r#"{"cluster": 1}"#, ".cluster: expected the name of a cluster, got 1"),
            (
                r#"{"cluster": "c", "domain": ""}"#,
                r#".domain: expected a name of 1 to 64 printable ASCII characters, got """#,
            ),
            (r#"{"cluster": "c", "timeout": "0ms"}"#, &format!(r#"{timeout} "0ms""#)),
            (r#"{"cluster": "c", "timeout": "11s"}"#, &format!(r#"{timeout} "11s""#)),
            (r#"{"cluster": "c", "timeout": 20}"#, &format!("{timeout} 20")),
            (r#"{"cluster": "c", "on_error": "fail"}"#, r#".on_error: expected local, allow or deny, got "fail""#),
            (
                r#"{"cluster": "c", "on_errors": "deny"}"#,
                ".on_errors: unknown field, did you mean on_error? (known here: cluster, domain, timeout, on_error)",
            ),
        ],
    );
}
