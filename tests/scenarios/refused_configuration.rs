//! A configuration that cannot be meant is refused, and the log names the field.

use serde_json::{Value, json};
use weir_tests::envoy::validate;
use weir_tests::{Envoy, Listener, Req, Settings, Update};

/// A running Envoy refuses each as an update, in both forms, and says where the fault is.
async fn refused(cases: &[(Value, &str)]) {
    let sound = Listener::new().policy(json!({"limits": [{"rate": "1000/hour", "per": []}]}));
    let mut envoy = Envoy::builder().watched().listener(sound).start().await;
    for (policy, field) in cases {
        for settings in [Settings::Struct(policy.clone()), Settings::Json(policy.clone())] {
            let before = envoy.log().len();
            let outcome = envoy.update(&[Listener::new().settings(settings)]).await;
            assert_eq!(outcome, Update::Rejected, "{policy}");
            let said = envoy.log().split_off(before);
            assert!(
                said.contains(&format!("weir: configuration refused: {field}")),
                "{field} is not named for {policy}: {said}"
            );
        }
    }
    let reply = envoy.client().send(&Req::get("/")).await;
    assert_eq!(reply.integer("x-ratelimit-remaining"), 999, "the old limit still counts");
}

fn rule(fields: Value) -> Value {
    json!({"rules": [fields]})
}

fn limit(fields: Value) -> Value {
    json!({"limits": [fields]})
}

#[tokio::test]
async fn unknown_fields_and_wrong_types() {
    refused(&[
        (json!({"limits": ["5/hour"], "lmits": []}), "lmits"),
        (limit(json!({"rate": "5/hour", "brust": 3})), "limits[0].brust"),
        (rule(json!({"name": "a", "match": {"path": ["/x"]}, "limits": ["5/hour"]})), "rules[0].match.path"),
        (rule(json!({"name": "a", "match": {"methods": "GET"}, "limits": ["5/hour"]})), "rules[0].match.methods"),
        (rule(json!({"name": 7, "limits": ["5/hour"]})), "rules[0].name"),
        (json!({"limits": ["5/hour"], "ip": {"v4": 24}}), "ip.v4"),
        (json!({"limits": ["5/hour"], "headers": {"ratelimit": "draft-99"}}), "headers.ratelimit"),
        (json!({"limits": ["5/hour"], "headers": {"x_ratelimit": "yes"}}), "headers.x_ratelimit"),
    ])
    .await;
}

#[tokio::test]
async fn rates_and_bursts_that_make_no_sense() {
    refused(&[
        (limit(json!({"rate": 5})), "limits[0].rate"),
        (limit(json!({"burst": 5})), "limits[0].rate"),
        (json!({"limits": ["5 per min"]}), "limits[0]"),
        (limit(json!({"rate": "0/minute"})), "limits[0].rate"),
        (limit(json!({"rate": "-5/minute"})), "limits[0].rate"),
        (limit(json!({"rate": "5/0s"})), "limits[0].rate"),
        (limit(json!({"rate": "1.5/s"})), "limits[0].rate"),
        (limit(json!({"rate": "5/minuets"})), "limits[0].rate"),
        (limit(json!({"rate": "5/hour", "burst": 0})), "limits[0].burst"),
    ])
    .await;
}

#[tokio::test]
async fn bursts_that_are_no_count() {
    refused(&[
        (limit(json!({"rate": "5/hour", "burst": -1})), "limits[0].burst"),
        (limit(json!({"rate": "5/hour", "burst": 1.5})), "limits[0].burst"),
        (limit(json!({"rate": "5/hour", "burst": "ten"})), "limits[0].burst"),
        (json!({"limits": "5/hour"}), "limits"),
        (json!({"limits": ["5/hour"], "store": {"max_entries": 0}}), "store.max_entries"),
        (json!({"limits": ["5/hour"], "ip": {"v4_prefix": 33}}), "ip.v4_prefix"),
        (json!({"limits": ["5/hour"], "ip": {"v6_prefix": 129}}), "ip.v6_prefix"),
    ])
    .await;
}

