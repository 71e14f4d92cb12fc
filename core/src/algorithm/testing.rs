//! What the tests of several algorithms share.

use proptest::prelude::*;

use crate::quota::{MAX_TOKENS, Quota, Rate};
use crate::time::{Nanos, SECOND};

pub(super) fn quota(rate: &str, burst: Option<u64>) -> Quota {
    Quota::new(Rate::parse(rate).unwrap(), burst).unwrap()
}

/// Small quotas, which fill up, and the largest, which strain the arithmetic.
pub(super) fn quotas() -> impl Strategy<Value = Quota> {
    let tokens = prop_oneof![3 => 1..8_u64, 1 => 1..1_000_u64, 1 => Just(MAX_TOKENS)];
    let seconds = prop_oneof![1..120_u64, Just(86_400), Just(365 * 86_400), 1..365 * 86_400_u64];
    let burst = prop_oneof![2 => Just(None), 1 => (1..12_u64).prop_map(Some), 1 => (1..=MAX_TOKENS).prop_map(Some)];
    (tokens, seconds, burst).prop_filter_map("refill too long", |(tokens, seconds, burst)| {
        Quota::new(Rate::new(tokens, Nanos(seconds * SECOND)).ok()?, burst).ok()
    })
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    kind: u8,
    amount: u64,
    share: u64,
    /// Which of the charges so far is taken back, if any.
    pub(super) refund: Option<prop::sample::Index>,
}

pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0..7_u8, 0..1_000_u64, 0..12_u64, prop::option::weighted(0.2, any::<prop::sample::Index>()));
    let step = step.prop_map(|(kind, amount, share, refund)| Step { kind, amount, share, refund });
    prop::collection::vec(step, 1..150)
}

impl Step {
    /// How long until it happens, from a moment `now` of a clock whose windows matter.
    pub(super) fn pause(&self, quota: &Quota, now: u64) -> u64 {
        let period = quota.rate().period().0;
        let border = period - now % period;
        match self.kind {
            0 | 1 => 0,
            2 => 1,
            3 => (u128::from(period) * u128::from(self.amount) / 1_000) as u64,
            4 => border - 1,
            5 => border,
            _ => period / quota.rate().tokens() + self.amount % 3,
        }
    }

    /// Tokens: one, a few, or a share of the burst.
    pub(super) fn cost(&self, quota: &Quota) -> u64 {
        let cost = match self.share {
            0..8 => 1,
            8..10 => 3,
            _ => (quota.burst() / 3).max(1),
        };
        cost.min(quota.burst())
    }
}

/// Whether no span of time holds more than burst + t · tokens / period of what was admitted, in order.
pub(super) fn within_bound(admitted: &[(u64, u64)], burst: u64, tokens: u64, period: u64) -> bool {
    (0..admitted.len()).all(|first| {
        let start = admitted[first].0;
        let mut sum = 0_u128;
        admitted[first..].iter().all(|(at, cost)| {
            sum += u128::from(*cost);
            sum.saturating_sub(burst.into()) * u128::from(period) <= u128::from(tokens) * u128::from(at - start)
        })
    })
}
