//! Random rules and requests, from so few words that they meet.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::Asked;
use super::reference::scan;
use crate::http::{HostPattern, MethodSet, PathPattern, WholeRegex};
use crate::matching::{Matcher, Purpose, Scratch};
use crate::policy::{RequestMatch, ValueMatch, ValueTest};

fn path_pattern() -> impl Strategy<Value = PathPattern> {
    let segments = vec(select(vec!["a", "b", "ab", "*", "{x}", "{y}"]), 0..4);
    (segments, any::<bool>()).prop_map(|(segments, open)| {
        let mut text: String = segments.iter().map(|segment| format!("/{segment}")).collect();
        if open || text.is_empty() {
            text.push_str(if open { "/**" } else { "/" });
        }
        // A name that is captured twice is no pattern.
        PathPattern::parse(&text, false).unwrap_or_else(|_| PathPattern::parse("/{x}/{y}", false).unwrap())
    })
}

fn regex(patterns: &[&'static str]) -> impl Strategy<Value = WholeRegex> + use<> {
    select(patterns.to_vec()).prop_map(|pattern| WholeRegex::parse(pattern, false).unwrap())
}

fn value_match(names: &[&'static str]) -> impl Strategy<Value = ValueMatch> + use<> {
    let bytes = |texts: &[&'static str]| select(texts.to_vec()).prop_map(|text| text.as_bytes().to_vec());
    let test = prop_oneof![
        4 => bytes(&["a", "ab", "v1", "v2"]).prop_map(ValueTest::Equals),
        2 => bytes(&["a", "ab", "abc", "v", "v1"]).prop_map(ValueTest::Prefix),
        2 => regex(&["a.*", "ab?", "v[12]", "[^a]*", "(?i)AB", "v1|a", "\\w+", ".*"]).prop_map(ValueTest::Regex),
        1 => any::<bool>().prop_map(ValueTest::Present),
    ];
    (select(names.to_vec()), test).prop_map(|(name, test)| ValueMatch { name: name.to_owned(), test })
}

fn request_match() -> impl Strategy<Value = RequestMatch> {
    let methods = subsequence(vec!["GET", "POST", "OPTIONS"], 1..=2);
    let hosts = vec(select(vec!["a.test", "b.test", "*.a.test", "*.test", "*.x.a.test"]), 1..3);
    (
        option::weighted(0.4, methods),
        option::weighted(0.5, vec(path_pattern(), 1..4)),
        option::weighted(0.2, regex(&["/a/.*", "/(a|b)/[a-z]+", "/ab?", ".*", "/ab.*|/b", "/a/b", "/a", "\\*"])),
        option::weighted(0.3, hosts),
        prop_oneof![2 => Just(0..1_usize), 1 => Just(1..3_usize)]
            .prop_flat_map(|many| vec(value_match(&["x-a", "x-b"]), many)),
        prop_oneof![3 => Just(0..1_usize), 1 => Just(1..3_usize)]
            .prop_flat_map(|many| vec(value_match(&["q", "r"]), many)),
    )
        .prop_map(|(methods, paths, path_regex, hosts, headers, query)| RequestMatch {
            methods: methods.map(|methods| MethodSet::parse(methods).unwrap()),
            paths,
            path_regex,
            hosts: hosts.map(|hosts| hosts.iter().map(|host| HostPattern::parse(host).unwrap()).collect()),
            headers,
            query,
        })
}

fn asked() -> impl Strategy<Value = Asked> {
    let piece = select(vec![
        "/a", "/b", "/ab", "/c", "/", "//", "/./", "/%61", "/a;x", "?", "&", "q=a", "q", "q=", "r=ab", "&q=v1",
        "&q=%61b", "&r=+", "#", "*",
    ]);
    let path = vec(piece, 0..7).prop_map(|pieces| pieces.concat().into_bytes());
    let hosts = vec!["a.test", "A.TEST:80", "b.test.", "x.a.test", "y.x.a.test", ".a.test", "test", "", "c"];
    let value = select(vec![&b"a"[..], b"ab", b"abc", b"v1", b"v2", b" v1\t", b"", b" ", b"\xff", b"a\xff", b"AB"]);
    let name = select(vec!["x-a", "x-b", "x-c", "origin", "access-control-request-method"]);
    (
        select(vec!["GET", "HEAD", "POST", "OPTIONS", "OPTIONS", "PROPFIND", ""]),
        option::weighted(0.95, path),
        option::weighted(0.95, select(hosts)),
        vec((name, value), 0..6),
    )
        .prop_map(|(method, path, host, fields)| Asked {
            method: method.to_owned(),
            path,
            host: host.map(|host| host.as_bytes().to_vec()),
            fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_vec())).collect(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_index_finds_what_a_scan_finds(
        rules in prop_oneof![vec(request_match(), 0..8), vec(request_match(), 60..140)],
        requests in vec(asked(), 1..12),
        exempt: bool,
        refused in 1..9_usize,
    ) {
        let purpose = if exempt { Purpose::Exempt } else { Purpose::Limit };
        let matcher = Matcher::new(&rules, purpose);
        let mut scratch = Scratch::default();
        for asked in &requests {
            let found = asked.first(&matcher, &mut scratch);
            asked.with(|subject| {
                let expected = scan(&rules, subject, asked, purpose, |_| true);
                prop_assert_eq!(found, expected.map(|(place, _)| place), "{:?}", asked);
                if let (Some((place, captures)), Some(path)) = (expected, subject.path) {
                    let own = matcher.captures(place, &rules[place], path.bytes);
                    for name in ["x", "y", "z"] {
                        prop_assert_eq!(own.get(name), captures.get(name), "{} in {:?}", name, asked);
                    }
                }
                // With further conditions, every rule is tried in its turn.
                let further = |place: usize| !place.is_multiple_of(refused);
                let found = matcher.search(subject, || asked.fields(), &mut scratch).first(further);
                let expected = scan(&rules, subject, asked, purpose, further);
                prop_assert_eq!(found, expected.map(|(place, _)| place), "{:?}", asked);
                Ok(())
            })?;
        }
    }
}
