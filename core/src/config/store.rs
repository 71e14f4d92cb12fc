//! `store`: the size of the table.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use crate::policy::{AlgorithmKind, Limit, Policy, StorePolicy, WhenFull};

const STORE: Shape = Shape { what: "an object", known: &["max_entries", "when_full"] };

/// The largest table.
const MAX_ENTRIES: u32 = 10_000_000;

pub(super) fn read(cursor: &Cursor<'_>) -> Result<StorePolicy, ConfigError> {
    let fields = cursor.fields(&STORE)?;
    let default = StorePolicy::default();
    let entries = |field: &Cursor<'_>| {
        let entries = field.whole(1..=u64::from(MAX_ENTRIES))?;
        Ok(u32::try_from(entries).unwrap_or(MAX_ENTRIES))
    };
    let choices = [("displace", WhenFull::Displace), ("overflow", WhenFull::Overflow)];
    Ok(StorePolicy {
        max_entries: fields.read("max_entries", entries)?.unwrap_or(default.max_entries),
        when_full: fields.read("when_full", |field| field.choice(&choices))?.unwrap_or(default.when_full),
    })
}

/// Refuses a table without room for all the limits that one request meets: it could never be decided.
pub(super) fn check_room(policy: &Policy) -> Result<(), ConfigError> {
    let of_rules = policy.rules.iter().map(|rule| entries(&rule.limits)).max();
    let of_plans = policy.plans.iter().flat_map(|plans| &plans.tiers).map(|plan| entries(&plan.limits)).max();
    let needed = [of_rules, of_plans].into_iter().flatten().fold(entries(&policy.limits), u64::saturating_add);
    let given = policy.store.max_entries;
    if u64::from(given) < needed {
        let message = format!("expected at least {needed}, since one request can need so many, got {given}");
        return Err(ConfigError::new("store.max_entries", message));
    }
    Ok(())
}

/// What one client takes up in all of these limits: one entry in each, and in a log one for each token.
fn entries(limits: &[Limit]) -> u64 {
    let of_limit = |limit: &Limit| match limit.algorithm {
        AlgorithmKind::SlidingLog => limit.quota.burst(),
        _ => 1,
    };
    limits.iter().map(of_limit).fold(0, u64::saturating_add)
}
