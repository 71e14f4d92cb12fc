//! One limit's algorithm, over what a record keeps for it: a state, or the entries of a log.

use crate::algorithm::fixed_window::FixedWindow;
use crate::algorithm::leaky_bucket::LeakyBucket;
use crate::algorithm::sliding_log::{Admission, SlidingLog};
use crate::algorithm::sliding_window::SlidingWindow;
use crate::algorithm::token_bucket::TokenBucket;
use crate::algorithm::{Algorithm, Level, State, Verdict};
use crate::policy::AlgorithmKind;
use crate::quota::Quota;
use crate::time::{Nanos, Now};

/// An algorithm, ready for decisions.
#[derive(Debug, Clone, Copy)]
pub enum Meter {
    /// One state for each bucket.
    State(Algorithm),
    /// An entry for each admission.
    Log(SlidingLog),
}

/// What one place of the table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A bucket.
    State(State),
    /// One admission of a log.
    Admission(Admission),
    /// One of another limit, which this log was charged along, and when the last one of its own was by then.
    Along(Admission, Nanos),
}

/// What is kept of one bucket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: it is full.
    #[default]
    Nothing,
    /// Its state.
    State(State),
    /// Its admissions, in the order of their times.
    Log(Vec<Admission>),
}

impl Meter {
    /// The meter of a quota.
    #[must_use]
    pub fn new(kind: AlgorithmKind, quota: &Quota) -> Self {
        Self::State(match kind {
            AlgorithmKind::TokenBucket => Algorithm::TokenBucket(TokenBucket::new(quota)),
            AlgorithmKind::LeakyBucket { max_delay } => Algorithm::LeakyBucket(LeakyBucket::new(quota, max_delay)),
            AlgorithmKind::FixedWindow => Algorithm::FixedWindow(FixedWindow::new(quota)),
            AlgorithmKind::SlidingWindow => Algorithm::SlidingWindow(SlidingWindow::new(quota)),
            AlgorithmKind::SlidingLog => return Self::Log(SlidingLog::new(quota)),
        })
    }

    /// Whether its decisions depend on the wall clock.
    #[must_use]
    pub const fn reads_wall(&self) -> bool {
        matches!(self, Self::State(algorithm) if algorithm.reads_wall())
    }

    /// Asks for `cost` tokens; what to keep if it is charged.
    #[must_use]
    pub fn check(&self, kept: &Kept, now: Now, cost: u64) -> Verdict<Slot> {
        match self {
            Self::State(algorithm) => algorithm.check(kept.state(), now, cost).map(Slot::State),
            Self::Log(log) => log.check(kept.log(), now.mono, cost).map(Slot::Admission),
        }
    }

    /// What is left; after `next` where that was charged.
    #[must_use]
    pub fn level(&self, kept: &Kept, next: Option<Slot>, now: Now) -> Level {
        match (self, next) {
            (Self::State(algorithm), Some(Slot::State(next))) => algorithm.level(Some(next), now),
            (Self::State(algorithm), _) => algorithm.level(kept.state(), now),
            (Self::Log(log), Some(Slot::Admission(next))) => log.level(&[kept.log(), &[next]].concat(), now.mono),
            (Self::Log(log), _) => log.level(kept.log(), now.mono),
        }
    }

    /// How long to hold a request that is charged.
    #[must_use]
    pub fn delay(&self, kept: &Kept, now: Now) -> Nanos {
        match self {
            Self::State(algorithm) => algorithm.delay(kept.state(), now),
            Self::Log(_) => Nanos(0),
        }
    }

    /// Tokens in use, rounded up, and how many there are.
    #[must_use]
    pub fn debt_fraction(&self, kept: &Kept, now: Now) -> f64 {
        match (self, kept) {
            (Self::State(algorithm), Kept::State(state)) => algorithm.debt_fraction(*state, now),
            (Self::Log(log), Kept::Log(admissions)) => {
                let all = log.level(&[], now.mono).remaining;
                log.used(admissions, now.mono) as f64 / all.max(1) as f64
            }
            _ => 0.0,
        }
    }

    /// Restates what was kept under another meter, as of `anchor`.
    #[must_use]
    pub fn carry(&self, kept: &Kept, from: &Self, anchor: Now) -> Kept {
        let used = match (self, from, kept) {
            (Self::State(to), Self::State(from), Kept::State(state)) => {
                return Kept::State(to.carry(*state, from, anchor));
            }
            (_, Self::State(from), Kept::State(state)) => from.used(*state, anchor),
            (_, Self::Log(from), Kept::Log(log)) => from.used(log, anchor.mono),
            _ => return Kept::Nothing,
        };
        match self {
            Self::State(to) => Kept::State(to.with_used(used, anchor)),
            // All of it at once, at the anchor: the times of another window tell nothing here.
            Self::Log(to) => to.with_used(used, anchor.mono).map_or(Kept::Nothing, |one| Kept::Log(vec![one])),
        }
    }

    /// Whether forgetting the slot would change nothing.
    #[must_use]
    pub fn is_over(&self, slot: &Slot, now: Now) -> bool {
        match (self, slot) {
            (Self::State(algorithm), Slot::State(state)) => algorithm.is_full(*state, now),
            (Self::Log(log), Slot::Admission(admission) | Slot::Along(admission, _)) => {
                log.is_over(admission, now.mono)
            }
            _ => true,
        }
    }
}

impl Kept {
    /// A log of these admissions, which come in any order.
    #[must_use]
    pub fn in_order(admissions: impl Iterator<Item = Admission>) -> Self {
        let mut log: Vec<Admission> = Vec::new();
        for admission in admissions {
            // Hardly ever not the last place: workers read the clock one after another, but may write in another order.
            let place = log.partition_point(|earlier| earlier.at <= admission.at);
            log.insert(place, admission);
        }
        Self::Log(log)
    }

    /// The state, where it is one.
    #[must_use]
    pub const fn state(&self) -> Option<State> {
        if let Self::State(state) = self { Some(*state) } else { None }
    }

    /// The admissions, where it is a log.
    #[must_use]
    pub fn log(&self) -> &[Admission] {
        if let Self::Log(log) = self { log } else { &[] }
    }
}

impl Slot {
    /// The admission, where it is one.
    #[must_use]
    pub const fn admission(&self) -> Option<Admission> {
        if let Self::Admission(admission) | Self::Along(admission, _) = self { Some(*admission) } else { None }
    }

    /// When it was last charged by a limit of its own numbers.
    #[must_use]
    pub const fn touched(&self) -> Nanos {
        match self {
            Self::State(state) => state.touched(),
            Self::Admission(admission) => admission.at,
            Self::Along(_, last) => *last,
        }
    }
}
