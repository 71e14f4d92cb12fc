//! What one set of the table holds, and its bytes in the store.
//!
//! ```text
//! magic 2 | shapes 2 | entries 2 | checksum 4 | shapes × 25 | entries × 30 | padding
//! ```
//!
//! The checksum is keyed with the secret and the set's own name, so a record of another version, another table or
//! another proxy, or one that was damaged, is recognised and never trusted.
//!
//! A limit whose numbers changed has two buckets for a while, one in the old numbers and one in the new, for as long
//! as both are in use: whichever admits a request charges the other along. So each holds exactly, and neither is
//! filled up by the other's faster rate or forgotten by its smaller burst.

use core::hash::Hasher;

use crate::algorithm::sliding_log::Admission;
use crate::algorithm::span::Span;
use crate::algorithm::token_bucket::Tat;
use crate::algorithm::{Charged, STATE_BYTES, State};
use crate::table::meter::{Kept, Meter, Slot};
use crate::table::secret::Secret;
use crate::table::shape::{Numbers, SHAPE_BYTES, Shape, SlotForm};
use crate::time::{Nanos, Now};

const MAGIC: [u8; 2] = *b"W\x01";
const ENTRY_BYTES: usize = 9 + STATE_BYTES;
const HEAD_BYTES: usize = 10;
/// A few entries, and a full set in up to nine different numbers.
const SIZES: [usize; 2] = [238, 4_078];

/// One place: a bucket, or one admission of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The limit and key it belongs to; see [`Salt::tag`](crate::table::partition::Salt::tag).
    pub tag: u64,
    /// The numbers it was written under, as an index into the record's.
    shape: u8,
    /// What it holds.
    pub slot: Slot,
}

/// The bytes are no record of this set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign;

/// One set's entries, in memory.
#[derive(Debug, Default)]
pub struct Record {
    shapes: Vec<Numbers>,
    entries: Vec<Entry>,
}

impl Record {
    /// Empties the record, keeping its buffers.
    pub fn clear(&mut self) {
        self.shapes.clear();
        self.entries.clear();
    }

    /// Reads what [`Self::encode`] wrote.
    ///
    /// # Errors
    /// [`Foreign`] where it did not write this; the record is then empty.
    pub fn decode(&mut self, bytes: &[u8], secret: &Secret, key: &[u8]) -> Result<(), Foreign> {
        self.clear();
        let read = self.read(bytes, secret, key);
        if read.is_none() {
            self.clear();
        }
        read.ok_or(Foreign)
    }

    fn read(&mut self, bytes: &[u8], secret: &Secret, key: &[u8]) -> Option<()> {
        let (magic, rest) = bytes.split_first_chunk()?;
        let (counts, rest) = rest.split_first_chunk()?;
        let (sum, body) = rest.split_first_chunk()?;
        let &[s0, s1, e0, e1] = counts;
        let (shapes, entries) = (u16::from_le_bytes([s0, s1]), u16::from_le_bytes([e0, e1]));
        let (shape_size, entry_size) = (usize::from(shapes) * SHAPE_BYTES, usize::from(entries) * ENTRY_BYTES);
        let (body, padding) = body.split_at_checked(shape_size.checked_add(entry_size)?)?;
        let (shape_bytes, entry_bytes) = body.split_at_checked(shape_size)?;
        let (entry_chunks, []) = entry_bytes.as_chunks::<ENTRY_BYTES>() else { return None };
        let genuine = *magic == MAGIC
            && padded(HEAD_BYTES + body.len()) == HEAD_BYTES + body.len() + padding.len()
            && padding.iter().all(|byte| *byte == 0)
            && entry_chunks.len() == usize::from(entries)
            && *sum == checksum(secret, key, *counts, body);
        if !genuine {
            return None;
        }
        for chunk in shape_bytes.as_chunks::<SHAPE_BYTES>().0 {
            self.shapes.push(Numbers::decode(chunk)?);
        }
        for chunk in entry_chunks {
            self.entries.push(Entry::decode(chunk, &self.shapes)?);
        }
        Some(())
    }

