//! `response`: what a refusal looks like instead.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::name;
use super::show::quoted;
use crate::answer::style::JSON;
use crate::answer::template::{Template, TemplateError};
use crate::policy::ResponsePolicy;

const RESPONSE: Shape = Shape { what: "an object", known: &["status", "body", "content_type", "headers"] };

/// Fields that HTTP itself needs on this connection (RFC 9110 §7.6.1), or that say where a message ends (RFC 9112 §6).
const FRAMING: [&str; 9] = [
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Fields that a refusal has anyway.
const OWN: [&str; 12] = [
    "cache-control",
    "grpc-message",
    "grpc-retry-pushback-ms",
    "grpc-status",
    "grpc-status-details-bin",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "x-envoy-ratelimited",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
];

pub(super) fn read(cursor: &Cursor<'_>) -> Result<ResponsePolicy, ConfigError> {
    let fields = cursor.fields(&RESPONSE)?;
    // Another status would not read as a refusal: below 400 it is a success, or sends the caller elsewhere.
    let status = fields.read("status", |field| {
        let status = field.whole(400..=599)?;
        u16::try_from(status).map_err(|_| field.expected("a status"))
    })?;
    let content_type = fields.read("content_type", content_type)?;
    match (fields.get("body"), fields.get("content_type")) {
        (Some(body), _) => check_body(&body, content_type.as_deref().unwrap_or(JSON))?,
        (None, Some(field)) => return Err(field.error("needs a body, whose type it says")),
        (None, None) => {}
    }
    let body = fields.read("body", |field| field.string("a text").map(str::to_owned))?;
    let headers = fields.read("headers", headers)?.unwrap_or_default();
    Ok(ResponsePolicy { status, body, content_type, headers })
}

/// Whether it is a template of this type.
fn check_body(cursor: &Cursor<'_>, content_type: &str) -> Result<(), ConfigError> {
    match Template::parse(cursor.string("a text")?, content_type) {
        Ok(_) => Ok(()),
        Err(TemplateError::Unknown(name)) => {
            let known = "{retry_after}, {limit}, {remaining}, {reset_at}, {rule}, {plan}";
            Err(cursor.error(format!("unknown placeholder {} (known here: {known})", quoted(&format!("{{{name}}}")))))
        }
        Err(TemplateError::NotJson(fault)) => {
            let message = "not valid JSON with its placeholders filled in; for another type set content_type";
            Err(cursor.error(format!("{message} ({fault})")))
        }
    }
}

/// `type/subtype`, perhaps with parameters (RFC 9110 §8.3.1).
fn content_type(cursor: &Cursor<'_>) -> Result<String, ConfigError> {
    let what = "a media type such as text/plain; charset=utf-8";
    let text = cursor.string(what)?;
    let essence = text.split(';').next().unwrap_or_default().trim_end_matches(' ');
    let is_type = essence.split_once('/').is_some_and(|(kind, sub)| name::is_token(kind) && name::is_token(sub));
    if is_type && is_value(text) { Ok(text.to_owned()) } else { Err(cursor.expected(what)) }
}

fn headers(cursor: &Cursor<'_>) -> Result<Vec<(String, String)>, ConfigError> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for (given, field) in cursor.entries("an object with at least one header")? {
        let name = given.to_ascii_lowercase();
        if !name::is_token(&name) {
            return Err(field.error("not the name of a header"));
        }
        if name == "content-type" {
            return Err(field.error("set content_type instead, beside headers"));
        }
        if FRAMING.contains(&name.as_str()) || OWN.contains(&name.as_str()) {
            return Err(field.error("not a header to set: the proxy or Weir itself writes it"));
        }
        if headers.iter().any(|(earlier, _)| *earlier == name) {
            return Err(field.error("given twice"));
        }
        let what = "a text of printable ASCII without blanks around it";
        let value = field.string(what)?;
        if !is_value(value) {
            return Err(field.expected(what));
        }
        headers.push((name, value.to_owned()));
    }
    Ok(headers)
}

/// What any reader of a header takes in one way (RFC 9110 §5.5).
fn is_value(text: &str) -> bool {
    !text.is_empty() && text.trim_ascii() == text && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
