use proptest::prelude::*;

use super::{Captures, PathPattern, PatternError};

type Outcome = Result<(), PatternError>;

fn matches(pattern: &str, path: &str) -> Result<bool, PatternError> {
    let pattern = PathPattern::parse(pattern, false)?;
    Ok(pattern.matches(path.as_bytes(), &mut Captures::default()))
}

fn check(pattern: &str, hits: &[&str], misses: &[&str]) -> Outcome {
    for path in hits {
        assert!(matches(pattern, path)?, "{pattern} {path}");
    }
    for path in misses {
        assert!(!matches(pattern, path)?, "{pattern} {path}");
    }
    Ok(())
}

#[test]
fn a_literal_pattern_is_one_path() -> Outcome {
    check("/foo", &["/foo"], &["/", "/foobar", "/foo/x", "/fo", "", "*", "foo", "/FOO"])?;
    check("/foo/", &["/foo"], &["/foo/x"])?;
    check("/", &["/"], &["", "*", "/a"])
}

#[test]
fn a_star_is_one_segment() -> Outcome {
    check("/*", &["/a"], &["/", "", "/a/b", "*"])?;
    check("/a/*/c", &["/a/b/c"], &["/a/c", "/a/b", "/a/b/c/d", "/a//c", "/x/b/c"])
}

#[test]
fn two_stars_are_any_rest() -> Outcome {
    check("/api/auth/**", &["/api/auth", "/api/auth/x", "/api/auth/x/y"], &["/api/authx", "/api", "/", "*"])?;
    check("/{a}/**", &["/x", "/x/y/z"], &["/", "*"])?;
    check("/**", &["/", "/a", "/a/b", "*", ""], &[])
}

#[test]
fn captures_answer_by_name() -> Outcome {
    let pattern = PathPattern::parse("/users/{user}/*/{item-id}/**", false)?;
    assert!(pattern.names().eq(["user", "item-id"]));
    let mut captures = Captures::default();
    assert_eq!(captures.get("user"), None);
    assert!(pattern.matches(b"/users/7/items/%2F/more", &mut captures));
    assert_eq!(captures.get("user"), Some(b"7".as_slice()));
    assert_eq!(captures.get("item-id"), Some(b"%2F".as_slice()));
    assert_eq!(captures.get("other"), None);
    assert!(!pattern.matches(b"/users/7", &mut captures));
    assert_eq!(captures.get("user"), None);
    Ok(())
}

#[test]
fn a_match_without_captures_leaves_none_of_the_last() -> Outcome {
    let (one, two) = (PathPattern::parse("/{a}", false)?, PathPattern::parse("/x", false)?);
    let mut captures = Captures::default();
    assert!(one.matches(b"/x", &mut captures));
    assert!(two.matches(b"/x", &mut captures));
    assert_eq!(captures.get("a"), None);
    Ok(())
}

#[test]
fn literals_are_brought_into_normal_form() -> Outcome {
    check("/%61pi/a%2fb", &["/api/a%2Fb"], &["/%61pi/a%2fb"])?;
    check("/caf\u{e9}", &["/caf%C3%A9"], &[])?;
    check("/%2A", &["/%2A"], &["/x"])?;
    check("/a%zz", &["/a%zz"], &[])?;
    let folded = PathPattern::parse("/LogIn/{Name}", true)?;
    let mut captures = Captures::default();
    assert!(folded.matches(b"/login/x", &mut captures));
    assert_eq!(captures.get("Name"), Some(b"x".as_slice()));
    Ok(())
}

#[test]
fn only_the_all_embracing_pattern_matches_everything() -> Outcome {
    for (pattern, expected) in
        [("/**", true), ("/**/", true), ("/*/**", false), ("/a/**", false), ("/", false), ("/{a}", false)]
    {
        assert_eq!(PathPattern::parse(pattern, false)?.matches_everything(), expected, "{pattern}");
    }
    Ok(())
}

