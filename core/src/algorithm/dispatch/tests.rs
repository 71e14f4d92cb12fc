use proptest::prelude::*;

use super::*;
use crate::algorithm::state::State;
use crate::algorithm::testing::{quota, quotas, steps};
use crate::quota::Quota;
use crate::time::{SECOND, UnixNanos};

const START: Now = Now { mono: Nanos(1 << 50), wall: UnixNanos(1 << 60) };

fn later(now: Now, passed: u64) -> Now {
    Now { mono: Nanos(now.mono.0 + passed), wall: UnixNanos(now.wall.0 + passed) }
}

fn all(quota: &Quota) -> [Algorithm; 5] {
    [
        Algorithm::TokenBucket(TokenBucket::new(quota)),
        Algorithm::LeakyBucket(LeakyBucket::new(quota, Nanos(0))),
        Algorithm::LeakyBucket(LeakyBucket::new(quota, Nanos(quota.rate().period().0 / 2))),
        Algorithm::FixedWindow(FixedWindow::new(quota)),
        Algorithm::SlidingWindow(SlidingWindow::new(quota)),
    ]
}

/// A bucket with some use.
fn used(algorithm: &Algorithm, quota: &Quota, steps: &[crate::algorithm::testing::Step]) -> (Option<State>, Now) {
    let (mut state, mut now) = (None, START);
    for step in steps {
        now = later(now, step.pause(quota, now.wall.0));
        if let Verdict::Fits(next) = algorithm.check(state, now, step.cost(quota)) {
            state = Some(next);
        }
    }
    (state, now)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever state a bucket comes to, it survives its bytes, and says when it was charged.
    #[test]
    fn states_outlive_their_bytes(quota in quotas(), steps in steps()) {
        for algorithm in all(&quota) {
            let (mut state, mut now) = (None::<State>, START);
            for step in &steps {
                now = later(now, step.pause(&quota, now.wall.0));
                prop_assert_eq!(state.map(|state| State::decode(algorithm.form(), &state.encode())), state);
                if let Verdict::Fits(next) = algorithm.check(state, now, step.cost(&quota)) {
                    prop_assert_eq!((next.form(), next.touched()), (algorithm.form(), now.mono));
                    state = Some(next);
                }
            }
        }
    }

    /// Between any two: the tokens in use stay in use, as far as the new bucket holds them, and no longer than it
    /// needs to fill.
    #[test]
    fn debt_carries_over(old in quotas(), new in quotas(), steps in steps(), since in 0..100_u64) {
        for from in all(&old) {
            let (Some(state), now) = used(&from, &old, &steps) else { continue };
            let anchor = later(now, old.rate().period().0 / 50 * since);
            for to in all(&new) {
                let carried = to.carry(state, &from, anchor);
                let (before, after) = (from.used(state, anchor), to.used(carried, anchor));
                // Two windows of a client that kept its distance may weigh more than the capacity.
                let more = matches!((from, to), (Algorithm::SlidingWindow(_), Algorithm::SlidingWindow(_)))
                    && before == from.capacity(anchor);
                prop_assert!(after == before.min(to.capacity(anchor)) || more && after > before);
                let wait = to.check(Some(carried), anchor, 1).wait().unwrap_or_default();
                prop_assert!(wait <= to.refill());
                prop_assert!(to.is_full(carried, later(anchor, to.refill().0)));
            }
        }
    }

    /// There and back again gives nobody a token.
    #[test]
    fn carrying_to_and_fro_gains_nothing(one in quotas(), two in quotas(), steps in steps(), times in 1..9) {
        for here in all(&one) {
            let (Some(state), now) = used(&here, &one, &steps) else { continue };
            for there in all(&two).into_iter().filter(|there| here.capacity(now) <= there.capacity(now)) {
                let end = (0..times).fold(state, |state, _| here.carry(there.carry(state, &here, now), &there, now));
                prop_assert!(here.used(end, now) >= here.used(state, now));
            }
        }
    }

    /// A full bucket is as good as none, and any other is not full yet.
    #[test]
    fn full_is_as_good_as_none(quota in quotas(), steps in steps(), since in 0..200_u64) {
        for algorithm in all(&quota) {
            let (Some(state), now) = used(&algorithm, &quota, &steps) else { continue };
            let now = later(now, quota.rate().period().0 / 50 * since);
            if algorithm.is_full(state, now) {
                prop_assert_eq!(algorithm.level(Some(state), now), algorithm.level(None, now));
                prop_assert_eq!(algorithm.check(Some(state), now, 1), algorithm.check(None, now, 1));
                // A window is kept for one more, since there may be no room in it for all that comes along.
                prop_assert!(algorithm.is_paid(state, later(now, algorithm.refill().0)));
            }
            prop_assert_eq!(algorithm.is_full(state, now), algorithm.used(state, now) == 0);
        }
    }

    /// A charge taken back at once leaves what was there.
    #[test]
    fn a_charge_can_be_taken_back(quota in quotas(), steps in steps()) {
        for algorithm in all(&quota) {
            let (prior, now) = used(&algorithm, &quota, &steps);
            let Verdict::Fits(charged) = algorithm.check(prior, now, 1) else { continue };
            let charge = Charged { prior, charged, at: now.mono, cost: 1 };
            let after = algorithm.refund(&charge, charged, now);
            prop_assert_eq!(algorithm.level(Some(after), now), algorithm.level(prior, now));
        }
    }

    /// However much came along, one more such request fits when an empty bucket would be full, if not before.
    #[test]
    fn what_comes_along_locks_nobody_out(quota in quotas(), steps in steps(), cost in 1..4_u64, times in 1..60) {
        let cost = cost.min(quota.burst());
        for algorithm in all(&quota) {
            let (Some(state), now) = used(&algorithm, &quota, &steps) else { continue };
            let end = (0..times).fold(state, |state, _| algorithm.pile(state, now, cost));
            prop_assert_eq!(State::decode(algorithm.form(), &end.encode()), end);
            let wait = algorithm.check(Some(end), now, cost).wait().unwrap_or_default();
            prop_assert!(wait <= algorithm.refill());
            prop_assert!(algorithm.check(Some(end), later(now, wait.0), cost).wait().is_none());
            let level = algorithm.level(Some(end), now);
            let grown = algorithm.level(Some(end), later(now, level.grows_in.0));
            prop_assert!(grown.remaining > level.remaining || level.grows_in == Nanos(0));
        }
    }

    /// What came along is no charge of its own: some time after the last of these, the rest may be forgotten.
    #[test]
    fn what_comes_along_keeps_nothing_alive(quota in quotas(), parts in 1..40_u64) {
        for algorithm in all(&quota) {
            let Verdict::Fits(own) = algorithm.check(None, START, 1) else { panic!() };
            let (mut state, mut now) = (own, START);
            prop_assert!(!algorithm.is_paid(state, now));
            // Whole windows of a counter, begun at any time, are twice as many.
            while now.mono.0 <= START.mono.0 + 2 * REFILLS_KEPT * algorithm.refill().0 {
                state = algorithm.pile(state, now, 1);
                now = later(now, (algorithm.refill().0 / parts).max(1));
                if algorithm.is_paid(state, now) {
                    break;
                }
            }
            prop_assert!(algorithm.is_paid(state, now));
        }
    }
}

