//! Every algorithm in the table.

use super::*;
use crate::policy::AlgorithmKind::{FixedWindow, LeakyBucket, SlidingLog, SlidingWindow, TokenBucket};

pub(super) const ALL: [AlgorithmKind; 5] =
    [TokenBucket, LeakyBucket { max_delay: Nanos(0) }, FixedWindow, SlidingWindow, SlidingLog];

#[test]
fn each_admits_its_number_and_refuses_the_next() {
    for kind in ALL {
        let limit = Limit::of(kind, "l", "5/h", None);
        let mut bench = Bench::new(1_000);
        assert_eq!((0..20).filter(|_| bench.take(&limit, "a")).count(), 5, "{kind:?}");
        assert_eq!(bench.rulings[0].level.remaining, 0);
        let wait = bench.rulings[0].wait.unwrap();
        bench.clock.pass(Nanos(wait.0 - 1));
        assert!(!bench.take(&limit, "a"), "{kind:?}");
        bench.clock.pass(Nanos(1));
        assert!(bench.take(&limit, "a"), "{kind:?}");
        assert!(bench.take(&limit, "b"), "{kind:?}");
    }
}

#[test]
fn the_fixed_window_alone_lets_twice_its_number_through_at_an_edge() {
    for (kind, admitted) in [(FixedWindow, 20), (SlidingWindow, 11), (SlidingLog, 10)] {
        let limit = Limit::of(kind, "l", "10/m", None);
        let mut bench = Bench::new(1_000);
        bench.clock.pass(Nanos(59 * SECOND));
        let before = (0..20).filter(|_| bench.take(&limit, "a")).count();
        bench.clock.pass(Nanos(2 * SECOND));
        let after = (0..20).filter(|_| bench.take(&limit, "a")).count();
        assert!(before + after <= admitted, "{kind:?}: {before} and {after}");
        assert!(kind != FixedWindow || before + after == 20);
    }
}

#[test]
fn a_log_takes_a_place_for_each_admission_and_frees_them() {
    let limit = Limit::of(SlidingLog, "l", "5/m", None);
    let mut bench = Bench::new(1_000);
    (0..5).for_each(|_| assert!(bench.take(&limit, "a")));
    assert_eq!(bench.entries(), 5);
    bench.clock.pass(Nanos(61 * SECOND));
    assert!(bench.take(&limit, "a"));
    assert_eq!(bench.entries(), 1);
}

#[test]
fn a_flood_frees_nobody_at_the_limit_whatever_the_algorithm() {
    for kind in ALL {
        let (limit, flood) = (Limit::of(kind, "l", "5/h", None), Limit::of(kind, "flood", "5/h", None));
        let mut bench = Bench::new(200);
        while bench.take(&limit, "abuser") {}
        for n in 0..2_000 {
            assert!(bench.take(&flood, &n.to_string()));
        }
        assert!(!bench.take(&limit, "abuser"), "{kind:?}");
        assert!(bench.entries() <= 200);
    }
}

#[test]
fn debt_is_carried_from_any_algorithm_to_any() {
    for from in ALL {
        for to in ALL {
            let (old, mut new) = (Limit::of(from, "l", "5/h", None), Limit::of(to, "l", "8/h", None));
            let mut bench = Bench::new(1_000);
            (0..5).for_each(|_| assert!(bench.take(&old, "a")));
            new.since = bench.clock.monotonic();
            assert_eq!((0..9).filter(|_| bench.take(&new, "a")).count(), 3, "{from:?} to {to:?}");
            assert!(!bench.take(&old, "a"), "{to:?} filled {from:?} up");
        }
    }
}

#[test]
fn a_shadow_limit_stops_nobody_and_is_charged_apart() {
    let (shadow, real) = (Limit::new("shadow", "2/h", None), Limit::new("real", "5/h", None));
    let mut bench = Bench::new(1_000);
    let outcomes: Vec<_> = (0..6)
        .map(|_| {
            let charges = [Charge { enforce: false, ..shadow.charge("a") }, real.charge("a")];
            (bench.decide(&charges), bench.rulings[0].wait.is_some())
        })
        .collect();
    let (in_time, over) = ((Outcome::Admitted, false), (Outcome::Admitted, true));
    assert_eq!(outcomes, [in_time, in_time, over, over, over, (Outcome::Refused, true)]);
}

#[test]
fn a_queue_tells_each_request_its_turn() {
    let limit = Limit::of(LeakyBucket { max_delay: Nanos(2 * SECOND) }, "l", "1/s", Some(10));
    let mut bench = Bench::new(1_000);
    let delays: Vec<_> = (0..4).map(|_| (bench.take(&limit, "a"), bench.rulings[0].delay.0 / SECOND)).collect();
    assert_eq!(delays, [(true, 0), (true, 1), (true, 2), (false, 0)]);
}