#[test]
fn what_could_never_match_or_is_unclear_is_refused() {
    for (text, words) in [
        ("", "begins with"),
        ("a", "begins with"),
        ("*", "begins with"),
        ("**", "begins with"),
        (" /a", "begins with"),
        ("https://x/a", "begins with"),
        ("/**/a", "last segment"),
        ("/a/**/**", "last segment"),
        ("/a*", "as a whole"),
        ("/***", "as a whole"),
        ("/a**", "as a whole"),
        ("/{a}b", "as a whole"),
        ("/{a", "as a whole"),
        ("/a}", "as a whole"),
        ("/{}", "between"),
        ("/{a}{b}", "between"),
        ("/{a*}", "between"),
        ("/{a:[0-9]+}", "between"),
        ("/{rest...}", "between"),
        ("/{a}/{a}", "differ"),
        ("//", "empty"),
        ("//a", "empty"),
        ("/a//b", "empty"),
        ("/a//", "empty"),
        ("/.", "\"..\""),
        ("/a/../b", "\"..\""),
        ("/%2e%2E", "\"..\""),
        ("/a?b", "query"),
        ("/a#b", "fragment"),
        ("/a;b", "parameters"),
    ] {
        let message = PathPattern::parse(text, false).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(message.starts_with("expected ") && message.contains(words), "{text}: {message}");
        assert!(message.contains(", got "), "{text}: {message}");
    }
}

/// What each segment of a pattern asks, read from its text: segment lists side by side.
fn model(pattern: &[&str], path: &str) -> bool {
    let Some(path) = path.strip_prefix('/') else {
        return pattern == ["**"];
    };
    let parts: Vec<&str> = match path {
        "" => Vec::new(),
        path => path.split('/').collect(),
    };
    match_lists(pattern, &parts)
}

fn match_lists(pattern: &[&str], parts: &[&str]) -> bool {
    match (pattern, parts) {
        (["**"], _) | ([], []) => true,
        ([first, pattern @ ..], [part, parts @ ..]) => {
            let one = match *first {
                "*" | "{a}" | "{b}" => !part.is_empty(),
                literal => literal == *part,
            };
            one && match_lists(pattern, parts)
        }
        _ => false,
    }
}

fn segments() -> impl Strategy<Value = Vec<&'static str>> {
    let middle = prop::collection::vec(prop::sample::select(vec!["x", "y", "xx", "*", "*"]), 0..4);
    (middle, any::<[bool; 3]>()).prop_map(|(mut segments, [first, second, open])| {
        if first {
            segments.insert(0, "{a}");
        }
        if second {
            segments.push("{b}");
        }
        if open {
            segments.push("**");
        }
        segments
    })
}

fn paths() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::collection::vec(prop::sample::select(vec!["x", "y", "xx", "z", ""]), 0..5).prop_map(|parts| format!("/{}", parts.join("/"))),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn agrees_with_the_model(segments in segments(), path in paths()) {
        let pattern = PathPattern::parse(&format!("/{}", segments.join("/")), false);
        let matched = pattern.map(|pattern| pattern.matches(path.as_bytes(), &mut Captures::default()));
        prop_assert_eq!(matched, Ok(model(&segments, &path)));
    }

    #[test]
    fn captures_are_the_segments_in_their_place(segments in segments(), path in paths()) {
        let pattern = PathPattern::parse(&format!("/{}", segments.join("/")), false);
        prop_assert!(pattern.is_ok());
        let Ok(pattern) = pattern else { return Ok(()) };
        let mut captures = Captures::default();
        let matched = pattern.matches(path.as_bytes(), &mut captures);
        for name in ["a", "b"] {
            let place = segments.iter().position(|segment| *segment == format!("{{{name}}}"));
            let expected = place.filter(|_| matched).and_then(|place| path.split('/').nth(place + 1));
            prop_assert_eq!(captures.get(name), expected.map(str::as_bytes));
        }
    }

    #[test]
    fn a_pattern_of_literals_matches_itself_normalised(text in "/[a-zA-Z0-9%./_~-]{0,20}", fold_case: bool) {
        if let Ok(pattern) = PathPattern::parse(&text, fold_case) {
            let mut scratch = Vec::new();
            let path = super::super::path::normalise(text.as_bytes(), fold_case, &mut scratch);
            prop_assert!(pattern.matches(path.bytes, &mut Captures::default()));
        }
    }

    #[test]
    fn never_panics(text: String, path: Vec<u8>, fold_case: bool) {
        for text in [text.clone(), format!("/{text}")] {
            if let Ok(pattern) = PathPattern::parse(&text, fold_case) {
                let mut captures = Captures::default();
                let matched = pattern.matches(&path, &mut captures);
                prop_assert!(matched || pattern.names().all(|name| captures.get(name).is_none()));
            }
        }
    }
}
