//! What is understood already but not done yet. It is refused: a limit that is accepted must hold.

use super::error::ConfigError;
use super::fields::child;
use crate::policy::{Limit, Policy, Scope};

/// A field, and whether it says something that is not done yet.
type Unbuilt<T> = (&'static str, fn(&T) -> bool);

const OF_LIMITS: &[Unbuilt<Limit>] = &[("scope", |limit| limit.scope == Scope::Global)];

const OF_POLICY: &[Unbuilt<Policy>] = &[("global", |policy| policy.global.is_some())];

pub(super) fn refuse(policy: &Policy) -> Result<(), ConfigError> {
    if let Some((field, _)) = OF_POLICY.iter().find(|(_, is_used)| is_used(policy)) {
        return Err(unsupported(*field));
    }
    refuse_limits("limits", &policy.limits)?;
    for (place, rule) in policy.rules.iter().enumerate() {
        refuse_limits(&format!("rules[{place}].limits"), &rule.limits)?;
    }
    Ok(())
}

fn refuse_limits(path: &str, limits: &[Limit]) -> Result<(), ConfigError> {
    for (place, limit) in limits.iter().enumerate() {
        let path = format!("{path}[{place}]");
        if let Some((field, _)) = OF_LIMITS.iter().find(|(_, is_used)| is_used(limit)) {
            return Err(unsupported(child(&path, field)));
        }
    }
    Ok(())
}

fn unsupported(path: impl Into<String>) -> ConfigError {
    ConfigError::new(path, "not supported yet")
}
