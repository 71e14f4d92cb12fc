//! An allowed request whose response, or leaving, may still give tokens back.

use crate::algorithm::Level;
use crate::engine::compiled::LimitPlace;
use crate::engine::decision::{Applied, Decision, Verdict};
use crate::engine::{Engine, Scratch};
use crate::store::Store;
use crate::table::transaction::{Effects, Receipt, Ruling};
use crate::time::{Clock, Nanos};

/// What may have to be given back, and what the client would be told meanwhile.
#[derive(Debug, Default)]
pub struct Pending {
    receipts: Vec<(LimitPlace, Receipt)>,
    told: Vec<Told>,
}

/// What becomes of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// It stands.
    Keep,
    /// More has to be known.
    Wait,
    /// It is taken back.
    GiveBack,
}

/// What one limit that applied has left, as of a time.
#[derive(Debug)]
struct Told {
    place: LimitPlace,
    level: Level,
    at: Nanos,
}

impl Pending {
    /// What remains of a decision until the response comes.
    #[must_use]
    pub fn of(decision: Decision<'_>) -> Self {
        let Some((_, receipt)) = decision.receipts.first() else { return Self::default() };
        let told =
            |applied: &Applied<'_>| Told { place: applied.limit.place, level: applied.ruling.level, at: receipt.at() };
        Self { told: decision.applied.iter().map(told).collect(), receipts: decision.receipts }
    }

    /// Whether nothing can be given back any more.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.receipts.is_empty()
    }

    /// The request goes on: what was charged stands, but for what the response decides.
    pub fn resume(&mut self, engine: &Engine) {
        self.receipts.retain(|(place, _)| engine.limit(*place).is_some_and(|limit| limit.counts_responses()));
    }

    /// Settles every charge by what its limit counts, statuses and gRPC statuses; tells `effects` what came of it.
    /// Whether anything was given back.
    pub fn settle(
        &mut self,
        engine: &Engine,
        store: &mut impl Store,
        clock: &impl Clock,
        scratch: &mut Scratch,
        decide: impl Fn(&[u16], &[u8]) -> Settle,
        mut effects: impl FnMut(&Effects),
    ) -> bool {
        let mut changed = false;
        self.receipts.retain(|receipt| {
            let (status, grpc_status) =
                engine.limit(receipt.0).map(|limit| limit.counted_responses()).unwrap_or_default();
            let settled = decide(status, grpc_status);
            if settled == Settle::GiveBack
                // Where the store fails the charge stands: the limit errs on the strict side.
                && let Ok(returned) = engine.give_back(receipt, store, clock, scratch)
            {
                effects(&returned.effects);
                if let (Some((level, at)), Some(told)) =
                    (returned.left, self.told.iter_mut().find(|told| told.place == receipt.0))
                {
                    (told.level, told.at, changed) = (level, at, true);
                }
            }
            settled == Settle::Wait
        });
        changed
    }

    /// The decision as it would be told now.
    #[must_use]
    pub fn decision<'e>(&self, engine: &'e Engine) -> Decision<'e> {
        let now = self.told.iter().map(|told| told.at).max().unwrap_or_default();
        let applied = self.told.iter().filter_map(|told| {
            let ruling =
                Ruling { level: told.level.after(Nanos(now.0.saturating_sub(told.at.0))), wait: None, delay: Nanos(0) };
            Some(Applied { limit: engine.limit(told.place)?, ruling })
        });
        Decision { verdict: Verdict::Allowed, applied: applied.collect(), ..Decision::default() }
    }
}
