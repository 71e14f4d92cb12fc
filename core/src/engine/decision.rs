//! What comes of a request.

use crate::engine::caller::CallerKind;
use crate::engine::compiled::{CompiledLimit, LimitPlace};
use crate::policy::Rule;
use crate::table::transaction::{Effects, Outcome, Receipt, Ruling};
use crate::time::{Clock, Nanos, UnixNanos};

/// The outcome of one request.
#[derive(Debug, Default)]
pub struct Decision<'e> {
    /// The rule that matched.
    pub rule: Option<&'e Rule>,
    /// Its place among the rules.
    pub rule_index: Option<usize>,
    /// The caller's plan.
    pub plan: Option<&'e str>,
    /// The verdict.
    pub verdict: Verdict,
    /// Every limit that applied, in the order of the configuration, top-level limits first; but for those in shadow.
    pub applied: Vec<Applied<'e>>,
    /// The limits in shadow that applied.
    pub shadow: Vec<Applied<'e>>,
    /// The wall clock of the decision, where one of its limits follows it.
    pub wall: Option<UnixNanos>,
    /// How long to hold the request, where it is allowed.
    pub delay: Nanos,
    /// What may have to be given back, and to which limits.
    pub receipts: Vec<(LimitPlace, Receipt)>,
    /// What happened in the table.
    pub effects: Effects,
    /// Who was counted, where a limit asked.
    pub client: Option<CallerKind>,
    /// The address came from a header and nobody vouches for it.
    pub forwarded: bool,
}

/// What is done with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    /// No limit applied.
    #[default]
    Unlimited,
    /// Never limited and never counted.
    Exempt,
    /// It asks what is left: see [`Engine::report`](crate::engine::Engine::report).
    Asks,
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
    /// The wall clock that answers count from: that of the decision, or else the one now.
    #[must_use]
    pub fn wall(&self, clock: &impl Clock) -> UnixNanos {
        self.wall.unwrap_or_else(|| clock.wall())
    }

    /// Whether only limits in shadow refused.
    #[must_use]
    pub fn is_shadow_limited(&self) -> bool {
        self.verdict == Verdict::Allowed && self.shadow.iter().any(|applied| applied.ruling.wait.is_some())
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
