//! Who is calling.

use super::Attribute;

/// A place where a caller's identity may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientSource {
    /// `Authorization: Bearer` (RFC 6750 §2.1).
    Bearer,
    /// A request header, by lower-case name.
    Header(String),
    /// A cookie, by name.
    Cookie(String),
    /// A value that Envoy knows.
    Attribute(Attribute),
    /// The peer's address.
    Ip,
}

impl ClientSource {
    /// Whether it yields a secret that the client shows, and not what others say about it.
    #[must_use]
    pub const fn is_credential(&self) -> bool {
        match self {
            Self::Bearer | Self::Header(_) | Self::Cookie(_) => true,
            Self::Attribute(_) | Self::Ip => false,
        }
    }
}
