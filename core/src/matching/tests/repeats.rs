//! Values that are given several times, or not at all.

use super::{Asked, first};
use crate::matching::Purpose;

#[test]
fn a_second_value_escapes_no_rule_and_wins_no_exemption() {
    for test in [r#""equals": "bot""#, r#""prefix": "bo""#, r#""regex": "b.t""#] {
        let rule = format!(r#"{{"headers": [{{"name": "X-Kind", {test}}}]}}"#);
        for (values, limited, exempt) in [
            (&[][..], false, false),
            (&[""], false, false),
            (&["man"], false, false),
            (&["bot"], true, true),
            (&[" bot\t"], true, true),
            (&["bot", "bot"], true, true),
            (&["bot", "man"], true, false),
            (&["man", "bot"], true, false),
            (&["bot", ""], true, false),
            (&["", "bot"], true, false),
            (&["man, bot"], false, false),
        ] {
            let fields: Vec<(&str, &str)> = values.iter().map(|value| ("x-kind", *value)).collect();
            let asked = Asked::get("/", &fields);
            assert_eq!(first(&[&rule], Purpose::Limit, &asked).is_some(), limited, "{test} {values:?}");
            assert_eq!(first(&[&rule], Purpose::Exempt, &asked).is_some(), exempt, "{test} {values:?}");
        }
    }
}

#[test]
fn values_that_pass_but_disagree_win_no_exemption() {
    let asked = Asked::get("/?k=v1&k=v2", &[("x-k", "v1"), ("x-k", "v2")]);
    for place in ["headers", "query"] {
        let name = if place == "query" { "k" } else { "x-k" };
        for test in [r#""prefix": "v""#, r#""regex": "v[12]""#, r#""present": true"#] {
            let rule = format!(r#"{{"{place}": [{{"name": "{name}", {test}}}]}}"#);
            assert_eq!(first(&[&rule], Purpose::Limit, &asked), Some(0), "{rule}");
            assert_eq!(first(&[&rule], Purpose::Exempt, &asked), None, "{rule}");
        }
    }
}

#[test]
fn a_blank_header_is_none_and_a_parameter_without_value_is_one() {
    for purpose in [Purpose::Limit, Purpose::Exempt] {
        for (present, absent) in
            [(Asked::get("/?k", &[("x-k", "v")]), Asked::get("/?kk=1#?k", &[("x-k", " "), ("x-k", "")]))]
        {
            for (place, name) in [("headers", "x-k"), ("query", "k")] {
                let rule = |present| format!(r#"{{"{place}": [{{"name": "{name}", "present": {present}}}]}}"#);
                assert_eq!(first(&[&rule(false), &rule(true)], purpose, &present), Some(1), "{place}");
                assert_eq!(first(&[&rule(false), &rule(true)], purpose, &absent), Some(0), "{place}");
            }
        }
    }
    let empty = r#"{"query": [{"name": "k", "equals": ""}]}"#;
    assert_eq!(first(&[empty], Purpose::Limit, &Asked::get("/?k=", &[])), Some(0));
    assert_eq!(first(&[empty], Purpose::Limit, &Asked::get("/", &[])), None);
}

#[test]
fn a_query_is_decoded_once() {
    let rule = r#"{"query": [{"name": "a b", "equals": "c/d e"}, {"name": "x", "regex": "%41.*"}]}"#;
    assert_eq!(first(&[rule], Purpose::Limit, &Asked::get("/?a+b=%63%2fd+e&x=%2541%0A", &[])), Some(0));
    assert_eq!(first(&[rule], Purpose::Limit, &Asked::get("/?a+b=%63%2fd+e&x=%41", &[])), None);
}

#[test]
fn an_exemption_by_path_needs_the_normal_form() {
    for rule in
        [r#"{"paths": ["/healthz"]}"#, r#"{"path_regex": "/health."}"#, r#"{"paths": ["/**"], "methods": ["GET"]}"#]
    {
        for (path, exempt) in [
            ("/healthz", true),
            ("/healthz?x", true),
            ("//healthz", false),
            ("/%68ealthz", false),
            ("/healthz/", false),
        ] {
            let asked = Asked::get(path, &[]);
            assert_eq!(first(&[rule], Purpose::Limit, &asked), Some(0), "{rule} {path}");
            assert_eq!(first(&[rule], Purpose::Exempt, &asked).is_some(), exempt, "{rule} {path}");
        }
    }
    let by_method = r#"{"methods": ["GET"]}"#;
    assert_eq!(first(&[by_method], Purpose::Exempt, &Asked::get("//healthz", &[])), Some(0));
}

#[test]
fn a_preflight_can_be_exempt() {
    let mut asked = Asked::get("/", &[("origin", "https://a.test"), ("access-control-request-method", "PUT")]);
    asked.method = "OPTIONS".to_owned();
    let by_host = r#"{"hosts": ["a.test"]}"#;
    assert_eq!(first(&[by_host], Purpose::Limit, &asked), None);
    assert_eq!(first(&[by_host], Purpose::Exempt, &asked), Some(0));
    assert_eq!(first(&[by_host, r#"{"methods": ["OPTIONS"]}"#], Purpose::Limit, &asked), Some(1));
}
