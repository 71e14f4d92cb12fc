//! What is said of a `match`.

use super::check;
use crate::config::tests::refusal;

#[test]
fn matches() {
    for (field, message) in [
        ("null", "match: expected an object, got null"),
        (
            r#"{"method": ["GET"]}"#,
            "match.method: unknown field, did you mean methods? (known here: methods, paths, path_regex, hosts, headers, query)",
        ),
        (r#"{"methods": []}"#, "match.methods: expected a list of at least one method, got an empty list"),
        (r#"{"methods": "GET"}"#, r#"match.methods: expected a list of at least one method, got "GET""#),
        (
            r#"{"methods": ["GET", "post"]}"#,
            r#"match.methods[1]: expected a method in upper case, such as GET, got "post""#,
        ),
        (r#"{"methods": [1]}"#, "match.methods[0]: expected a method, got 1"),
        (r#"{"paths": []}"#, "match.paths: expected a list of at least one path, got an empty list"),
        (r#"{"paths": ["/a", "b"]}"#, r#"match.paths[1]: expected a path that begins with "/", got "b""#),
        (r#"{"paths": ["/**/a"]}"#, r#"match.paths[0]: expected "**" as the last segment only, got "/**/a""#),
        (r#"{"hosts": []}"#, "match.hosts: expected a list of at least one host, got an empty list"),
        (r#"{"hosts": [null]}"#, "match.hosts[0]: expected a host, got null"),
        (r#"{"path_regex": ["/a"]}"#, "match.path_regex: expected a regular expression, got a list"),
        (r#"{"path_regex": ""}"#, r#"match.path_regex: expected a regular expression (not empty), got """#),
        (
            r#"{"path_regex": "/(a"}"#,
            r#"match.path_regex: expected a regular expression (found open group without closing ')'), got "/(a""#,
        ),
        (
            r#"{"path_regex": "(/a{999}){999}"}"#,
            r#"match.path_regex: expected a regular expression (compiled regex exceeded size limit), got "(/a{999}){999}""#,
        ),
    ] {
        let json = format!(r#"{{"rules": [{{"name": "a", "match": {field}, "limits": ["1/s"]}}]}}"#);
        check(&[(&json, &format!("rules[0].{message}"))]);
    }
    // What no normal path can match would be a limit that never applies.
    for pattern in
        ["admin", "/a/", "/tr/|/b/", "/a%61", r"/a\\?x=1", "//a", r"/a/\\.\\./b", "/a;b", r"\\*", "/caf\u{e9}/.*"]
    {
        let json =
            format!(r#"{{"rules": [{{"name": "a", "match": {{"path_regex": "{pattern}"}}, "limits": ["1/s"]}}]}}"#);
        let refusal = refusal(&json);
        let expected = "rules[0].match.path_regex: expected a regular expression of whole paths in their normal form";
        assert!(refusal.starts_with(expected), "{pattern} {refusal}");
    }
    let port = refusal(r#"{"rules": [{"name": "a", "match": {"hosts": ["a.test:80"]}, "limits": ["1/s"]}]}"#);
    assert!(
        port.starts_with("rules[0].match.hosts[0]: expected a host") && port.ends_with(r#", got "a.test:80""#),
        "{port}"
    );
}

#[test]
fn values() {
    let one = "expected exactly one of equals, prefix, regex, present";
    let known = "(known here: name, equals, prefix, regex, present)";
    let equals = "a text without blanks around it, not empty (present: false is for none)";
    let prefix = "a text that begins with no blank, not empty (present: true is for any value)";
    for (place, list, message) in [
        ("headers", "{}", ": expected a list of at least one header, got an object"),
        ("headers", "[]", ": expected a list of at least one header, got an empty list"),
        ("query", "[]", ": expected a list of at least one parameter, got an empty list"),
        (
            "headers",
            r#"["x-a"]"#,
            r#"[0]: expected an object with name and one of equals, prefix, regex, present, got "x-a""#,
        ),
        ("headers", r#"[{"present": true}]"#, "[0].name: missing, expected a name"),
        ("headers", r#"[{"name": "x-a"}]"#, &*format!("[0]: {one}")),
        ("headers", r#"[{"name": "x-a", "equals": "b", "prefix": "b"}]"#, &format!("[0]: {one}")),
        (
            "headers",
            r#"[{"name": "x-a", "equal": "b"}]"#,
            &format!("[0].equal: unknown field, did you mean equals? {known}"),
        ),
        ("headers", r#"[{"name": 1, "present": true}]"#, "[0].name: expected the name of a header, got 1"),
        (
            "headers",
            r#"[{"name": ":path", "present": true}]"#,
            r#"[0].name: expected the name of a header, got ":path""#,
        ),
        ("headers", r#"[{"name": "Host", "equals": "a"}]"#, "[0].name: never there as a header, use hosts instead"),
        ("headers", r#"[{"name": "x-a", "equals": ""}]"#, &format!(r#"[0].equals: expected {equals}, got """#)),
        ("headers", r#"[{"name": "x-a", "equals": " b"}]"#, &format!(r#"[0].equals: expected {equals}, got " b""#)),
        ("headers", r#"[{"name": "x-a", "equals": "a\nb"}]"#, &format!(r#"[0].equals: expected {equals}, got "a\nb""#)),
        ("headers", r#"[{"name": "x-a", "equals": true}]"#, &format!("[0].equals: expected {equals}, got true")),
        ("headers", r#"[{"name": "x-a", "prefix": ""}]"#, &format!(r#"[0].prefix: expected {prefix}, got """#)),
        ("headers", r#"[{"name": "x-a", "prefix": "\tb"}]"#, &format!(r#"[0].prefix: expected {prefix}, got "\tb""#)),
        (
            "headers",
            r#"[{"name": "x-a", "regex": "b**)"}]"#,
            r#"[0].regex: expected a regular expression (found closing ')' without matching '('), got "b**)""#,
        ),
        ("headers", r#"[{"name": "x-a", "present": "yes"}]"#, r#"[0].present: expected true or false, got "yes""#),
        (
            "headers",
            r#"[{"name": "x-a", "present": true}, {"name": "X-A", "present": true}]"#,
            "[1]: the same as rules[0].match.headers[0]",
        ),
        ("query", r#"[{"name": "", "present": true}]"#, r#"[0].name: expected the name of a query parameter, got """#),
        ("query", r#"[{"name": "q", "equals": 5}]"#, "[0].equals: expected a text, got 5"),
        (
            "query",
            r#"[{"name": "q", "prefix": ""}]"#,
            r#"[0].prefix: expected a text that is not empty (present: true is for any value), got """#,
        ),
    ] {
        let json = format!(r#"{{"rules": [{{"name": "a", "match": {{"{place}": {list}}}, "limits": ["1/s"]}}]}}"#);
        check(&[(&json, &format!("rules[0].match.{place}{message}"))]);
    }
}

#[test]
fn the_same_twice() {
    let rules = |first: &str, second: &str| {
        format!(
            r#"{{"rules": [{{"name": "a", "match": {first}, "limits": ["1/s"]}}, {{"name": "b", "match": {second}, "limits": ["1/s"]}}]}}"#
        )
    };
    let message = "rules[1]: never reached: rules[0] matches the same";
    for one in [
        r#"{"path_regex": "/a.*"}"#,
        r#"{"headers": [{"name": "x-a", "regex": "b"}], "query": [{"name": "q", "present": false}]}"#,
    ] {
        check(&[(&rules(one, one), message)]);
    }
    let two = r#"{"headers": [{"name": "x-a", "equals": "b"}, {"name": "x-b", "prefix": "b"}]}"#;
    let turned = r#"{"headers": [{"name": "X-B", "prefix": "b"}, {"name": "X-A", "equals": "b"}]}"#;
    check(&[(&rules(two, turned), message)]);
}