#[tokio::test]
async fn names_patterns_and_keys() {
    let twice = json!({"rules": [
        {"name": "a", "match": {"paths": ["/a"]}, "limits": ["5/hour"]},
        {"name": "a", "match": {"paths": ["/b"]}, "limits": ["5/hour"]},
    ]});
    let limits_twice = json!([{"rate": "5/hour", "name": "x"}, {"rate": "9/hour", "name": "x"}]);
    refused(&[
        (twice, "rules[1].name"),
        (rule(json!({"name": "a", "limits": limits_twice})), "rules[0].limits[1].name"),
        (json!({"limits": limits_twice}), "limits[1].name"),
        (limit(json!({"rate": "5/hour", "name": "café"})), "limits[0].name"),
        (rule(json!({"name": "a", "match": {"paths": ["login"]}, "limits": ["5/hour"]})), "rules[0].match.paths[0]"),
        (limit(json!({"rate": "5/hour", "per": ["clinet"]})), "limits[0].per[0]"),
        (json!({"client": [{"heder": "x"}], "limits": ["5/hour"]}), "client[0]"),
        (json!({"client": ["address"], "limits": ["5/hour"]}), "client[0]"),
    ])
    .await;
}

#[tokio::test]
async fn rules_that_can_never_apply() {
    let after = |first: Value| json!({"rules": [first, {"name": "never", "limits": ["5/hour"]}]});
    refused(&[
        (after(json!({"name": "first", "limits": ["5/hour"]})), "rules[1]"),
        (after(json!({"name": "first", "match": {}, "limits": ["5/hour"]})), "rules[1]"),
        (after(json!({"name": "first", "match": {"paths": ["/**"]}, "limits": ["5/hour"]})), "rules[1]"),
    ])
    .await;
}

#[tokio::test]
async fn what_is_not_built_is_refused_rather_than_ignored() {
    refused(&[
        (json!({"limits": ["5/hour"], "global": {"cluster": "ratelimit"}}), "global"),
        (limit(json!({"rate": "5/hour", "scope": "global"})), "limits[0].scope"),
    ])
    .await;
}

#[tokio::test]
async fn text_that_is_no_configuration() {
    let texts = [
        "",
        " \n",
        "null",
        "[]",
        "{\"limits\": [\"5/hour\",]}",
        "\u{feff}{\"limits\": [\"5/hour\"]}",
        "{\"limits\": [\"5/hour\"]} x",
        "{\"limits\": [\"5/hour\"], \"limits\": [\"9/hour\"]}",
        "limits: [5/hour]",
        "{\"limits\": [\"5/hour\"]",
    ];
    for text in texts {
        match validate(Listener::new().settings(Settings::Text(text.to_owned()))).await {
            Ok(()) => panic!("accepted: {text:?}"),
            Err(failure) => assert!(failure.log.contains("weir: configuration refused: "), "{text:?}: {failure}"),
        }
    }
}

#[tokio::test]
async fn the_message_names_the_field_and_what_was_expected() {
    let rule = |name: &str, rate: &str| json!({"name": name, "match": {"paths": [format!("/{name}")]}, "limits": [{"rate": rate}]});
    let policy = json!({"rules": [rule("a", "1/s"), rule("b", "1/s"), rule("c", "5 per min")]});
    let expected = r#"rules[2].limits[0].rate: expected N/unit, got "5 per min""#;
    for failure_policy in ["FAIL_CLOSED", "FAIL_OPEN", "FAIL_RELOAD"] {
        let listener = Listener::new().policy(policy.clone()).failure_policy(failure_policy);
        let failure = Envoy::builder().listener(listener).try_start().await.err();
        let failure = failure.unwrap_or_else(|| panic!("Envoy starts under {failure_policy}"));
        assert!(failure.log.contains(expected), "{failure}");
    }
}

#[tokio::test]
async fn sound_configurations_pass_validation() {
    for policy in [
        json!({"limits": ["100/minute"]}),
        json!({"limits": [{"rate": "1/2s", "burst": 1, "per": []}]}),
        json!({"rules": [{"name": "a", "limits": ["5/m", "5/h", "5/d", "300/5m"]}]}),
    ] {
        for settings in [Settings::Struct(policy.clone()), Settings::Json(policy)] {
            validate(Listener::new().settings(settings)).await.expect("a sound configuration");
        }
    }
}
