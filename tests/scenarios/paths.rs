//! One path, however it is spelt.

use serde_json::{Value, json};
use weir_tests::{Envoy, Listener, Req, Tally};

use crate::support::tally;

fn rule(name: &str, matches: Value, rate: &str) -> Value {
    json!({"name": name, "match": matches, "limits": [{"rate": rate, "per": ["ip"]}]})
}

fn login() -> Value {
    json!({"rules": [rule("login", json!({"paths": ["/api/login"]}), "5/hour")]})
}

/// Sends each spelling so many times and expects just this many to pass in all.
async fn share(envoy: &Envoy, spellings: &[&str], times: usize, host: &str, admitted: u64) {
    let client = envoy.client();
    let before = envoy.upstream.reached();
    let mut sum = Tally::default();
    for spelling in spellings {
        let one = tally(&client, times, &Req::get(spelling).host(host)).await;
        one.expect_no_faults();
        (0..one.count(200)).for_each(|_| sum.add(200));
        (0..one.count(429)).for_each(|_| sum.add(429));
    }
    sum.expect(admitted, (spellings.len() * times) as u64 - admitted);
    assert_eq!(envoy.upstream.reached() - before, admitted, "{spellings:?}");
}

const SLASHES_AND_DOTS: [&str; 5] = ["/api/login", "//api/login", "/api//login", "/api/./login", "/api/x/../login"];
const ESCAPES: [&str; 3] = ["/api/%6Cogin", "/%61pi/login", "/api/logi%6E"];
const SUFFIXES: [&str; 5] = ["/login", "/login?x=1", "/login?", "/login/", "/login;a=b"];

#[tokio::test]
async fn slashes_and_dot_segments_do_not_escape_a_rule() {
    share(&Envoy::with(login()).await, &SLASHES_AND_DOTS, 4, "api.test", 5).await;
}

#[tokio::test]
async fn slashes_and_dot_segments_do_not_escape_a_rule_behind_envoys_own_normalisation() {
    let envoy = Envoy::builder().listener(Listener::new().policy(login()).normalize_path()).start().await;
    share(&envoy, &SLASHES_AND_DOTS, 4, "api.test", 5).await;
}

#[tokio::test]
async fn escaped_letters_do_not_escape_a_rule() {
    share(&Envoy::with(login()).await, &ESCAPES, 7, "api.test", 5).await;
    let envoy = Envoy::builder().listener(Listener::new().policy(login()).normalize_path()).start().await;
    share(&envoy, &ESCAPES, 7, "api.test", 5).await;
}

#[tokio::test]
async fn reserved_double_and_malformed_escapes_are_other_paths() {
    let envoy = Envoy::with(login()).await;
    let others = ["/api%2Flogin", "/api/%256Cogin", "/api/%zz", "/api/%", "/api/%6", "/api/%c0%ae", "/api/login%3Ba"];
    share(&envoy, &others, 2, "api.test", 14).await;
    share(&envoy, &["/api/login"], 7, "api.test", 5).await;
}

#[tokio::test]
async fn malformed_escapes_are_counted_as_literal_text() {
    let policy = json!({"rules": [
        rule("literal", json!({"paths": ["/odd/%zz"]}), "2/hour"),
        rule("rest", json!({"paths": ["/odd/**"]}), "3/hour"),
    ]});
    let envoy = Envoy::with(policy).await;
    share(&envoy, &["/odd/%zz", "/odd//%zz"], 3, "api.test", 2).await;
    share(&envoy, &["/odd/%", "/odd/%6", "/odd/%c0%ae", "/odd/%2", "/odd/%%%"], 2, "api.test", 3).await;
}

#[tokio::test]
async fn query_parameters_and_a_trailing_slash_do_not_escape_a_rule() {
    let policy = json!({"rules": [
        rule("exact", json!({"paths": ["/login"], "hosts": ["exact.test"]}), "5/hour"),
        rule("below", json!({"paths": ["/login/**"], "hosts": ["below.test"]}), "5/hour"),
    ]});
    let envoy = Envoy::with(policy).await;
    for host in ["exact.test", "below.test"] {
        share(&envoy, &SUFFIXES, 4, host, 5).await;
        share(&envoy, &["/LOGIN"], 6, host, 6).await;
    }
    share(&envoy, &["/login/more"], 6, "exact.test", 6).await;
    share(&envoy, &["/login/more"], 6, "below.test", 0).await;
}

#[tokio::test]
async fn letter_case_does_not_matter_where_it_is_told_not_to() {
    let mut policy = login();
    policy["case_insensitive_paths"] = json!(true);
    let envoy = Envoy::with(policy).await;
    share(&envoy, &["/API/login", "/api/LogIn", "/api/%4COGIN", "/api/login"], 3, "api.test", 5).await;
}

#[tokio::test]
async fn keys_by_path_use_the_normal_form() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "3/hour", "per": ["path"]}]})).await;
    share(&envoy, &["/a/b", "/a//b", "/a/b?x=1", "/a/./b/", "/a/%62", "/a/b;v=2"], 2, "api.test", 3).await;
    share(&envoy, &["/a/c"], 4, "api.test", 3).await;
}

#[tokio::test]
async fn keys_by_capture_use_the_normal_form() {
    let policy = json!({"rules": [{
        "name": "user",
        "match": {"paths": ["/users/{id}", "/users/{id}/**"]},
        "limits": [{"rate": "3/hour", "per": ["path:id"]}],
    }]});
    let envoy = Envoy::with(policy).await;
    share(&envoy, &["/users/1", "/users/%31", "/users/1/orders", "/users//1/?a", "/users/2/../1"], 2, "api.test", 3)
        .await;
    share(&envoy, &["/users/2"], 4, "api.test", 3).await;
    share(&envoy, &["/users", "/other/1"], 4, "api.test", 8).await;
}

#[tokio::test]
async fn a_path_pattern_ends_at_a_segment() {
    let policy = json!({"rules": [
        rule("foo", json!({"paths": ["/foo/**"]}), "2/hour"),
        rule("one", json!({"paths": ["/one/*/end"]}), "2/hour"),
        rule("admin", json!({"paths": ["/admin"]}), "2/hour"),
    ]});
    let envoy = Envoy::with(policy).await;
    share(&envoy, &["/foobar", "/fo", "/x/foo"], 4, "api.test", 12).await;
    share(&envoy, &["/x/admin/y", "/administrator", "/admin/x"], 4, "api.test", 12).await;
    share(&envoy, &["/one/end", "/one/a/b/end", "/one/a"], 4, "api.test", 12).await;
    share(&envoy, &["/foo", "/foo/x", "/foo/bar/z"], 2, "api.test", 2).await;
    share(&envoy, &["/one/a/end", "/one/b/end"], 2, "api.test", 2).await;
}

#[tokio::test]
async fn the_first_rule_that_matches_applies_in_either_order() {
    let (wide, narrow) = (
        rule("wide", json!({"paths": ["/foo/**"]}), "2/hour"),
        rule("narrow", json!({"paths": ["/foo/bar/**"]}), "9/hour"),
    );
    let envoy = Envoy::with(json!({"rules": [wide, narrow]})).await;
    share(&envoy, &["/foo/bar/z"], 12, "api.test", 2).await;
    let envoy = Envoy::with(json!({"rules": [narrow, wide]})).await;
    share(&envoy, &["/foo/bar/z"], 12, "api.test", 9).await;
    share(&envoy, &["/foo/x"], 12, "api.test", 2).await;
}
