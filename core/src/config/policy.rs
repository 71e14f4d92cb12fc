//! The configuration's top level.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::limit::{self, Owner};
use super::{address, client, headers, name, rule, store};
use crate::policy::{ClientSource, Policy};

const POLICY: Shape = Shape {
    what: "an object",
    known: &["limits", "rules", "client", "ip", "headers", "store", "instance", "case_insensitive_paths", "mode"],
    later: &["plans", "exempt", "response", "global", "status"],
};

/// What a configuration that limits nothing is told.
pub(super) const NOTHING_LIMITED: &str = "expected limits or rules, for example {\"limits\": [\"100/minute\"]}";

const DEFAULT_INSTANCE: &str = "weir";

pub(super) fn read(cursor: &Cursor<'_>) -> Result<Policy, ConfigError> {
    let fields = cursor.fields(&POLICY)?;
    fields.read("mode", |mode| mode.choice(&[("enforce", Some(())), ("shadow", None)]))?;
    let fold_case = fields.read("case_insensitive_paths", Cursor::boolean)?.unwrap_or(false);
    let everywhere = Owner { name: rule::TOP_LEVEL, captures: &[] };
    let policy = Policy {
        instance: fields.read("instance", name::instance)?.unwrap_or_else(|| DEFAULT_INSTANCE.to_owned()),
        fold_case,
        limits: fields.read("limits", |field| limit::list(field, &everywhere))?.unwrap_or_default(),
        client: fields.read("client", client::read)?.unwrap_or_else(|| vec![ClientSource::Ip]),
        address: fields.read("ip", address::read)?.unwrap_or_default(),
        rules: fields.read("rules", |field| rule::list(field, fold_case))?.unwrap_or_default(),
        headers: fields.read("headers", headers::read)?.unwrap_or_default(),
        store: fields.read("store", store::read)?.unwrap_or_default(),
    };
    if policy.limits.is_empty() && policy.rules.is_empty() {
        return Err(cursor.error(NOTHING_LIMITED));
    }
    let largest_rule = policy.rules.iter().map(|rule| rule.limits.len()).max().unwrap_or(0);
    store::check_room(&policy.store, policy.limits.len().saturating_add(largest_rule))?;
    Ok(policy)
}
