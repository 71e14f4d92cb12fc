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
//! as both are in use: whichever admits a request charges the other along, beyond what that holds if need be. So each
//! holds exactly, the two together admit little more than either, and neither is filled up by the other's faster rate
//! or forgotten by its smaller burst.

mod charge;
mod places;

use core::hash::Hasher;

use crate::algorithm::span::Span;
use crate::algorithm::{Charged, State};
use crate::table::meter::{Kept, Meter, Slot};
pub use crate::table::record::places::Place;
use crate::table::record::places::{PLACE_BYTES, Places};
use crate::table::secret::Secret;
use crate::table::shape::{Numbers, SHAPE_BYTES, Shape, SlotForm};
use crate::time::{Nanos, Now};

const MAGIC: [u8; 2] = *b"W\x01";
const HEAD_BYTES: usize = 10;
/// A few entries, and a full set in up to nine different numbers.
const SIZES: [usize; 2] = [238, 4_078];

/// The bytes are no record of this set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign;

/// One set's entries, in memory.
#[derive(Debug, Default)]
pub struct Record {
    shapes: Vec<Numbers>,
    places: Places,
}

impl Record {
    /// Empties the record, keeping its buffers.
    pub fn clear(&mut self) {
        self.shapes.clear();
        self.places.clear();
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
        let (shape_size, entry_size) = (usize::from(shapes) * SHAPE_BYTES, usize::from(entries) * PLACE_BYTES);
        let (body, padding) = body.split_at_checked(shape_size.checked_add(entry_size)?)?;
        let (shape_bytes, places) = body.split_at_checked(shape_size)?;
        let genuine = *magic == MAGIC
            && padded(HEAD_BYTES + body.len()) == HEAD_BYTES + body.len() + padding.len()
            && is_zero(padding)
            && *sum == checksum(secret, key, *counts, body);
        if !genuine {
            return None;
        }
        for chunk in shape_bytes.as_chunks::<SHAPE_BYTES>().0 {
            self.shapes.push(Numbers::decode(chunk)?);
        }
        self.places.read(places);
        Some(())
    }

