//! The working memory of a decision: the sets it touches and what each charge found there.

use crate::algorithm::token_bucket::{Tat, Verdict};
use crate::policy::WhenFull;
use crate::store::{Store, StoreError, Version};
use crate::table::geometry::{SetIndex, SetKey};
use crate::table::record::Record;
use crate::table::room::{self, Room};
use crate::table::transaction::{Charge, Effects, Ruling, Table};
use crate::time::Nanos;

/// Buffers of a decision; kept from one to the next, so that a decision allocates nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    sets: Vec<Set>,
    used: usize,
    pub(super) marks: Vec<Mark>,
    pub(super) value: Vec<u8>,
}

/// One set of the table, as read.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) index: SetIndex,
    pub(super) key: SetKey,
    pub(super) version: Option<Version>,
    pub(super) record: Record,
    /// Entries in the store's copy.
    pub(super) stored: usize,
    /// Entries displaced in ours.
    pub(super) displaced: u32,
}

/// What became of one charge so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// Where in the sets its bucket is.
    pub(super) set: usize,
    pub(super) tag: u64,
    pub(super) found: Option<Tat>,
    pub(super) next: Option<Tat>,
}

/// The tag of a limit's shared bucket, before the limit's salt.
const SHARED: u64 = 0;

impl Scratch {
    /// Finds the distinct sets of the charges.
    pub(super) fn begin(&mut self, table: &Table, charges: &[Charge<'_>]) {
        self.used = 0;
        self.marks.clear();
        for charge in charges {
            let set = self.use_set(table, table.home(charge));
            let tag = charge.salt.tag(charge.partition);
            self.marks.push(Mark { set, tag, found: None, next: None });
        }
    }

    /// How many sets are in use.
    pub(super) fn sets(&self) -> usize {
        self.used
    }

    pub(super) fn from(&mut self, first: usize) -> impl Iterator<Item = &mut Set> {
        self.sets.iter_mut().take(self.used).skip(first)
    }

    fn use_set(&mut self, table: &Table, index: SetIndex) -> usize {
        if let Some(place) = self.sets.iter().take(self.used).position(|set| set.index == index) {
            return place;
        }
        let key = table.geometry.key(index);
        match self.sets.get_mut(self.used) {
            Some(set) => (set.index, set.key) = (index, key),
            None => {
                self.sets.push(Set { index, key, version: None, record: Record::default(), stored: 0, displaced: 0 })
            }
        }
        self.used += 1;
        self.used - 1
    }

    /// Reads the sets from `first` on.
    pub(super) fn load(
        &mut self,
        table: &Table,
        store: &mut impl Store,
        first: usize,
        effects: &mut Effects,
    ) -> Result<(), StoreError> {
        for set in self.sets.iter_mut().take(self.used).skip(first) {
            set.load(table, store, &mut self.value, effects)?;
        }
        Ok(())
    }

    /// Asks every limit whose set is not yet committed; whether all agree.
    pub(super) fn check(&mut self, charges: &[Charge<'_>], now: Nanos, first: usize) -> bool {
        let mut all = true;
        for (mark, charge) in self.marks.iter_mut().zip(charges).filter(|(mark, _)| mark.set >= first) {
            let record = self.sets.get(mark.set).map(|set| &set.record);
            mark.found = record.and_then(|record| record.find(mark.tag, charge.shape, charge.since, now));
            mark.next = match charge.shape.bucket.check(mark.found, now, charge.cost) {
                Verdict::Fits(next) => Some(next),
                Verdict::Waits(_) => None,
            };
            all &= mark.next.is_some();
        }
        all
    }

    /// Writes the charges into the sets read. False where a charge must go elsewhere: then begin again.
    pub(super) fn apply(
        &mut self,
        table: &Table,
        charges: &[Charge<'_>],
        now: Nanos,
        first: usize,
        effects: &mut Effects,
    ) -> bool {
        for place in 0..self.marks.len() {
            let (Some(mark), Some(charge)) = (self.marks.get(place).copied(), charges.get(place)) else { continue };
            let (Some(set), Some(next)) = (self.sets.get_mut(mark.set), mark.next) else { continue };
            if mark.set < first || set.record.charge(mark.tag, charge.shape, next, charge.cost, now) {
                continue;
            }
            let marks = &self.marks;
            let keep = |tag| marks.iter().any(|mark| mark.tag == tag);
            match room::find(&mut set.record, table.geometry.capacity(set.index), keep, now) {
                Room::Free => {}
                Room::Crowded(_) if table.when_full == WhenFull::Overflow && set.index != SetIndex::Overflow => {
                    let set = self.use_set(table, SetIndex::Overflow);
                    let mark = Mark { set, tag: charge.salt.0 ^ SHARED, found: None, next: None };
                    self.marks.get_mut(place).into_iter().for_each(|old| *old = mark);
                    effects.overflowed += 1;
                    return false;
                }
                Room::Of(tag) | Room::Crowded(Some(tag)) => {
                    set.record.remove(tag);
                    set.displaced += 1;
                }
                // Every place is taken by this very request: more limits than places, which configuration refuses.
                Room::Crowded(None) => continue,
            }
            set.record.insert(mark.tag, charge.shape, next, now);
        }
        true
    }

    /// One ruling for each charge.
    pub(super) fn rule(&self, charges: &[Charge<'_>], now: Nanos, rulings: &mut Vec<Ruling>, admitted: bool) {
        rulings.clear();
        rulings.extend(self.marks.iter().zip(charges).map(|(mark, charge)| match mark.next {
            Some(next) if admitted => Ruling { level: charge.shape.bucket.level(Some(next), now), wait: None },
            _ => Ruling::of(charge, mark.found, now),
        }));
    }
}

impl Set {
    /// Reads the set afresh; what is not ours counts as empty, and is replaced by the next write.
    pub(super) fn load(
        &mut self,
        table: &Table,
        store: &mut impl Store,
        value: &mut Vec<u8>,
        effects: &mut Effects,
    ) -> Result<(), StoreError> {
        self.displaced = 0;
        self.version = store.get(&self.key, value)?;
        match self.version {
            None => self.record.clear(),
            Some(_) => {
                effects.foreign += u32::from(self.record.decode(value, &table.secret, &self.key).is_err());
            }
        }
        self.stored = self.record.len();
        Ok(())
    }
}
