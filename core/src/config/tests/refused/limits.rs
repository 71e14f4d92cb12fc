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
            "[0].window: unknown field (known here: rate, burst, algorithm, per, cost, count, missing, max_delay, \
             scope, mode, name)",
        ),
        (
            r#"{"rate": "1/s", "Brust": 5}"#,
            "[0].Brust: unknown field, did you mean burst? (known here: rate, burst, algorithm, per, cost, count, \
             missing, max_delay, scope, mode, name)",
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
    let what = "client, ip, plan, method, path, host, header:NAME, cookie:NAME, query:NAME, path:NAME or an object with \
                one of bearer, header, cookie, metadata, property";
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
        (r#"["plan"]"#, "[0]: there are no plans"),
        (r#"["query:"]"#, r#"[0]: expected the name of a query parameter, got "query:""#),
        (r#"["bearer"]"#, &format!(r#"[0]: expected {what}, got "bearer""#)),
        (r#"[{"bearer": 1}]"#, "[0].bearer: expected true, got 1"),
        (r#"["query:q", "query:Q", "query:q"]"#, "[2]: the same as rules[0].limits[0].per[0]"),
        (
            r#"[{"metadata": ["a"]}]"#,
            "[0].metadata: expected a list of the filter's namespace and at least one key, got a list",
        ),
        (r#"[{"property": "a"}]"#, r#"[0].property: expected a list of at least one text, got "a""#),
    ] {
        check_limits(&[(&format!(r#"{{"rate": "1/s", "per": {per}}}"#), &format!("[0].per{message}"))]);
    }
    check(&[(
        r#"{"limits": [{"rate": "1/s", "per": ["path:id"]}], "rules": [{"name": "a", "match": {"paths": ["/{id}"]}, "limits": ["1/s"]}]}"#,
        r#"limits[0].per[0]: expected path:NAME with a {NAME} in the paths of its rule, got "path:id""#,
    )]);
}

#[test]
fn algorithms() {
    let duration = "[0].max_delay: expected a duration of 0s to 60s, such as 500ms or 2s, got";
    check_limits(&[
        (
            r#"{"rate": "1/s", "algorithm": "gcra"}"#,
            r#"[0].algorithm: expected token_bucket, leaky_bucket, fixed_window, sliding_window or sliding_log, got "gcra""#,
        ),
        (r#"{"rate": "1/s", "max_delay": "1s"}"#, "[0].max_delay: only a leaky_bucket can hold requests"),
        (
            r#"{"rate": "1/s", "algorithm": "sliding_log", "max_delay": "0s"}"#,
            "[0].max_delay: only a leaky_bucket can hold requests",
        ),
        (
            r#"{"rate": "101/m", "algorithm": "sliding_log"}"#,
            r#"[0].rate: expected N up to 100 for a sliding_log, which keeps each, got "101/m""#,
        ),
        (
            r#"{"rate": "10/m", "algorithm": "sliding_log", "burst": 257}"#,
            "[0].burst: expected 10, as the rate has it: a window or log has no other burst, got 257",
        ),
        (
            r#"{"rate": "60/m", "algorithm": "fixed_window", "burst": 10}"#,
            "[0].burst: expected 60, as the rate has it: a window or log has no other burst, got 10",
        ),
        (
            r#"{"rate": "60/m", "algorithm": "sliding_window", "burst": 61}"#,
            "[0].burst: expected 60, as the rate has it: a window or log has no other burst, got 61",
        ),
    ]);
    for delay in [
        r#""61s""#,
        r#""1h""#,
        r#""1""#,
        r#""-1s""#,
        r#""1.5s""#,
        r#""99999999999999999999s""#,
        r#""s""#,
        "5",
        r#""2m""#,
    ] {
        let limit = format!(r#"{{"rate": "1/s", "algorithm": "leaky_bucket", "max_delay": {delay}}}"#);
        check_limits(&[(&limit, &format!("{duration} {delay}"))]);
    }
}

#[test]
fn costs() {
    for (cost, message) in [
        ("0", ": expected a whole number from 1 to 1000000000000, got 0"),
        (r#""1""#, r#": expected a whole number from 1 to 1000000000000, got "1""#),
        ("1.5", ": expected a whole number from 1 to 1000000000000, got 1.5"),
        ("11", ": expected no more than the burst of 10, got 11"),
        ("{}", ".header: missing, expected the name of a header"),
        (r#"{"header": ":path"}"#, r#".header: expected the name of a header, got ":path""#),
        (r#"{"header": "a", "max": 11}"#, ".max: expected no more than the burst of 10, got 11"),
        (r#"{"header": "a", "max": 0}"#, ".max: expected a whole number from 1 to 1000000000000, got 0"),
        (r#"{"header": "a", "default": 0}"#, ".default: expected a whole number from 1 to 1000000000000, got 0"),
        (r#"{"header": "a", "default": 6, "max": 5}"#, ".default: expected no more than the max of 5, got 6"),
        (r#"{"header": "a", "default": 11}"#, ".default: expected no more than the max of 10, got 11"),
        (r#"{"header": "a", "min": 1}"#, ".min: unknown field (known here: header, default, max)"),
    ] {
        check_limits(&[(
            &format!(r#"{{"rate": "100/m", "burst": 10, "cost": {cost}}}"#),
            &format!("[0].cost{message}"),
        )]);
    }
}

#[test]
fn counts() {
    let list = "expected a list of at least one status";
    for (count, message) in [
        ("1", ": expected all, or an object with status or grpc_status, got 1"),
        (r#""none""#, r#": expected all, or an object with status or grpc_status, got "none""#),
        ("{}", ": expected status or grpc_status, got neither"),
        (r#"{"status": 401}"#, &*format!(".status: {list}, got 401")),
        (r#"{"status": []}"#, &format!(".status: {list}, got an empty list")),
        (r#"{"status": [99]}"#, ".status[0]: expected a whole number from 100 to 599, got 99"),
        (r#"{"status": [401, 600]}"#, ".status[1]: expected a whole number from 100 to 599, got 600"),
        (r#"{"status": ["4xx"]}"#, r#".status[0]: expected a whole number from 100 to 599, got "4xx""#),
        (r#"{"status": [401, 403, 401]}"#, ".status[2]: the same as rules[0].limits[0].count.status[0]"),
        (r#"{"grpc_status": [17]}"#, ".grpc_status[0]: expected a whole number from 0 to 16, got 17"),
        (r#"{"statuses": [1]}"#, ".statuses: unknown field, did you mean status? (known here: status, grpc_status)"),
    ] {
        check_limits(&[(&format!(r#"{{"rate": "1/s", "count": {count}}}"#), &format!("[0].count{message}"))]);
    }
}

#[test]
fn choices() {
    check_limits(&[
        (r#"{"rate": "1/s", "missing": "client"}"#, r#"[0].missing: expected ip, skip or reject, got "client""#),
        (r#"{"rate": "1/s", "scope": true}"#, "[0].scope: expected proxy or global, got true"),
        (r#"{"rate": "1/s", "mode": "off"}"#, r#"[0].mode: expected enforce or shadow, got "off""#),
        (
            r#"{"rate": "1/s", "scope": "global"}"#,
            "[0].scope: global needs the top level's global, which names the service",
        ),
    ]);
    let what = "limits[0].rate: expected N/second, /minute, /hour or /day for a global limit, got";
    for (rate, message) in [
        ("1/2s", format!(r#"{what} "1/2s""#)),
        ("1/7d", format!(r#"{what} "1/7d""#)),
        (
            "4294967296/m",
            r#"limits[0].rate: expected N up to 4294967295 for a global limit, got "4294967296/m""#.to_owned(),
        ),
    ] {
        let json = format!(r#"{{"limits": [{{"rate": "{rate}", "scope": "global"}}], "global": {{"cluster": "c"}}}}"#);
        check(&[(&json, &message)]);
    }
}
