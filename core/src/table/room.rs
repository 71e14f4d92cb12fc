//! Who makes way when a set is full.

use crate::algorithm::token_bucket::{TokenBucket, Verdict};
use crate::table::record::Record;
use crate::time::Nanos;

/// What a full set offers a newcomer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// A free place.
    Free,
    /// The place of the entry under this tag, which is not at its limit.
    Of(u64),
    /// Everybody is at their limit; the one under this tag is nearest to recovery.
    Crowded(Option<u64>),
}

/// Finds room for one more entry among `capacity` places.
///
/// Entries that are full again have been dropped first: they cost nothing to forget. Of the others the one with the
/// smallest debt as a fraction of its burst makes way, and nobody who is at the limit does while anybody else can:
/// a flood of new keys gives no abuser a fresh bucket. `keep` are the tags of the request itself.
#[must_use]
pub fn find(record: &mut Record, capacity: usize, keep: impl Fn(u64) -> bool, now: Nanos) -> Room {
    record.prune(now);
    if record.len() < capacity {
        return Room::Free;
    }
    let mut lightest: Option<(f64, u64)> = None;
    let mut nearest: Option<(Nanos, u64)> = None;
    let buckets: Vec<TokenBucket> = record.shapes().iter().map(TokenBucket::new).collect();
    for (entry, shape) in record.entries().filter(|(entry, _)| !keep(entry.tag)) {
        let Some(bucket) = buckets.get(shape) else { continue };
        match bucket.check(Some(entry.state), now, 1) {
            Verdict::Fits(_) => {
                let debt = bucket.debt_fraction(entry.state, now);
                if lightest.is_none_or(|(least, _)| debt < least) {
                    lightest = Some((debt, entry.tag));
                }
            }
            Verdict::Waits(wait) => {
                if nearest.is_none_or(|(least, _)| wait < least) {
                    nearest = Some((wait, entry.tag));
                }
            }
        }
    }
    match lightest {
        Some((_, tag)) => Room::Of(tag),
        None => Room::Crowded(nearest.map(|(_, tag)| tag)),
    }
}
