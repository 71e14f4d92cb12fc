//! Problem details (RFC 9457).

use crate::answer::figures::Figures;
use crate::answer::json::push_plans;
use crate::answer::style::Plans;

/// The type of such a body.
pub(super) const MEDIA_TYPE: &str = "application/problem+json";

/// `quota-exceeded` of draft-ietf-httpapi-ratelimit-headers, with its member `violated-policies`. Of what the plain
/// JSON has beside, the parts that a client acts on; `RateLimit` and `RateLimit-Policy` have the rest.
pub(super) fn limited(figures: &Figures<'_>, status: u16, plans: Plans<'_>) -> String {
    let mut violated: Vec<&str> = Vec::new();
    for applied in figures.applied.iter().filter(|applied| applied.ruling.wait.is_some()) {
        if !violated.contains(&applied.limit.text.name.as_str()) {
            violated.push(&applied.limit.text.name);
        }
    }
    let mut body = format!(
        concat!(
            r#"{{"type": "https://iana.org/assignments/http-problem-types#quota-exceeded", "title": "Quota Exceeded", "#,
            r#""status": {status}, "detail": "{message}", "violated-policies": [{violated}], "#,
            r#""retryAfter": {seconds}, "limit": {limit}, "remaining": {remaining}, "resetAt": "{reset_at}""#,
        ),
        status = status,
        message = figures.message(),
        violated = violated.join(", "),
        seconds = figures.seconds,
        limit = figures.limit(),
        remaining = figures.remaining(),
        reset_at = figures.reset_at,
    );
    push_plans(&mut body, plans);
    body.push('}');
    body
}

/// Nothing could be decided: no type says more than the status does, so the title is the status's (§4.2.1).
pub(super) fn failed(code: &str, message: &str) -> String {
    format!(
        r#"{{"type": "about:blank", "title": "Service Unavailable", "status": 503, "detail": "{message}", "code": "{code}"}}"#
    )
}
