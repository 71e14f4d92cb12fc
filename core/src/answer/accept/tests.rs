use proptest::prelude::*;

use super::*;

fn asks(accept: &str) -> bool {
    prefers_problem([accept.as_bytes()])
}

#[test]
fn only_naming_the_type_asks_for_it() {
    for accept in [
        "application/problem+json",
        "Application/Problem+JSON",
        " application/problem+json ",
        "application/problem+json;charset=utf-8",
        "application/problem+json, */*",
        "application/problem+json, application/*",
        "*/*, application/problem+json",
        "text/html, application/problem+json;q=0.1",
        "application/json;q=0.9, application/problem+json",
        "application/json;q=0.123, application/problem+json;q=0.124",
        "application/json ; q=0, application/problem+json ; q=0.001",
        "application/problem+json;q=0.5, */*;q=0.1",
        "application/problem+json, application/json;q=1.5",
        r#"application/json;q=0.1;note="a,b;q=1", application/problem+json"#,
        r#"text/x;note="\",", application/problem+json"#,
        r#"application/problem+json;note="a;q=0;b""#,
        "application/problem+json;Q=1.000",
        ",,application/problem+json,",
    ] {
        assert!(asks(accept), "{accept}");
    }
}

#[test]
fn everything_else_gets_the_ordinary_form() {
    for accept in [
        "",
        "*/*",
        "application/*",
        "application/json",
        "text/html",
        "application/json, application/problem+json",
        "application/problem+json;q=0",
        "application/problem+json;q=0.000, */*",
        "application/problem+json;q=0.5, application/json",
        "application/problem+json;q=0.5, */*",
        "application/problem+json;q=0.5, application/*;q=0.6, */*;q=0.1",
        "application/problem+json;q=2",
        "application/problem+json;q=0.1234",
        "application/problem+json;q=-1",
        "application/problem+json;q=",
        "application/problem+xml",
        "application/problem+jsonx",
        "application/problem",
        r#"text/x;note="application/problem+json,"#,
        r#"text/x;note="a, application/problem+json, b""#,
        r#"text/x;note="\", application/problem+json, ""#,
    ] {
        assert!(!asks(accept), "{accept}");
    }
    assert!(!prefers_problem([]), "absent");
}

#[test]
fn fields_that_are_given_twice_are_one_list() {
    assert!(prefers_problem([&b"application/json;q=0.5"[..], b"application/problem+json"]));
    assert!(!prefers_problem([&b"application/json"[..], b"application/problem+json;q=0.5"]));
}

#[test]
fn quality_values() {
    for (value, expected) in [
        ("q=0", Some(0)),
        ("q=0.", Some(0)),
        ("q=0.3", Some(300)),
        ("q=0.03", Some(30)),
        ("q=0.999", Some(999)),
        ("q=1", Some(1_000)),
        ("q=1.0", Some(1_000)),
        ("a=1", Some(1_000)),
        ("q=1.001", None),
        ("q=.5", None),
        ("q=0,5", None),
        ("q=0.x", None),
        ("q=1e0", None),
    ] {
        assert_eq!(quality([value.as_bytes()].into_iter()), expected, "{value}");
    }
}

proptest! {
    #[test]
    fn any_bytes_will_do(values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..4)) {
        prefers_problem(values.iter().map(Vec::as_slice));
    }

    /// The grammar's own characters meet more of the code than bytes at large do.
    #[test]
    fn any_order_of_delimiters_will_do(value in r#"(application/problem\+json|application/json|\*/\*|[;,q=01.\\" ]){0,20}"#) {
        let problem = value.contains("problem");
        prop_assert!(!asks(&value) || problem);
    }
}
