//! Paths and the patterns over them.

use arbitrary::Unstructured;
use bolero::check;
use weir_core::http::path::normalise;
use weir_core::http::{Captures, PathPattern};

fn normal(raw: &[u8], fold_case: bool) -> (Vec<u8>, bool) {
    let mut scratch = Vec::new();
    let path = normalise(raw, fold_case, &mut scratch);
    (path.bytes.to_vec(), path.canonical)
}

#[test]
fn normal_paths() {
    check!().for_each(|raw: &[u8]| {
        for fold_case in [false, true] {
            let (path, canonical) = normal(raw, fold_case);
            assert_eq!(normal(&path, fold_case), (path.clone(), true), "is its own normal form");
            let arrived = raw.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default();
            assert_eq!(canonical, path == arrived || fold_case && path.eq_ignore_ascii_case(arrived));
            assert!(!path.contains(&b'?') && !path.contains(&b'#'));
            if raw.starts_with(b"/") {
                assert!(path.starts_with(b"/") && (path.len() == 1 || !path.ends_with(b"/")));
                assert!(path.is_ascii() && !path.contains(&b';'));
                let rest = path.strip_prefix(b"/").unwrap_or_default();
                let segments = rest.split(|byte| *byte == b'/');
                assert!(path.len() == 1 || segments.into_iter().all(|part| !matches!(part, b"" | b"." | b"..")));
            }
        }
    });
}

/// What is spelled in another way is the same path.
#[test]
fn path_spellings() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let (mut plain, mut spelled) = (Vec::new(), Vec::new());
        while let (false, Ok(letter)) = (source.is_empty(), source.choose(b"ab/7~.-_Zz")) {
            plain.push(*letter);
            match source.int_in_range(0..=6).unwrap_or(0) {
                0 if *letter != b'/' => spelled.extend(format!("%{letter:02x}").bytes()),
                1 if *letter != b'/' => spelled.extend(format!("%{letter:02X}").bytes()),
                2 if *letter == b'/' => spelled.extend(b"//"),
                3 if *letter == b'/' => spelled.extend(b"/./"),
                4 if *letter == b'/' => spelled.extend(b"/x/../"),
                5 if *letter == b'/' => spelled.extend(b";v=%2F1/"),
                _ => spelled.push(*letter),
            }
        }
        let tail: &[u8] = source.choose(&[&b""[..], b"?q=/../", b"#f", b";p", b"/", b"//"]).unwrap_or(&&b""[..]);
        let raw = |path: &[u8], tail: &[u8]| [b"/", path, tail].concat();
        assert_eq!(normal(&raw(&spelled, tail), false).0, normal(&raw(&plain, b""), false).0);
    });
}

#[test]
fn path_patterns() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let fold_case = source.arbitrary().unwrap_or(false);
        let mut text = String::new();
        for _ in 0..source.int_in_range(0..=6).unwrap_or(0) {
            let parts = ["/", "/a", "/*", "/**", "/{id}", "/{other}", "/%41b", "/b;c", "/..", "{", "/\u{e9}", "/A"];
            text.push_str(source.choose(&parts).unwrap_or(&"/"));
        }
        if source.ratio(1, 4).unwrap_or(false) {
            text.push_str(source.arbitrary().unwrap_or(""));
        }
        let raw = source.take_rest();
        let Ok(pattern) = PathPattern::parse(&text, fold_case) else { return };
        let literal = !text.contains(['*', '{']);
        for raw in [raw, text.as_bytes()] {
            let (path, _) = normal(raw, fold_case);
            let mut captures = Captures::default();
            let matched = pattern.matches(&path, &mut captures);
            for name in pattern.names() {
                assert_eq!(captures.get(name).is_some(), matched, "{text} {path:?} {name}");
                assert!(captures.get(name).is_none_or(|value| !value.is_empty() && !value.contains(&b'/')));
            }
            assert!(matched || !pattern.matches_everything());
            assert!(matched || !literal || raw != text.as_bytes(), "{text} is itself");
        }
    });
}
