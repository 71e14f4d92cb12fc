//! How much is looked at, rather than how long it takes.

use super::Asked;
use super::sets::{self, SetRequest};
use crate::config;
use crate::matching::{Matcher, Purpose, Scratch};

impl From<SetRequest> for Asked {
    fn from(request: SetRequest) -> Self {
        Self {
            method: request.method,
            path: Some(request.path.into()),
            host: Some(request.host.into()),
            fields: request.fields.into_iter().map(|(name, value)| (name, value.into())).collect(),
        }
    }
}

#[test]
fn a_thousand_rules_leave_hardly_more_to_check_than_ten() {
    for rules in [10, 1_000] {
        for set in sets::all(rules) {
            let policy = config::parse(set.config.as_bytes()).unwrap_or_else(|fault| panic!("{}: {fault}", set.kind));
            let matcher = Matcher::new(policy.rules.iter().map(|rule| &rule.matches), Purpose::Limit);
            for request in set.requests {
                let expected = request.rule;
                let mut scratch = Scratch::default();
                assert_eq!(Asked::from(request).first(&matcher, &mut scratch), expected, "{} of {rules}", set.kind);
                assert!(scratch.checked <= 2, "{} of {rules}: {} checked", set.kind, scratch.checked);
            }
        }
    }
}
