use proptest::prelude::*;

use super::*;
use crate::algorithm::testing::{quota, quotas, steps, within_bound};
use crate::quota::MAX_TOKENS;
use crate::time::SECOND;

/// Every charge that was not taken back, and the estimate from them; of those that were, when they were made.
struct Reference {
    capacity: u128,
    period: u128,
    charges: Vec<(u64, u64)>,
    /// When each was made, and whether it kept its distance.
    made: Vec<(u64, bool)>,
}

impl Reference {
    fn new(quota: &Quota) -> Self {
        Self {
            capacity: quota.burst().into(),
            period: quota.rate().period().0.into(),
            charges: Vec::new(),
            made: Vec::new(),
        }
    }

    /// The estimate at `now`, in tokens × period.
    fn estimate(&self, now: u64) -> u128 {
        if self.is_idle(now) {
            return 0;
        }
        let (period, now) = (self.period, u128::from(now));
        let weight = |at: u128| match now / period - at / period {
            0 => period,
            1 => period - now % period,
            _ => 0,
        };
        self.charges.iter().map(|(at, cost)| weight(u128::from(*at)) * u128::from(*cost)).sum()
    }

    fn fits(&self, now: u64, cost: u64) -> bool {
        let (limit, taken) = (self.capacity * self.period, u128::from(cost) * self.period);
        let index = |at: u64| u128::from(at) / self.period;
        let current: u64 = self.charges.iter().filter(|(at, _)| index(*at) == index(now)).map(|(_, cost)| cost).sum();
        let all_even = self.is_idle(now) || self.made.iter().all(|(at, even)| *even || index(*at) + 1 < index(now));
        let even = all_even && self.is_even(now, cost) && u128::from(current + cost) <= self.capacity;
        self.estimate(now) + taken <= limit || even && self.estimate(now) <= limit
    }

    fn is_idle(&self, now: u64) -> bool {
        self.made.last().is_some_and(|(at, _)| u128::from(now - at) >= self.period)
    }

