//! `limits`: lists of quotas.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::show::quoted;
use super::value::Value;
use super::{algorithm, cost, count, global, name, per};
use crate::policy::{AlgorithmKind, Cost, Count, Limit, Missing, Mode, Part, Scope};
use crate::quota::{MAX_PERIOD_DAYS, MAX_REFILL_DAYS, MAX_TOKENS, Quota, QuotaError, Rate, RateError};

const LIMIT: Shape = Shape {
    what: "a rate such as 100/minute, or an object with a rate",
    known: &["rate", "burst", "algorithm", "per", "cost", "count", "missing", "max_delay", "scope", "mode", "name"],
};

/// The modes of a limit, and of the whole.
pub(super) const MODES: [(&str, Mode); 2] = [("enforce", Mode::Enforce), ("shadow", Mode::Shadow)];

const MISSING: [(&str, Missing); 3] = [("ip", Missing::Ip), ("skip", Missing::Skip), ("reject", Missing::Reject)];

const SCOPES: [(&str, Scope); 2] = [("proxy", Scope::Proxy), ("global", Scope::Global)];

/// What the top level says that concerns limits everywhere.
pub(super) struct Site {
    /// Its mode.
    pub(super) mode: Mode,
    /// Whether paths fold case.
    pub(super) fold_case: bool,
    /// Whether there are plans.
    pub(super) plans: bool,
    /// Whether there is a service that counts for a fleet.
    pub(super) global: bool,
}

/// What a limit takes from where it stands.
pub(super) struct Owner<'a> {
    /// The first limit's default name, and the stem of the others'.
    pub(super) name: &'a str,
    /// What the rule's paths capture.
    pub(super) captures: &'a [&'a str],
    /// The top level.
    pub(super) site: &'a Site,
}

/// The limits of one owner, their names unique.
pub(super) fn list(cursor: &Cursor<'_>, owner: &Owner<'_>) -> Result<Vec<Limit>, ConfigError> {
    let mut limits: Vec<Limit> = Vec::new();
    for (index, item) in cursor.some("a list of at least one limit")?.iter().enumerate() {
        let default_name = match index {
            0 => owner.name.to_owned(),
            // By place, so that naming one limit renames no other, which would lose its buckets.
            _ => format!("{}-{}", owner.name, index + 1),
        };
        let limit = limit(item, owner, default_name)?;
        if let Some(twin) = limits.iter().position(|earlier| earlier.name == limit.name) {
            let message = format!("{} is the name of {}[{twin}] already", quoted(&limit.name), cursor.path());
            return Err(ConfigError::new(format!("{}.name", item.path()), message));
        }
        limits.push(limit);
    }
    Ok(limits)
}

fn limit(cursor: &Cursor<'_>, owner: &Owner<'_>, default_name: String) -> Result<Limit, ConfigError> {
    if let Value::String(_) = cursor.value() {
        return Ok(Limit {
            name: default_name,
            quota: quota(cursor, None)?,
            algorithm: AlgorithmKind::default(),
            per: vec![Part::Client],
            cost: Cost::default(),
            count: Count::default(),
            missing: Missing::default(),
            scope: Scope::default(),
            mode: owner.site.mode,
        });
    }
    let fields = cursor.fields(&LIMIT)?;
    let rate = fields.require("rate", "N/unit")?;
    let quota = quota(&rate, fields.get("burst").as_ref())?;
    let scope = fields.read("scope", |scope| {
        let chosen = scope.choice(&SCOPES)?;
        if chosen == Scope::Global {
            global::check_limit(scope, &rate, &quota, owner.site)?;
        }
        Ok(chosen)
    })?;
    let per = fields.read("per", |per| per::read(per, owner))?;
    let mode = fields.read("mode", |mode| mode.choice(&MODES))?.unwrap_or_default();
    Ok(Limit {
        name: fields.read("name", name::label)?.unwrap_or(default_name),
        algorithm: algorithm::read(&fields, &quota)?,
        per: per.unwrap_or_else(|| vec![Part::Client]),
        cost: fields.read("cost", |cost| cost::read(cost, quota.burst()))?.unwrap_or_default(),
        count: fields.read("count", count::read)?.unwrap_or_default(),
        missing: fields.read("missing", |missing| missing.choice(&MISSING))?.unwrap_or_default(),
        scope: scope.unwrap_or_default(),
        mode: mode.under(owner.site.mode),
        quota,
    })
}

fn quota(rate: &Cursor<'_>, burst: Option<&Cursor<'_>>) -> Result<Quota, ConfigError> {
    let parsed = Rate::parse(rate.string("N/unit")?).map_err(|fault| match fault {
        RateError::Syntax => rate.expected("N/unit"),
        RateError::Tokens => rate.expected(&format!("N from 1 to {MAX_TOKENS}")),
        RateError::Period => rate.expected(&format!("a period of 1 second to {MAX_PERIOD_DAYS} days")),
    })?;
    let tokens = burst.map(|burst| burst.whole(1..=MAX_TOKENS)).transpose()?;
    Quota::new(parsed, tokens).map_err(|fault| {
        let at = burst.unwrap_or(rate);
        match fault {
            QuotaError::Burst => at.expected(&format!("a burst of 1 to {MAX_TOKENS}")),
            QuotaError::Refill => at.expected(&format!("no more than the rate refills in {MAX_REFILL_DAYS} days")),
        }
    })
}
