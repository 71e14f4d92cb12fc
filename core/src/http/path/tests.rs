use std::str::from_utf8;

use proptest::prelude::*;

use super::{NormalPath, normalise};

/// The normal form and whether the input had it.
fn normal(raw: &[u8], fold_case: bool) -> (Vec<u8>, bool) {
    let mut scratch = b"left over from another request".to_vec();
    let NormalPath { bytes, canonical } = normalise(raw, fold_case, &mut scratch);
    (bytes.to_vec(), canonical)
}

fn check(raw: &str, expected: &str) {
    let (bytes, canonical) = normal(raw.as_bytes(), false);
    assert_eq!(from_utf8(&bytes), Ok(expected), "{raw}");
    let path = raw.split(['?', '#']).next();
    assert_eq!(canonical, path == Some(expected), "{raw}");
}

#[test]
fn what_is_normal_stays_where_it_is() {
    for raw in [
        "/",
        "/a",
        "/a/b.c",
        "/.well-known/x",
        "/a/...",
        "/a/b%2Fc",
        "/a/%3B",
        "/%zz",
        "/a%",
        "/A/b",
        "/a\\..\\b",
        "/a:b@c!",
        "*",
        "",
    ] {
        check(raw, raw);
        let mut scratch = Vec::new();
        let path = normalise(raw.as_bytes(), false, &mut scratch);
        assert!(std::ptr::eq(path.bytes, raw.as_bytes()), "{raw}");
    }
    let mut untouched = Vec::new();
    assert!(normalise(b"/api/v1/items?page=2", false, &mut untouched).canonical);
    assert_eq!(untouched.capacity(), 0);
}

#[test]
fn query_fragment_and_parameters_are_dropped() {
    for raw in [
        "/login?x=1",
        "/login?",
        "/login#a?b",
        "/login?a#b",
        "/login;a=b",
        "/login;a=b?c",
        "/login;",
        "/login;a;b",
        "/login/;x",
    ] {
        check(raw, "/login");
    }
    check("/a;v=1/b;w/c", "/a/b/c");
    check("/a?b/../c", "/a");
    check("/;x", "/");
    check("*?x", "*");
    check("?x", "");
}

#[test]
fn slashes_and_dots_are_resolved() {
    for raw in [
        "//api/login",
        "/api//login",
        "/api/./login",
        "/api/x/../login",
        "/api/login/",
        "/api/login//",
        "/api/login/.",
        "/../api/login",
        "/api/login/x/..",
        "/x/y/../../api/login",
    ] {
        check(raw, "/api/login");
    }
    for raw in ["//", "/.", "/..", "/../..", "/a/..", "/a/../", "/./", "/a/b/../.."] {
        check(raw, "/");
    }
    check("/healthz/../x", "/x");
    check("/a//../b", "/b");
}

#[test]
fn dots_that_appear_by_decoding_or_by_dropping_parameters_are_resolved_too() {
    for raw in ["/x/%2e%2e/a", "/x/.%2E/a", "/x/..;y/a", "/x/%2e.;/a", "/%2e/a", "/.;/a", "/a/%2E"] {
        check(raw, "/a");
    }
    check("/healthz/..%2Fx", "/healthz/..%2Fx");
    check("/x/..%3B/a", "/x/..%3B/a");
}

#[test]
fn unreserved_characters_are_decoded_once() {
    for raw in ["/api/%6Cogin", "/api/%6cogin", "/%61pi/login", "/api/logi%6E"] {
        check(raw, "/api/login");
    }
    check("/%41%5a%30%2D%2e%5F%7e", "/AZ0-._~");
    check("/api%2Flogin", "/api%2Flogin");
    check("/api%2flogin", "/api%2Flogin");
    check("/api/%256Cogin", "/api/%256Cogin");
    check("/a%3bb", "/a%3Bb");
    check("/api/%c0%ae", "/api/%C0%AE");
    check("/a%00", "/a%00");
}

#[test]
fn a_malformed_escape_is_text() {
    for raw in ["/api/%zz", "/api/%", "/api/%2", "/api/%%", "/%g1", "/%-1", "/%+1", "/% 1"] {
        check(raw, raw);
    }
    check("/%;2f", "/%");
    check("/%/2f", "/%/2f");
    check("/%7/e", "/%7/e");
}

#[test]
fn text_that_decoding_leaves_behind_is_never_an_escape() {
    check("/%%361", "/%2561");
    check("/%6%31", "/%2561");
    check("/%%36%31", "/%2561");
    check("/%%32F", "/%252F");
    check("/%%2F", "/%%2F");
    check("/%%%361", "/%%2561");
}

#[test]
fn bytes_outside_ascii_become_escapes() {
    check("/caf\u{e9}", "/caf%C3%A9");
    assert_eq!(normal(b"/\xff\xfe", true), (b"/%FF%FE".to_vec(), false));
}