    /// Writes the record for the set named `key`, replacing what is in `out`.
    pub fn encode(&self, secret: &Secret, key: &[u8], out: &mut Vec<u8>) {
        // Neither can pass 65,535: both are bounded by the places of a set.
        let [s0, s1] = (self.shapes.len() as u16).to_le_bytes();
        let [e0, e1] = (self.entries.len() as u16).to_le_bytes();
        let counts = [s0, s1, e0, e1];
        out.clear();
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&counts);
        out.extend_from_slice(&[0; 4]);
        self.shapes.iter().for_each(|numbers| numbers.encode(out));
        self.entries.iter().for_each(|entry| entry.encode(out));
        let sum = checksum(secret, key, counts, out.get(10..).unwrap_or_default());
        if let Some(place) = out.get_mut(6..10) {
            place.copy_from_slice(&sum);
        }
        out.resize(padded(out.len()), 0);
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is kept of the bucket under `tag` in the numbers of `shape`, which are in force since `since`.
    ///
    /// Where it was only ever charged in other numbers, its debt is restated as of the change, or of the last charge
    /// where that came later; so a client that is refused meanwhile, which writes nothing, recovers all the same.
    #[must_use]
    pub fn find(&self, tag: u64, shape: &Shape, since: Nanos, now: Now) -> Kept {
        let kept = self.kept(tag, &shape.numbers);
        if kept != Kept::Nothing {
            return kept;
        }
        let other = self.entries.iter().rfind(|entry| entry.tag == tag);
        let Some((other, written)) = other.and_then(|entry| Some((entry, self.numbers(entry)?))) else {
            return Kept::Nothing;
        };
        let anchor = since.max(other.slot.touched()).min(now.mono);
        shape.meter.carry(&self.kept(tag, written), &written.meter(), now.back_to(anchor))
    }

    /// What is kept under `tag` in exactly these numbers.
    #[must_use]
    pub fn kept(&self, tag: u64, numbers: &Numbers) -> Kept {
        let Some(shape) = self.shapes.iter().position(|known| known == numbers) else { return Kept::Nothing };
        let mut own = self.entries.iter().filter(|entry| entry.tag == tag && usize::from(entry.shape) == shape);
        match own.next().map(|entry| entry.slot) {
            None => Kept::Nothing,
            Some(Slot::State(state)) => Kept::State(state),
            Some(Slot::Admission(first)) => {
                let rest = own.filter_map(|entry| entry.slot.admission());
                let mut log: Vec<_> = core::iter::once(first).chain(rest).collect();
                log.sort_by_key(|admission| admission.at);
                Kept::Log(log)
            }
        }
    }

    /// Charges what is kept under `tag`: `next` takes the place of a state in these numbers, and what is kept in other
    /// numbers is charged along. False where `next` is still to be [inserted](Self::insert).
    pub fn charge(&mut self, tag: u64, shape: &Shape, next: Slot, cost: u64, now: Now) -> bool {
        let (own, shapes, mut placed) = (self.shape_index(&shape.numbers), &self.shapes, false);
        self.entries.retain_mut(|entry| {
            if entry.tag != tag {
                return true;
            }
            if entry.shape == own {
                if let (Slot::State(_), Slot::State(_)) = (entry.slot, next) {
                    (entry.slot, placed) = (next, true);
                }
                return true;
            }
            shapes.get(usize::from(entry.shape)).is_some_and(|numbers| entry.charge_along(numbers, cost, now))
        });
        if let Some(newest) = self.newest_along(tag, own) {
            newest.cost = newest.cost.saturating_add(cost);
        }
        placed
    }

    /// The newest admission of a log in other numbers: there is no place for one more, so it takes what is charged
    /// along.
    fn newest_along(&mut self, tag: u64, own: u8) -> Option<&mut Admission> {
        let along = self.entries.iter_mut().rev().filter(|entry| entry.tag == tag && entry.shape != own);
        along.filter_map(|entry| entry.slot.admission_mut()).next()
    }

    /// Takes back a charge that found `prior`. What was charged along stays so: a bucket that was full of debt took less
    /// than all of it, and nobody knows how much.
    pub fn refund(&mut self, tag: u64, shape: &Shape, charge: &Charged<Slot>, prior: &Kept, now: Now) {
        let (own, mut taken) = (self.shape_index(&shape.numbers), false);
        self.entries.retain_mut(|entry| {
            if entry.tag != tag || entry.shape != own {
                return true;
            }
            match (&mut entry.slot, charge.charged, shape.meter) {
                (Slot::State(state), Slot::State(charged), Meter::State(algorithm)) => {
                    let charge = Charged { prior: prior.state(), charged, at: charge.at, cost: charge.cost };
                    *state = algorithm.refund(&charge, *state, now);
                    true
                }
                (Slot::Admission(admission), Slot::Admission(charged), _) if !taken => {
                    taken = *admission == charged;
                    !taken
                }
                _ => true,
            }
        });
    }

    /// Adds an entry; the caller has seen that there is room.
    pub fn insert(&mut self, tag: u64, shape: &Shape, slot: Slot) {
        let shape = self.shape_index(&shape.numbers);
        self.entries.push(Entry { tag, shape, slot });
    }

    /// Whether an entry follows the wall clock.
    #[must_use]
    pub fn reads_wall(&self) -> bool {
        self.shapes.iter().any(Numbers::reads_wall)
    }

