//! A full table: who is forgotten.

use super::*;

#[test]
fn never_more_entries_than_configured() {
    let limit = Limit::new("l", "5/h", None);
    for max_entries in [1, 10, 64, 100, 1_000] {
        let mut bench = Bench::new(max_entries);
        (0..20 * max_entries).for_each(|n| assert!(bench.take(&limit, &n.to_string())));
        assert_eq!(bench.entries(), i64::from(max_entries));
        assert_eq!(bench.total(|effects| effects.displaced), 19 * max_entries);
        assert!(bench.store.bytes() < 40 * max_entries.next_multiple_of(128) as usize, "{}", bench.store.bytes());
    }
}

#[test]
fn a_flood_of_new_keys_frees_nobody_at_the_limit() {
    let limit = Limit::new("l", "5/h", None);
    let mut bench = Bench::new(500);
    while bench.take(&limit, "abuser") {}
    for n in 0..20 * 500 {
        assert!(bench.take(&limit, &format!("fresh {n}")));
        assert!(!bench.take(&limit, "abuser"), "after {n} keys");
    }
}

#[test]
fn entries_that_are_full_again_go_first() {
    let (quick, slow) = (Limit::new("quick", "5/s", None), Limit::new("slow", "5/h", None));
    let mut bench = Bench::new(64);
    (0..32).for_each(|n| assert!(bench.take(&slow, &format!("slow {n}"))));
    (0..32).for_each(|n| assert!(bench.take(&quick, &format!("quick {n}"))));
    bench.clock.pass(Nanos(SECOND));
    (0..32).for_each(|n| assert!(bench.take(&slow, &format!("more {n}"))));
    assert_eq!(bench.total(|effects| effects.displaced), 0);
    assert_eq!(bench.entries(), 64);
}

#[test]
fn the_least_indebted_makes_way() {
    let (small, large) = (Limit::new("small", "2/h", None), Limit::new("large", "10/h", None));
    let mut bench = Bench::new(2);
    assert!(bench.take(&small, "half spent"));
    (0..4).for_each(|_| assert!(bench.take(&large, "less than half spent")));
    assert!(bench.take(&small, "newcomer"));
    assert!(bench.take(&small, "half spent") && !bench.take(&small, "half spent"), "was kept");
}

#[test]
fn where_all_are_at_the_limit_the_nearest_to_recovery_makes_way() {
    let limit = Limit::new("l", "1/h", None);
    let mut bench = Bench::new(3);
    for who in ["first", "second", "third"] {
        assert!(bench.take(&limit, who));
        bench.clock.pass(Nanos(60 * SECOND));
    }
    assert!(bench.take(&limit, "fourth"));
    assert!(!bench.take(&limit, "second") && !bench.take(&limit, "third") && !bench.take(&limit, "fourth"));
    assert!(bench.take(&limit, "first"));
}

#[test]
fn or_newcomers_share_one_bucket() {
    let limit = Limit::new("l", "2/h", None);
    let mut bench = Bench::on(SharedData::default(), 3, WhenFull::Overflow);
    for who in ["a", "b", "c"] {
        assert!(bench.take(&limit, who) && bench.take(&limit, who));
    }
    let newcomers = (0..10).filter(|n| bench.take(&limit, &format!("newcomer {n}"))).count();
    assert_eq!(newcomers, 2);
    assert!(["a", "b", "c"].iter().all(|who| !bench.take(&limit, who)), "nobody was forgotten");
    assert_eq!(bench.total(|effects| effects.displaced), 0);
    assert_eq!(bench.total(|effects| effects.overflowed), 10);
}

#[test]
fn a_request_does_not_displace_its_own_entries() {
    let limits: Vec<_> = (0..3).map(|n| Limit::new(&n.to_string(), "5/h", None)).collect();
    let mut bench = Bench::new(3);
    for n in 0..10 {
        let who = n.to_string();
        let charges: Vec<_> = limits.iter().map(|limit| limit.charge(&who)).collect();
        (0..5).for_each(|_| assert_eq!(bench.decide(&charges), Outcome::Admitted));
        assert_eq!(bench.decide(&charges), Outcome::Refused);
    }
}
