//! The configuration's top level.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::limit::{self, MODES, Owner, Site};
use super::{address, client, exempt, global, headers, name, plan, response, rule, status, store};
use crate::policy::{ClientSource, Policy};

const POLICY: Shape = Shape {
    what: "an object",
    known: &[
        "limits",
        "rules",
        "client",
        "ip",
        "plans",
        "exempt",
        "mode",
        "headers",
        "response",
        "status",
        "global",
        "store",
        "instance",
        "case_insensitive_paths",
    ],
};

/// What a configuration that limits nothing is told.
pub(super) const NOTHING_LIMITED: &str = "expected limits, rules or plans, for example {\"limits\": [\"100/minute\"]}";

const DEFAULT_INSTANCE: &str = "weir";

pub(super) fn read(cursor: &Cursor<'_>) -> Result<Policy, ConfigError> {
    let fields = cursor.fields(&POLICY)?;
    let site = Site {
        mode: fields.read("mode", |mode| mode.choice(&MODES))?.unwrap_or_default(),
        fold_case: fields.read("case_insensitive_paths", Cursor::boolean)?.unwrap_or(false),
        plans: fields.get("plans").is_some(),
        global: fields.get("global").is_some(),
    };
    let everywhere = Owner { name: rule::TOP_LEVEL, captures: &[], site: &site };
    let instance = fields.read("instance", name::instance)?.unwrap_or_else(|| DEFAULT_INSTANCE.to_owned());
    let limits = fields.read("limits", |field| limit::list(field, &everywhere))?.unwrap_or_default();
    let client = fields.read("client", client::read)?.unwrap_or_else(|| vec![ClientSource::Ip]);
    let policy = Policy {
        instance,
        mode: site.mode,
        fold_case: site.fold_case,
        limits,
        address: fields.read("ip", address::read)?.unwrap_or_default(),
        plans: fields.read("plans", |field| plan::read(field, &client, &site))?,
        client,
        exempt: fields.read("exempt", |field| exempt::list(field, site.fold_case))?.unwrap_or_default(),
        rules: fields.read("rules", |field| rule::list(field, &site))?.unwrap_or_default(),
        headers: fields.read("headers", headers::read)?.unwrap_or_default(),
        response: fields.read("response", response::read)?.unwrap_or_default(),
        status: fields.read("status", |field| status::read(field, site.fold_case))?,
        global: fields.read("global", global::read)?,
        store: fields.read("store", store::read)?.unwrap_or_default(),
    };
    if policy.limits.is_empty() && policy.rules.is_empty() && policy.plans.is_none() {
        return Err(cursor.error(NOTHING_LIMITED));
    }
    store::check_room(&policy)?;
    Ok(policy)
}
