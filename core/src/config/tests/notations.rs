//! JSON and Struct: the same tree from both, and what is neither.

use super::super::value::{MAX_DEPTH, Value};
use super::super::{json, parse, protobuf};
use super::encode::{as_json, as_struct, field};
use super::{accepted, refusal};

#[test]
fn both_notations_give_one_policy() {
    let text = r#"
        {"limits": [{"rate": "3000/minute", "per": [], "burst": 10}, "9/h"], "ip": {"trust_forwarded": true},
         "rules": [{"name": "a", "match": {"methods": ["POST"], "paths": ["/a/{x}"]}, "limits": [{"rate": "5/m", "per": ["path:x"]}]}]}"#;
    let bytes = as_struct(&json::parse(text.as_bytes()).unwrap());
    assert_eq!(format!("{:?}", parse(&bytes).unwrap()), format!("{:?}", accepted(text)));
}

/// As Envoy's own protobuf library writes `{"limits": ["100/minute"]}`.
#[test]
fn a_struct_byte_by_byte() {
    let bytes = b"\x0a\x1a\x0a\x06limits\x12\x10\x32\x0e\x0a\x0c\x1a\x0a100/minute";
    assert_eq!(parse(bytes).unwrap().limits.len(), 1);
}

#[test]
fn a_struct_is_refused_by_path_too() {
    let text = r#"{"limits": [{"rate": "1/s", "burst": 1.5}]}"#;
    let bytes = as_struct(&json::parse(text.as_bytes()).unwrap());
    assert_eq!(refusal(&bytes), "limits[0].burst: expected a whole number from 1 to 1000000000000, got 1.5");
    for odd in [f64::NAN, f64::INFINITY, -0.0] {
        let limit =
            Value::Object(vec![("rate".into(), Value::String("1/s".into())), ("burst".into(), Value::Number(odd))]);
        let bytes = as_struct(&Value::Object(vec![("limits".into(), Value::List(vec![limit]))]));
        assert!(refusal(&bytes).starts_with("limits[0].burst: expected a whole number"), "{odd}");
    }
    let twice = as_struct(&json::parse(br#"{"limits": ["1/s"]}"#).unwrap()).repeat(2);
    assert_eq!(refusal(&twice), "limits: given twice");
    let one = json::parse(br#"{"b": 1, "a": 1}"#).unwrap();
    assert!(refusal(as_struct(&one)).starts_with("a: unknown field"));
}

#[test]
fn long_texts_come_through() {
    for length in [127, 128, 16_383, 16_384, 3_000_000] {
        let text = Value::String("x".repeat(length));
        let value = Value::Object(vec![("k".to_owned(), text)]);
        assert!(protobuf::parse(&as_struct(&value)) == Ok(value), "{length}");
    }
}

#[test]
fn what_is_not_json_is_said_with_its_place() {
    for (text, message) in [
        ("{\"limits\": [\"1/s\"],}", "configuration: not valid JSON: trailing comma at line 1 column 20"),
        ("{\"limits\": [\"1/s\"]} x", "configuration: not valid JSON: trailing characters at line 1 column 21"),
        ("{\"limits\": [\"1/s\"]", "configuration: not valid JSON: EOF while parsing an object at line 1 column 18"),
        ("limits:\n  - 100/minute\n", "configuration: not valid JSON: expected value at line 1 column 1"),
        (
            "\u{feff}{\"limits\": [\"1/s\"]}",
            "configuration: not valid JSON: it begins with a byte order mark; save it without",
        ),
        ("{\"limits\": [1e999]}", "configuration: not valid JSON: number out of range at line 1 column 17"),
        ("{limits: [\"1/s\"]}", "configuration: not valid JSON: key must be a string at line 1 column 2"),
    ] {
        assert_eq!(refusal(text), message);
    }
}

#[test]
fn what_is_neither_is_said_as_well() {
    let neither = "configuration: neither JSON nor a google.protobuf.Struct: as a Struct,";
    let whole = as_struct(&json::parse(br#"{"limits": ["1/s"]}"#).unwrap());
    let typed = [field(1, b"type.googleapis.com/acme.Config"), field(2, &whole)].concat();
    for (bytes, fault) in [
        (&whole[..whole.len() - 1], "it is cut off"),
        (&[0x0a, 0x02, 0x0a][..], "it is cut off"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "it is cut off"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "it has a number that does not end"),
        (b"\x12\x00", "it has a field that a Struct does not have"),
        (b"\x0a\x02\x18\x01", "it has a field that a Struct does not have"),
        (b"\x0a\x03\x0a\x01\xff", "it has text that is not UTF-8"),
        (b"\x0b", "it has a field that a Struct does not have"),
        (b"{\"limits\": [\"\xe9\"]}", "it has a field that a Struct does not have"),
        (&typed, "it is a TypedStruct; give its value as a plain Struct"),
    ] {
        assert_eq!(refusal(bytes), format!("{neither} {fault}"), "{bytes:x?}");
    }
}

#[test]
fn protobuf_takes_the_last_and_merges_messages() {
    let list = |text: &[u8]| field(6, &field(1, &field(3, text)));
    let entry = |value: Vec<u8>| [field(1, b"x"), field(1, b"k"), field(2, &value)].concat();
    let of = |value: Vec<u8>| protobuf::parse(&field(1, &entry(value))).unwrap();
    let object = |value| Value::Object(vec![("k".to_owned(), value)]);
    assert_eq!(of([field(3, b"a"), field(3, b"b")].concat()), object(Value::String("b".to_owned())));
    assert_eq!(of([list(b"a"), vec![4 << 3, 1]].concat()), object(Value::Bool(true)));
    let both = Value::List(vec![Value::String("a".to_owned()), Value::String("b".to_owned())]);
    assert_eq!(of([list(b"a"), list(b"b")].concat()), object(both));
    assert_eq!(of(Vec::new()), object(Value::Null));
    let halves = [field(5, &as_struct(&object(Value::Null))), field(5, &as_struct(&object(Value::Null)))].concat();
    let Value::Object(fields) = of(halves) else { panic!("an object") };
    assert_eq!(fields[0].1, Value::Object(vec![("k".to_owned(), Value::Null), ("k".to_owned(), Value::Null)]));
}

#[test]
fn depth_is_bounded_alike() {
    let nest = |levels: u8| {
        let list = (2..levels).fold(Value::List(Vec::new()), |inner, _| Value::List(vec![inner]));
        Value::Object(vec![("limits".to_owned(), list)])
    };
    let (deepest, too_deep) = (nest(MAX_DEPTH), nest(MAX_DEPTH + 1));
    assert_eq!(json::parse(as_json(&deepest).as_bytes()), Ok(deepest.clone()));
    assert_eq!(protobuf::parse(&as_struct(&deepest)), Ok(deepest));
    assert_eq!(json::parse(as_json(&too_deep).as_bytes()).unwrap_err(), "nested more than 24 deep at line 1 column 35");
    assert_eq!(protobuf::parse(&as_struct(&too_deep)).unwrap_err(), "it is nested too deep");
    assert!(json::parse("[".repeat(100_000).as_bytes()).unwrap_err().starts_with("nested more than 24 deep"));
    assert!(json::parse("{\"a\":".repeat(100_000).as_bytes()).unwrap_err().starts_with("nested more than 24 deep"));
}