#[test]
fn debt_is_a_fraction() {
    let quota = quota("10/minute", None);
    for algorithm in all(&quota) {
        let debt = |used| algorithm.debt_fraction(algorithm.with_used(used, START), START);
        let all = algorithm.capacity(START);
        let half = 5.0 / all as f64;
        assert!(debt(0).abs() < 1e-9 && (debt(5) - half).abs() < 1e-9 && (debt(99) - 1.0).abs() < 1e-9);
        assert!(algorithm.at_limit(algorithm.with_used(all, START), START));
        assert!(!algorithm.at_limit(algorithm.with_used(0, START), START));
    }
}

#[test]
fn only_a_queue_holds_requests() {
    let quota = quota("1/second", None);
    let delays = all(&quota).map(|algorithm| algorithm.delay(Some(algorithm.with_used(1, START)), START));
    assert_eq!(delays, [0, 0, SECOND, 0, 0].map(Nanos));
    assert_eq!(all(&quota).map(|algorithm| algorithm.reads_wall()), [false, false, false, true, false]);
}

#[test]
fn a_state_of_another_form_is_none() {
    let quota = quota("5/minute", None);
    for algorithm in all(&quota) {
        for other in all(&quota).iter().filter(|other| other.form() != algorithm.form()) {
            let state = other.with_used(5, START);
            assert_eq!(algorithm.check(Some(state), START, 1), algorithm.check(None, START, 1));
            assert_eq!(algorithm.level(Some(state), START), algorithm.level(None, START));
            assert!(algorithm.is_full(state, START) && algorithm.used(state, START) == 0);
            assert_eq!(algorithm.used(algorithm.pile(state, START, 2), START), 2);
        }
    }
}
