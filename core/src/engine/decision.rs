//! What comes of a request.

use crate::engine::caller::CallerKind;
use crate::engine::compiled::CompiledLimit;
use crate::policy::Rule;
use crate::table::transaction::{Effects, Outcome, Ruling};

/// The outcome of one request.
#[derive(Debug)]
pub struct Decision<'e> {
    /// The rule that matched.
    pub rule: Option<&'e Rule>,
    /// Its place among the rules.
    pub rule_index: Option<usize>,
    /// The verdict.
    pub verdict: Verdict,
    /// Every limit that applied, in the order of the configuration, top-level limits first.
    pub applied: Vec<Applied<'e>>,
    /// What happened in the table.
    pub effects: Effects,
    /// Who was counted, where a limit asked.
    pub client: Option<CallerKind>,
    /// The address came from a header and nobody vouches for it.
    pub forwarded: bool,
}

/// What is done with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No limit applied.
    Unlimited,
    /// Every limit was charged.
    Allowed,
    /// Refused by at least one limit.
    Limited,
    /// Not decided: contention outlasted its retries, or the store failed.
    Busy,
}

/// One limit that applied.
#[derive(Debug, Clone, Copy)]
pub struct Applied<'e> {
    /// The limit.
    pub limit: &'e CompiledLimit,
    /// What it said.
    pub ruling: Ruling,
}

impl Decision<'_> {
    pub(super) fn unlimited() -> Self {
        Self {
            rule: None,
            rule_index: None,
            verdict: Verdict::Unlimited,
            applied: Vec::new(),
            effects: Effects::default(),
            client: None,
            forwarded: false,
        }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Admitted => Self::Allowed,
            Outcome::Refused => Self::Limited,
            Outcome::Busy => Self::Busy,
        }
    }
}
