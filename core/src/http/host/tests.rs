use proptest::prelude::*;

use super::{HostPattern, PatternError, normalise};

fn normal(raw: &[u8]) -> Vec<u8> {
    normalise(raw, &mut b"left over".to_vec()).to_vec()
}

#[test]
fn port_dot_and_case_do_not_matter() {
    for raw in [
        "api.example.com",
        "API.example.COM",
        "api.example.com:443",
        "api.example.com.",
        "api.example.com.:8080",
        "api.example.com:",
        "api.example.com..",
    ] {
        assert_eq!(normal(raw.as_bytes()), b"api.example.com", "{raw}");
    }
    for (raw, host) in [
        ("[2001:DB8::1]:443", "[2001:db8::1]"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("2001:db8::1", "2001:db8::1"),
        ("192.0.2.1:80", "192.0.2.1"),
        ("a:80.", "a"),
        ("a:b", "a"),
        ("a:+80", "a"),
        ("user@A:80", "a"),
        ("user:word@a", "a"),
        ("x@[::1]:80", "[::1]"),
        ("@", ""),
        ("[::1].:80", "[::1]"),
        ("[::1]x:80", "[::1]"),
        ("[::1", "[::1"),
        (":80", ""),
        (".", ""),
        ("", ""),
    ] {
        assert_eq!(normal(raw.as_bytes()), host.as_bytes(), "{raw}");
    }
    assert_eq!(normal(b"\xffA:1"), b"\xffa");
}

#[test]
fn a_lower_case_host_is_not_copied() {
    let mut scratch = Vec::new();
    assert_eq!(normalise(b"example.com:443", &mut scratch), b"example.com");
    assert_eq!(scratch.capacity(), 0);
}

#[test]
fn a_pattern_is_one_host_or_all_below_one() -> Result<(), PatternError> {
    let exact = HostPattern::parse("API.example.com.")?;
    assert!(exact.matches(b"api.example.com"));
    assert!(!exact.matches(b"x.api.example.com") && !exact.matches(b"example.com"));
    let below = HostPattern::parse("*.Example.com")?;
    for host in ["a.example.com", "a.b.example.com"] {
        assert!(below.matches(host.as_bytes()), "{host}");
    }
    for host in ["example.com", ".example.com", "badexample.com", "a.example.com.evil", "", "*"] {
        assert!(!below.matches(host.as_bytes()), "{host}");
    }
    assert!(HostPattern::parse("[2001:DB8::1]")?.matches(b"[2001:db8::1]"));
    assert!(HostPattern::parse("localhost")?.matches(b"localhost"));
    Ok(())
}

#[test]
fn what_is_no_host_is_refused() {
    for text in [
        "",
        ".",
        "*",
        "*.",
        "*.*.com",
        "a.*.com",
        "*a.com",
        "api.*",
        "a..b",
        "a.com:443",
        "http://a.com",
        "a.com/",
        "a b",
        "b\u{fc}cher.example",
        "::1",
        "[::g]",
        "*.[::1]",
    ] {
        assert!(HostPattern::parse(text).is_err(), "{text}");
    }
    let message = HostPattern::parse("a.com:443").map_or_else(|error| error.to_string(), |_| String::new());
    assert!(message.contains("no port") && message.ends_with("got \"a.com:443\""), "{message}");
}

proptest! {
    #[test]
    fn is_idempotent(raw in prop_oneof!["[aB.:0-9\\[\\]]{0,12}".prop_map(String::into_bytes), any::<Vec<u8>>()]) {
        let once = normal(&raw);
        prop_assert_eq!(normal(&once), once);
    }

    #[test]
    fn every_spelling_of_a_configured_host_matches(host in "[a-z]{1,5}(\\.[a-z0-9]{1,5}){0,3}", port: u16, dot: bool) {
        let spelled = format!("{}{}:{port}", host.to_uppercase(), if dot { "." } else { "" });
        let pattern = HostPattern::parse(&host);
        prop_assert_eq!(pattern.map(|pattern| pattern.matches(&normal(spelled.as_bytes()))), Ok(true));
    }

    #[test]
    fn never_panics(text: String, host: Vec<u8>) {
        if let Ok(pattern) = HostPattern::parse(&text) {
            prop_assert!(!pattern.matches(&host) || !host.is_empty());
        }
    }
}
