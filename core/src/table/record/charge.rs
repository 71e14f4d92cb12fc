//! Charging one bucket, and along with it what is kept of it in other numbers.

use super::Record;
use super::places::Place;
use crate::algorithm::REFILLS_KEPT;
use crate::algorithm::sliding_log::Admission;
use crate::quota::MAX_TOKENS;
use crate::table::meter::{Meter, Slot};
use crate::table::shape::{Numbers, Shape, SlotForm};
use crate::time::{Nanos, Now};

const ADMISSION: SlotForm = SlotForm::Admission;

impl Record {
    /// Charges what is kept under `tag`: `next` takes the place of a state in these numbers, and what is kept in other
    /// numbers is charged along. False where `next` is still to be [inserted](Self::insert), and a place to
    /// [push](Self::push) besides where a log was charged along.
    pub fn charge(&mut self, tag: u64, shape: &Shape, next: Slot, cost: u64, now: Now) -> (bool, Option<Place>) {
        let (own, shapes) = (self.shape_index(&shape.numbers), &self.shapes);
        let (mut placed, mut logged) = (false, false);
        self.places.retain_of(tag, |place| {
            if place.shape() != usize::from(own) {
                let Some(numbers) = shapes.get(place.shape()) else { return false };
                if numbers.form() == ADMISSION {
                    logged = true;
                    return true;
                }
                return charge_along(place, numbers, cost, now);
            }
            if let Slot::State(_) = next {
                place.write(next);
                placed = true;
            }
            true
        });
        let along = if logged { self.log_along(tag, own, cost, now) } else { None };
        (placed, along)
    }

    /// Charges along the log that is kept in other numbers. As many admissions as it has tokens have a place; one more
    /// joins the newest.
    fn log_along(&mut self, tag: u64, own: u8, cost: u64, now: Now) -> Option<Place> {
        let is_log = |shape: &usize| {
            *shape != usize::from(own) && self.shapes.get(*shape).is_some_and(|numbers| numbers.form() == ADMISSION)
        };
        let shape = self.places.of(tag).map(|place| place.shape()).find(is_log)?;
        let Meter::Log(log) = self.shapes.get(shape)?.meter() else { return None };
        let (mut live, mut last) = (0, Nanos(0));
        for slot in self.places.of(tag).filter(|place| place.shape() == shape).map(|place| place.slot(ADMISSION)) {
            live += u64::from(slot.admission().is_some_and(|admission| !log.is_over(&admission, now.mono)));
            last = last.max(slot.touched());
        }
        let kept = now.mono.0.saturating_sub(last.0) <= log.refill().0.saturating_mul(REFILLS_KEPT);
        self.places.retain_of(tag, |place| {
            let over = |admission| log.is_over(&admission, now.mono);
            place.shape() != shape || kept && !place.slot(ADMISSION).admission().is_none_or(over)
        });
        if !kept {
            return None;
        }
        let along = |at, cost| Slot::Along(Admission { at, cost }, last);
        if live < log.capacity() {
            return Some(Place::new(tag, shape as u8, along(now.mono, cost)));
        }
        self.places.change_newest_of(tag, |place| {
            let newest = place.slot(ADMISSION).admission().filter(|_| place.shape() == shape);
            newest.is_some_and(|Admission { at, cost: before }| {
                place.write(along(at.max(now.mono), before.saturating_add(cost).min(MAX_TOKENS)));
                true
            })
        });
        None
    }

    /// Adds a place that [`Self::charge`] asked for.
    pub(in crate::table) fn push(&mut self, place: Place) {
        self.places.push(place);
    }
}

/// False where it may be forgotten: nothing of it is owed any more to those who charge it in its own numbers.
fn charge_along(place: &mut Place, numbers: &Numbers, cost: u64, now: Now) -> bool {
    match (place.slot(numbers.form()), numbers.meter()) {
        (Slot::State(state), Meter::State(algorithm)) => {
            let paid = algorithm.is_paid(state, now);
            place.write(Slot::State(algorithm.pile(state, now, cost)));
            !paid
        }
        _ => false,
    }
}
