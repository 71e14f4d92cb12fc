//! Old and new numbers on the same buckets; damage.

use super::*;

#[test]
fn old_and_new_numbers_serve_the_same_bucket_side_by_side() {
    let (old, new) = (Limit::new("l", "10/h", None), Limit::new("l", "20/h", None));
    let mut bench = Bench::new(100);
    let mut admitted = 0;
    for _ in 0..40 {
        admitted += u32::from(bench.take(&old, "a")) + u32::from(bench.take(&new, "a"));
    }
    assert_eq!(admitted, 20, "the old one stops at 10, the new one goes on to 20");
    assert!(!bench.take(&old, "a") && !bench.take(&new, "a"));
}

/// Old 100/h, of which 60 are spent; then 5/m.
#[test]
fn a_lowered_limit_holds_at_once_and_locks_nobody_out_for_longer_than_its_own_refill() {
    let (old, mut new) = (Limit::new("l", "100/h", None), Limit::new("l", "5/m", None));
    let mut bench = Bench::new(100);
    (0..60).for_each(|_| assert!(bench.take(&old, "a")));
    bench.clock.pass(Nanos(5 * SECOND));
    new.since = bench.clock.monotonic();
    assert!(!bench.take(&new, "a"));
    // Refused all the while, which writes nothing, and yet a token is back after 12 s.
    (0..11).for_each(|_| {
        bench.clock.pass(Nanos(SECOND));
        assert!(!bench.take(&new, "a"));
    });
    bench.clock.pass(Nanos(SECOND));
    assert!(bench.take(&new, "a") && !bench.take(&new, "a"));
    bench.clock.pass(Nanos(60 * SECOND));
    assert_eq!((0..9).filter(|_| bench.take(&new, "a")).count(), 5);
    // What the new limit let through, the old one has been charged too: 60 + 6, less two refilled in 77 s.
    assert_eq!((0..99).filter(|_| bench.take(&old, "a")).count(), 100 - 66 + 2);
}

/// Old 5/h, drained; then 60/m, under which the client goes on.
#[test]
fn a_faster_limit_does_not_fill_the_slower_one_up() {
    let (old, mut new) = (Limit::new("l", "5/h", None), Limit::new("l", "60/m", None));
    let mut bench = Bench::new(100);
    (0..5).for_each(|_| assert!(bench.take(&old, "a")));
    new.since = bench.clock.monotonic();
    for _ in 0..100 {
        assert!(bench.take(&new, "a"));
        assert!(!bench.take(&old, "a"));
        bench.clock.pass(Nanos(SECOND));
    }
    assert_eq!(bench.rulings[0].level.remaining, 0);
    // The old numbers are gone once nobody has used them for twice as long as they take to refill.
    assert_eq!(bench.entries(), 2);
    bench.clock.pass(Nanos(2 * 3_600 * SECOND));
    assert!(bench.take(&new, "a"));
    assert!(bench.take(&new, "b"));
    assert_eq!(bench.entries(), 2, "one of a's, one of b's");
}

/// Half-refilled under the old numbers, so half-full under the new: neither a fresh bucket nor an empty one.
#[test]
fn debt_is_carried_over_as_of_the_change() {
    let (old, mut new) = (Limit::new("l", "10/h", None), Limit::new("l", "10/d", None));
    let mut bench = Bench::new(100);
    (0..10).for_each(|_| assert!(bench.take(&old, "a")));
    bench.clock.pass(Nanos(1_800 * SECOND));
    new.since = bench.clock.monotonic();
    bench.clock.pass(Nanos(60 * SECOND));
    assert_eq!((0..20).filter(|_| bench.take(&new, "a")).count(), 5);
}

#[test]
fn what_is_damaged_is_replaced_and_counted() {
    let limit = Limit::new("l", "2/h", None);
    let mut bench = Bench::new(100);
    assert!(bench.take(&limit, "a") && bench.take(&limit, "a") && !bench.take(&limit, "a"));
    bench.store.corrupt(|value| value[9] ^= 1);
    assert!(bench.take(&limit, "a") && bench.take(&limit, "a") && !bench.take(&limit, "a"));
    assert_eq!(bench.total(|effects| effects.foreign), 1);
    bench.store.corrupt(Vec::clear);
    assert!(bench.take(&limit, "a"));
    assert_eq!(bench.total(|effects| effects.foreign), 2);
}

#[test]
fn another_size_is_another_table() {
    let limit = Limit::new("l", "1/h", None);
    let mut bench = Bench::new(100);
    assert!(bench.take(&limit, "a") && !bench.take(&limit, "a"));
    let mut resized = Bench::on(bench.store.clone(), 200, WhenFull::Displace);
    assert!(resized.take(&limit, "a") && !resized.take(&limit, "a"));
    assert!(!bench.take(&limit, "a"), "and the old one is as it was");
}
