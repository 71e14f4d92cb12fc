//! What is said of everything else.

use super::check;

#[test]
fn top_level() {
    let nothing = r#"expected limits, rules or plans, for example {"limits": ["100/minute"]}"#;
    check(&[
        ("", &format!("configuration: empty, {nothing}")),
        (" \n\t", &format!("configuration: empty, {nothing}")),
        ("{}", &format!("configuration: {nothing}")),
        (r#"{"client": ["ip"]}"#, &format!("configuration: {nothing}")),
        ("[1]", "configuration: expected an object, got a list"),
        ("null", "configuration: expected an object, got null"),
        (r#""100/minute""#, r#"configuration: expected an object, got "100/minute""#),
        (
            r#"{"limit": ["1/s"]}"#,
            "limit: unknown field, did you mean limits? (known here: limits, rules, client, ip, plans, exempt, mode, \
             headers, response, status, global, store, instance, case_insensitive_paths)",
        ),
        (
            "{\"limits\": [\"1/s\"], \"a\\u001b[2J.b\u{e9}\": 1}",
            "\"a\\u{1b}[2J.b\\u{e9}\": unknown field (known here: limits, rules, client, ip, plans, exempt, mode, \
             headers, response, status, global, store, instance, case_insensitive_paths)",
        ),
        (r#"{"limits": ["1/s"], "limits": ["9/s"]}"#, "limits: given twice"),
        (r#"{"limits": []}"#, "limits: expected a list of at least one limit, got an empty list"),
        (r#"{"limits": "1/s"}"#, r#"limits: expected a list of at least one limit, got "1/s""#),
        (r#"{"limits": null}"#, "limits: expected a list of at least one limit, got null"),
        (r#"{"rules": []}"#, "rules: expected a list of at least one rule, got an empty list"),
        (r#"{"limits": ["1/s"], "rules": {}}"#, "rules: expected a list of at least one rule, got an object"),
        (r#"{"limits": ["1/s"], "mode": "off"}"#, r#"mode: expected enforce or shadow, got "off""#),
        (r#"{"limits": ["1/s"], "instance": ""}"#, r#"instance: expected a text of 1 to 64 bytes, got """#),
        (r#"{"limits": ["1/s"], "instance": 5}"#, "instance: expected a text of 1 to 64 bytes, got 5"),
        (
            r#"{"limits": ["1/s"], "case_insensitive_paths": "yes"}"#,
            r#"case_insensitive_paths: expected true or false, got "yes""#,
        ),
    ]);
}

#[test]
fn clients() {
    let what = "ip or an object with one of bearer, header, cookie, metadata, property";
    let namespace = "a list of the filter's namespace and at least one key";
    let segment = "a text that is not empty and without NUL";
    for (client, message) in [
        ("[]", ": expected a list of at least one source, got an empty list"),
        (r#"{"bearer": true}"#, ": expected a list of at least one source, got an object"),
        (r#"["bearer"]"#, &*format!(r#"[0]: expected {what}, got "bearer""#)),
        (r#"[{"bearer": false}]"#, "[0].bearer: expected true, got false"),
        (r#"[{"bearer": true, "header": "a"}]"#, "[0]: expected exactly one field, got 2"),
        (
            r#"[{"headers": "a"}]"#,
            "[0].headers: unknown field, did you mean header? (known here: bearer, header, cookie, metadata, \
             property)",
        ),
        (r#"[{"header": ":path"}]"#, r#"[0].header: expected the name of a header, got ":path""#),
        (r#"[{"header": "X-A"}, {"cookie": "a"}, {"header": "x-a"}]"#, "[2]: the same as client[0]"),
        (r#"[{"bearer": true}, "ip", {"cookie": "a"}]"#, "[2]: never reached: every request has the ip of client[1]"),
        (r#"["ip", "ip"]"#, "[1]: the same as client[0]"),
        (
            r#"[{"metadata": ["a"]}]"#,
            "[0].metadata: expected a list of the filter's namespace and at least one key, got a list",
        ),
        (r#"[{"metadata": "a"}]"#, &format!(r#"[0].metadata: expected {namespace}, got "a""#)),
        (r#"[{"metadata": ["a", ""]}]"#, &format!(r#"[0].metadata[1]: expected {segment}, got """#)),
        (r#"[{"metadata": ["a", 1]}]"#, &format!("[0].metadata[1]: expected {segment}, got 1")),
        (r#"[{"property": []}]"#, "[0].property: expected a list of at least one text, got an empty list"),
        (r#"[{"property": ["a\u0000b"]}]"#, &format!(r#"[0].property[0]: expected {segment}, got "a\u{{0}}b""#)),
        (
            r#"[{"property": ["source", "address"]}]"#,
            "[0].property: source.address holds the port too, so it differs with every connection; use ip, or cidr to \
             exempt",
        ),
        (r#"[{"property": ["a"]}, {"property": ["a"]}]"#, "[1]: the same as client[0]"),
    ] {
        check(&[(&format!(r#"{{"limits": ["1/s"], "client": {client}}}"#), &format!("client{message}"))]);
    }
}

#[test]
fn settings() {
    for (setting, message) in [
        (r#""ip": []"#, "ip: expected an object, got an empty list"),
        (r#""ip": {"v4_prefix": 0}"#, "ip.v4_prefix: expected a whole number from 1 to 32, got 0"),
        (r#""ip": {"v4_prefix": 33}"#, "ip.v4_prefix: expected a whole number from 1 to 32, got 33"),
        (r#""ip": {"v6_prefix": 129}"#, "ip.v6_prefix: expected a whole number from 1 to 128, got 129"),
        (r#""ip": {"trust_forwarded": 1}"#, "ip.trust_forwarded: expected true or false, got 1"),
        (r#""ip": {"v4": 1}"#, "ip.v4: unknown field (known here: v4_prefix, v6_prefix, trust_forwarded)"),
        (r#""headers": false"#, "headers: expected an object, got false"),
        (r#""headers": {"x_ratelimit": "true"}"#, r#"headers.x_ratelimit: expected true or false, got "true""#),
        (r#""headers": {"ratelimit": true}"#, "headers.ratelimit: expected draft-11, draft-12 or false, got true"),
        (
            r#""headers": {"ratelimit": "draft-03"}"#,
            r#"headers.ratelimit: expected draft-11, draft-12 or false, got "draft-03""#,
        ),
        (r#""headers": {"reset": "unix"}"#, r#"headers.reset: expected epoch or delta, got "unix""#),
        (r#""store": {"max_entries": 0}"#, "store.max_entries: expected a whole number from 1 to 10000000, got 0"),
        (
            r#""store": {"max_entries": 10000001}"#,
            "store.max_entries: expected a whole number from 1 to 10000000, got 10000001",
        ),
        (r#""store": {"when_full": "drop"}"#, r#"store.when_full: expected displace or overflow, got "drop""#),
        (
            r#""store": {"max_entries": 2}, "rules": [{"name": "a", "match": {"paths": ["/a"]}, "limits": ["1/s", "9/m"]}, {"name": "b", "limits": ["1/s"]}]"#,
            "store.max_entries: expected at least 3, since one request can need so many, got 2",
        ),
        (
            r#""store": {"max_entries": 13}, "plans": {"default": "x", "tiers": {"x": {"limits": ["1/s"]}, "y": {"limits": [{"rate": "11/s", "algorithm": "sliding_log"}, "1/m"]}}},
               "rules": [{"name": "a", "limits": ["1/s"]}]"#,
            "store.max_entries: expected at least 14, since one request can need so many, got 13",
        ),
    ] {
        check(&[(&format!(r#"{{"limits": ["1/s"], {setting}}}"#), message)]);
    }
}
