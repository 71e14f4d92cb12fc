//! What is understood already but not done yet. It is refused: a limit that is accepted must hold.

use super::error::ConfigError;
use crate::policy::Policy;

pub(super) fn refuse(policy: &Policy) -> Result<(), ConfigError> {
    // No limit's scope can be global without it.
    match policy.global {
        Some(_) => Err(ConfigError::new("global", "not supported yet")),
        None => Ok(()),
    }
}