    /// Writes the record for the set named `key`, replacing what is in `out`.
    pub fn encode(&self, secret: &Secret, key: &[u8], out: &mut Vec<u8>) {
        // Neither can pass 65,535: both are bounded by the places of a set.
        let [s0, s1] = (self.shapes.len() as u16).to_le_bytes();
        let [e0, e1] = (self.len() as u16).to_le_bytes();
        let counts = [s0, s1, e0, e1];
        out.clear();
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&counts);
        out.extend_from_slice(&[0; 4]);
        self.shapes.iter().for_each(|numbers| numbers.encode(out));
        out.extend_from_slice(self.places.as_bytes());
        let sum = checksum(secret, key, counts, out.get(10..).unwrap_or_default());
        if let Some(place) = out.get_mut(6..10) {
            place.copy_from_slice(&sum);
        }
        out.resize(padded(out.len()), 0);
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        let other = self.places.of(tag).next_back();
        let Some((other, written)) = other.and_then(|place| Some((place, self.shapes.get(place.shape())?))) else {
            return Kept::Nothing;
        };
        let anchor = since.max(other.slot(written.form()).touched()).min(now.mono);
        shape.meter.carry(&self.kept(tag, written), &written.meter(), now.back_to(anchor))
    }

    /// What is kept under `tag` in exactly these numbers.
    #[must_use]
    pub fn kept(&self, tag: u64, numbers: &Numbers) -> Kept {
        let Some(shape) = self.known(numbers) else { return Kept::Nothing };
        let own = self.places.of(tag).filter(|place| place.shape() == shape);
        let mut own = own.map(|place| place.slot(numbers.form()));
        match own.next() {
            None => Kept::Nothing,
            Some(Slot::State(state)) => Kept::State(state),
            Some(Slot::Admission(first) | Slot::Along(first, _)) => {
                Kept::in_order(core::iter::once(first).chain(own.filter_map(|slot| slot.admission())))
            }
        }
    }

    /// Takes back a charge that found `prior`. What was charged along stays so: a bucket that was full of debt took less
    /// than all of it, and nobody knows how much.
    pub fn refund(&mut self, tag: u64, shape: &Shape, charge: &Charged<Slot>, prior: &Kept, now: Now) {
        let Some(own) = self.known(&shape.numbers) else { return };
        let mut taken = false;
        self.places.retain_of(tag, |place| {
            if place.shape() != own {
                return true;
            }
            match (place.slot(shape.numbers.form()), charge.charged, shape.meter) {
                (Slot::State(state), Slot::State(charged), Meter::State(algorithm)) => {
                    let charge = Charged { prior: prior.state(), charged, at: charge.at, cost: charge.cost };
                    place.write(Slot::State(algorithm.refund(&charge, state, now)));
                    true
                }
                (Slot::Admission(admission), Slot::Admission(charged), _) if !taken => {
                    taken = admission == charged;
                    !taken
                }
                _ => true,
            }
        });
    }

    /// Adds an entry; the caller has seen that there is room.
    pub fn insert(&mut self, tag: u64, shape: &Shape, slot: Slot) {
        let shape = self.shape_index(&shape.numbers);
        self.places.push(Place::new(tag, shape, slot));
    }

    /// Whether an entry follows the wall clock.
    #[must_use]
    pub fn reads_wall(&self) -> bool {
        self.shapes.iter().any(Numbers::reads_wall)
    }

    /// Forgets every entry whose bucket is full again: nothing changes by it.
    pub fn prune(&mut self, now: Now) {
        // Of a TAT it shows without its meter, which takes some divisions to make.
        let meters =
            self.shapes.iter().map(|numbers| (numbers.form(), (numbers.form() != TAT).then(|| numbers.meter())));
        let meters: Vec<_> = meters.collect();
        self.places.retain(|place| {
            let Some((form, meter)) = meters.get(place.shape()) else { return false };
            match (place.slot(*form), meter) {
                (Slot::State(State::Tat { tat, .. }), _) => tat.0 > Span::whole(now.mono.0),
                (slot, Some(meter)) => !meter.is_over(&slot, now),
                _ => false,
            }
        });
    }

    /// Forgets all that is kept under `tag`.
    pub fn remove(&mut self, tag: u64) {
        self.places.retain_of(tag, |_| false);
    }

    /// Every entry: its tag, the index of its shape, and what it holds.
    pub fn entries(&self) -> impl Iterator<Item = (u64, usize, Slot)> {
        self.places.iter().filter_map(|place| {
            let numbers = self.shapes.get(place.shape())?;
            Some((place.tag(), place.shape(), place.slot(numbers.form())))
        })
    }

    /// The numbers that entries were written under.
    #[must_use]
    pub fn shapes(&self) -> &[Numbers] {
        &self.shapes
    }

    fn known(&self, numbers: &Numbers) -> Option<usize> {
        self.shapes.iter().position(|known| known == numbers)
    }

    /// The index of these numbers: their own, that of some no entry uses any more, or a new one.
    fn shape_index(&mut self, numbers: &Numbers) -> u8 {
        let unused = |index: usize| self.places.iter().all(|place| place.shape() != index);
        let mut index = self.known(numbers).or_else(|| (0..self.shapes.len()).find(|&index| unused(index)));
        if index.is_none() && self.shapes.len() > u8::MAX.into() {
            // Hundreds of limits in one set, all in other numbers: those of the first are forgotten.
            self.places.retain(|place| place.shape() != 0);
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

/// How long a value is made. Values that grow entry by entry leave memory of every size behind, which the host's
/// allocator keeps: that took 83 bytes for each entry, three sizes 45, two no more than a full set needs.
fn padded(size: usize) -> usize {
    let fitting = SIZES.into_iter().find(|fitting| size <= *fitting);
    fitting.unwrap_or_else(|| size.next_multiple_of(256).saturating_sub(18).max(size))
}

fn is_zero(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks();
    words.iter().fold(0, |all, word| all | u64::from_le_bytes(*word)) == 0 && rest.iter().all(|byte| *byte == 0)
}

fn checksum(secret: &Secret, key: &[u8], counts: [u8; 4], body: &[u8]) -> [u8; 4] {
    let mut hasher = secret.checksum();
    hasher.write(key);
    hasher.write(&counts);
    hasher.write(body);
    (hasher.finish() as u32).to_le_bytes()
}
