//! The response to a request that goes no further.

#[cfg(test)]
mod tests;

use crate::answer::fields::Fields;
use crate::answer::figures::Figures;
use crate::answer::format::Format;
use crate::answer::grpc::{self, Code};
use crate::answer::style::{JSON, Overrides, Plans, Style};
use crate::answer::template::{Template, Values};
use crate::answer::{json, problem, retry_after};
use crate::engine::decision::Decision;
use crate::time::{Clock, Nanos, SECOND};

/// A whole response. HEAD is the proxy's to answer without the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal<'s> {
    /// The HTTP status, which for gRPC is always 200.
    pub status: u32,
    /// The body; gRPC has its message in a field instead.
    pub body: String,
    /// What the access log shows as response-code details.
    pub details: String,
    /// The status for a gRPC client; other clients do not see it.
    pub grpc_status: i32,
    /// Its header fields, but for those that are configured; [`headers`](Self::headers) has all of them.
    pub fields: Fields,
    configured: &'s [(String, String)],
}

/// Why nothing could be decided; nothing was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Contention outlasted its retries, or the store failed.
    Busy,
    /// What keeps the shared limits is out of reach.
    Outage {
        /// How long until it is tried again.
        probe_in: Nanos,
    },
}

impl<'s> Refusal<'s> {
    /// A limit refuses: 429 (RFC 6585 §4) unless configured otherwise. `None` where none does.
    #[must_use]
    pub fn of(decision: &Decision<'_>, style: &Style<'s>, clock: &impl Clock, format: Format) -> Option<Self> {
        let figures = Figures::new(decision, clock)?;
        let mut own = Fields::of(decision, &style.headers, clock);
        own.number("retry-after", figures.seconds);
        // A calling Envoy does not retry what carries this.
        own.text("x-envoy-ratelimited", "true");
        let status = style.overrides.status.unwrap_or(429);
        let content = match (format, &style.overrides.body) {
            (Format::Grpc, _) => Content::grpc(&mut own, Code::ResourceExhausted, &figures.message(), figures.wait),
            (_, Some(template)) => Content(status, template.content_type(), fill(template, &figures, style.plans)),
            (Format::Json, None) => Content(status, JSON, json::limited(&figures, style.plans)),
            (Format::Problem, None) => {
                Content(status, problem::MEDIA_TYPE, problem::limited(&figures, status, style.plans))
            }
        };
        let details = format!("weir_rate_limited{{{}}}", figures.tightest.limit.limit.name);
        Some(Self::new(Code::ResourceExhausted, details, own, content, style.overrides))
    }

    /// Nothing could be decided: 503, which speaks of no quota.
    #[must_use]
    pub fn failed(failure: Failure, overrides: &'s Overrides, format: Format) -> Self {
        let (code, message, details, wait) = match failure {
            Failure::Busy => {
                ("LIMITER_BUSY", "The rate limiter is busy. Try again.", "weir_limiter_busy", Nanos(SECOND))
            }
            Failure::Outage { probe_in } => (
                "LIMITER_UNAVAILABLE",
                "The rate limiter is unavailable. Try again later.",
                "weir_limiter_unavailable",
                probe_in,
            ),
        };
        let mut own = Fields::default();
        own.number("retry-after", retry_after(wait));
        let content = match format {
            Format::Grpc => Content::grpc(&mut own, Code::Unavailable, message, wait),
            Format::Json => Content(503, JSON, json::failed(code, message)),
            Format::Problem => Content(503, problem::MEDIA_TYPE, problem::failed(code, message)),
        };
        Self::new(Code::Unavailable, details.to_owned(), own, content, overrides)
    }

    /// All of its header fields: names in lower case, and values.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let configured = self.configured.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let replaced = |name: &str| self.configured.iter().any(|(other, _)| other == name);
        let own = self.fields.iter().filter(move |(name, _)| !replaced(name));
        own.map(|(name, value)| -> (&str, &str) { (name, value) }).chain(configured)
    }

    fn new(code: Code, details: String, mut own: Fields, content: Content<'_>, overrides: &'s Overrides) -> Self {
        let Content(status, content_type, body) = content;
        own.text("cache-control", "no-store");
        own.text("content-type", content_type);
        Self {
            status: status.into(),
            body,
            details,
            grpc_status: code as i32,
            fields: own,
            configured: &overrides.headers,
        }
    }
}

/// The HTTP status, the body's type, and the body.
struct Content<'c>(u16, &'c str, String);

impl Content<'_> {
    /// A response of header fields alone.
    fn grpc(fields: &mut Fields, code: Code, message: &str, wait: Nanos) -> Self {
        grpc::push_fields(fields, code, message, wait);
        Self(200, grpc::MEDIA_TYPE, String::new())
    }
}

fn fill(template: &Template, figures: &Figures<'_>, plans: Plans<'_>) -> String {
    template.render(&Values {
        retry_after: figures.seconds,
        limit: figures.limit(),
        remaining: figures.remaining(),
        reset_at: &figures.reset_at,
        rule: &figures.tightest.limit.text.rule_name,
        plan: plans.name.unwrap_or_default(),
    })
}
