//! The working memory of a decision: the sets it touches and what each charge found there.

use crate::algorithm::Verdict;
use crate::order::sorted;
use crate::policy::WhenFull;
use crate::store::{Store, StoreError, Version};
use crate::table::geometry::{SetIndex, SetKey};
use crate::table::meter::{Kept, Slot};
use crate::table::record::Record;
use crate::table::room::{self, Room};
use crate::table::transaction::{Charge, Effects, Ruling, Table};
use crate::time::{Clock, Nanos, Now, UnixNanos};

/// Buffers of a decision; kept from one to the next, so that a decision allocates nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    sets: Vec<Set>,
    used: usize,
    pub(super) marks: Vec<Mark>,
    pub(super) value: Vec<u8>,
    /// When the decision was made.
    now: Now,
}

/// What it takes to give a charge back.
#[derive(Debug, Clone)]
pub struct Receipt {
    pub(super) set: SetIndex,
    pub(super) tag: u64,
    pub(super) found: Kept,
    pub(super) charged: Slot,
    pub(super) at: Nanos,
    pub(super) cost: u64,
}

impl Receipt {
    /// When it was charged.
    #[must_use]
    pub const fn at(&self) -> Nanos {
        self.at
    }
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
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// Where in the sets its bucket is.
    pub(super) set: usize,
    pub(super) tag: u64,
    pub(super) found: Kept,
    /// What to keep; `None` where the limit refuses.
    pub(super) next: Option<Slot>,
}

/// The tag of a limit's shared bucket, before the limit's salt.
const SHARED: u64 = 0;

