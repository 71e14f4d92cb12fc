//! What is said of a rule.

use super::check;

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
