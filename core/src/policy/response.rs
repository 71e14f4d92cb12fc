//! What a refusal looks like instead.

/// What is not given is as it is without.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResponsePolicy {
    /// The HTTP status, 400 to 599.
    pub status: Option<u16>,
    /// A template.
    pub body: Option<String>,
    /// The body's media type (RFC 9110 §8.3.1); only beside a body.
    pub content_type: Option<String>,
    /// Header fields besides: lower-case names, each once and none that the filter or HTTP itself writes; printable
    /// values.
    pub headers: Vec<(String, String)>,
}
