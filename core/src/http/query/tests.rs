use proptest::collection::vec;
use proptest::prelude::*;

use super::parameters;

fn read(raw: &[u8]) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    parameters(raw).map(|(name, value)| (text(&name), text(&value))).collect()
}

#[test]
fn names_and_values() {
    for (raw, expected) in [
        ("/a", &[][..]),
        ("/a?", &[]),
        ("/a?b", &[("b", "")]),
        ("/a?b=", &[("b", "")]),
        ("/a?=c", &[("", "c")]),
        ("/a?b=c", &[("b", "c")]),
        ("/a?b=c&b=d&e", &[("b", "c"), ("b", "d"), ("e", "")]),
        ("/a?&&b=c&", &[("b", "c")]),
        ("/a?b=c=d", &[("b", "c=d")]),
        ("/a?b=c?d", &[("b", "c?d")]),
        ("/a?b=c#d&e=f", &[("b", "c")]),
        ("/a#?b=c", &[]),
        ("?b=c", &[("b", "c")]),
        ("*", &[]),
        ("/a?b=c;d=e", &[("b", "c;d=e")]),
    ] {
        let expected: Vec<(String, String)> = expected.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
        assert_eq!(read(raw.as_bytes()), expected, "{raw}");
    }
}

#[test]
fn decoded_once() {
    for (raw, name, value) in [
        ("?a+b=c+d", "a b", "c d"),
        ("?%61%3d=%26%2B", "a=", "&+"),
        ("?a=%2562", "a", "%62"),
        ("?a=%%36%31", "a", "%61"),
        ("?a=%", "a", "%"),
        ("?a=%4", "a", "%4"),
        ("?a=%zz%c3%A9", "a", "%zz\u{e9}"),
    ] {
        assert_eq!(read(raw.as_bytes()), [(name.to_owned(), value.to_owned())], "{raw}");
    }
}

/// Every byte as an escape.
fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02x}")).collect()
}

proptest! {
    #[test]
    fn what_was_encoded_comes_back(pairs in vec((vec(any::<u8>(), 1..6), vec(any::<u8>(), 0..6)), 0..5)) {
        let pair = |(name, value): &(Vec<u8>, Vec<u8>)| format!("{}={}", encode(name), encode(value));
        let query: Vec<String> = pairs.iter().map(pair).collect();
        let raw = format!("/x?{}", query.join("&"));
        let owned = parameters(raw.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned()));
        let got: Vec<_> = owned.collect();
        prop_assert_eq!(got, pairs);
    }

    #[test]
    fn any_bytes_are_read(raw in vec(any::<u8>(), 0..60)) {
        for (name, value) in parameters(&raw) {
            prop_assert!(name.len() + value.len() <= raw.len());
        }
    }
}
