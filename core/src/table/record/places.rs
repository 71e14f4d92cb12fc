//! The places of a set, packed as they are in the store: a decision reads the few it is about where they lie.

use crate::algorithm::sliding_log::Admission;
use crate::algorithm::span::Span;
use crate::algorithm::token_bucket::Tat;
use crate::algorithm::{Form, STATE_BYTES, State};
use crate::table::meter::Slot;
use crate::table::shape::SlotForm;
use crate::time::Nanos;

/// Bytes of a place: tag, shape, state.
pub(super) const PLACE_BYTES: usize = 8 + 1 + STATE_BYTES;

/// Where a state says when its limit last charged it, an admission of that limit says nothing.
const OWN: Nanos = Nanos(0);

/// One place: a bucket, or one admission of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place([u8; PLACE_BYTES]);

/// All of them, in the order in which they were taken.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<u8>);

impl Place {
    pub(super) fn new(tag: u64, shape: u8, slot: Slot) -> Self {
        let [t0, t1, t2, t3, t4, t5, t6, t7] = tag.to_le_bytes();
        let mut place = Self([0; PLACE_BYTES]);
        if let Some(head) = place.0.first_chunk_mut() {
            *head = [t0, t1, t2, t3, t4, t5, t6, t7, shape];
        }
        place.write(slot);
        place
    }

    /// The limit and key it belongs to; see [`Salt::tag`](crate::table::partition::Salt::tag).
    pub(super) fn tag(&self) -> u64 {
        tag(&self.0)
    }

    /// The numbers it was written under, as an index into the record's.
    pub(super) fn shape(&self) -> usize {
        let [_, _, _, _, _, _, _, _, shape, ..] = self.0;
        shape.into()
    }

    /// What it holds, which is of this form.
    pub(super) fn slot(&self, form: SlotForm) -> Slot {
        let state = self.0.last_chunk().unwrap_or(&[0; STATE_BYTES]);
        match form {
            SlotForm::State(form) => Slot::State(State::decode(form, state)),
            SlotForm::Admission => match State::decode(Form::Tat, state) {
                State::Tat { tat: Tat(Span { ns, sub: cost }), touched } => {
                    let admission = Admission { at: Nanos(ns), cost };
                    if touched == OWN { Slot::Admission(admission) } else { Slot::Along(admission, touched) }
                }
                state => Slot::State(state),
            },
        }
    }

    pub(super) fn write(&mut self, slot: Slot) {
        let written = |Admission { at, cost }, touched| State::Tat { tat: Tat(Span { ns: at.0, sub: cost }), touched };
        let state = match slot {
            Slot::State(state) => state,
            Slot::Admission(admission) => written(admission, OWN),
            Slot::Along(admission, last) => written(admission, last.max(Nanos(1))),
        };
        if let Some(place) = self.0.last_chunk_mut() {
            *place = state.encode();
        }
    }
}

impl Places {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes them over from the store; nothing is looked at before it is asked for.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn len(&self) -> usize {
        self.0.len() / PLACE_BYTES
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Place> {
        self.0.as_chunks().0.iter().map(|bytes| Place(*bytes))
    }

    /// Those under a tag.
    pub(super) fn of(&self, wanted: u64) -> impl DoubleEndedIterator<Item = Place> {
        let own = self.0.as_chunks().0.iter().filter(move |bytes| tag(bytes) == wanted);
        own.map(|bytes| Place(*bytes))
    }

    pub(super) fn push(&mut self, place: Place) {
        self.0.extend_from_slice(&place.0);
    }

    /// Changes places in order; those for which `change` is false are given up.
    pub(super) fn retain(&mut self, mut change: impl FnMut(&mut Place) -> bool) {
        let (places, _) = self.0.as_chunks_mut::<PLACE_BYTES>();
        let mut kept = 0;
        for index in 0..places.len() {
            let Some(mut place) = places.get(index).map(|bytes| Place(*bytes)) else { break };
            if change(&mut place) {
                places.get_mut(kept).into_iter().for_each(|bytes| *bytes = place.0);
                kept += 1;
            }
        }
        self.0.truncate(kept * PLACE_BYTES);
    }

    /// The same for those under a tag.
    pub(super) fn retain_of(&mut self, wanted: u64, mut change: impl FnMut(&mut Place) -> bool) {
        let mut from = 0;
        while let Some(index) = self.position(wanted, from) {
            let (places, _) = self.0.as_chunks_mut::<PLACE_BYTES>();
            let Some(bytes) = places.get_mut(index) else { break };
            let mut place = Place(*bytes);
            if change(&mut place) {
                (*bytes, from) = (place.0, index + 1);
            } else {
                self.0.drain(index * PLACE_BYTES..(index + 1) * PLACE_BYTES);
                from = index;
            }
        }
    }

    /// Changes the newest place under a tag that `change` says it has changed.
    pub(super) fn change_newest_of(&mut self, wanted: u64, mut change: impl FnMut(&mut Place) -> bool) {
        for bytes in self.0.as_chunks_mut().0.iter_mut().rev().filter(|bytes| tag(bytes) == wanted) {
            let mut place = Place(*bytes);
            if change(&mut place) {
                *bytes = place.0;
                return;
            }
        }
    }

    fn position(&self, wanted: u64, from: usize) -> Option<usize> {
        let places = self.0.as_chunks().0.get(from..)?;
        places.iter().position(|bytes| tag(bytes) == wanted).map(|index| from + index)
    }
}

fn tag(bytes: &[u8; PLACE_BYTES]) -> u64 {
    let [t0, t1, t2, t3, t4, t5, t6, t7, ..] = *bytes;
    u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7])
}
