//! Which header families are sent.

/// Which header families are sent, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderPolicy {
    /// `X-RateLimit-Limit`, `-Remaining`, `-Reset`.
    pub x_ratelimit: bool,
    /// `RateLimit-Policy` and `RateLimit`.
    pub ratelimit: Option<Draft>,
    /// What `X-RateLimit-Reset` counts.
    pub reset: ResetUnit,
}

/// A version of draft-ietf-httpapi-ratelimit-headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draft {
    /// `r` and `t`.
    Draft11,
    /// `a` and `w`.
    Draft12,
}

/// The unit of `X-RateLimit-Reset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetUnit {
    /// Seconds since the Unix epoch.
    Epoch,
    /// Seconds from now.
    Delta,
}

impl Default for HeaderPolicy {
    fn default() -> Self {
        Self { x_ratelimit: true, ratelimit: Some(Draft::Draft11), reset: ResetUnit::Epoch }
    }
}
