use proptest::prelude::*;

use super::*;
use crate::engine::tests::{Service, get};
use crate::time::Nanos;

fn lines(config: &str, requests: usize) -> Vec<String> {
    let mut service = Service::new(config);
    (0..requests).map(|_| line(&service.decide(&get("/")))).collect()
}

#[test]
fn every_verdict() {
    assert_eq!(
        lines(r#"{"rules": [{"name": "auth", "limits": ["1/h"]}]}"#, 2),
        [
            "decision=allowed rule=auth limit=auth remaining=0 client=ip",
            "decision=limited rule=auth limit=auth remaining=0 client=ip",
        ]
    );
    assert_eq!(
        lines(r#"{"limits": [{"rate": "9/h", "name": "n", "per": []}]}"#, 1),
        ["decision=allowed rule=all limit=n remaining=8 client=-"]
    );
    assert_eq!(
        lines(r#"{"rules": [{"name": "r", "match": {"paths": ["/x"]}, "limits": ["1/h"]}]}"#, 1),
        ["decision=allowed rule=- limit=- remaining=- client=-"]
    );
    let mut service = Service::new(r#"{"rules": [{"name": "a b", "limits": ["1/h"]}]}"#);
    let mut decision = service.decide(&get("/"));
    decision.applied.clear();
    for (verdict, shown) in [
        (Verdict::Busy, "error"),
        (Verdict::Exempt, "exempt"),
        (Verdict::Unlimited, "allowed"),
        (Verdict::Asks, "allowed"),
    ] {
        decision.verdict = verdict;
        assert_eq!(line(&decision), format!("decision={shown} rule=a%20b limit=- remaining=- client=ip"));
    }
}

#[test]
fn where_limits_only_watch_the_nearest_shows() {
    assert_eq!(
        lines(r#"{"mode": "shadow", "limits": ["9/h"], "rules": [{"name": "r", "limits": ["2/h"]}]}"#, 3),
        [
            "decision=allowed rule=r limit=r remaining=1 client=ip",
            "decision=allowed rule=r limit=r remaining=0 client=ip",
            "decision=shadow_limited rule=r limit=r remaining=0 client=ip",
        ]
    );
}

/// Of two limits the second is in shadow, as a decision tells them apart.
#[test]
fn a_limit_in_shadow_shows_where_it_alone_refuses() {
    let mut service = Service::new(r#"{"limits": ["9/h"], "rules": [{"name": "r", "limits": ["5/h"]}]}"#);
    let mut decision = service.decide(&get("/"));
    let mut shadow = decision.applied.pop().unwrap();
    decision.shadow.push(shadow);
    assert_eq!(line(&decision), "decision=allowed rule=all limit=all remaining=8 client=ip");
    shadow.ruling.wait = Some(Nanos(1));
    decision.shadow.push(shadow);
    assert_eq!(line(&decision), "decision=shadow_limited rule=r limit=r remaining=4 client=ip");
    decision.verdict = Verdict::Limited;
    assert_eq!(line(&decision), "decision=limited rule=all limit=all remaining=8 client=ip");
}

#[test]
fn odd_names_stay_one_word() {
    for (name, shown) in [
        ("a b", "a%20b"),
        ("a=b,c", "a%3Db%2Cc"),
        (r#""'`\"#, "%22%27%60%5C"),
        ("100%", "100%25"),
        ("-", "%2D"),
        ("--", "--"),
        ("POST:/a_b.c-2~", "POST:/a_b.c-2~"),
        ("é\n", "%C3%A9%0A"),
    ] {
        assert_eq!(escaped(name), shown);
        assert_eq!(limit(name, "x"), format!("rule={shown} limit=x"));
    }
}

fn decoded(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(code, 16).unwrap());
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

proptest! {
    #[test]
    fn a_line_reads_back(rule in "[ -~]{1,64}", name in "[ -~]{1,64}") {
        prop_assume!(rule != "all" && rule != "plan");
        let config = serde_json::json!({"rules": [{"name": rule, "limits": [{"rate": "3/h", "name": name}]}]});
        let lines = lines(&config.to_string(), 1);
        let members: Vec<_> = lines[0].split(' ').map(|member| member.split_once('=').unwrap()).collect();
        let keys: Vec<_> = members.iter().map(|(key, _)| *key).collect();
        prop_assert_eq!(keys, ["decision", "rule", "limit", "remaining", "client"]);
        prop_assert_eq!(decoded(members[1].1), rule.into_bytes());
        prop_assert_eq!(decoded(members[2].1), name.into_bytes());
        prop_assert_eq!(members[3].1, "2");
    }
}
