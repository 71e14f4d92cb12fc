//! `limits`: lists of quotas.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::{Fields, Shape};
use super::show::quoted;
use super::value::Value;
use super::{name, per};
use crate::policy::{Limit, Part};
use crate::quota::{MAX_PERIOD_DAYS, MAX_REFILL_DAYS, MAX_TOKENS, Quota, QuotaError, Rate, RateError};

const LIMIT: Shape = Shape {
    what: "a rate such as 100/minute, or an object with a rate",
    known: &["rate", "burst", "per", "name", "algorithm", "cost", "count", "missing", "scope", "mode"],
    later: &["max_delay"],
};

/// What a limit takes from where it stands.
pub(super) struct Owner<'a> {
    /// The first limit's default name, and the stem of the others'.
    pub(super) name: &'a str,
    /// What the rule's paths capture.
    pub(super) captures: &'a [&'a str],
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
        let quota = quota(cursor, None)?;
        return Ok(Limit { name: default_name, quota, per: vec![Part::Client] });
    }
    let fields = cursor.fields(&LIMIT)?;
    let quota = quota(&fields.require("rate", "N/unit")?, fields.get("burst").as_ref())?;
    refuse_unsupported(&fields)?;
    let per = fields.read("per", |per| per::read(per, owner.captures))?;
    let name = fields.read("name", name::label)?;
    Ok(Limit { name: name.unwrap_or(default_name), quota, per: per.unwrap_or_else(|| vec![Part::Client]) })
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

/// Fields of which only the default is there yet.
fn refuse_unsupported(fields: &Fields<'_>) -> Result<(), ConfigError> {
    let algorithms = [
        ("token_bucket", Some(())),
        ("leaky_bucket", None),
        ("fixed_window", None),
        ("sliding_window", None),
        ("sliding_log", None),
    ];
    fields.read("algorithm", |algorithm| algorithm.choice(&algorithms))?;
    fields.read("cost", |cost| match cost.value() {
        Value::Object(_) => Err(cost.unsupported()),
        _ if cost.whole(1..=MAX_TOKENS)? != 1 => Err(cost.unsupported()),
        _ => Ok(()),
    })?;
    fields.read("count", |count| match count.value() {
        Value::Object(_) => Err(count.unsupported()),
        _ => count.choice(&[("all", Some(()))]),
    })?;
    fields.read("missing", |missing| missing.choice(&[("ip", Some(())), ("skip", None), ("reject", None)]))?;
    fields.read("scope", |scope| scope.choice(&[("proxy", Some(())), ("global", None)]))?;
    fields.read("mode", |mode| mode.choice(&[("enforce", Some(())), ("shadow", None)]))?;
    Ok(())
}
