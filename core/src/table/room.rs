//! Who makes way when a set is full.

use crate::algorithm::Verdict;
use crate::table::meter::Meter;
use crate::table::record::{Entry, Record};
use crate::table::shape::Numbers;
use crate::time::{Nanos, Now};

/// What a full set offers a newcomer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// A free place.
    Free,
    /// The place of the bucket under this tag, which is not at its limit.
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
pub fn find(record: &mut Record, capacity: usize, keep: impl Fn(u64) -> bool, now: Now) -> Room {
    if record.len() < capacity {
        return Room::Free;
    }
    let meters: Vec<_> = record.shapes().iter().map(|numbers| (numbers, numbers.meter())).collect();
    let mut others: Vec<_> = record.entries().filter(|(entry, _)| !keep(entry.tag)).collect();
    // All that is kept under one tag stands or falls together: a log's admissions, a limit in old and new numbers.
    if meters.len() > 1 || meters.iter().any(|(_, meter)| matches!(meter, Meter::Log(_))) {
        others.sort_by_key(|(entry, _)| entry.tag);
    }
    let mut lightest: Option<(f64, u64)> = None;
    let mut nearest: Option<(Nanos, u64)> = None;
    for group in others.chunk_by(|(one, _), (two, _)| one.tag == two.tag) {
        let Some((Entry { tag, .. }, _)) = group.first() else { continue };
        match standing(record, *tag, group, &meters, now) {
            Standing::Debt(debt) if lightest.is_none_or(|(least, _)| debt < least) => lightest = Some((debt, *tag)),
            Standing::Limit(wait) if nearest.is_none_or(|(least, _)| wait < least) => nearest = Some((wait, *tag)),
            _ => {}
        }
    }
    match lightest {
        Some((_, tag)) => Room::Of(tag),
        None => Room::Crowded(nearest.map(|(_, tag)| tag)),
    }
}

/// Where a bucket stands.
enum Standing {
    /// So much of it is spent.
    Debt(f64),
    /// Not one token is left; there will be after so long.
    Limit(Nanos),
}

/// The worst of all that is kept under `tag`.
fn standing(record: &Record, tag: u64, group: &[(&Entry, usize)], meters: &[(&Numbers, Meter)], now: Now) -> Standing {
    let mut standing = Standing::Debt(0.0);
    let mut seen = None;
    for (_, shape) in group {
        let Some((numbers, meter)) = meters.get(*shape).filter(|_| seen != Some(*shape)) else { continue };
        seen = Some(*shape);
        let kept = record.kept(tag, numbers);
        standing = match (standing, meter.check(&kept, now, 1)) {
            (Standing::Limit(one), Verdict::Waits(two)) => Standing::Limit(one.max(two)),
            (limit @ Standing::Limit(_), Verdict::Fits(_)) => limit,
            (Standing::Debt(_), Verdict::Waits(wait)) => Standing::Limit(wait),
            (Standing::Debt(one), Verdict::Fits(_)) => Standing::Debt(one.max(meter.debt_fraction(&kept, now))),
        };
    }
    standing
}
