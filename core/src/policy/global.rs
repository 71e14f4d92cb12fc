//! Limits that a fleet shares.

use crate::time::Nanos;

/// The service that counts limits of [`Scope::Global`](super::Scope::Global):
/// `envoy.service.ratelimit.v3.RateLimitService`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalPolicy {
    /// The Envoy cluster that it is.
    pub cluster: String,
    /// The set of descriptors that it looks in.
    pub domain: String,
    /// How long one call may take; not zero.
    pub timeout: Nanos,
    /// What a limit says where the service says nothing.
    pub on_error: OnError,
}

/// See [`GlobalPolicy::on_error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// The same limit, kept by this proxy.
    Local,
    /// Nothing: the request passes.
    Allow,
    /// 503, under an error code of its own.
    Deny,
}
