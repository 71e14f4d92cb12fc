use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const VALUES: Values<'_> = Values {
    retry_after: 12,
    limit: 5,
    remaining: 0,
    reset_at: "2026-01-15T10:31:00Z",
    rule: r#"a"b\<c>&'d"#,
    plan: "free",
};

fn filled(body: &str, content_type: &str) -> String {
    Template::parse(body, content_type).unwrap().render(&VALUES)
}

fn fault(body: &str, content_type: &str) -> String {
    Template::parse(body, content_type).unwrap_err().to_string()
}

#[test]
fn every_placeholder() {
    let body = "{retry_after} {limit} {remaining} {reset_at} {rule} {plan}";
    assert_eq!(filled(body, "text/plain"), r#"12 5 0 2026-01-15T10:31:00Z a"b\<c>&'d free"#);
    assert_eq!(filled("{plan}{plan}", "text/plain"), "freefree");
}

#[test]
fn the_type_decides_the_escaping() {
    let json = filled(r#"{"error": {"rule": "{rule}", "wait": {retry_after}, "none": {}}}"#, "application/json");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json, json!({"error": {"rule": VALUES.rule, "wait": 12, "none": {}}}));
    assert_eq!(
        filled(r#"<p title="{rule}">"#, "text/html; charset=utf-8"),
        r#"<p title="a&quot;b\&lt;c&gt;&amp;&#39;d">"#
    );
}

#[test]
fn other_braces_stand_as_they_are() {
    for body in ["", "{", "}", "{}", "{{}}", "a{color: red}", "{5}", "{a b}", "{a", "{\"limit\": 1}", "{é}"] {
        assert_eq!(filled(body, "text/plain"), body);
    }
    assert_eq!(filled("{{limit}}", "text/plain"), "{5}");
    assert_eq!(filled("{{{limit}", "text/plain"), "{{5");
    assert_eq!(filled(r#""\u007blimit}""#, "application/json"), r#""\u007blimit}""#);
}

#[test]
fn an_unknown_placeholder_is_named() {
    const KNOWN: &str = "{retry_after}, {limit}, {remaining}, {reset_at}, {rule}, {plan}";
    for name in ["client", "Limit", "retry-after", " limit ", "reset_at2"] {
        let told = fault(&format!("x {{{name}}} y"), "text/plain");
        assert_eq!(told, format!("unknown placeholder {{{name}}}: there are {KNOWN}"));
    }
}

#[test]
fn json_that_would_not_be_is_refused() {
    for body in [
        "",
        "slow down",
        r#"{"rule": {rule}}"#,
        r#"{"at": {reset_at}}"#,
        r#"{"plan": {plan}}"#,
        r#"{"n": 0{limit}}"#,
        r#"{"n": {remaining}{limit}}"#,
        r#"{"n": 1.{limit}e}"#,
        r#"{"a": 1"#,
        r#"{"a"{rule}: 1}"#,
        "tru{plan}e",
        r#"{"a": "\{rule}"}"#,
    ] {
        let told = fault(body, "application/problem+json");
        assert!(told.starts_with("not JSON once filled in (texts need quotes around them: \"{rule}\"): "), "{told}");
    }
}

/// Values in JSON, most of them well-formed whatever is filled in, some only with luck.
const ITEMS: &[&str] = &[
    "{limit}",
    "-{limit}",
    "{limit}.5",
    "0.{limit}",
    "1e{limit}",
    "1{limit}",
    "0{limit}",
    "{limit}{remaining}",
    "\"{rule}\"",
    "\"\\\\{rule}\"",
    "\"\\{rule}\"",
    "\"\\u{limit}000\"",
    "\"\\u00{plan}\"",
    "\"{reset_at}{plan} {retry_after}\"",
    "{plan}",
    "tru{plan}e",
    "{\"{plan}\": {remaining}}",
    "{}",
];

proptest! {
    #[test]
    fn what_was_accepted_as_json_stays_json(
        items in prop::collection::vec(prop::sample::select(ITEMS.to_vec()), 1..4),
        numbers in any::<[u64; 3]>(),
        texts in any::<[String; 3]>(),
    ) {
        if let Ok(template) = Template::parse(&format!("[{}]", items.join(", ")), "application/json") {
            let [retry_after, limit, remaining] = numbers;
            let [reset_at, rule, plan] = &texts;
            let body = template.render(&Values { retry_after, limit, remaining, reset_at, rule, plan });
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&body).is_ok(), "{}", body);
        }
    }

    #[test]
    fn any_text_parses_or_is_refused(body in any::<String>(), content_type in any::<String>()) {
        let _ = Template::parse(&body, &content_type);
    }
}
