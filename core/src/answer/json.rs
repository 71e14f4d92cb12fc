//! The JSON body of a refusal.
//!
//! Names of limits and rules are quoted already, see [`crate::answer::names`].

use std::borrow::Cow;

use crate::answer::escape::push_json;
use crate::answer::figures::Figures;
use crate::answer::style::Plans;

/// `{"error": …}` where a limit refuses.
pub(super) fn limited(figures: &Figures<'_>, plans: Plans<'_>) -> String {
    let mut limits = String::new();
    let mut named: Vec<Cow<'_, str>> = Vec::new();
    let others = figures.applied.iter().filter(|applied| applied.limit.place != figures.tightest.limit.place);
    for applied in core::iter::once(figures.tightest).chain(others) {
        let (limit, level) = (applied.limit, applied.ruling.level);
        let comma = if named.is_empty() { "" } else { ", " };
        // A top-level limit may be called as one of the rule's is: the name alone is that of which the answer speaks.
        let mut name = Cow::Borrowed(limit.text.name.as_str());
        if named.contains(&name) {
            name = Cow::Owned(format!("{}/{}", limit.text.rule, limit.text.name).replace(r#""/""#, "/"));
        }
        limits.push_str(&format!(
            r#"{comma}{name}: {{"limit": {}, "window": {}, "remaining": {}}}"#,
            limit.shape.quota.shown_limit(),
            limit.shape.quota.rate().window_seconds(),
            level.remaining,
        ));
        named.push(name);
    }
    let mut body = format!(
        concat!(
            r#"{{"error": {{"code": "RATE_LIMITED", "message": "{message}", "#,
            r#""retryAfter": {seconds}, "limit": {limit}, "remaining": {remaining}, "resetAt": "{reset_at}", "#,
            r#""rule": {rule}, "policy": {policy}, "limits": {{{limits}}}"#,
        ),
        message = figures.message(),
        seconds = figures.seconds,
        limit = figures.limit(),
        remaining = figures.remaining(),
        reset_at = figures.reset_at,
        rule = figures.tightest.limit.text.rule,
        policy = figures.tightest.limit.text.name,
        limits = limits,
    );
    push_plans(&mut body, plans);
    body.push_str("}}");
    body
}

/// `{"error": …}` where nothing could be decided.
pub(super) fn failed(code: &str, message: &str) -> String {
    format!(r#"{{"error": {{"code": "{code}", "message": "{message}"}}}}"#)
}

/// Appends the members that tell of plans.
pub(super) fn push_plans(body: &mut String, plans: Plans<'_>) {
    for (member, value) in [("plan", plans.name), ("upgradeUrl", plans.upgrade_url)] {
        if let Some(value) = value {
            body.push_str(&format!(r#", "{member}": "#));
            push_json(body, value);
        }
    }
}
