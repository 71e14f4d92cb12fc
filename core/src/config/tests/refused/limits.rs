//! What is said of a limit.

use super::{check, check_limits};

#[test]
fn rates() {
    check(&[
        (r#"{"limits": ["5 per min"]}"#, r#"limits[0]: expected N/unit, got "5 per min""#),
        (r#"{"limits": [{"rate": "5/minuets"}]}"#, r#"limits[0].rate: expected N/unit, got "5/minuets""#),
    ]);
    check_limits(&[
        (r#""1/s", "-1/s""#, r#"[1]: expected N/unit, got "-1/s""#),
        (r#"{"rate": "5 per min"}"#, r#"[0].rate: expected N/unit, got "5 per min""#),
        (r#"{"rate": 5}"#, "[0].rate: expected N/unit, got 5"),
        (r#"{"rate": "0/s"}"#, r#"[0].rate: expected N from 1 to 1000000000000, got "0/s""#),
        (
            r#"{"rate": "99999999999999999999999/s"}"#,
            r#"[0].rate: expected N from 1 to 1000000000000, got "99999999999999999999999/s""#,
        ),
        (r#"{"rate": "5/0s"}"#, r#"[0].rate: expected a period of 1 second to 365 days, got "5/0s""#),
        (r#"{"rate": "5/366d"}"#, r#"[0].rate: expected a period of 1 second to 365 days, got "5/366d""#),
        (r#"{"burst": 5}"#, "[0].rate: missing, expected N/unit"),
        ("5", "[0]: expected a rate such as 100/minute, or an object with a rate, got 5"),
        (r#"["1/s"]"#, "[0]: expected a rate such as 100/minute, or an object with a rate, got a list"),
        (
            r#"{"rate": "1/s", "window": "5 minuets"}"#,
            "[0].window: unknown field (known here: rate, burst, per, name, algorithm, cost, count, missing, scope, mode)",
        ),
        (
            r#"{"rate": "1/s", "Brust": 5}"#,
            "[0].Brust: unknown field, did you mean burst? (known here: rate, burst, per, name, algorithm, cost, count, \
             missing, scope, mode)",
        ),
        (r#"{"rate": "1/s", "rate": "1/s"}"#, "[0].rate: given twice"),
    ]);
    let long = "\u{1f600}".repeat(49);
    let shown = "\\u{1f600}".repeat(48);
    check_limits(&[(&format!("\"{long}\""), &format!("[0]: expected N/unit, got \"{shown}\"..."))]);
}

#[test]
fn bursts() {
    let whole = "[0].burst: expected a whole number from 1 to 1000000000000, got";
    for (burst, got) in [
        ("0", "0"),
        ("-1", "-1"),
        ("1.5", "1.5"),
        ("1000000000001", "1000000000001"),
        ("1e300", "a number out of all bounds"),
        ("\"10\"", "\"10\""),
        ("true", "true"),
        ("null", "null"),
        ("[]", "an empty list"),
    ] {
        check_limits(&[(&format!(r#"{{"rate": "5/s", "burst": {burst}}}"#), &format!("{whole} {got}"))]);
    }
    check_limits(&[(
        r#"{"rate": "1/365d", "burst": 11}"#,
        "[0].burst: expected no more than the rate refills in 3650 days, got 11",
    )]);
}

#[test]
fn names() {
    let name = "a name of 1 to 64 printable ASCII characters";
    check_limits(&[
        (r#"{"rate": "1/s", "name": ""}"#, &format!(r#"[0].name: expected {name}, got """#)),
        (r#"{"rate": "1/s", "name": "\u00e9"}"#, &format!(r#"[0].name: expected {name}, got "\u{{e9}}""#)),
        (r#"{"rate": "1/s", "name": "a\nb\"\\"}"#, &format!(r#"[0].name: expected {name}, got "a\nb\"\\""#)),
        (
            r#"{"rate": "1/s", "name": "x"}, "1/s", {"rate": "2/s", "name": "x"}"#,
            r#"[2].name: "x" is the name of rules[0].limits[0] already"#,
        ),
        (r#"{"rate": "1/s", "name": "a-2"}, "2/s""#, r#"[1].name: "a-2" is the name of rules[0].limits[0] already"#),
    ]);
    let long = "n".repeat(65);
    check(&[
        (r#"{"rules": [{"limits": ["1/s"]}]}"#, "rules[0].name: missing, expected a name"),
        (r#"{"rules": [{"name": 404, "limits": ["1/s"]}]}"#, &format!("rules[0].name: expected {name}, got 404")),
        (
            &format!(r#"{{"rules": [{{"name": "{long}", "limits": ["1/s"]}}]}}"#),
            &format!("rules[0].name: expected {name}, got \"{}\"...", "n".repeat(48)),
        ),
        (
            r#"{"rules": [{"name": "a", "match": {"methods": ["PUT"]}, "limits": ["1/s"]}, {"name": "a", "limits": ["1/s"]}]}"#,
            r#"rules[1].name: "a" is the name of rules[0] already"#,
        ),
        (
            r#"{"limits": [{"rate": "1/s", "name": "all-2"}, "2/s"]}"#,
            r#"limits[1].name: "all-2" is the name of limits[0] already"#,
        ),
    ]);
}

#[test]
fn parts() {
    let what = "client, ip, method, path, host, header:NAME, cookie:NAME, path:NAME, {header: NAME} or {cookie: NAME}";
    for (per, message) in [
        (r#""ip""#, r#": expected a list, got "ip""#),
        (r#"["user"]"#, &*format!(r#"[0]: expected {what}, got "user""#)),
        (r#"["ip:1"]"#, &format!(r#"[0]: expected {what}, got "ip:1""#)),
        (r#"["header"]"#, &format!(r#"[0]: expected {what}, got "header""#)),
        ("[5]", &format!("[0]: expected {what}, got 5")),
        ("[{}]", "[0]: expected exactly one field, got 0"),
        (r#"[{"header": "a", "cookie": "b"}]"#, "[0]: expected exactly one field, got 2"),
        (r#"["header:"]"#, r#"[0]: expected the name of a header, got "header:""#),
        (r#"["header::path"]"#, r#"[0]: expected the name of a header, got "header::path""#),
        (r#"["cookie:a b"]"#, r#"[0]: expected the name of a cookie, got "cookie:a b""#),
        (r#"[{"header": 1}]"#, "[0].header: expected the name of a header, got 1"),
        (r#"[{"cookie": "a=b"}]"#, r#"[0].cookie: expected the name of a cookie, got "a=b""#),
        (r#"["ip", "client", "ip"]"#, "[2]: the same as rules[0].limits[0].per[0]"),
        (r#"["header:X-A", {"header": "x-a"}]"#, "[1]: the same as rules[0].limits[0].per[0]"),
        (
            r#"["path:id", "path:no"]"#,
            r#"[1]: expected path:NAME with a {NAME} in the paths of its rule, got "path:no""#,
        ),
        (r#"["plan"]"#, "[0]: not supported yet"),
        (r#"["query:q"]"#, "[0]: not supported yet"),
        (r#"[{"bearer": true}]"#, "[0].bearer: not supported yet"),
        (r#"[{"metadata": ["a"]}]"#, "[0].metadata: not supported yet"),
        (r#"[{"property": ["a"]}]"#, "[0].property: not supported yet"),
    ] {
        check_limits(&[(&format!(r#"{{"rate": "1/s", "per": {per}}}"#), &format!("[0].per{message}"))]);
    }
    check(&[(
        r#"{"limits": [{"rate": "1/s", "per": ["path:id"]}], "rules": [{"name": "a", "match": {"paths": ["/{id}"]}, "limits": ["1/s"]}]}"#,
        r#"limits[0].per[0]: expected path:NAME with a {NAME} in the paths of its rule, got "path:id""#,
    )]);
}

#[test]
fn planned() {
    for setting in ["plans", "exempt", "response", "global", "status"] {
        check(&[(&format!(r#"{{"limits": ["1/s"], "{setting}": {{}}}}"#), &format!("{setting}: not supported yet"))]);
    }
    check(&[(r#"{"limits": ["1/s"], "mode": "shadow"}"#, "mode: not supported yet")]);
    for (name, value) in [
        ("algorithm", r#""leaky_bucket""#),
        ("algorithm", r#""fixed_window""#),
        ("algorithm", r#""sliding_window""#),
        ("algorithm", r#""sliding_log""#),
        ("cost", "2"),
        ("cost", r#"{"header": "x-cost"}"#),
        ("count", r#"{"status": [401]}"#),
        ("missing", r#""skip""#),
        ("missing", r#""reject""#),
        ("max_delay", r#""1s""#),
        ("scope", r#""global""#),
        ("mode", r#""shadow""#),
    ] {
        check_limits(&[(
            &format!(r#"{{"rate": "1/s", "{name}": {value}}}"#),
            &format!("[0].{name}: not supported yet"),
        )]);
    }
    check_limits(&[
        (r#"{"rate": "1/s", "algorithm": "gcra"}"#, r#"[0].algorithm: expected token_bucket, got "gcra""#),
        (r#"{"rate": "1/s", "cost": 0}"#, "[0].cost: expected a whole number from 1 to 1000000000000, got 0"),
        (r#"{"rate": "1/s", "cost": "1"}"#, r#"[0].cost: expected a whole number from 1 to 1000000000000, got "1""#),
        (r#"{"rate": "1/s", "count": 1}"#, "[0].count: expected all, got 1"),
        (r#"{"rate": "1/s", "missing": "client"}"#, r#"[0].missing: expected ip, got "client""#),
        (r#"{"rate": "1/s", "scope": true}"#, "[0].scope: expected proxy, got true"),
        (r#"{"rate": "1/s", "mode": "off"}"#, r#"[0].mode: expected enforce, got "off""#),
    ]);
}
