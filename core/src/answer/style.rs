//! What the configuration says about answers.

use crate::answer::template::{Template, TemplateError};
use crate::policy::{HeaderPolicy, ResponsePolicy};

/// The type of a refusal's body, and of a configured body that comes without one.
pub const JSON: &str = "application/json";

/// How refusals look; cheap, so one is made for each answer.
#[derive(Debug, Clone, Copy)]
pub struct Style<'s> {
    /// Which rate limit fields are sent.
    pub headers: HeaderPolicy,
    /// What is different from the ordinary refusal.
    pub overrides: &'s Overrides,
    /// The caller's place among the plans.
    pub plans: Plans<'s>,
}

/// `response`: what is different from the ordinary refusal, ready for use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The status of a refusal by a limit, in place of 429. gRPC has its own.
    pub status: Option<u16>,
    /// The body of a refusal by a limit, whatever form the client prefers; gRPC's message stays as it is.
    pub body: Option<Template>,
    /// Further fields of every refusal (CORS, say), by lower-case name; they stand in place of any of ours so named.
    pub headers: Vec<(String, String)>,
}

impl Overrides {
    /// Nothing is different.
    pub const NONE: &'static Self = &Self { status: None, body: None, headers: Vec::new() };

    /// Prepares what is configured.
    ///
    /// # Errors
    /// Where the body is no template for its type.
    pub fn new(policy: &ResponsePolicy) -> Result<Self, TemplateError> {
        let content_type = policy.content_type.as_deref().unwrap_or(JSON);
        let body = policy.body.as_deref().map(|body| Template::parse(body, content_type)).transpose()?;
        Ok(Self { status: policy.status, body, headers: policy.headers.clone() })
    }
}

/// What an answer says of plans; nothing where none are configured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plans<'s> {
    /// The caller's plan.
    pub name: Option<&'s str>,
    /// Where to get another.
    pub upgrade_url: Option<&'s str>,
}
