use proptest::collection::vec;
use proptest::prelude::*;

use super::prefix::literal;
use super::{MAX_PATTERN, WholeRegex};

fn regex(pattern: &str) -> WholeRegex {
    WholeRegex::parse(pattern, false).unwrap_or_else(|fault| panic!("{pattern}: {fault}"))
}

#[test]
fn the_whole_value_matches() {
    for (pattern, value, matches) in [
        ("/admin", "/admin", true),
        ("/admin", "/x/admin/y", false),
        ("/admin", "/admin/", false),
        ("a|ab", "ab", true),
        ("a|ab", "abc", false),
        ("^a$", "a", true),
        ("a|^b$|c", "b", true),
        ("a", "a\n", false),
        ("(?m)^a$", "b\na", false),
        ("a.c", "a\nc", true),
        (".*", "", true),
        ("a+", "", false),
        ("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "01234567-89ab-cdef-0123-456789abcdef", true),
        ("(?i)bot", "BoT", true),
        ("\\d", "\u{663}", false),
        ("caf\u{e9}", "caf\u{e9}", true),
    ] {
        assert_eq!(regex(pattern).matches(value.as_bytes()), matches, "{pattern} {value:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_seen() {
    assert!(regex("bot.*").matches(b"bot\xff\xfe"));
    assert!(regex("a[^b]c").matches(b"a\xffc"));
    assert!(!regex("bot").matches(b"bot\xff"));
    assert!(regex("\u{fffd}").matches(b"\xff"));
    assert!(!regex("\u{e9}").matches(b"\xe9"));
}

#[test]
fn case_is_folded_on_demand() {
    let folded = WholeRegex::parse("/Admin/%2F[A-Z]+", true).unwrap();
    assert!(folded.matches(b"/admin/%2Fx"));
    assert_eq!(folded.literal_prefix(), b"/admin/");
    assert!(!regex("/Admin").matches(b"/admin"));
    assert_eq!(WholeRegex::parse("/A\\%2F", true).unwrap().literal_prefix(), b"/a");
    assert_ne!(folded, regex("/Admin/%2F[A-Z]+"));
}

#[test]
fn what_is_too_much_or_no_pattern_is_refused() {
    let long = "a".repeat(MAX_PATTERN + 1);
    for (pattern, message) in [
        ("", "not empty"),
        ("(", "found open group without closing ')'"),
        ("a)|(?:b", "found closing ')' without matching '('"),
        ("[z-a]", "invalid range in character class"),
        ("*a", "uncounted repetition operator must be applied to a sub-expression"),
        ("(?<=a)b", "look-around is not supported"),
        ("(a)\\1", "backreferences are not supported"),
        ("\\p{L}", "Unicode character classes are not supported"),
        ("(?x)a # b", "found open group without closing ')'"),
        ("a{9999999}", "compiled regex exceeded size limit"),
        ("(?:(?:a{20}){20}){20}", "compiled regex exceeded size limit"),
        (long.as_str(), "at most 512 bytes"),
        (&"(".repeat(400), "pattern has too much nesting"),
    ] {
        let fault = WholeRegex::parse(pattern, false).expect_err(pattern);
        assert_eq!(fault.to_string(), message, "{pattern}");
    }
}

#[test]
fn ordinary_patterns_fit() {
    let words: Vec<String> = (0..30).map(|n| format!("crawler{n}")).collect();
    for pattern in [
        "/api/v[0-9]+/users/[0-9]+(/orders(/[0-9]+)?)?",
        "(?i).*(googlebot|bingbot|duckduckbot|baiduspider|yandexbot|curl|wget|python-requests).*",
        "[a-zA-Z0-9_.+-]+@[a-zA-Z0-9-]+\\.[a-zA-Z0-9.-]+",
        "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}",
        &words.join("|"),
    ] {
        regex(pattern);
    }
}

#[test]
fn how_a_pattern_begins() {
    for (pattern, begins) in [
        ("/api/v1", "/api/v1"),
        ("^/api", "/api"),
        ("/api/.*", "/api/"),
        ("/api/(a|b)/c", "/api/"),
        ("/api/(?:a|b)", "/api/"),
        ("ab?c", "a"),
        ("ab*c", "a"),
        ("ab{0,1}c", "a"),
        ("ab+c", "ab"),
        ("ab+?c", "a"),
        ("ab+{0}c", "a"),
        ("ab++{0}", "a"),
        ("caf\u{e9}?", "caf"),
        ("a\\.b\\d", "a.b"),
        ("a\\/b\\w", "a/b"),
        ("a[bc]d", "a"),
        ("a$", "a"),
        ("a[|]b", "a"),
        // In doubt, nothing.
        ("a|b", ""),
        ("(a)|b", ""),
        ("[a]|b", ""),
        ("[a^]|b]", ""),
        ("[]|]a", ""),
        ("\\(|a", ""),
        ("a(?i)b", ""),
        ("(?x)a # |(", ""),
        ("a[[:alpha:]]", ""),
        ("\u{fffd}a", ""),
        ("", ""),
        (".*a", ""),
    ] {
        assert_eq!(literal(pattern, false), begins.as_bytes(), "{pattern}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_match_begins_otherwise(
        pieces in vec(prop::sample::select(vec![
            "a", "b", "A", "|", "(", ")", "(?:", "[", "]", "^", "$", "?", "*", "+", "{0}", "{0,2}", "{1}", ".", "\\", "\\.", "\\|",
            "\\(", "\\[", "\\]", "\\d", "\\b", "(?i)", "(?i:", "(?x)", "(?-i)", "#", " ", "-", "\u{e9}", "\u{fffd}", "%2f", "[^", "[]", "[^]",
        ]), 1..9),
        values in vec(vec(prop::sample::select(vec![
            &b"a"[..], b"b", b"|", b"(", b"[", b"]", b".", b"\\", b"#", b" ", b"\xc3\xa9", b"\xff", b"1", b"^", b"%2F", b"-",
        ]), 0..6), 1..30),
        fold_case: bool,
    ) {
        let Ok(regex) = WholeRegex::parse(&pieces.concat(), fold_case) else { return Ok(()) };
        for value in values {
            let value = value.concat();
            if regex.program.is_match(&String::from_utf8_lossy(&value)) {
                prop_assert!(value.starts_with(regex.literal_prefix()), "{:?} {:?}", regex, value);
            }
        }
    }
}
