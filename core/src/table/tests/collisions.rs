//! Many workers, one bucket.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use super::*;
use crate::store::{StoreError, Swap, Version};

const WORKERS: usize = 8;

/// Lets the others run between a read and the write that depends on it.
struct Yielding(SharedData);

impl Store for Yielding {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        let read = self.0.get(key, value);
        thread::yield_now();
        read
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        self.0.swap(key, value, expected)
    }
}

/// Runs `request` with each worker's own table on one store, `each` times; what was admitted, and how often a swap
/// was lost.
fn race(each: u32, request: impl Fn(&mut Bench<Yielding>, u32) -> bool + Sync) -> (u32, u32) {
    let (store, start) = (SharedData::default(), Barrier::new(WORKERS));
    let (admitted, retries) = (AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let mut bench = Bench::on(Yielding(store.clone()), 1_000, WhenFull::Displace);
                start.wait();
                let mine = (0..each).filter(|n| request(&mut bench, *n)).count();
                admitted.fetch_add(mine as u32, Ordering::Relaxed);
                retries.fetch_add(bench.total(|effects| effects.retries), Ordering::Relaxed);
            });
        }
    });
    (admitted.into_inner(), retries.into_inner())
}

#[test]
fn all_workers_together_admit_exactly_the_burst() {
    let limit = Limit::new("l", "500/h", None);
    let (admitted, retries) = race(400, |bench, _| bench.take(&limit, "a"));
    assert_eq!(admitted, 500);
    assert!(retries > 50, "the workers never met: {retries}");
}

#[test]
fn a_key_is_created_once() {
    let limit = Limit::new("l", "1/h", None);
    let (admitted, _) = race(300, |bench, n| bench.take(&limit, &n.to_string()));
    assert_eq!(admitted, 300);
}

#[test]
fn two_keys_are_charged_together_under_contention() {
    let (one, two) = (Limit::new("one", "300/h", None), Limit::new("two", "200/h", None));
    let (admitted, retries) = race(100, |bench, n| {
        // Both orders, so that workers meet crosswise.
        let mut charges = [one.charge("a"), two.charge("b")];
        if n % 2 == 0 {
            charges.reverse();
        }
        bench.decide(&charges) == Outcome::Admitted
    });
    assert_eq!(admitted, 200);
    assert!(retries > 20, "the workers never met: {retries}");
}
