//! What one set of the table holds, and its bytes in the store.
//!
//! ```text
//! magic 2 | shapes 1 | entries 1 | checksum 4 | shapes × 25 | entries × 30
//! ```
//!
//! The checksum is keyed with the secret and the set's own name, so a record of another version, another table or
//! another proxy, or one that was damaged, is recognised and never trusted.
//!
//! A limit whose numbers changed has two buckets for a while, one in the old numbers and one in the new, for as long
//! as both are in use: whichever admits a request charges the other along. So each holds exactly, and neither is
//! filled up by the other's faster rate or forgotten by its smaller burst.

use core::hash::Hasher;

use crate::algorithm::span::Span;
use crate::algorithm::token_bucket::{Charged, Tat, TokenBucket};
use crate::quota::Quota;
use crate::table::secret::Secret;
use crate::table::shape::{self, SHAPE_BYTES, Shape};
use crate::time::Nanos;

const MAGIC: [u8; 2] = *b"W\x01";
const ENTRY_BYTES: usize = 30;

/// One bucket: the limit and key it belongs to (hashed), the shape it was written under, and its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// See [`Salt::tag`](crate::table::partition::Salt::tag).
    pub tag: u64,
    /// Index into the record's shapes.
    shape: u8,
    /// The bucket's state.
    pub state: Tat,
    /// When a limit of this very shape last charged it.
    touched: Nanos,
}

/// The bytes are no record of this set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign;

/// One set's entries, in memory.
#[derive(Debug, Default)]
pub struct Record {
    shapes: Vec<Quota>,
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
        let (&[m0, m1, shapes, entries], rest) = bytes.split_first_chunk()?;
        let (sum, body) = rest.split_first_chunk()?;
        let (shape_bytes, entry_bytes) = body.split_at_checked(usize::from(shapes) * SHAPE_BYTES)?;
        let (entry_chunks, []) = entry_bytes.as_chunks::<ENTRY_BYTES>() else { return None };
        let genuine = [m0, m1] == MAGIC
            && entry_chunks.len() == usize::from(entries)
            && *sum == checksum(secret, key, [shapes, entries], body);
        if !genuine {
            return None;
        }
        for chunk in shape_bytes.as_chunks::<SHAPE_BYTES>().0 {
            self.shapes.push(shape::decode(chunk)?);
        }
        for chunk in entry_chunks {
            self.entries.push(Entry::decode(chunk).filter(|entry| entry.shape < shapes)?);
        }
        Some(())
    }

    /// Writes the record for the set named `key`, replacing what is in `out`.
    pub fn encode(&self, secret: &Secret, key: &[u8], out: &mut Vec<u8>) {
        // Neither can pass 255: both are bounded by the places of a set.
        let counts = [self.shapes.len() as u8, self.entries.len() as u8];
        out.clear();
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&counts);
        out.extend_from_slice(&[0; 4]);
        self.shapes.iter().for_each(|quota| shape::encode(quota, out));
        self.entries.iter().for_each(|entry| entry.encode(out));
        let sum = checksum(secret, key, counts, out.get(8..).unwrap_or_default());
        if let Some(place) = out.get_mut(4..8) {
            place.copy_from_slice(&sum);
        }
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

    /// The state of the bucket under `tag` in the numbers of `shape`, which are in force since `since`.
    ///
    /// Where it was only ever charged in other numbers, its debt is restated as of the change, or of the last charge
    /// where that came later; so a client that is refused meanwhile, which writes nothing, recovers all the same.
    #[must_use]
    pub fn find(&self, tag: u64, shape: &Shape, since: Nanos, now: Nanos) -> Option<Tat> {
        let mut other = None;
        for entry in self.entries.iter().filter(|entry| entry.tag == tag) {
            let written = self.shapes.get(usize::from(entry.shape))?;
            if *written == shape.quota {
                return Some(entry.state);
            }
            other = Some((entry, written));
        }
        let (entry, written) = other?;
        let anchor = since.max(entry.touched).min(now);
        Some(shape.bucket.carry(entry.state, &TokenBucket::new(written), anchor))
    }

    /// Keeps `next` as the bucket's state under `tag` and charges what is kept in other numbers along. False where
    /// nothing was kept in these: then [`insert`](Self::insert).
    pub fn charge(&mut self, tag: u64, shape: &Shape, next: Tat, cost: u64, now: Nanos) -> bool {
        let (own, shapes, mut found) = (self.shape_index(&shape.quota), &self.shapes, false);
        self.entries.retain_mut(|entry| {
            if entry.tag != tag {
                return true;
            }
            if entry.shape == own {
                (entry.state, entry.touched, found) = (next, now, true);
                return true;
            }
            shapes.get(usize::from(entry.shape)).is_some_and(|quota| entry.charge_along(quota, cost, now))
        });
        found
    }

    /// Takes back a charge, and what was charged along.
    pub fn refund(&mut self, tag: u64, shape: &Shape, charge: &Charged, now: Nanos) {
        for entry in self.entries.iter_mut().filter(|entry| entry.tag == tag) {
            let Some(written) = self.shapes.get(usize::from(entry.shape)) else { continue };
            entry.state = if *written == shape.quota {
                shape.bucket.refund(charge, entry.state, now)
            } else {
                let unknown = Charged { prior: None, charged: Tat::default(), ..*charge };
                TokenBucket::new(written).refund(&unknown, entry.state, now)
            };
        }
    }

    /// Adds an entry; the caller has seen that there is room.
    pub fn insert(&mut self, tag: u64, shape: &Shape, state: Tat, now: Nanos) {
        let shape = self.shape_index(&shape.quota);
        self.entries.push(Entry { tag, shape, state, touched: now });
    }

    /// Forgets every entry whose bucket is full again: nothing changes by it.
    pub fn prune(&mut self, now: Nanos) {
        self.entries.retain(|entry| entry.state.0 > Span::whole(now.0));
    }

    /// Forgets the entry under `tag`.
    pub fn remove(&mut self, tag: u64) {
        self.entries.retain(|entry| entry.tag != tag);
    }

    /// Every entry with the index of its shape.
    pub fn entries(&self) -> impl Iterator<Item = (&Entry, usize)> {
        self.entries.iter().map(|entry| (entry, usize::from(entry.shape)))
    }

    /// The numbers that entries were written under.
    #[must_use]
    pub fn shapes(&self) -> &[Quota] {
        &self.shapes
    }

    /// The index of `quota`: its own, that of one no entry uses any more, or a new one.
    fn shape_index(&mut self, quota: &Quota) -> u8 {
        let unused = |index: usize| self.entries().all(|(_, used)| used != index);
        let known = self.shapes.iter().position(|known| known == quota);
        let index = known.or_else(|| (0..self.shapes.len()).find(|&index| unused(index)));
        match index.and_then(|index| self.shapes.get_mut(index)) {
            Some(place) => *place = *quota,
            None => self.shapes.push(*quota),
        }
        index.unwrap_or(self.shapes.len().saturating_sub(1)) as u8
    }
}

