//! Why a configuration is refused.

use std::fmt;

/// The first fault found, with the path of the field that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    path: String,
    message: String,
}

impl ConfigError {
    /// An empty `path` is the configuration as a whole.
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl fmt::Display for ConfigError {
    /// One line of ASCII: `rules[2].limits[0].rate: expected N/unit, got "5 per min"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "configuration" } else { &self.path };
        write!(f, "{path}: {}", self.message)
    }
}

impl std::error::Error for ConfigError {}
