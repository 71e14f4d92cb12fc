//! What is said of plans.

use super::check;

const TIERS: &str = r#""tiers": {"free": {"limits": ["1/s"]}, "pro": {"limits": ["9/s"]}}"#;

/// Below `plans`, beside a `client` with a header.
fn check_plans(plans: &str, message: &str) {
    let json = format!(r#"{{"client": [{{"header": "x-api-key"}}], "plans": {plans}}}"#);
    check(&[(&json, &format!("plans{message}"))]);
}

#[test]
fn plans() {
    let some = "expected an object with at least one plan";
    let name = "a name of 1 to 64 printable ASCII characters";
    for (plans, message) in [
        ("[]", ": expected an object, got an empty list"),
        ("{}", &*format!(".tiers: missing, {some}")),
        (r#"{"tiers": {}}"#, &format!(".tiers: {some}, got an empty one")),
        (r#"{"tiers": ["free"]}"#, &format!(".tiers: {some}, got a list")),
        (r#"{"tiers": {"a": ["1/s"]}}"#, ".tiers.a: expected an object with limits, got a list"),
        (r#"{"tiers": {"a": {}}}"#, ".tiers.a.limits: missing, expected a list of at least one limit"),
        (
            r#"{"tiers": {"a": {"limits": []}}}"#,
            ".tiers.a.limits: expected a list of at least one limit, got an empty list",
        ),
        (r#"{"tiers": {"a": {"limits": ["1"]}}}"#, r#".tiers.a.limits[0]: expected N/unit, got "1""#),
        (
            r#"{"tiers": {"a": {"limit": []}}}"#,
            ".tiers.a.limit: unknown field, did you mean limits? (known here: limits)",
        ),
        (
            r#"{"tiers": {"a b": {"limits": 1}}}"#,
            r#".tiers."a b".limits: expected a list of at least one limit, got 1"#,
        ),
        (r#"{"tiers": {"": {"limits": ["1/s"]}}}"#, &format!(r#".tiers."": expected {name}, got """#)),
        (
            r#"{"tiers": {"\u00e9": {"limits": ["1/s"]}}}"#,
            &format!(r#".tiers."\u{{e9}}": expected {name}, got "\u{{e9}}""#),
        ),
        (r#"{"tiers": {"a": {"limits": ["1/s"]}, "a": {"limits": ["9/s"]}}}"#, ".tiers.a: given twice"),
        (
            r#"{"tiers": {"a": {"limits": ["1/s", {"rate": "2/s", "name": "a"}]}}}"#,
            r#".tiers.a.limits[1].name: "a" is the name of plans.tiers.a.limits[0] already"#,
        ),
        (&format!("{{{TIERS}}}"), ": expected assign or default: without both nobody has a plan"),
        (&format!(r#"{{{TIERS}, "default": "fre"}}"#), r#".default: expected the name of one of the tiers, got "fre""#),
        (&format!(r#"{{{TIERS}, "default": 1}}"#), ".default: expected the name of one of the tiers, got 1"),
        (
            &format!(r#"{{{TIERS}, "tier": "free"}}"#),
            ".tier: unknown field, did you mean tiers? (known here: assign, default, tiers, upgrade_url)",
        ),
    ] {
        check_plans(plans, message);
    }
}

#[test]
fn assignments() {
    let trusted = "true: something in front of Weir sets this header and strips the client's own";
    for (assign, message) in [
        ("[]", ": expected a list of at least one source, got an empty list"),
        (r#"["x"]"#, r#"[0]: expected an object with one of metadata, property, header, clients, got "x""#),
        ("[{}]", "[0]: expected exactly one field, got 0"),
        (
            r#"[{"bearer": true}]"#,
            "[0].bearer: unknown field, did you mean header? (known here: metadata, property, header, clients, trusted)",
        ),
        (r#"[{"metadata": ["a", "b"], "property": ["a"]}]"#, "[0]: expected exactly one field, got 2"),
        (
            r#"[{"metadata": ["a"]}]"#,
            "[0].metadata: expected a list of the filter's namespace and at least one key, got a list",
        ),
        (r#"[{"property": 1}]"#, "[0].property: expected a list of at least one text, got 1"),
        (r#"[{"header": "x-plan"}]"#, &*format!("[0].trusted: missing, expected {trusted}")),
        (r#"[{"header": "x-plan", "trusted": false}]"#, &format!("[0].trusted: expected {trusted}, got false")),
        (r#"[{"header": "x plan", "trusted": true}]"#, r#"[0].header: expected the name of a header, got "x plan""#),
        (r#"[{"header": "x-plan", "trusted": true, "property": ["a"]}]"#, "[0].property: does not go with a header"),
        (r#"[{"property": ["a"], "trusted": true}]"#, "[0].trusted: only a header is to be trusted"),
        (r#"[{"property": ["a"]}, {"property": ["a"]}]"#, "[1]: the same as plans.assign[0]"),
    ] {
        check_plans(&format!(r#"{{{TIERS}, "assign": {assign}}}"#), &format!(".assign{message}"));
    }
}

/// None of these shows a credential.
#[test]
fn clients() {
    let digits = "expected 64 hexadecimal digits after sha256:";
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for (clients, message) in [
        ("{}", ": expected an object with at least one credential, got an empty one"),
        ("[]", ": expected an object with at least one credential, got an empty list"),
        (r#"{"secret": "gold"}"#, r#"[0]: expected the name of one of the tiers, got "gold""#),
        (r#"{"a": "free", "secret": {}}"#, "[1]: expected the name of one of the tiers, got an object"),
        (r#"{"secret": "free", "secret": "pro"}"#, "[1]: given twice"),
        (r#"{"": "free"}"#, "[0]: expected a credential that is not empty and without blanks around it"),
        (r#"{" secret": "free"}"#, "[0]: expected a credential that is not empty and without blanks around it"),
        (r#"{"sha256:9f86": "free"}"#, &*format!("[0]: {digits}")),
        (&format!(r#"{{"sha256:{digest}0": "free"}}"#), &format!("[0]: {digits}")),
        (&format!(r#"{{"sha256:{digest}00": "free"}}"#), &format!("[0]: {digits}")),
        (&format!(r#"{{"sha256:{}": "free"}}"#, digest.replace('9', "g")), &format!("[0]: {digits}")),
        (&format!(r#"{{"sha256:{}": "free"}}"#, digest.replace("9f", "+f")), &format!("[0]: {digits}")),
        (
            &format!(r#"{{"test": "free", "sha256:{digest}": "pro"}}"#),
            "[1]: the same credential as plans.assign[0].clients[0]",
        ),
    ] {
        let plans = format!(r#"{{{TIERS}, "assign": [{{"clients": {clients}}}]}}"#);
        check_plans(&plans, &format!(".assign[0].clients{message}"));
    }
    for client in [r#"["ip"]"#, r#"[{"metadata": ["a", "b"]}]"#] {
        let json =
            format!(r#"{{"client": {client}, "plans": {{{TIERS}, "assign": [{{"clients": {{"a": "pro"}}}}]}}}}"#);
        let message = "plans.assign[0].clients: needs a bearer, header or cookie in client, which finds the credential";
        check(&[(&json, message)]);
    }
}

#[test]
fn urls() {
    let long = format!("https://a.test/{}", "x".repeat(2_034));
    for url in [
        "",
        "example.com/pricing",
        "//example.com",
        "ftp://example.com",
        "javascript:alert(1)",
        "https://",
        "https:///a",
        "https://:443",
        "https://a.test/ b",
        "https://a.test/<b>",
        "https://a.test/\u{e9}",
        &long,
    ] {
        let plans = format!(r#"{{{TIERS}, "default": "free", "upgrade_url": "{url}"}}"#);
        let shown = match url {
            "https://a.test/\u{e9}" => r#""https://a.test/\u{e9}""#.to_owned(),
            _ if url.len() > 48 => format!("\"{}\"...", url.split_at(48).0),
            _ => format!("\"{url}\""),
        };
        check_plans(&plans, &format!(".upgrade_url: expected an http or https URL, got {shown}"));
    }
    check_plans(
        &format!(r#"{{{TIERS}, "default": "free", "upgrade_url": true}}"#),
        ".upgrade_url: expected an http or https URL, got true",
    );
}