#[test]
fn case_is_folded_only_where_asked_for_and_never_in_escapes() {
    assert_eq!(normal(b"/LoGin", false), (b"/LoGin".to_vec(), true));
    assert_eq!(normal(b"/LoGin?X", true), (b"/login".to_vec(), true));
    assert_eq!(normal(b"/login?X", true), (b"/login".to_vec(), true));
    assert_eq!(normal(b"/A%4C%2f", true), (b"/al%2F".to_vec(), false));
    assert_eq!(normal("/\u{c9}".as_bytes(), true), (b"/%C3%89".to_vec(), false));
}

/// Another way to the same form: the whole path as a list of units, then the algorithm of RFC 3986 §5.2.4.
fn model(raw: &[u8], fold_case: bool) -> Vec<u8> {
    let path: Vec<u8> = raw.iter().copied().take_while(|b| *b != b'?' && *b != b'#').collect();
    if path.first() != Some(&b'/') {
        return path;
    }
    let mut in_parameters = false;
    let mut rest: String = String::new();
    for byte in path {
        in_parameters = byte == b';' || in_parameters && byte != b'/';
        if !in_parameters {
            rest.push(char::from(byte));
        }
    }
    let mut units: Vec<String> = Vec::new();
    while let Some(first) = rest.chars().next() {
        let digits: String = rest.chars().skip(1).take(2).collect();
        let is_escape = first == '%' && digits.len() == 2 && digits.chars().all(|c| c.is_ascii_hexdigit());
        let value = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
        let (unit, length) = match value {
            Some(c) if is_escape && (c.is_ascii_alphanumeric() || "-._~".contains(c)) => (c.to_string(), 3),
            _ if is_escape => (format!("%{}", digits.to_uppercase()), 3),
            _ if !first.is_ascii() => (format!("%{:X}", u32::from(first)), 1),
            _ => (first.to_string(), 1),
        };
        let lower = unit.len() == 1 && fold_case;
        units.push(if lower { unit.to_lowercase() } else { unit });
        rest = rest.chars().skip(length).collect();
    }
    let is_digit =
        |unit: Option<&String>| unit.is_some_and(|u| u.len() == 1 && u.chars().all(|c| c.is_ascii_hexdigit()));
    let mut text = String::new();
    for (i, unit) in units.iter().enumerate() {
        let misread = unit == "%" && is_digit(units.get(i + 1)) && is_digit(units.get(i + 2));
        text.push_str(if misread { "%25" } else { unit });
    }
    while text.contains("//") {
        text = text.replace("//", "/");
    }
    let text = remove_dot_segments(&text);
    let text = text.strip_suffix('/').unwrap_or(&text);
    if text.is_empty() { b"/".to_vec() } else { text.as_bytes().to_vec() }
}

fn remove_dot_segments(path: &str) -> String {
    let (mut input, mut output) = (path.to_owned(), String::new());
    while !input.is_empty() {
        if input.starts_with("/./") || input == "/." {
            input = format!("/{}", input.chars().skip(3).collect::<String>());
        } else if input.starts_with("/../") || input == "/.." {
            input = format!("/{}", input.chars().skip(4).collect::<String>());
            output = output.rsplit_once('/').map_or(String::new(), |(before, _)| before.to_owned());
        } else {
            output.push('/');
            output.extend(input.chars().skip(1).take_while(|c| *c != '/'));
            input = input.chars().skip(1).skip_while(|c| *c != '/').collect();
        }
    }
    output
}

/// Paths made of what matters, and some of what does not.
fn paths() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "/", "/", "/", ".", "..", "/..", "%2e", "%2E", "%2F", "%2f", "%3B", "%", "%%", "3", "6", "1", "a", "A", "f",
        "Z", ";", ";x=1", "?", "#", "\\", "\u{e9}", "%c3", "%zz", "%41", "%61", "%36", "%25", "*", "~", "login",
    ]);
    let made = prop::collection::vec(pieces, 0..14).prop_map(|pieces| pieces.concat().into_bytes());
    let arbitrary = prop::collection::vec(any::<u8>(), 0..40);
    (any::<bool>(), prop_oneof![4 => made, 1 => arbitrary]).prop_map(|(relative, mut path)| {
        if !relative || path.len() % 4 != 0 {
            path.insert(0, b'/');
        }
        path
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn agrees_with_the_model(raw in paths(), fold_case: bool) {
        prop_assert_eq!(normal(&raw, fold_case).0, model(&raw, fold_case));
    }

    #[test]
    fn is_idempotent(raw in paths(), fold_case: bool) {
        let (once, _) = normal(&raw, fold_case);
        prop_assert_eq!(normal(&once, fold_case), (once, true));
    }

    #[test]
    fn is_canonical_only_as_it_arrived(raw in paths(), fold_case: bool) {
        let (bytes, canonical) = normal(&raw, fold_case);
        let arrived: Vec<u8> = raw.iter().copied().take_while(|b| !b"?#".contains(b)).collect();
        prop_assert_eq!(canonical, bytes == arrived || fold_case && bytes.eq_ignore_ascii_case(&arrived));
    }
}
