//! What is understood and refused all the same.

use super::refusal;

#[test]
fn what_a_fleet_shares() {
    let json = r#"{"limits": ["1/s"], "global": {"cluster": "ratelimit"}}"#;
    assert_eq!(refusal(json), "global: not supported yet");
}

#[test]
fn an_error_comes_first() {
    let json = r#"{"limits": [{"rate": "1/s", "cost": 2}], "rules": [{"name": "all", "limits": ["1/s"]}]}"#;
    assert!(refusal(json).starts_with("limits[0].cost: expected no more"));
}
