//! The response to a request that goes no further.

use core::fmt::Write as _;
use std::time::{Duration, SystemTime};

use crate::answer::fields::Fields;
use crate::answer::{longest_wait, retry_after, tightest};
use crate::engine::decision::{Applied, Decision};
use crate::policy::HeaderPolicy;
use crate::time::{Clock, Nanos, UnixNanos};

/// A whole response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u32,
    /// All of its header fields.
    pub fields: Fields,
    /// The JSON body.
    pub body: String,
    /// What the access log shows as response-code details.
    pub details: String,
    /// The status for a gRPC client: RESOURCE_EXHAUSTED (8) or UNAVAILABLE (14).
    pub grpc_status: i32,
}

impl Refusal {
    /// 429 (RFC 6585 §4): a limit refuses. `None` where none does.
    #[must_use]
    pub fn limited(decision: &Decision<'_>, policy: &HeaderPolicy, clock: &impl Clock) -> Option<Self> {
        let (tightest, wait) = (tightest(decision)?, longest_wait(decision)?);
        let seconds = retry_after(wait);
        let mut fields = Fields::of(decision, policy, clock);
        fields.number("retry-after", seconds);
        // A calling Envoy does not retry what carries this.
        fields.text("x-envoy-ratelimited", "true");
        body_fields(&mut fields);
        let name = &tightest.limit.limit.name;
        Some(Self {
            status: 429,
            fields,
            body: body(decision, tightest, wait, clock.wall()),
            details: format!("weir_rate_limited{{{name}}}"),
            grpc_status: 8,
        })
    }

    /// 503: the limiter itself could not decide; nothing was charged.
    #[must_use]
    pub fn busy() -> Self {
        let mut fields = Fields::default();
        fields.number("retry-after", 1);
        body_fields(&mut fields);
        let body = r#"{"error": {"code": "LIMITER_BUSY", "message": "The rate limiter is busy. Try again."}}"#;
        Self { status: 503, fields, body: body.into(), details: "weir_limiter_busy".into(), grpc_status: 14 }
    }
}

fn body_fields(fields: &mut Fields) {
    fields.text("cache-control", "no-store");
    fields.text("content-type", "application/json");
}

/// The JSON of a 429; names are quoted already, everything else is a number or a date.
fn body(decision: &Decision<'_>, tightest: &Applied<'_>, wait: Nanos, wall: UnixNanos) -> String {
    let seconds = retry_after(wait);
    let mut limits = String::new();
    let mut named: Vec<&str> = Vec::new();
    for applied in &decision.applied {
        let (limit, level) = (applied.limit, applied.ruling.level);
        // A top-level limit may be called as one of the rule's is: a JSON object has room for one of them.
        if named.contains(&limit.text.name.as_str()) {
            continue;
        }
        let comma = if named.is_empty() { "" } else { ", " };
        named.push(&limit.text.name);
        limits.push_str(&format!(
            r#"{comma}{}: {{"limit": {}, "window": {}, "remaining": {}}}"#,
            limit.text.name,
            limit.shape.quota.shown_limit(),
            limit.shape.quota.rate().window_seconds(),
            level.remaining,
        ));
    }
    format!(
        concat!(
            r#"{{"error": {{"code": "RATE_LIMITED", "message": "Rate limit exceeded. Try again in {seconds} seconds.", "#,
            r#""retryAfter": {seconds}, "limit": {limit}, "remaining": {remaining}, "resetAt": "{reset_at}", "#,
            r#""rule": {rule}, "policy": {policy}, "limits": {{{limits}}}}}}}"#,
        ),
        seconds = seconds,
        limit = tightest.limit.shape.quota.shown_limit(),
        remaining = tightest.ruling.level.remaining,
        reset_at = rfc3339(wall.ceil_seconds_after(wait)),
        rule = tightest.limit.text.rule,
        policy = tightest.limit.text.name,
        limits = limits,
    )
}

/// A Unix time in seconds as RFC 3339 writes it; empty where the year has more than four digits.
fn rfc3339(seconds: u64) -> String {
    let mut text = String::new();
    let moment = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
    let written = moment.map(|moment| write!(text, "{}", humantime::format_rfc3339_seconds(moment)));
    if matches!(written, Some(Ok(()))) { text } else { String::new() }
}
