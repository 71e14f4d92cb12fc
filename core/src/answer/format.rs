//! The forms that an answer can have.

#[cfg(test)]
mod tests;

use crate::answer::accept::prefers_problem;
use crate::answer::grpc::is_grpc;

/// The form of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// The JSON object `{"error": …}`.
    #[default]
    Json,
    /// Problem details (RFC 9457).
    Problem,
    /// A gRPC status.
    Grpc,
}

impl Format {
    /// What the request with this `Content-Type` and these `Accept` fields wants.
    pub fn negotiate<'v>(content_type: Option<&[u8]>, accept: impl IntoIterator<Item = &'v [u8]>) -> Self {
        if content_type.is_some_and(is_grpc) {
            Self::Grpc
        } else if prefers_problem(accept) {
            Self::Problem
        } else {
            Self::Json
        }
    }
}
