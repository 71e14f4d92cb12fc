use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;
use crate::algorithm::testing::{quota, quotas, steps};
use crate::quota::Rate;
use crate::time::SECOND;

/// Drops what is over, as a store would.
fn prune(window: &SlidingLog, log: &mut Vec<Admission>, now: Nanos) {
    log.retain(|admission| !window.is_over(admission, now));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Of a million requests: never more than N in any window, and refused only where there would be.
    #[test]
    fn never_more_than_n_in_any_window(n in 1..=MAX_LOG, seed in 1..u64::MAX) {
        let window = SlidingLog::new(&Quota::new(Rate::new(n, Nanos(SECOND)).unwrap(), None).unwrap());
        let (mut log, mut last_window, mut sum) = (Vec::new(), VecDeque::new(), 0);
        let (mut now, mut random) = (0, seed);
        for _ in 0..50_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // About twice the rate, with crowds at one instant, and pauses of a whole window.
            now += match random % 64 {
                0..16 => 0,
                63 => SECOND - (random >> 32) % 2,
                _ => (random >> 32) % (SECOND / n),
            };
            let cost = (1 + (random >> 8) % 8 / 7).min(n);
            while last_window.front().is_some_and(|(at, _)| at + SECOND <= now) {
                sum -= last_window.pop_front().unwrap().1;
            }
            match window.check(&log, Nanos(now), cost) {
                Verdict::Fits(admission) => {
                    if log.len() > 300 {
                        prune(&window, &mut log, Nanos(now));
                    }
                    log.push(admission);
                    last_window.push_back((now, cost));
                    sum += cost;
                    prop_assert!(sum <= n);
                }
                Verdict::Waits(_) => prop_assert!(sum + cost > n),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// What is announced is true to the nanosecond, also after charges were taken back; what is left is what the
    /// entries leave.
    #[test]
    fn the_wait_is_exact(quota in quotas(), steps in steps()) {
        let window = SlidingLog::new(&quota);
        let capacity = quota.burst().min(MAX_LOG);
        let (mut log, mut now) = (Vec::<Admission>::new(), 1);
        for step in steps {
            now += step.pause(&quota, now);
            if let Some(index) = step.refund && !log.is_empty() {
                let charged = log[index.index(log.len())];
                log.remove(window.refund(&log, charged).unwrap());
                prop_assert!(log.is_sorted_by_key(|admission| admission.at));
            }
            let cost = step.cost(&quota).min(capacity);
            match window.check(&log, Nanos(now), cost) {
                Verdict::Fits(admission) => log.push(admission),
                Verdict::Waits(wait) => {
                    prop_assert!((1..=window.refill().0).contains(&wait.0));
                    prop_assert!(window.check(&log, Nanos(now + wait.0 - 1), cost).wait().is_some());
                    prop_assert!(window.check(&log, Nanos(now + wait.0), cost).wait().is_none());
                }
            }
            let level = window.level(&log, Nanos(now));
            let live = log.iter().filter(|admission| admission.at.0 + quota.rate().period().0 > now);
            prop_assert_eq!(level.remaining, capacity - live.map(|admission| admission.cost).sum::<u64>());
            prop_assert_eq!(window.used(&log, Nanos(now)), capacity - level.remaining);
            let remaining = |passed| window.level(&log, Nanos(now + passed)).remaining;
            if level.grows_in.0 > 0 {
                prop_assert_eq!(remaining(level.grows_in.0 - 1), level.remaining);
                prop_assert!(remaining(level.grows_in.0) > level.remaining);
            } else {
                prop_assert_eq!(level.remaining, capacity);
            }
        }
    }

    /// Any log, at any time: no panic, no wait beyond a window.
    #[test]
    fn survives_any_log(quota in quotas(), mut log: Vec<(u64, u64)>, times: Vec<u64>) {
        log.sort_unstable();
        let log: Vec<_> = log.into_iter().map(|(at, cost)| Admission { at: Nanos(at), cost }).collect();
        let window = SlidingLog::new(&quota);
        for now in times.into_iter().map(Nanos) {
            let wait = window.check(&log, now, 1).wait().unwrap_or_default();
            prop_assert!(wait <= window.refill());
            prop_assert!(window.level(&log, now).remaining <= MAX_LOG);
            prop_assert!(window.pile(&log, now, 3).is_none_or(|piled| piled.cost <= MAX_LOG));
        }
    }

    /// A client at its rate, or slower, is never refused.
    #[test]
    fn never_refuses_a_client_at_its_rate(n in 1..=MAX_LOG, seconds in 1..86_400_u64, start in 0..1_u64 << 60) {
        let period = seconds * SECOND;
        let window = SlidingLog::new(&Quota::new(Rate::new(n, Nanos(period)).unwrap(), None).unwrap());
        let mut log = Vec::new();
        for k in 0..3 * n {
            let now = Nanos(start + (k * period).div_ceil(n));
            prune(&window, &mut log, now);
            let Verdict::Fits(admission) = window.check(&log, now, 1) else { panic!("request {k}") };
            log.push(admission);
        }
    }
}

#[test]
fn an_older_reading_keeps_the_log_in_order() {
    let window = SlidingLog::new(&quota("2/second", None));
    let log = [Admission { at: Nanos(100), cost: 1 }];
    assert_eq!(window.check(&log, Nanos(90), 1), Verdict::Fits(Admission { at: Nanos(100), cost: 1 }));
}

#[test]
fn a_debt_becomes_one_entry() {
    let window = SlidingLog::new(&quota("5/second", None));
    assert_eq!(window.with_used(0, Nanos(7)), None);
    assert_eq!(window.with_used(3, Nanos(7)), Some(Admission { at: Nanos(7), cost: 3 }));
    let log = [window.with_used(9, Nanos(7)).unwrap()];
    assert_eq!((log[0].cost, window.pile(&log, Nanos(8), 1)), (5, None));
    assert_eq!(window.level(&log, Nanos(8)), Level { remaining: 0, grows_in: Nanos(SECOND - 1) });
}

#[test]
fn no_log_is_for_more_than_its_bound() {
    let window = SlidingLog::new(&quota("1000/second", None));
    assert_eq!(window.level(&[], Nanos(0)), Level { remaining: MAX_LOG, grows_in: Nanos(0) });
}
