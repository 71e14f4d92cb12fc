//! Which requests meet which limits.

use super::{Limit, RequestMatch};

/// A named set of limits and the requests that meet them.
#[derive(Debug)]
pub struct Rule {
    /// Shown in answers, metrics and logs; unique.
    pub name: String,
    /// Which requests.
    pub matches: RequestMatch,
    /// What they meet; may be empty: such a rule shields its requests from later ones.
    pub limits: Vec<Limit>,
}
