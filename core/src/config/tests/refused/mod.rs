//! Every refusal, word for word.

mod answers;
mod exempt;
mod limits;
mod matching;
mod plans;
mod rules;
mod settings;

use super::refusal;

/// Each message must be exactly this, on one line of ASCII.
fn check(table: &[(&str, &str)]) {
    for (json, message) in table {
        assert_eq!(refusal(json), *message, "for {json}");
        assert!(message.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{message}");
    }
}

/// Below `{"rules": [{"name": "a", "limits": […]}]}`.
fn check_limits(table: &[(&str, &str)]) {
    for (limit, message) in table {
        let json =
            format!(r#"{{"rules": [{{"name": "a", "match": {{"paths": ["/u/{{id}}"]}}, "limits": [{limit}]}}]}}"#);
        check(&[(&json, &format!("rules[0].limits{message}"))]);
    }
}
