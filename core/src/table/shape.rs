//! The numbers of a limit, kept beside the entries that were written under them.
//!
//! An entry's state means nothing without them: a limit that was raised, lowered or re-timed finds here what the
//! debt was measured in, and restates it. A set keeps each shape once, however many entries share it.

use crate::algorithm::token_bucket::TokenBucket;
use crate::algorithm::{Algorithm, Form};
use crate::policy::AlgorithmKind;
use crate::quota::{Quota, Rate};
use crate::table::meter::Meter;
use crate::time::Nanos;

/// A shape's bytes in a record: form, tokens, period, burst.
pub(super) const SHAPE_BYTES: usize = 25;

/// What a bucket's bytes are, and in which numbers: two shapes are the same where these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    form: SlotForm,
    /// Whether it is a leaky bucket that holds requests back.
    queue: bool,
    quota: Quota,
}

/// What a slot's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotForm {
    State(Form),
    Admission,
}

/// A limit's numbers and, prepared from them, its algorithm.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The quota.
    pub quota: Quota,
    /// What is written beside its entries.
    pub numbers: Numbers,
    /// The algorithm.
    pub meter: Meter,
}

impl Shape {
    /// The shape of a limit.
    #[must_use]
    pub fn new(kind: AlgorithmKind, quota: Quota) -> Self {
        let form = match kind {
            AlgorithmKind::TokenBucket | AlgorithmKind::LeakyBucket { .. } => SlotForm::State(Form::Tat),
            AlgorithmKind::FixedWindow => SlotForm::State(Form::Fixed),
            AlgorithmKind::SlidingWindow => SlotForm::State(Form::Sliding),
            AlgorithmKind::SlidingLog => SlotForm::Admission,
        };
        // A queue's entries are read back as a bucket's: one that can be as deep in debt.
        let (queue, written) = match kind {
            AlgorithmKind::LeakyBucket { max_delay } => (max_delay > Nanos(0), quota.deeper(max_delay)),
            _ => (false, quota),
        };
        Self { quota, numbers: Numbers { form, queue, quota: written }, meter: Meter::new(kind, &quota) }
    }
}

impl Numbers {
    pub(super) const fn form(&self) -> SlotForm {
        self.form
    }

    /// Whether its buckets follow the wall clock.
    #[must_use]
    pub const fn reads_wall(&self) -> bool {
        matches!(self.form, SlotForm::State(Form::Fixed))
    }

    /// The algorithm that its entries were written under, as far as they depend on it.
    #[must_use]
    pub fn meter(&self) -> Meter {
        let kind = match self.form {
            SlotForm::State(Form::Tat) if self.queue => {
                return Meter::State(Algorithm::TokenBucket(TokenBucket::new(&self.quota).shallow()));
            }
            SlotForm::State(Form::Tat) => AlgorithmKind::TokenBucket,
            SlotForm::State(Form::Fixed) => AlgorithmKind::FixedWindow,
            SlotForm::State(Form::Sliding) => AlgorithmKind::SlidingWindow,
            SlotForm::Admission => AlgorithmKind::SlidingLog,
        };
        Meter::new(kind, &self.quota)
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        out.push(match self.form {
            SlotForm::State(Form::Tat) if self.queue => 5,
            SlotForm::State(Form::Tat) => 1,
            SlotForm::State(Form::Fixed) => 2,
            SlotForm::State(Form::Sliding) => 3,
            SlotForm::Admission => 4,
        });
        out.extend_from_slice(&self.quota.rate().tokens().to_le_bytes());
        out.extend_from_slice(&self.quota.rate().period().0.to_le_bytes());
        out.extend_from_slice(&self.quota.burst().to_le_bytes());
    }

    /// `None` where no configuration could have written this.
    pub(super) fn decode(bytes: &[u8; SHAPE_BYTES]) -> Option<Self> {
        let (&[form], rest) = bytes.split_first_chunk()?;
        let (tokens, rest) = rest.split_first_chunk()?;
        let (period, burst) = rest.split_first_chunk()?;
        let queue = form == 5;
        let form = match form {
            1 | 5 => SlotForm::State(Form::Tat),
            2 => SlotForm::State(Form::Fixed),
            3 => SlotForm::State(Form::Sliding),
            4 => SlotForm::Admission,
            _ => return None,
        };
        let rate = Rate::new(u64::from_le_bytes(*tokens), Nanos(u64::from_le_bytes(*period))).ok()?;
        let quota = Quota::new(rate, Some(u64::from_le_bytes(burst.try_into().ok()?))).ok()?;
        Some(Self { form, queue, quota })
    }
}
