//! Whatever the bytes.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::value::Value;
use super::super::{json, protobuf, show, suggest, understand};
use super::encode::{as_json, as_struct};

/// Any tree; the fields of an object sorted, as a Struct's are read.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        // Whole numbers and short fractions: what both notations hold exactly.
        any::<i32>().prop_map(|number| Value::Number(number.into())),
        any::<i32>().prop_map(|number| Value::Number(f64::from(number) / 8.0)),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::List),
            vec((any::<String>(), inner), 0..6).prop_map(sorted),
        ]
    })
}

fn sorted(mut fields: Vec<(String, Value)>) -> Value {
    fields.sort_by(|(a, _), (b, _)| a.cmp(b));
    Value::Object(fields)
}

/// Near a configuration: known names, and values of which many are right.
fn near_configuration() -> impl Strategy<Value = Value> {
    let name = proptest::sample::select(vec![
        "limits",
        "rules",
        "client",
        "ip",
        "headers",
        "store",
        "instance",
        "mode",
        "name",
        "match",
        "methods",
        "paths",
        "hosts",
        "rate",
        "burst",
        "per",
        "header",
        "bearer",
        "max_entries",
        "v4_prefix",
        "reset",
        "plans",
        "tiers",
        "default",
        "assign",
        "clients",
        "trusted",
        "metadata",
        "property",
        "cidr",
        "exempt",
        "response",
        "body",
        "content_type",
        "status",
        "path",
        "global",
        "cluster",
        "timeout",
        "algorithm",
        "max_delay",
        "cost",
        "max",
        "count",
        "missing",
        "scope",
        "lmits",
    ]);
    let text = proptest::sample::select(vec![
        "1/s",
        "5/minute",
        "0/s",
        "GET",
        "get",
        "/a/**",
        "/{id}",
        "a.test",
        "ip",
        "path:id",
        "enforce",
        "x",
        "shadow",
        "global",
        "sliding_log",
        "leaky_bucket",
        "100ms",
        "sha256:",
        "{limit}",
        "{word}",
        "10.0.0.0/8",
        "plan",
        "skip",
    ]);
    let leaf = prop_oneof![
        text.prop_map(|text| Value::String(text.to_owned())),
        (0..40_u32).prop_map(|number| Value::Number(number.into())),
        any::<bool>().prop_map(Value::Bool),
    ];
    let limits = Value::List(vec![Value::String("1/s".to_owned())]);
    let top_level = proptest::sample::select(vec![
        "rules", "client", "ip", "headers", "store", "instance", "mode", "limits", "plans", "exempt", "response",
        "status", "global",
    ]);
    let tree = leaf.prop_recursive(5, 64, 5, move |inner| {
        let field = (name.clone(), prop_oneof![3 => inner.clone(), 1 => Just(limits.clone())]);
        prop_oneof![
            vec(inner, 0..4).prop_map(Value::List),
            vec(field, 0..4)
                .prop_map(|fields| sorted(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())),
        ]
    });
    vec((top_level, tree), 0..3).prop_map(|fields| {
        let limits = ("limits".to_owned(), Value::List(vec![Value::String("1/s".to_owned())]));
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
        sorted(std::iter::once(limits).chain(fields).collect())
    })
}

fn outcome(bytes: &[u8]) -> Result<String, String> {
    understand(bytes).map(|policy| format!("{policy:?}")).map_err(|fault| fault.to_string())
}

proptest! {
    #[test]
    fn any_bytes_are_answered_on_one_line(bytes in vec(any::<u8>(), 0..300)) {
        let _ = json::parse(&bytes);
        let _ = protobuf::parse(&bytes);
        if let Err(message) = outcome(&bytes) {
            prop_assert!(message.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{message}");
        }
    }

    #[test]
    fn damaged_structs_are_answered(value in value(), at in any::<proptest::sample::Index>(), byte: u8) {
        let mut bytes = as_struct(&Value::Object(vec![("limits".to_owned(), value)]));
        let at = at.index(bytes.len());
        let _ = protobuf::parse(&bytes[..at]);
        bytes[at] = byte;
        let _ = protobuf::parse(&bytes);
        let _ = outcome(&bytes);
    }

    #[test]
    fn every_tree_comes_back(value in value()) {
        prop_assert_eq!(json::parse(as_json(&value).as_bytes()), Ok(value.clone()));
        let object = Value::Object(vec![("k".to_owned(), value)]);
        prop_assert_eq!(protobuf::parse(&as_struct(&object)), Ok(object));
    }

    #[test]
    fn no_struct_is_json(value in value()) {
        let bytes = as_struct(&Value::Object(vec![("k".to_owned(), value)]));
        prop_assert!(json::parse(&bytes).is_err());
    }

    #[test]
    fn both_notations_fare_alike(value in near_configuration()) {
        prop_assert_eq!(outcome(&as_struct(&value)), outcome(as_json(&value).as_bytes()));
    }

    #[test]
    fn shown_text_is_short_and_plain(text in any::<String>()) {
        let shown = show::quoted(&text);
        prop_assert!(shown.len() < 500 && shown.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{shown}");
    }

    #[test]
    fn a_slip_is_recognised(at in 0..5_usize, letter in "[a-z]", twice: bool) {
        let mut slip = "limits".to_owned();
        if !twice { slip.remove(at); }
        slip.insert_str(at, &letter);
        prop_assert_eq!(suggest::nearest(&slip, &["rules", "limits"]), Some("limits"));
    }
}

#[test]
fn another_word_is_no_slip() {
    let known = ["limits", "ip", "mode", "max_entries"];
    for (given, near) in [
        ("Limit", Some("limits")),
        ("limtis", Some("limits")),
        ("max-entries", Some("max_entries")),
        ("nope", None),
        ("id", None),
        ("", None),
        ("limitations", None),
    ] {
        assert_eq!(suggest::nearest(given, &known), near, "{given}");
    }
}
