//! Writing a decision down, and taking it back.

use crate::algorithm::Charged;
use crate::store::{Store, StoreError, Swap};
use crate::table::record::Record;
use crate::table::shape::Shape;
use crate::table::transaction::work::{Receipt, Scratch, Set};
use crate::table::transaction::{Charge, Effects, MAX_ATTEMPTS, Returned, Table};
use crate::time::{Clock, Nanos, Now};

/// Writes the sets from `first` on, in order; the number of those that are written when it ends.
pub(super) fn commit(
    table: &Table,
    store: &mut impl Store,
    scratch: &mut Scratch,
    first: usize,
    effects: &mut Effects,
) -> Result<usize, StoreError> {
    let mut value = core::mem::take(&mut scratch.value);
    let mut committed = first;
    for set in scratch.from(first) {
        if write(table, store, set, &mut value, effects)? == Swap::Lost {
            break;
        }
        committed += 1;
    }
    scratch.value = value;
    Ok(committed)
}

/// Gives back what the first `committed` sets were charged at `at`.
pub(super) fn undo(
    table: &Table,
    store: &mut impl Store,
    charges: &[Charge<'_>],
    scratch: &mut Scratch,
    committed: usize,
    (at, clock): (Nanos, &impl Clock),
    effects: &mut Effects,
) -> Result<(), StoreError> {
    let mut value = core::mem::take(&mut scratch.value);
    let marks = core::mem::take(&mut scratch.marks);
    for (place, set) in scratch.from(0).take(committed).enumerate() {
        amend(table, store, set, &mut value, clock, effects, |record, now| {
            for (mark, charge) in marks.iter().zip(charges).filter(|(mark, _)| mark.set == place) {
                let Some(charged) = mark.next else { continue };
                let charged = Charged { prior: None, charged, at, cost: charge.cost };
                record.refund(mark.tag, charge.shape, &charged, &mark.found, now);
            }
        })?;
    }
    (scratch.value, scratch.marks) = (value, marks);
    Ok(())
}

/// Gives back what a receipt is for.
pub(super) fn give_back(
    table: &Table,
    store: &mut impl Store,
    shape: &Shape,
    receipt: &Receipt,
    clock: &impl Clock,
    scratch: &mut Scratch,
) -> Result<Returned, StoreError> {
    let mut returned = Returned::default();
    let Some((set, value)) = scratch.only(table, receipt.set) else { return Ok(returned) };
    let Receipt { tag, found, charged, at, cost, .. } = receipt;
    let charged = Charged { prior: None, charged: *charged, at: *at, cost: *cost };
    returned.left = amend(table, store, set, value, clock, &mut returned.effects, |record, now| {
        record.refund(*tag, shape, &charged, found, now);
        (shape.meter.level(&record.kept(*tag, &shape.numbers), None, now), now.mono)
    })?;
    Ok(returned)
}

/// Reads a set afresh, changes it and writes it, until nobody else is faster; what the change said, if that came.
fn amend<T>(
    table: &Table,
    store: &mut impl Store,
    set: &mut Set,
    value: &mut Vec<u8>,
    clock: &impl Clock,
    effects: &mut Effects,
    change: impl Fn(&mut Record, Now) -> T,
) -> Result<Option<T>, StoreError> {
    for _ in 0..MAX_ATTEMPTS {
        set.load(table, store, value, effects)?;
        let said = change(&mut set.record, Now { mono: clock.monotonic(), wall: clock.wall() });
        if write(table, store, set, value, effects)? == Swap::Done {
            return Ok(Some(said));
        }
    }
    Ok(None)
}

fn write(
    table: &Table,
    store: &mut impl Store,
    set: &Set,
    value: &mut Vec<u8>,
    effects: &mut Effects,
) -> Result<Swap, StoreError> {
    set.record.encode(&table.secret, &set.key, value);
    let swap = store.swap(&set.key, value, set.version)?;
    match swap {
        Swap::Lost => effects.retries += 1,
        Swap::Done => {
            effects.entries += set.record.len() as i64 - set.stored as i64;
            effects.displaced += set.displaced;
        }
    }
    Ok(swap)
}