impl Entry {
    /// False where it may be forgotten: its bucket is full, or whoever charged it in these numbers has not for so long
    /// that all of that is paid back.
    fn charge_along(&mut self, quota: &Quota, cost: u64, now: Nanos) -> bool {
        let bucket = TokenBucket::new(quota);
        let idle = now.0.saturating_sub(self.touched.0);
        let keep = !bucket.is_full(self.state, now) && idle <= bucket.refill().0;
        self.state = bucket.pile(self.state, now, cost);
        keep
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.tag.to_le_bytes());
        out.push(self.shape);
        out.extend_from_slice(&self.state.0.ns.to_le_bytes());
        // Below a quota's token number, which fits 40 bits.
        let [a, b, c, d, e, ..] = self.state.0.sub.to_le_bytes();
        out.extend_from_slice(&[a, b, c, d, e]);
        out.extend_from_slice(&self.touched.0.to_le_bytes());
    }

    fn decode(bytes: &[u8; ENTRY_BYTES]) -> Option<Self> {
        let (tag, rest) = bytes.split_first_chunk()?;
        let (&[shape], rest) = rest.split_first_chunk()?;
        let (ns, rest) = rest.split_first_chunk()?;
        let (&[a, b, c, d, e], touched) = rest.split_first_chunk()?;
        let state = Tat(Span { ns: u64::from_le_bytes(*ns), sub: u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) });
        let touched = Nanos(u64::from_le_bytes(touched.try_into().ok()?));
        Some(Self { tag: u64::from_le_bytes(*tag), shape, state, touched })
    }
}

fn checksum(secret: &Secret, key: &[u8], counts: [u8; 2], body: &[u8]) -> [u8; 4] {
    let mut hasher = secret.hash64();
    hasher.write(key);
    hasher.write(&counts);
    hasher.write(body);
    (hasher.finish() as u32).to_le_bytes()
}