    /// Forgets every entry whose bucket is full again: nothing changes by it.
    pub fn prune(&mut self, now: Now) {
        let meters: Vec<_> =
            self.shapes.iter().map(|numbers| (numbers.form() != TAT).then(|| numbers.meter())).collect();
        self.entries.retain(|entry| match (entry.slot, meters.get(usize::from(entry.shape))) {
            (Slot::State(State::Tat { tat, .. }), _) => tat.0 > Span::whole(now.mono.0),
            (slot, Some(Some(meter))) => !meter.is_over(&slot, now),
            _ => false,
        });
    }

    /// Forgets all that is kept under `tag`.
    pub fn remove(&mut self, tag: u64) {
        self.entries.retain(|entry| entry.tag != tag);
    }

    /// Every entry with the index of its shape.
    pub fn entries(&self) -> impl Iterator<Item = (&Entry, usize)> {
        self.entries.iter().map(|entry| (entry, usize::from(entry.shape)))
    }

    /// The numbers that entries were written under.
    #[must_use]
    pub fn shapes(&self) -> &[Numbers] {
        &self.shapes
    }

    fn numbers(&self, entry: &Entry) -> Option<&Numbers> {
        self.shapes.get(usize::from(entry.shape))
    }

    /// The index of these numbers: their own, that of some no entry uses any more, or a new one.
    fn shape_index(&mut self, numbers: &Numbers) -> u8 {
        let unused = |index: usize| self.entries().all(|(_, used)| used != index);
        let known = self.shapes.iter().position(|known| known == numbers);
        let mut index = known.or_else(|| (0..self.shapes.len()).find(|&index| unused(index)));
        if index.is_none() && self.shapes.len() > u8::MAX.into() {
            // Hundreds of limits in one set, all in other numbers: those of the first are forgotten.
            self.entries.retain(|entry| entry.shape != 0);
            index = Some(0);
        }
        match index.and_then(|index| self.shapes.get_mut(index)) {
            Some(place) => *place = *numbers,
            None => self.shapes.push(*numbers),
        }
        index.unwrap_or(self.shapes.len().saturating_sub(1)) as u8
    }
}

const TAT: SlotForm = SlotForm::State(crate::algorithm::Form::Tat);

impl Entry {
    /// False where it may be forgotten: nothing of it is owed any more to those who charge it in its own numbers.
    fn charge_along(&mut self, numbers: &Numbers, cost: u64, now: Now) -> bool {
        let meter = numbers.meter();
        match (&mut self.slot, meter) {
            (Slot::State(state), Meter::State(algorithm)) => {
                let paid = algorithm.is_paid(*state, now);
                *state = algorithm.pile(*state, now, cost);
                !paid
            }
            (Slot::Admission(admission), Meter::Log(log)) => !log.is_over(admission, now.mono),
            _ => false,
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.tag.to_le_bytes());
        out.push(self.shape);
        out.extend_from_slice(&match self.slot {
            Slot::State(state) => state.encode(),
            Slot::Admission(Admission { at, cost }) => {
                State::Tat { tat: Tat(Span { ns: at.0, sub: cost }), touched: Nanos(0) }.encode()
            }
        });
    }

    fn decode(bytes: &[u8; ENTRY_BYTES], shapes: &[Numbers]) -> Option<Self> {
        let (tag, rest) = bytes.split_first_chunk()?;
        let (&[shape], state) = rest.split_first_chunk()?;
        let state = state.try_into().ok()?;
        let slot = match shapes.get(usize::from(shape))?.form() {
            SlotForm::State(form) => Slot::State(State::decode(form, state)),
            SlotForm::Admission => match State::decode(crate::algorithm::Form::Tat, state) {
                State::Tat { tat: Tat(span), .. } => Slot::Admission(Admission { at: Nanos(span.ns), cost: span.sub }),
                _ => return None,
            },
        };
        Some(Self { tag: u64::from_le_bytes(*tag), shape, slot })
    }
}

/// How long a value is made. Values that grow entry by entry leave memory of every size behind, which the host's
/// allocator keeps: that took 83 bytes for each entry, three sizes 45, two no more than a full set needs.
fn padded(size: usize) -> usize {
    let fitting = SIZES.into_iter().find(|fitting| size <= *fitting);
    fitting.unwrap_or_else(|| size.next_multiple_of(256).saturating_sub(18).max(size))
}

fn checksum(secret: &Secret, key: &[u8], counts: [u8; 4], body: &[u8]) -> [u8; 4] {
    let mut hasher = secret.hash64();
    hasher.write(key);
    hasher.write(&counts);
    hasher.write(body);
    (hasher.finish() as u32).to_le_bytes()
}