impl Scratch {
    /// Finds the distinct sets of the charges, in the order of their indices: where all requests charge in one order, no
    /// two can each hold what the other needs, and both give it back.
    pub(super) fn begin(&mut self, table: &Table, charges: &[Charge<'_>]) {
        self.used = 0;
        self.marks.clear();
        for home in sorted(charges.iter().map(|charge| table.home(charge))) {
            self.use_set(table, home);
        }
        for charge in charges {
            let set = self.use_set(table, table.home(charge));
            let tag = charge.salt.tag(charge.partition);
            self.marks.push(Mark { set, tag, found: Kept::Nothing, next: None });
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

    /// Reads the wall clock where a bucket in reach follows it.
    pub(super) fn read_wall(&mut self, charges: &[Charge<'_>], clock: &impl Clock, now: &mut Now) {
        let follows = |charge: &Charge<'_>| charge.shape.meter.reads_wall();
        let mut sets = self.sets.iter().take(self.used);
        if now.wall.0 == 0 && (sets.any(|set| set.record.reads_wall()) || charges.iter().any(follows)) {
            now.wall = clock.wall();
        }
        self.now = *now;
    }

    /// The wall clock of the decision that was just made, where a bucket in reach follows it.
    #[must_use]
    pub fn wall(&self) -> Option<UnixNanos> {
        (self.now.wall.0 != 0).then_some(self.now.wall)
    }

    /// One receipt for each charge of the decision that was just made, where it was charged.
    pub fn receipts(&self, charges: &[Charge<'_>]) -> impl Iterator<Item = Option<Receipt>> {
        self.marks.iter().zip(charges).map(|(mark, charge)| {
            Some(Receipt {
                set: self.sets.get(mark.set)?.index,
                tag: mark.tag,
                found: mark.found.clone(),
                charged: mark.next?,
                at: self.now.mono,
                cost: charge.cost,
            })
        })
    }

    /// The buffers of one set.
    pub(super) fn only(&mut self, table: &Table, index: SetIndex) -> Option<(&mut Set, &mut Vec<u8>)> {
        self.used = 0;
        let place = self.use_set(table, index);
        Some((self.sets.get_mut(place)?, &mut self.value))
    }

    /// Asks every limit whose set is not yet committed; whether all that enforce agree.
    pub(super) fn check(&mut self, charges: &[Charge<'_>], now: Now, first: usize) -> bool {
        let mut all = true;
        for (mark, charge) in self.marks.iter_mut().zip(charges).filter(|(mark, _)| mark.set >= first) {
            let record = self.sets.get(mark.set).map(|set| &set.record);
            let find = |record: &Record| record.find(mark.tag, charge.shape, charge.since, now);
            mark.found = record.map(find).unwrap_or_default();
            mark.next = match charge.shape.meter.check(&mark.found, now, charge.cost) {
                Verdict::Fits(next) => Some(next),
                Verdict::Waits(_) => None,
            };
            all &= mark.next.is_some() || !charge.enforce;
        }
        all
    }

    /// Writes the charges into the sets read. False where a charge must go elsewhere: then begin again.
    pub(super) fn apply(
        &mut self,
        table: &Table,
        charges: &[Charge<'_>],
        now: Now,
        first: usize,
        effects: &mut Effects,
    ) -> bool {
        for (place, charge) in charges.iter().enumerate() {
            let Some(mark) = self.marks.get(place).filter(|mark| mark.set >= first) else { continue };
            let (Some(set), Some(next)) = (self.sets.get_mut(mark.set), mark.next) else { continue };
            let (placed, along) = set.record.charge(mark.tag, charge.shape, next, charge.cost, now);
            if let Some(along) = along
                && set.make_room(table, &self.marks, now)
            {
                set.record.push(along);
            }
            if placed {
                continue;
            }
            // A log that was kept in other numbers begins with what it owes.
            let owed = match &mark.found {
                Kept::Log(log) if set.record.kept(mark.tag, &charge.shape.numbers) == Kept::Nothing => {
                    log.first().copied().map(Slot::Admission)
                }
                _ => None,
            };
            for slot in owed.into_iter().chain([next]) {
                if !set.insert(table, mark.tag, charge, slot, &self.marks, now) {
                    let set = self.use_set(table, SetIndex::Overflow);
                    let mark = Mark { set, tag: charge.salt.0 ^ SHARED, found: Kept::Nothing, next: None };
                    self.marks.get_mut(place).into_iter().for_each(|old| *old = mark.clone());
                    effects.overflowed += 1;
                    return false;
                }
            }
        }
        true
    }

    /// One ruling for each charge.
    pub(super) fn rule(&self, charges: &[Charge<'_>], now: Now, rulings: &mut Vec<Ruling>, admitted: bool) {
        rulings.clear();
        rulings.extend(self.marks.iter().zip(charges).map(|(mark, charge)| {
            let meter = &charge.shape.meter;
            let next = mark.next.filter(|_| admitted);
            let wait = match mark.next {
                None => meter.check(&mark.found, now, charge.cost).wait(),
                Some(_) => None,
            };
            let delay = if next.is_some() { meter.delay(&mark.found, now) } else { Nanos(0) };
            Ruling { level: meter.level(&mark.found, next, now), wait, delay }
        }));
    }
}

impl Set {
    /// Adds an entry in the place of whoever makes way; false where that must be nobody.
    fn insert(&mut self, table: &Table, tag: u64, charge: &Charge<'_>, slot: Slot, keep: &[Mark], now: Now) -> bool {
        let room = self.make_room(table, keep, now);
        if room {
            self.record.insert(tag, charge.shape, slot);
        }
        room
    }

    /// Room for one more; false where nobody must make way.
    fn make_room(&mut self, table: &Table, keep: &[Mark], now: Now) -> bool {
        self.record.prune(now);
        let is_kept = |tag| keep.iter().any(|mark| mark.tag == tag);
        loop {
            match room::find(&self.record, table.geometry.capacity(self.index), is_kept, now) {
                Room::Free => break,
                Room::Crowded(_) if table.when_full == WhenFull::Overflow && self.index != SetIndex::Overflow => {
                    return false;
                }
                Room::Of(tag) | Room::Crowded(Some(tag)) => {
                    self.record.remove(tag);
                    self.displaced += 1;
                }
                // Every place is taken by this very request: more limits than places, which configuration refuses.
                Room::Crowded(None) => return true,
            }
        }
        true
    }

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
