//! The numbers of a limit, kept beside the entries that were written under them.
//!
//! An entry's state means nothing without them: a limit that was raised, lowered or re-timed finds here what the
//! debt was measured in, and restates it. A set keeps each shape once, however many entries share it.

use crate::algorithm::token_bucket::TokenBucket;
use crate::quota::{Quota, Rate};
use crate::time::Nanos;

/// A shape's bytes in a record: algorithm, tokens, period, burst.
pub(super) const SHAPE_BYTES: usize = 25;
const TOKEN_BUCKET: u8 = 1;

/// A limit's numbers and, prepared from them, its algorithm.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The numbers: two shapes are the same where these are.
    pub quota: Quota,
    /// The algorithm.
    pub bucket: TokenBucket,
}

impl Shape {
    /// The shape of a limit.
    #[must_use]
    pub fn new(quota: Quota) -> Self {
        Self { quota, bucket: TokenBucket::new(&quota) }
    }
}

pub(super) fn encode(quota: &Quota, out: &mut Vec<u8>) {
    out.push(TOKEN_BUCKET);
    out.extend_from_slice(&quota.rate().tokens().to_le_bytes());
    out.extend_from_slice(&quota.rate().period().0.to_le_bytes());
    out.extend_from_slice(&quota.burst().to_le_bytes());
}

/// `None` where no configuration could have written this.
pub(super) fn decode(bytes: &[u8; SHAPE_BYTES]) -> Option<Quota> {
    let (&[kind], rest) = bytes.split_first_chunk()?;
    let (tokens, rest) = rest.split_first_chunk()?;
    let (period, burst) = rest.split_first_chunk()?;
    let rate = Rate::new(u64::from_le_bytes(*tokens), Nanos(u64::from_le_bytes(*period))).ok()?;
    let burst = u64::from_le_bytes(burst.try_into().ok()?);
    Quota::new(rate, Some(burst)).ok().filter(|_| kind == TOKEN_BUCKET)
}
