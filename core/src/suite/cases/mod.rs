//! The cases, by concept.

mod buckets;
mod identity;
mod rules;
mod sharing;
mod table;

use super::{Case, Step};

/// All cases.
pub(super) const ALL: &[&[Case]] = &[buckets::CASES, identity::CASES, rules::CASES, sharing::CASES, table::CASES];
