//! Hosts and the patterns over them.

use arbitrary::Unstructured;
use bolero::check;
use weir_core::http::HostPattern;
use weir_core::http::host::normalise;

fn normal(raw: &[u8]) -> Vec<u8> {
    normalise(raw, &mut Vec::new()).to_vec()
}

#[test]
fn host_bytes() {
    check!().for_each(|raw: &[u8]| {
        let host = normal(raw);
        assert!(!host.iter().any(u8::is_ascii_uppercase) && !host.ends_with(b"."));
        assert_eq!(normal(&host), host, "is its own normal form");
        assert_eq!(normal(&raw.to_ascii_uppercase()), host);
    });
}

#[test]
fn host_patterns() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let mut text = String::new();
        for _ in 0..source.int_in_range(0..=6).unwrap_or(0) {
            let parts = ["a", "B-", "_", ".", "*.", "*", "example.com", "[::1]", ":80", "[", "\u{e9}", " "];
            text.push_str(source.choose(&parts).unwrap_or(&"."));
        }
        let Ok(pattern) = HostPattern::parse(&text) else { return };
        match text.strip_prefix("*.") {
            None => {
                // A name may end in a dot; an address may not.
                let text = if text.starts_with('[') { text.trim_end_matches('.') } else { &text };
                let tails = if text.starts_with('[') { &["", ":80", ":"][..] } else { &["", ".", ":80", ".:80", ":"] };
                for tail in tails {
                    assert!(pattern.matches(&normal(format!("{text}{tail}").as_bytes())), "{text} {tail}");
                }
            }
            Some(parent) => {
                assert!(!pattern.matches(&normal(parent.as_bytes())));
                assert!(pattern.matches(&normal(format!("x.{parent}:1").as_bytes())), "{text}");
            }
        }
        let _ = pattern.matches(&normal(source.take_rest()));
    });
}
