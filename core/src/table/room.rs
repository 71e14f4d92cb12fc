//! Who makes way when a set is full.

use crate::algorithm::Verdict;
use crate::order::sorted;
use crate::table::meter::{Kept, Meter, Slot};
use crate::table::record::Record;
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
/// smallest debt as a fraction of its burst makes way (of equals the one that was charged longest ago, so that whoever
/// asks often comes to owe more than those who pass by), and nobody who is at the limit does while anybody else can:
/// a flood of new keys gives no abuser a fresh bucket. `keep` are the tags of the request itself.
#[must_use]
pub fn find(record: &Record, capacity: usize, keep: impl Fn(u64) -> bool, now: Now) -> Room {
    if record.len() < capacity {
        return Room::Free;
    }
    let meters: Vec<_> = record.shapes().iter().map(Numbers::meter).collect();
    let mut others: Vec<_> = record.entries().filter(|(tag, ..)| !keep(*tag)).collect();
    // All that is kept under one tag stands or falls together: a log's admissions, a limit in old and new numbers.
    if repeats(others.iter().map(|(tag, ..)| *tag)) {
        let order = sorted((0..).zip(&others).map(|(place, (tag, shape, _))| (*tag, *shape, place)));
        others = order.into_iter().filter_map(|(.., place)| others.get::<usize>(place).copied()).collect();
    }
    let mut lightest: Option<((f64, Nanos), u64)> = None;
    let mut nearest: Option<(Nanos, u64)> = None;
    for group in others.chunk_by(|(one, ..), (two, ..)| one == two) {
        let Some((tag, ..)) = group.first() else { continue };
        let touched = group.iter().map(|(.., slot)| slot.touched()).max().unwrap_or_default();
        match standing(group, &meters, now) {
            Standing::Debt(debt) if lightest.is_none_or(|(least, _)| (debt, touched) < least) => {
                lightest = Some(((debt, touched), *tag));
            }
            Standing::Limit(wait) if nearest.is_none_or(|(least, _)| wait < least) => nearest = Some((wait, *tag)),
            _ => {}
        }
    }
    match lightest {
        Some((_, tag)) => Room::Of(tag),
        None => Room::Crowded(nearest.map(|(_, tag)| tag)),
    }
}

/// Whether a tag occurs twice, which is rare: far cheaper to find out than to bring whole entries into order.
fn repeats(tags: impl Iterator<Item = u64>) -> bool {
    sorted(tags).windows(2).any(|pair| matches!(pair, [one, two] if one == two))
}

/// Where a bucket stands.
enum Standing {
    /// So much of it is spent.
    Debt(f64),
    /// Not one token is left; there will be after so long.
    Limit(Nanos),
}

/// The worst of all that is kept under one tag, in the order of its numbers.
fn standing(group: &[(u64, usize, Slot)], meters: &[Meter], now: Now) -> Standing {
    let mut standing = Standing::Debt(0.0);
    for part in group.chunk_by(|(_, one, _), (_, two, _)| one == two) {
        let Some((meter, (.., slot))) = part.first().and_then(|first| Some((meters.get(first.1)?, first))) else {
            continue;
        };
        let kept = match slot {
            Slot::State(state) => Kept::State(*state),
            Slot::Admission(_) | Slot::Along(..) => {
                Kept::in_order(part.iter().filter_map(|(.., slot)| slot.admission()))
            }
        };
        standing = match (standing, meter.check(&kept, now, 1)) {
            (Standing::Limit(one), Verdict::Waits(two)) => Standing::Limit(one.max(two)),
            (limit @ Standing::Limit(_), Verdict::Fits(_)) => limit,
            (Standing::Debt(_), Verdict::Waits(wait)) => Standing::Limit(wait),
            (Standing::Debt(one), Verdict::Fits(_)) => Standing::Debt(one.max(meter.debt_fraction(&kept, now))),
        };
    }
    standing
}
