//! Several limits, one decision.

use super::*;

#[test]
fn all_are_charged_or_none() {
    let (short, long) = (Limit::new("short", "3/2s", None), Limit::new("long", "10/h", None));
    for order in [false, true] {
        let mut bench = Bench::new(1_000);
        let mut admitted = 0;
        for _round in 0..10 {
            for _ in 0..30 {
                let mut charges = [short.charge("a"), long.charge("a")];
                if order {
                    charges.reverse();
                }
                admitted += u32::from(bench.decide(&charges) == Outcome::Admitted);
            }
            bench.clock.pass(Nanos(2 * SECOND));
        }
        assert_eq!(admitted, 10);
        // Nothing of the short limit was spent by what the long one refused.
        let Ruling { level, wait, .. } = bench.rulings[usize::from(order)];
        assert_eq!((level.remaining, wait), (3, None));
    }
}

#[test]
fn limits_of_one_client_are_one_read_and_one_write() {
    let limits: Vec<_> = (0..4).map(|n| Limit::new(&n.to_string(), "5/m", None)).collect();
    let mut bench = Bench::on(Counting::default(), 10_000, WhenFull::Displace);
    let charges: Vec<_> = limits.iter().map(|limit| limit.charge("a")).collect();
    (0..5).for_each(|_| assert_eq!(bench.decide(&charges), Outcome::Admitted));
    assert_eq!((bench.store.gets, bench.store.swaps), (5, 5));
    assert_eq!(bench.decide(&charges), Outcome::Refused);
    assert_eq!((bench.store.gets, bench.store.swaps), (6, 5), "a refusal writes nothing");
}

#[test]
fn limits_of_different_keys_are_charged_together_too() {
    let (by_ip, by_path) = (Limit::new("ip", "5/m", None), Limit::new("path", "2/m", None));
    let mut bench = Bench::new(10_000);
    let outcomes: Vec<_> = (0..3).map(|_| bench.decide(&[by_ip.charge("1.2.3.4"), by_path.charge("/x")])).collect();
    assert_eq!(outcomes, [Outcome::Admitted, Outcome::Admitted, Outcome::Refused]);
    assert_eq!(bench.rulings[0].level.remaining, 3, "the third cost nothing");
    assert_eq!((bench.rulings[1].level.remaining, bench.rulings[1].wait), (0, Some(Nanos(30 * SECOND))));
}

/// Two clients whose sets are charged in this order.
fn in_order(table: &Table) -> (&'static str, &'static str) {
    let home = |who| table.geometry.home(partition(who).place);
    assert_ne!(home("a"), home("b"));
    if home("a") < home("b") { ("a", "b") } else { ("b", "a") }
}

/// While we decide, another worker takes the last token of the second set: the first is given back.
#[test]
fn a_race_lost_in_the_second_set_gives_the_first_back() {
    let (by_ip, by_path) = (Limit::new("ip", "5/m", None), Limit::new("path", "1/m", None));
    let table = Bench::new(10_000).table;
    let (ip, path) = in_order(&table);
    let shared = SharedData::default();
    let mut rival = Bench::on(shared.clone(), 10_000, WhenFull::Displace);
    let mut first_swap = true;
    let store = Meddling(shared.clone(), |key: &[u8]| {
        if core::mem::take(&mut first_swap) {
            assert_eq!(key, table.geometry.key(table.geometry.home(partition(ip).place)));
            assert!(rival.take(&by_path, path));
        }
    });
    let mut bench = Bench::on(store, 10_000, WhenFull::Displace);
    // In whatever order they are named.
    assert_eq!(bench.decide(&[by_path.charge(path), by_ip.charge(ip)]), Outcome::Refused);
    assert_eq!(bench.total(|effects| effects.retries), 1);
    assert_eq!(bench.rulings[1].level.remaining, 5);
    assert_eq!((0..9).filter(|_| bench.take(&by_ip, ip)).count(), 5, "all five are still there");
}

/// A set that is always changed under us: the decision ends, and leaves no charge.
#[test]
fn contention_ends_in_busy_and_charges_nothing() {
    let (by_ip, by_path) = (Limit::new("ip", "5/m", None), Limit::new("path", "5/m", None));
    let shared = SharedData::default();
    let table = Bench::new(10_000).table;
    let (ip, path) = in_order(&table);
    let contested = table.geometry.key(table.geometry.home(partition(path).place));
    let mut rival = shared.clone();
    let store = Meddling(shared.clone(), move |key: &[u8]| {
        if key == contested {
            let mut value = Vec::new();
            let version = rival.get(key, &mut value).unwrap();
            rival.swap(key, &value, version).unwrap();
        }
    });
    let mut bench = Bench::on(store, 10_000, WhenFull::Displace);
    assert_eq!(bench.decide(&[by_ip.charge(ip), by_path.charge(path)]), Outcome::Busy);
    assert_eq!((0..9).filter(|_| bench.take(&by_ip, ip)).count(), 5);
}

#[test]
fn a_refused_client_waits_exactly_as_long_as_it_is_told() {
    let limit = Limit::new("l", "7/m", Some(3));
    let mut bench = Bench::new(100);
    for _ in 0..50 {
        while bench.take(&limit, "a") {}
        let wait = bench.rulings[0].wait.unwrap();
        bench.clock.pass(Nanos(wait.0 - 1));
        assert!(!bench.take(&limit, "a"));
        bench.clock.pass(Nanos(1));
        assert!(bench.take(&limit, "a"));
    }
}

/// Counts what is asked of the store.
#[derive(Default)]
struct Counting {
    inner: SharedData,
    gets: u32,
    swaps: u32,
}

impl Store for Counting {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        self.gets += 1;
        self.inner.get(key, value)
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        self.swaps += 1;
        self.inner.swap(key, value, expected)
    }
}

/// Lets something happen just before each swap.
struct Meddling<F>(SharedData, F);

impl<F: FnMut(&[u8])> Store for Meddling<F> {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        self.0.get(key, value)
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        (self.1)(key);
        self.0.swap(key, value, expected)
    }
}

use crate::store::{StoreError, Swap, Version};
