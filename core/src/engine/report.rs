//! Asking without spending: what is left to a caller.

use crate::answer::names::quoted;
use crate::engine::decision::Applied;

use crate::engine::decision::Decision;

/// The answer to a caller that asks.
#[derive(Debug)]
pub enum Report<'e> {
    /// What is left, as JSON.
    Left(String),
    /// It asks too often: the refusal, or that nothing could be decided.
    Refused(Decision<'e>),
}

/// What a caller is told (contract of the status endpoint): its kind of identity, its plan, and every limit.
#[must_use]
pub(super) fn json(
    client: &str,
    plan: Option<&str>,
    applied: &[Applied<'_>],
    reset: impl Fn(&Applied<'_>) -> u64,
) -> String {
    let mut text = format!(r#"{{"client": {}"#, quoted(client));
    if let Some(plan) = plan {
        text.push_str(&format!(r#", "plan": {}"#, quoted(plan)));
    }
    text.push_str(r#", "limits": ["#);
    for (place, one) in applied.iter().enumerate() {
        let (limit, comma) = (one.limit, if place == 0 { "" } else { ", " });
        text.push_str(&format!(
            r#"{comma}{{"name": {}, "limit": {}, "window": {}, "remaining": {}, "reset": {}}}"#,
            limit.text.name,
            limit.shape.quota.shown_limit(),
            limit.shape.quota.rate().window_seconds(),
            one.ruling.level.remaining,
            reset(one),
        ));
    }
    text.push_str("]}");
    text
}
