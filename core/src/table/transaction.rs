//! All limits of one request, decided together: every one is checked, then every one is charged, or none.
//!
//! Limits whose buckets share a set need one read and one compare-and-swap. Those in other sets are checked first
//! and charged one set after the other; where a later set changed meanwhile and now refuses, the earlier ones are
//! given back. A refusal writes nothing.

mod commit;
mod work;

use crate::algorithm::Level;
use crate::policy::WhenFull;
use crate::store::{Store, StoreError};
use crate::table::geometry::{Geometry, SetIndex};
use crate::table::partition::{Partition, Salt};
use crate::table::secret::Secret;
use crate::table::shape::Shape;
use crate::time::{Clock, Nanos, Now};

pub use work::{Receipt, Scratch};

/// How often a decision is begun again because another worker was faster. Every lost round is one that somebody
/// else won, so passing this takes contention far beyond what workers of one proxy can make.
const MAX_ATTEMPTS: u32 = 128;

/// The table that one configuration uses.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Its layout.
    pub geometry: Geometry,
    /// What a newcomer gets where everybody is at their limit.
    pub when_full: WhenFull,
    /// The key of its hashes.
    pub secret: Secret,
}

/// One limit's demand.
#[derive(Debug, Clone, Copy)]
pub struct Charge<'p> {
    /// The limit's numbers.
    pub shape: &'p Shape,
    /// The limit's identity.
    pub salt: Salt,
    /// Who is counted.
    pub partition: Partition,
    /// Since when the limit has these numbers.
    pub since: Nanos,
    /// Tokens.
    pub cost: u64,
    /// Whether its refusal refuses the request; otherwise it only shows in its ruling, and it alone is not charged.
    pub enforce: bool,
}

/// What became of one charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ruling {
    /// What is left: after the charge where the request was admitted, as it stands where it was not.
    pub level: Level,
    /// Where this limit refuses: how long until it would not.
    pub wait: Option<Nanos>,
    /// Where it admits, but in its turn: how long to hold the request.
    pub delay: Nanos,
}

/// How a decision ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Every limit was charged.
    Admitted,
    /// At least one limit that enforces refuses; none was charged.
    Refused,
    /// Contention outlasted all attempts; none was charged.
    Busy,
}

/// What a decision did besides, for the counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// Entries added, less those forgotten.
    pub entries: i64,
    /// Entries that made way while in debt.
    pub displaced: u32,
    /// Charges that went to a limit's shared bucket.
    pub overflowed: u32,
    /// Swaps lost to another worker.
    pub retries: u32,
    /// Records that were not ours, or damaged.
    pub foreign: u32,
}

/// What came of giving a charge back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Returned {
    /// For the counters.
    pub effects: Effects,
    /// What its limit has left, and as of when; nothing where contention outlasted its retries, and the charge stands.
    pub left: Option<(Level, Nanos)>,
}

impl Table {
    /// Decides `charges` as of now, one ruling each in `rulings` (meaningless where the outcome is
    /// [`Outcome::Busy`]).
    ///
    /// # Errors
    /// Where the store fails; what had been charged by then may stay so.
    pub fn decide(
        &self,
        store: &mut impl Store,
        charges: &[Charge<'_>],
        clock: &impl Clock,
        scratch: &mut Scratch,
        rulings: &mut Vec<Ruling>,
    ) -> Result<(Outcome, Effects), StoreError> {
        let mut effects = Effects::default();
        scratch.begin(self, charges);
        let mut now = Now { mono: clock.monotonic(), ..Now::default() };
        let mut committed = 0;
        for _ in 0..MAX_ATTEMPTS {
            scratch.load(self, store, committed, &mut effects)?;
            scratch.read_wall(charges, clock, &mut now);
            if !scratch.check(charges, now, committed) {
                commit::undo(self, store, charges, scratch, committed, (now.mono, clock), &mut effects)?;
                scratch.rule(charges, now, rulings, false);
                return Ok((Outcome::Refused, effects));
            }
            if !scratch.apply(self, charges, now, committed, &mut effects) {
                continue;
            }
            committed = commit::commit(self, store, scratch, committed, &mut effects)?;
            if committed == scratch.sets() {
                scratch.rule(charges, now, rulings, true);
                return Ok((Outcome::Admitted, effects));
            }
        }
        commit::undo(self, store, charges, scratch, committed, (now.mono, clock), &mut effects)?;
        Ok((Outcome::Busy, effects))
    }

    /// One ruling for each charge as of now, and nothing is written.
    ///
    /// # Errors
    /// Where the store fails.
    pub fn peek(
        &self,
        store: &mut impl Store,
        charges: &[Charge<'_>],
        clock: &impl Clock,
        scratch: &mut Scratch,
        rulings: &mut Vec<Ruling>,
    ) -> Result<(), StoreError> {
        let mut now = Now { mono: clock.monotonic(), ..Now::default() };
        scratch.begin(self, charges);
        scratch.load(self, store, 0, &mut Effects::default())?;
        scratch.read_wall(charges, clock, &mut now);
        scratch.check(charges, now, 0);
        scratch.rule(charges, now, rulings, false);
        Ok(())
    }

    /// Gives back one charge, some time after it was made.
    ///
    /// # Errors
    /// Where the store fails; the charge stands.
    pub fn give_back(
        &self,
        store: &mut impl Store,
        shape: &Shape,
        receipt: &Receipt,
        clock: &impl Clock,
        scratch: &mut Scratch,
    ) -> Result<Returned, StoreError> {
        commit::give_back(self, store, shape, receipt, clock, scratch)
    }

    fn home(&self, charge: &Charge<'_>) -> SetIndex {
        self.geometry.home(charge.partition.place)
    }
}
