//! What is said of a rule and its `match`.

use super::check;
use crate::config::tests::refusal;

#[test]
fn rules() {
    check(&[
        (r#"{"rules": ["1/s"]}"#, r#"rules[0]: expected an object, got "1/s""#),
        (r#"{"rules": [{"name": "a"}]}"#, "rules[0].limits: missing, expected a list of at least one limit"),
        (
            r#"{"rules": [{"name": "a", "limits": []}]}"#,
            "rules[0].limits: expected a list of at least one limit, got an empty list",
        ),
        (
            r#"{"rules": [{"name": "a", "limits": ["1/s"], "paths": ["/a"]}]}"#,
            "rules[0].paths: unknown field (known here: name, match, limits)",
        ),
        (
            r#"{"rules": [{"name": "a", "match": {"hosts": ["a.test"]}, "limits": ["1/s"]}, {"name": "b", "limits": ["1/s"]},
                {"name": "c", "match": {"methods": ["GET"]}, "limits": ["1/s"]}]}"#,
            "rules[2]: never reached: rules[1] matches everything",
        ),
        (
            r#"{"rules": [{"name": "a", "match": {"paths": ["/a", "/**"]}, "limits": ["1/s"]}, {"name": "b", "limits": ["1/s"]}]}"#,
            "rules[1]: never reached: rules[0] matches everything",
        ),
        (
            r#"{"rules": [{"name": "a", "match": {"methods": ["GET", "PUT"], "paths": ["/a", "/b/"], "hosts": ["A.test"]}, "limits": ["1/s"]},
                {"name": "b", "match": {"methods": ["PUT", "GET"], "paths": ["/b", "/%61"], "hosts": ["a.test"]}, "limits": ["1/s"]}]}"#,
            "rules[1]: never reached: rules[0] matches the same",
        ),
    ]);
}

#[test]
fn matches() {
    for (field, message) in [
        ("null", "match: expected an object, got null"),
        (
            r#"{"method": ["GET"]}"#,
            "match.method: unknown field, did you mean methods? (known here: methods, paths, hosts)",
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
        (r#"{"path_regex": "/a.*"}"#, "match.path_regex: not supported yet"),
        (r#"{"headers": []}"#, "match.headers: not supported yet"),
        (r#"{"query": []}"#, "match.query: not supported yet"),
    ] {
        let json = format!(r#"{{"rules": [{{"name": "a", "match": {field}, "limits": ["1/s"]}}]}}"#);
        check(&[(&json, &format!("rules[0].{message}"))]);
    }
    let port = refusal(r#"{"rules": [{"name": "a", "match": {"hosts": ["a.test:80"]}, "limits": ["1/s"]}]}"#);
    assert!(
        port.starts_with("rules[0].match.hosts[0]: expected a host") && port.ends_with(r#", got "a.test:80""#),
        "{port}"
    );
}
