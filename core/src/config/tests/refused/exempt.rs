//! What is said of exemptions.

use super::check;

#[test]
fn exemptions() {
    let everything = "[0]: exempts every request: nothing would be limited";
    for (exempt, message) in [
        ("{}", ": expected a list of at least one exemption, got an object"),
        ("[]", ": expected a list of at least one exemption, got an empty list"),
        (r#"["/a"]"#, r#"[0]: expected an object, got "/a""#),
        ("[{}]", everything),
        (r#"[{"paths": ["/a", "/**"]}]"#, everything),
        (r#"[{"paths": ["a"]}]"#, r#"[0].paths[0]: expected a path that begins with "/", got "a""#),
        (r#"[{"hosts": []}]"#, "[0].hosts: expected a list of at least one host, got an empty list"),
        (
            r#"[{"path": ["/a"]}]"#,
            "[0].path: unknown field, did you mean paths? (known here: methods, paths, path_regex, hosts, headers, query, \
             cidr, property)",
        ),
        (r#"[{"cidr": []}]"#, "[0].cidr: expected a list of at least one network, got an empty list"),
        (r#"[{"cidr": "10.0.0.0/8"}]"#, r#"[0].cidr: expected a list of at least one network, got "10.0.0.0/8""#),
        (
            r#"[{"cidr": ["10.0.0.0/8", "10.0.0.1/8"]}]"#,
            r#"[0].cidr[1]: expected 10.0.0.0/8 (no bits beyond the prefix), got "10.0.0.1/8""#,
        ),
        (r#"[{"cidr": ["x"]}]"#, r#"[0].cidr[0]: expected a network such as 10.0.0.0/8 or 2001:db8::/32, got "x""#),
        (r#"[{"cidr": [1]}]"#, "[0].cidr[0]: expected a network such as 10.0.0.0/8, got 1"),
        (r#"[{"cidr": ["::1"], "cidr": ["::2"]}]"#, "[0].cidr: given twice"),
        (r#"[{"property": ["a"]}]"#, "[0].property: expected an object with path and equals, got a list"),
        (r#"[{"property": {"path": ["a"]}}]"#, "[0].property.equals: missing, expected a text that is not empty"),
        (r#"[{"property": {"equals": "a"}}]"#, "[0].property.path: missing, expected a list of at least one text"),
        (
            r#"[{"property": {"path": ["a"], "equals": ""}}]"#,
            r#"[0].property.equals: expected a text that is not empty, got """#,
        ),
        (
            r#"[{"property": {"path": ["a"], "equals": true}}]"#,
            "[0].property.equals: expected a text that is not empty, got true",
        ),
        (
            r#"[{"property": {"path": ["source", "address"], "equals": "10.0.0.1:0"}}]"#,
            "[0].property.path: source.address holds the port too, so it differs with every connection; use ip, or cidr \
             to exempt",
        ),
    ] {
        check(&[(&format!(r#"{{"limits": ["1/s"], "exempt": {exempt}}}"#), &format!("exempt{message}"))]);
    }
}
