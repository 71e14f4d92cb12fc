//! Why a configured pattern is refused.

use std::fmt;

/// A path, host or method in the configuration that is refused. Shown as `expected …, got "…"`, to follow the
/// field's own path in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// What would have been accepted.
    pub expected: &'static str,
    /// The part that was not, as configured.
    pub got: String,
}

impl PatternError {
    pub(super) fn new(expected: &'static str, got: &str) -> Self {
        Self { expected, got: got.to_owned() }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {:?}", self.expected, self.got)
    }
}

impl std::error::Error for PatternError {}
