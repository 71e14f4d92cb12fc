//! What a limit counts apart.

use super::Attribute;

/// One component of a partition key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// The caller (see [`Policy::client`](super::Policy::client)).
    Client,
    /// The peer's network.
    Ip,
    /// The caller's plan; there are plans.
    Plan,
    /// The request method.
    Method,
    /// The normalised path.
    Path,
    /// The normalised host.
    Host,
    /// A request header, by lower-case name.
    Header(String),
    /// A cookie, by name.
    Cookie(String),
    /// A parameter of the query, by its name without escapes.
    Query(String),
    /// What a rule's path pattern captured under this name.
    Capture(String),
    /// The token of `Authorization: Bearer` (RFC 6750 §2.1).
    Bearer,
    /// A value that Envoy knows.
    Attribute(Attribute),
}