    fn is_even(&self, now: u64, cost: u64) -> bool {
        let last = self.made.last().map(|(at, _)| u128::from(now - at));
        last.is_none_or(|gap| gap * self.capacity >= u128::from(cost) * self.period)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The same requests are admitted as by the formula over all charges, with the same number left, also where charges
    /// are taken back at any later time.
    #[test]
    fn agrees_with_the_reference(quota in quotas(), steps in steps()) {
        let (window, mut reference) = (SlidingWindow::new(&quota), Reference::new(&quota));
        let (mut state, mut charges, mut now) = (None, Vec::new(), 1);
        for step in steps {
            now += step.pause(&quota, now);
            if let Some(index) = step.refund && !charges.is_empty() {
                let charge: Charged<Windows> = charges.swap_remove(index.index(charges.len()));
                if state == Some(charge.charged) && charge.prior.is_some() && !charge.charged.undone {
                    reference.made.pop();
                }
                state = state.map(|current| window.refund(&charge, current));
                let place = reference.charges.iter().position(|made| *made == (charge.at.0, charge.cost));
                if let Some(place) = place {
                    reference.charges.remove(place);
                }
            }
            let cost = step.cost(&quota);
            let fits = reference.fits(now, cost);
            match window.check(state, Nanos(now), cost) {
                Verdict::Fits(charged) => {
                    prop_assert!(fits);
                    charges.push(Charged { prior: state, charged, at: Nanos(now), cost });
                    if reference.is_idle(now) {
                        (reference.charges, reference.made) = (Vec::new(), Vec::new());
                    }
                    let even = reference.is_even(now, cost);
                    reference.made.push((now, even));
                    reference.charges.push((now, cost));
                    state = Some(charged);
                }
                Verdict::Waits(_) => prop_assert!(!fits),
            }
            let left = (reference.capacity * reference.period).saturating_sub(reference.estimate(now)) / reference.period;
            let left = left.max(reference.fits(now, 1).into());
            prop_assert_eq!(u128::from(window.level(state, Nanos(now)).remaining), left);
        }
    }

    /// What is announced is true to the nanosecond, and a full bucket can be forgotten.
    #[test]
    fn the_wait_is_exact(quota in quotas(), steps in steps()) {
        let window = SlidingWindow::new(&quota);
        let (mut state, mut now) = (None, 1);
        for step in steps {
            now += step.pause(&quota, now);
            let cost = step.cost(&quota);
            match window.check(state, Nanos(now), cost) {
                Verdict::Fits(next) => state = Some(next),
                Verdict::Waits(wait) => {
                    prop_assert!((1..=window.refill().0).contains(&wait.0));
                    prop_assert!(window.check(state, Nanos(now + wait.0 - 1), cost).wait().is_some());
                    prop_assert!(window.check(state, Nanos(now + wait.0), cost).wait().is_none());
                }
            }
            let level = window.level(state, Nanos(now));
            let remaining = |passed| window.level(state, Nanos(now + passed)).remaining;
            if level.grows_in.0 > 0 {
                prop_assert_eq!(remaining(level.grows_in.0 - 1), level.remaining);
                prop_assert!(remaining(level.grows_in.0) > level.remaining);
            } else {
                prop_assert_eq!(level.remaining, quota.burst());
                prop_assert!(state.is_none_or(|state| window.is_full(state, Nanos(now))));
            }
            if let Some(state) = state {
                prop_assert!(window.is_full(state, Nanos(now + window.refill().0)));
            }
        }
    }

    /// The known error's bound, under any sequence of requests.
    #[test]
    fn never_passes_the_bound(quota in quotas(), steps in steps()) {
        let window = SlidingWindow::new(&quota);
        let (mut state, mut admitted, mut now) = (None, Vec::new(), 1);
        for step in steps {
            now += step.pause(&quota, now);
            if let Verdict::Fits(next) = window.check(state, Nanos(now), step.cost(&quota)) {
                state = Some(next);
                admitted.push((now, step.cost(&quota)));
            }
        }
        prop_assert!(within_bound(&admitted, quota.burst(), quota.burst(), quota.rate().period().0));
    }

    /// Whoever keeps the distance of its rate is never refused, from any moment on, nor with anything before that has
    /// no weight any more.
    #[test]
    fn who_asks_evenly_is_never_refused(
        quota in quotas(), steps in steps(), start: u32, share in 1..4_u64,
        gaps in prop::collection::vec(prop_oneof![4 => Just(0_u64), 1 => 0..2 * SECOND, 1 => 0..100 * SECOND], 1..200),
    ) {
        let window = SlidingWindow::new(&quota);
        let (mut state, mut now) = (None, 1);
        for step in steps {
            now += step.pause(&quota, now);
            if let Verdict::Fits(next) = window.check(state, Nanos(now), step.cost(&quota)) {
                state = Some(next);
            }
        }
        now += 2 * quota.rate().period().0 + u64::from(start);
        // Any cost that a window holds a whole number of.
        let cost = if quota.burst() % share == 0 { share } else { 1 };
        let distance = (u128::from(quota.rate().period().0) * u128::from(cost)).div_ceil(quota.burst().into()) as u64;
        for gap in gaps {
            let level = window.level(state, Nanos(now));
            prop_assert!(level.remaining >= 1);
            let Verdict::Fits(next) = window.check(state, Nanos(now), cost) else {
                return Err(TestCaseError::fail(format!("refused at {now}: {state:?}")));
            };
            state = Some(next);
            now += distance + gap;
        }
    }

    /// Any state, at any time in any order: no panic, no wait beyond a refill.
    #[test]
    fn survives_any_state(
        quota in quotas(), last: u64, current: u64, previous: u64, age: u8, even: [bool; 2], undone: bool, times: Vec<u64>,
    ) {
        let window = SlidingWindow::new(&quota);
        let state = Windows { last: Nanos(last), current, previous, age, even, undone };
        for now in times.into_iter().map(Nanos) {
            let wait = window.check(Some(state), now, 1).wait().unwrap_or_default();
            prop_assert!(wait <= window.refill());
            prop_assert!(window.level(Some(state), now).remaining <= quota.burst());
            prop_assert!(window.used(window.pile(state, now, 3), now) <= quota.burst());
        }
    }

    /// What comes along empties the bucket at most, and never gives anything back.
    #[test]
    fn piling_empties_at_most(quota in quotas(), steps in steps()) {
        let window = SlidingWindow::new(&quota);
        let (mut state, mut now) = (window.with_used(1, Nanos(1)), 1);
        for step in steps {
            now += step.pause(&quota, now);
            let before = window.level(Some(state), Nanos(now)).remaining;
            state = window.pile(state, Nanos(now), step.cost(&quota));
            let after = window.level(Some(state), Nanos(now)).remaining;
            prop_assert_eq!(after, before.saturating_sub(step.cost(&quota)));
            let full = Nanos(now + window.refill().0);
            prop_assert_eq!(window.level(Some(state), full).remaining, quota.burst());
        }
    }
}

#[test]
fn the_known_errors() {
    let window = SlidingWindow::new(&quota("10/minute", None));
    let minute = 60 * SECOND;
    let left = |state: Option<Windows>, now: u64| window.level(state, Nanos(now)).remaining;
    let ten = |at: u64| {
        (0..10).fold(None, |state, _| match window.check(state, Nanos(at), 1) {
            Verdict::Fits(next) => Some(next),
            Verdict::Waits(_) => panic!(),
        })
    };
    // All at the end of a window: half as much again by the middle of the next.
    let end = ten(minute - 1);
    assert_eq!((left(end, minute), left(end, minute + minute / 2)), (0, 5));
    // All at its start: all are back when a log would have them, and none before.
    let start = ten(0);
    assert_eq!((left(start, minute - 1), left(start, minute)), (0, 10));
    assert_eq!(window.check(start, Nanos(0), 1), Verdict::Waits(Nanos(minute)));
    // A step ahead of its distance, and once more in the next window: that one is lost.
    let mut state = None;
    for at in [1, 7, 13, 18, 25, 31, 37, 43, 49, 55] {
        let Verdict::Fits(next) = window.check(state, Nanos(at * SECOND), 1) else { panic!("{at}") };
        state = Some(next);
    }
    assert!(window.check(state, Nanos(61 * SECOND), 1).wait().is_some());
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let window = SlidingWindow::new(&quota("1000000000000/365d", None));
    let year = 365 * 86_400 * SECOND;
    let full = window.with_used(u64::MAX, Nanos(year / 2));
    assert_eq!(full.current, MAX_TOKENS);
    assert_eq!(window.level(Some(full), Nanos(year + year / 4)).remaining, MAX_TOKENS / 4);
    let next = window.check(Some(full), Nanos(year + year / 4), MAX_TOKENS / 4);
    assert!(matches!(next, Verdict::Fits(Windows { current, previous: MAX_TOKENS, .. }) if current == MAX_TOKENS / 4));
}

#[test]
fn what_came_along_ages_what_was_charged() {
    let window = SlidingWindow::new(&quota("5/minute", None));
    let minute = 60 * SECOND;
    let own = window.with_used(2, Nanos(119 * SECOND));
    let once = window.pile(own, Nanos(170 * SECOND), 1);
    let twice = window.pile(once, Nanos(220 * SECOND), 1);
    let thrice = window.pile(twice, Nanos(270 * SECOND), 1);
    assert!(!window.is_paid(thrice, Nanos(5 * minute - 1)) && window.is_paid(thrice, Nanos(5 * minute)));
    assert!(!window.is_full(thrice, Nanos(5 * minute)) && window.is_paid(once, Nanos(4 * minute)));
    let Verdict::Fits(again) = window.check(Some(thrice), Nanos(5 * minute), 1) else { panic!() };
    assert!(!window.is_paid(again, Nanos(6 * minute - 1)));
    // Its own place in time is all that is known of such a charge.
    let unknown = Charged { prior: None, charged: Windows::default(), at: Nanos(2 * minute), cost: 1 };
    assert_eq!(window.refund(&unknown, twice).previous, 0);
    assert_eq!(window.refund(&unknown, once).current, 0);
    assert_eq!(window.refund(&Charged { at: Nanos(0), ..unknown }, twice), twice);
}
