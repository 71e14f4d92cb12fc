//! What a `match` means.

use super::accepted;
use crate::http::WholeRegex;
use crate::policy::{RequestMatch, ValueMatch, ValueTest};

fn matches(json: &str) -> RequestMatch {
    let config = format!(r#"{{"rules": [{{"name": "a", "match": {json}, "limits": ["1/s"]}}]}}"#);
    accepted(&config).rules.remove(0).matches
}

fn value(name: &str, test: ValueTest) -> ValueMatch {
    ValueMatch { name: name.to_owned(), test }
}

#[test]
fn values_by_place() {
    let one = matches(
        r#"{"headers": [{"name": "X-Env", "equals": "Live one"}, {"name": "User-Agent", "prefix": "bot/ "}, {"name": "x-id", "regex": "[0-9]+"},
                        {"name": "x-id", "present": true}, {"name": "cookie", "present": false}],
            "query": [{"name": "Dry Run", "equals": ""}, {"name": "q", "prefix": " "}, {"name": "q", "regex": "a|b"}, {"name": "x", "present": true}]}"#,
    );
    let regex = |pattern| ValueTest::Regex(WholeRegex::parse(pattern, false).unwrap());
    let headers = [
        value("x-env", ValueTest::Equals(b"Live one".to_vec())),
        value("user-agent", ValueTest::Prefix(b"bot/ ".to_vec())),
        value("x-id", regex("[0-9]+")),
        value("x-id", ValueTest::Present(true)),
        value("cookie", ValueTest::Present(false)),
    ];
    assert_eq!(one.headers, headers);
    let query = [
        value("Dry Run", ValueTest::Equals(Vec::new())),
        value("q", ValueTest::Prefix(b" ".to_vec())),
        value("q", regex("a|b")),
        value("x", ValueTest::Present(true)),
    ];
    assert_eq!(one.query, query);
    assert!(!one.matches_everything());
}

#[test]
fn a_path_regex_folds_case_where_paths_do() {
    for (fold, matches) in [(true, true), (false, false)] {
        let config = format!(
            r#"{{"rules": [{{"name": "a", "match": {{"path_regex": "/Admin/.*"}}, "limits": ["1/s"]}}], "case_insensitive_paths": {fold}}}"#
        );
        let policy = accepted(&config);
        let regex = policy.rules[0].matches.path_regex.as_ref().unwrap();
        assert_eq!(regex.matches(b"/admin/x"), matches);
        assert!(!policy.rules[0].matches.matches_everything());
    }
}

#[test]
fn nothing_given_is_everything() {
    for all in ["{}", r#"{"paths": ["/a", "/**"]}"#, r#"{"path_regex": ".*"}"#, r#"{"path_regex": "/.*"}"#] {
        assert!(matches(all).matches_everything(), "{all}");
    }
    for one in [
        r#"{"query": [{"name": "q", "present": false}]}"#,
        r#"{"headers": [{"name": "q", "present": false}]}"#,
        r#"{"path_regex": "/a.*"}"#,
    ] {
        assert!(!matches(one).matches_everything(), "{one}");
    }
}
