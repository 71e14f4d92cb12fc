use proptest::prelude::*;

use super::*;
use crate::algorithm::span::Span;
use crate::algorithm::testing::{quota, quotas, steps};
use crate::time::SECOND;

/// A queue with exact turns, in 1 / tokens of a nanosecond.
struct Reference {
    tokens: u128,
    period: u128,
    max_delay: u128,
    free: u128,
}

impl Reference {
    fn new(quota: &Quota, max_delay: u64) -> Self {
        let (tokens, period) = (u128::from(quota.rate().tokens()), u128::from(quota.rate().period().0));
        Self { tokens, period, max_delay: u128::from(max_delay) * tokens, free: 0 }
    }

    /// The turn of a request, in whole nanoseconds, and the moment after which the next one may have its.
    fn turn(&self, now: u64, cost: u64) -> Option<(u64, u128)> {
        let now = u128::from(now) * self.tokens;
        let turn = now.max(self.free);
        let next = turn + u128::from(cost) * self.period;
        (turn - now <= self.max_delay).then(|| (turn.div_ceil(self.tokens) as u64, next))
    }
}

fn delays(quota: &Quota) -> [u64; 4] {
    let period = quota.rate().period().0;
    [1, period / quota.rate().tokens() + 1, period / 3, period]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Every request has the turn that an exact queue gives it, or none.
    #[test]
    fn agrees_with_the_reference(quota in quotas(), steps in steps(), pick in 0..4_usize) {
        let max_delay = delays(&quota)[pick];
        let (bucket, mut reference) = (LeakyBucket::new(&quota, Nanos(max_delay)), Reference::new(&quota, max_delay));
        let (mut state, mut now) = (None, 1);
        for step in steps {
            now += step.pause(&quota, now);
            let cost = step.cost(&quota);
            match (bucket.check(state, Nanos(now), cost), reference.turn(now, cost)) {
                (Verdict::Fits(next), Some((turn, free))) => {
                    prop_assert_eq!(bucket.delay(state, Nanos(now)), Nanos(turn - now));
                    (state, reference.free) = (Some(next), free);
                }
                (Verdict::Waits(wait), None) => {
                    prop_assert!(bucket.check(state, Nanos(now + wait.0 - 1), cost).wait().is_some());
                    prop_assert!(bucket.check(state, Nanos(now + wait.0), cost).wait().is_none());
                }
                (verdict, turn) => prop_assert!(false, "{:?} {:?}", verdict, turn),
            }
        }
    }

    /// What is said to remain is admitted, and not one more; it grows when announced.
    #[test]
    fn remains_what_is_said(quota in quotas(), steps in steps(), pick in 0..4_usize) {
        let bucket = LeakyBucket::new(&quota, Nanos(delays(&quota)[pick]));
        let (mut state, mut now) = (None, 1);
        for step in steps {
            now += step.pause(&quota, now);
            let level = bucket.level(state, Nanos(now));
            if level.remaining < 200 {
                let (mut more, mut admitted) = (state, 0);
                while admitted <= 200 && let Verdict::Fits(next) = bucket.check(more, Nanos(now), 1) {
                    (more, admitted) = (Some(next), admitted + 1);
                }
                prop_assert_eq!(admitted.min(quota.burst()), level.remaining);
            }
            let remaining = |passed| bucket.level(state, Nanos(now + passed)).remaining;
            if level.grows_in.0 > 0 {
                prop_assert_eq!(remaining(level.grows_in.0 - 1), level.remaining);
                prop_assert!(remaining(level.grows_in.0) > level.remaining);
            } else {
                prop_assert!(level.remaining > 0);
                prop_assert_eq!(level.remaining, bucket.level(None, Nanos(now)).remaining);
            }
            if let Verdict::Fits(next) = bucket.check(state, Nanos(now), step.cost(&quota)) {
                state = Some(next);
            }
        }
    }

    /// Turns given up leave the others as far apart as the rate has them.
    #[test]
    fn turns_are_never_closer_than_the_rate(quota in quotas(), steps in steps(), pick in 0..4_usize) {
        let bucket = LeakyBucket::new(&quota, Nanos(delays(&quota)[pick]));
        let scale = bucket.meter.scale;
        let (mut state, mut charges, mut turns, mut now) = (None, Vec::new(), Vec::new(), 1);
        for step in steps {
            now += step.pause(&quota, now);
            if let Some(index) = step.refund && !charges.is_empty() {
                let index = index.index(charges.len());
                let charge: Charged = charges.remove(index);
                turns.remove(index);
                state = state.map(|current| bucket.refund(&charge, current, Nanos(now)));
            }
            let cost = step.cost(&quota);
            if let Verdict::Fits(charged) = bucket.check(state, Nanos(now), cost) {
                charges.push(Charged { prior: state, charged, at: Nanos(now), cost });
                turns.push((scale.units(bucket.meter.start(state, Nanos(now))), scale.units(charged.0)));
                state = Some(charged);
            }
        }
        prop_assert!(turns.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    }

    /// Any state, at any time in any order: no panic, no wait beyond a refill.
    #[test]
    fn survives_any_state(quota in quotas(), ns: u64, sub: u64, max_delay: u64, times: Vec<u64>) {
        let (bucket, state) = (LeakyBucket::new(&quota, Nanos(max_delay)), Tat(Span { ns, sub }));
        for now in times.into_iter().map(|time| Nanos(time / 2)) {
            let wait = bucket.check(Some(state), now, 1).wait().unwrap_or_default();
            prop_assert!(wait <= bucket.meter().refill());
            prop_assert!(bucket.delay(Some(state), now) <= bucket.meter().refill());
            prop_assert!(bucket.level(Some(state), now).remaining <= quota.burst());
        }
    }
}

#[test]
fn a_queue_passes_one_after_the_other() {
    let bucket = LeakyBucket::new(&quota("10/second", None), Nanos(250_000_000));
    let (mut state, mut delays) = (None, Vec::new());
    while let Verdict::Fits(next) = bucket.check(state, Nanos(0), 1) {
        delays.push(bucket.delay(state, Nanos(0)).0 / 1_000_000);
        state = Some(next);
    }
    assert_eq!(delays, [0, 100, 200]);
    assert_eq!(bucket.check(state, Nanos(0), 1), Verdict::Waits(Nanos(50_000_000)));
    assert_eq!(bucket.level(state, Nanos(0)), Level { remaining: 0, grows_in: Nanos(50_000_000) });
    assert_eq!(bucket.level(None, Nanos(0)), Level { remaining: 3, grows_in: Nanos(0) });
}

#[test]
fn the_longest_delay_alone_bounds_a_queue() {
    for burst in [1, 2, 1_000] {
        let bucket = LeakyBucket::new(&quota("10/second", Some(burst)), Nanos(SECOND));
        let (mut state, mut admitted) = (None, 0);
        while let Verdict::Fits(next) = bucket.check(state, Nanos(0), 1) {
            (state, admitted) = (Some(next), admitted + 1);
        }
        assert_eq!((admitted, bucket.level(None, Nanos(0)).remaining), (11, burst.min(11)));
        assert_eq!(bucket.check(state, Nanos(0), 1), Verdict::Waits(Nanos(100_000_000)));
    }
}

#[test]
fn a_turn_given_up_is_given_back_to_nobody_but_the_next() {
    let bucket = LeakyBucket::new(&quota("10/second", None), Nanos(SECOND));
    let now = Nanos(SECOND);
    let Verdict::Fits(first) = bucket.check(None, now, 1) else { panic!() };
    let Verdict::Fits(second) = bucket.check(Some(first), now, 1) else { panic!() };
    let Verdict::Fits(third) = bucket.check(Some(second), now, 1) else { panic!() };
    let charge = |prior, charged| Charged { prior, charged, at: now, cost: 1 };
    assert_eq!(bucket.refund(&charge(Some(second), third), third, now), second);
    assert_eq!(bucket.refund(&charge(Some(first), second), third, now), third);
}

#[test]
fn a_meter_is_a_token_bucket() {
    let quota = quota("5/minute", Some(3));
    let (bucket, other) = (LeakyBucket::new(&quota, Nanos(0)), TokenBucket::new(&quota));
    let mut state = None;
    for now in (0..400).map(|second| Nanos(second * SECOND)) {
        assert_eq!(bucket.check(state, now, 1), other.check(state, now, 1));
        assert_eq!(bucket.level(state, now), other.level(state, now));
        assert_eq!(bucket.delay(state, now), Nanos(0));
        if let Verdict::Fits(next) = bucket.check(state, now, 1) {
            state = Some(next);
        }
    }
}
