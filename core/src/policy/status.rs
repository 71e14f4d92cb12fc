//! Asking without spending.

use super::{Limit, Part};
use crate::http::PathPattern;
use crate::quota::Quota;

/// Where the filter itself tells a caller what is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusPolicy {
    /// One literal path.
    pub path: PathPattern,
}

impl StatusPolicy {
    /// How often one address may ask: often enough for any client that shows its user a gauge, and too seldom to try
    /// out keys.
    #[must_use]
    pub fn limit(&self) -> Limit {
        Limit {
            name: "status".to_owned(),
            quota: Quota::PER_SECOND_FIVE,
            algorithm: Default::default(),
            per: vec![Part::Ip],
            cost: Default::default(),
            count: Default::default(),
            missing: Default::default(),
            scope: Default::default(),
            mode: Default::default(),
        }
    }
}
