use proptest::prelude::*;

use super::*;
use crate::quota::{MAX_TOKENS, Rate};
use crate::time::SECOND;

/// The textbook bucket, exact: a level in tokens × period, filled at each request.
struct Reference {
    quota: Quota,
    level: u128,
    last: u64,
}

impl Reference {
    fn new(quota: Quota) -> Self {
        Self { quota, level: Self::one(&quota) * u128::from(quota.burst()), last: 0 }
    }

    fn one(quota: &Quota) -> u128 {
        quota.rate().period().0.into()
    }

    fn take(&mut self, now: u64, cost: u64) -> bool {
        let (one, burst) = (Self::one(&self.quota), u128::from(self.quota.burst()));
        let filled = u128::from(self.quota.rate().tokens()) * u128::from(now - self.last);
        self.level = (self.level + filled).min(one * burst);
        self.last = now;
        let fits = self.level >= one * u128::from(cost);
        self.level -= if fits { one * u128::from(cost) } else { 0 };
        fits
    }

    fn remaining(&self) -> u128 {
        self.level / Self::one(&self.quota)
    }
}

fn quota(rate: &str, burst: Option<u64>) -> Quota {
    Quota::new(Rate::parse(rate).unwrap(), burst).unwrap()
}

fn quotas() -> impl Strategy<Value = Quota> {
    let tokens = prop_oneof![1..20_u64, 1..100_000_u64, 1..=MAX_TOKENS, Just(4_294_967_295), Just(MAX_TOKENS)];
    let seconds = prop_oneof![1..120_u64, Just(86_400), Just(365 * 86_400), 1..365 * 86_400_u64];
    let burst = prop_oneof![Just(None), (1..20_u64).prop_map(Some), (1..=MAX_TOKENS).prop_map(Some)];
    (tokens, seconds, burst).prop_filter_map("refill too long", |(tokens, seconds, burst)| {
        Quota::new(Rate::new(tokens, Nanos(seconds * SECOND)).ok()?, burst).ok()
    })
}

/// Steps between requests, in units that matter to the quota: nothing, a nanosecond, about a token, about a bucket.
fn steps() -> impl Strategy<Value = Vec<(u8, u64, u64)>> {
    prop::collection::vec((0..6_u8, 0..=2_000_u64, 1..4_u64), 1..200)
}

fn step(quota: &Quota, (kind, amount, _): (u8, u64, u64)) -> u64 {
    let (period, tokens) = (u128::from(quota.rate().period().0), u128::from(quota.rate().tokens()));
    let step = match kind {
        0 | 1 => 0,
        2 => 1,
        3 => period * u128::from(amount) / tokens / 1_000,
        4 => period / tokens + u128::from(amount % 3),
        _ => u128::from(quota.burst()) * period * u128::from(amount) / tokens / 1_000,
    };
    // Two hundred of the largest stay within the clock's range.
    step.min(1 << 54) as u64
}

struct Run<'q> {
    quota: &'q Quota,
    bucket: TokenBucket,
    state: Option<Tat>,
}

impl<'q> Run<'q> {
    fn new(quota: &'q Quota) -> Self {
        Self { quota, bucket: TokenBucket::new(quota), state: None }
    }

    fn take(&mut self, now: u64, cost: u64) -> bool {
        match self.bucket.check(self.state, Nanos(now), cost.min(self.quota.burst())) {
            Verdict::Fits(next) => {
                self.state = Some(next);
                true
            }
            Verdict::Waits(_) => false,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// The same requests are admitted as by the textbook bucket, with the same number left.
    #[test]
    fn agrees_with_the_reference(quota in quotas(), steps in steps()) {
        let (mut run, mut reference, mut now) = (Run::new(&quota), Reference::new(quota), 0);
        for one in steps {
            now += step(&quota, one);
            let cost = one.2.min(quota.burst());
            prop_assert_eq!(run.take(now, cost), reference.take(now, cost));
            let level = run.bucket.level(run.state, Nanos(now));
            prop_assert_eq!(u128::from(level.remaining), reference.remaining());
        }
    }

    /// Over any interval, at most burst + rate × t.
    #[test]
    fn never_passes_the_bound(quota in quotas(), steps in steps()) {
        let (mut run, mut now, mut admitted) = (Run::new(&quota), 0, Vec::new());
        for one in steps {
            now += step(&quota, one);
            if run.take(now, 1) {
                admitted.push(now);
            }
        }
        prop_assert!(within_bound(&quota, &admitted));
    }

    /// A client at its rate, or slower, is never refused, however long it goes on. Its requests come at the first
    /// whole nanosecond after each is due, so a bucket of one, where the gap alone counts, gets whole gaps.
    #[test]
    fn never_refuses_a_client_at_its_rate(quota in quotas(), start in 0..1_u64 << 60, skip in 0..1_000_u128) {
        let (mut run, tokens) = (Run::new(&quota), u128::from(quota.rate().tokens()));
        let period = u128::from(quota.rate().period().0);
        // The clock has no instants between those of a nanosecond, so nobody can ask more often at an even rate.
        prop_assume!(period >= tokens);
        for k in (0..200_u128).map(|k| k + if k > 100 { skip } else { 0 }) {
            let due = if quota.burst() == 1 { k * period.div_ceil(tokens) } else { (k * period).div_ceil(tokens) };
            if due > 1 << 60 {
                break;
            }
            prop_assert!(run.take(start + due as u64, 1), "request {}", k);
        }
    }

    /// Exactly after the announced wait it fits, and not a nanosecond before.
    #[test]
    fn the_wait_is_exact(quota in quotas(), start in 0..1_u64 << 60, cost in 1..4_u64) {
        let (mut run, cost) = (Run::new(&quota), cost.min(quota.burst()));
        prop_assume!(quota.burst() <= 1_000);
        while run.take(start, cost) {}
        let Verdict::Waits(wait) = run.bucket.check(run.state, Nanos(start), cost) else { panic!() };
        prop_assert!(matches!(run.bucket.check(run.state, Nanos(start + wait.0 - 1), cost), Verdict::Waits(_)));
        prop_assert!(matches!(run.bucket.check(run.state, Nanos(start + wait.0), cost), Verdict::Fits(_)));
    }

    /// `remaining` grows exactly when it is said to.
    #[test]
    fn grows_when_announced(quota in quotas(), steps in steps()) {
        let (mut run, mut now) = (Run::new(&quota), 0);
        for one in steps {
            now += step(&quota, one);
            run.take(now, one.2);
            let level = run.bucket.level(run.state, Nanos(now));
            prop_assert!(level.remaining <= quota.burst());
            if level.grows_in.0 == 0 {
                prop_assert_eq!(level.remaining, quota.burst());
                continue;
            }
            let at = |later: u64| run.bucket.level(run.state, Nanos(now + later)).remaining;
            prop_assert_eq!(at(level.grows_in.0 - 1), level.remaining);
            prop_assert!(at(level.grows_in.0) > level.remaining);
        }
    }

    /// Any state, at any time in any order (another worker's clock reading may be a little older): no panic, no
    /// wait beyond a full refill.
    #[test]
    fn survives_any_state(quota in quotas(), ns: u64, sub: u64, times in prop::collection::vec(any::<u64>(), 1..20)) {
        let bucket = TokenBucket::new(&quota);
        let (mut state, refill) = (Tat(Span { ns, sub }), bucket.depth.ceil());
        for now in times.into_iter().map(|time| Nanos(time / 2)) {
            match bucket.check(Some(state), now, 1) {
                Verdict::Fits(next) => state = next,
                Verdict::Waits(wait) => prop_assert!(wait.0 <= refill),
            }
            prop_assert!(bucket.level(Some(state), now).remaining <= quota.burst());
        }
    }

    /// New numbers: the debt in tokens stays as it is, rounded against the client by less than one, never beyond a
    /// full bucket; nobody is given a fresh bucket.
    #[test]
    fn debt_carries_over(old in quotas(), new in quotas(), taken in 1..50_u64, later in 0..SECOND) {
        let mut run = Run::new(&old);
        let now = 1_u64 << 50;
        (0..taken).for_each(|_| { run.take(now, 1); });
        let (at, bucket) = (Nanos(now + later), TokenBucket::new(&new));
        let before = run.bucket.level(run.state, at);
        let after = bucket.level(Some(bucket.carry(run.state.unwrap(), &run.bucket, at)), at);
        let debt = old.burst() - before.remaining;
        // The debt is a whole number of tokens, less what was refilled since.
        let left = new.burst().saturating_sub(debt);
        prop_assert!(after.remaining == left || after.remaining == left + 1, "{after:?} {before:?} {left}");
        if after.remaining == left + 1 {
            prop_assert!(later > 0 && debt <= new.burst());
        }
    }

    /// There and back again gives nobody a token, and costs nobody more than the rounding.
    #[test]
    fn carrying_to_and_fro_gains_nothing(one in quotas(), two in quotas(), times in 1..20) {
        prop_assume!(one.burst() <= two.burst() && one.burst() <= 1_000);
        let (mut run, other, now) = (Run::new(&one), TokenBucket::new(&two), Nanos(1 << 50));
        while run.take(now.0, 1) {}
        for _ in 0..times {
            let there = other.carry(run.state.unwrap(), &run.bucket, now);
            run.state = Some(run.bucket.carry(there, &other, now));
        }
        prop_assert_eq!(run.bucket.level(run.state, now).remaining, 0);
        prop_assert!(!run.take(now.0, 1));
    }

    /// A charge taken back at once leaves what was there; taken back after others were served, it never lets them
    /// pass the bound.
    #[test]
    fn a_refund_never_passes_the_bound(quota in quotas(), steps in steps(), from in 0..100_usize, span in 1..100_usize) {
        let (mut run, mut now, mut admitted, mut pending) = (Run::new(&quota), 1, Vec::new(), None);
        for (index, one) in steps.into_iter().enumerate() {
            now += step(&quota, one);
            if index == from {
                let prior = run.state;
                if let Verdict::Fits(charged) = run.bucket.check(prior, Nanos(now), 1) {
                    let charge = Charged { prior, charged, at: Nanos(now), cost: 1 };
                    let undone = run.bucket.refund(&charge, charged, Nanos(now));
                    prop_assert_eq!(run.bucket.level(Some(undone), Nanos(now)), run.bucket.level(prior, Nanos(now)));
                    (run.state, pending) = (Some(charged), Some(charge));
                }
            }
            if index == from + span && let Some(charge) = pending.take() {
                run.state = Some(run.bucket.refund(&charge, run.state.unwrap(), Nanos(now)));
            }
            if run.take(now, 1) {
                admitted.push(now);
            }
        }
        prop_assert!(within_bound(&quota, &admitted));
    }
}

/// Whether no interval holds more than burst + rate × t of the sorted instants.
fn within_bound(quota: &Quota, admitted: &[u64]) -> bool {
    let (burst, rate, period) = (quota.burst(), quota.rate().tokens(), quota.rate().period().0);
    admitted.iter().enumerate().all(|(first, start)| {
        admitted[first..].iter().zip(1_u64..).all(|(end, count)| {
            let over = u128::from(count.saturating_sub(burst));
            over * u128::from(period) <= u128::from(rate) * u128::from(end - start)
        })
    })
}

#[test]
fn five_a_minute_is_one_each_twelve_seconds() {
    let quota = quota("5/minute", None);
    let mut run = Run::new(&quota);
    assert_eq!((0..7).filter(|_| run.take(0, 1)).count(), 5);
    assert_eq!(run.bucket.check(run.state, Nanos(0), 1), Verdict::Waits(Nanos(12 * SECOND)));
    assert_eq!(run.bucket.level(run.state, Nanos(0)), Level { remaining: 0, grows_in: Nanos(12 * SECOND) });
    assert!(!run.take(12 * SECOND - 1, 1));
    assert!(run.take(12 * SECOND, 1));
}

#[test]
fn thirds_of_a_nanosecond_do_not_add_up() {
    // A client at exactly its rate, for a million requests, never gains or loses the second token.
    let quota = quota("3/second", Some(2));
    let mut run = Run::new(&quota);
    assert!((0..1_000_000_u64).all(|k| run.take((k * SECOND).div_ceil(3), 1)));
    let end = 333_333 * SECOND + 1;
    assert!(run.take(end, 1));
    assert!(!run.take(end, 1));
}

#[test]
fn a_long_silence_fills_the_bucket_exactly() {
    for rate in ["4294967295/second", "1000000000000/day", "1/365d", "7/60s"] {
        let quota = quota(rate, Some(3));
        let mut run = Run::new(&quota);
        while run.take(5, 1) {}
        let later = Nanos(5 + 20 * 365 * 86_400 * SECOND);
        assert_eq!(run.bucket.level(run.state, later), Level { remaining: 3, grows_in: Nanos(0) }, "{rate}");
    }
}

#[test]
fn a_tightened_limit_holds_at_once() {
    let (old, new) = (quota("100/minute", None), quota("5/minute", None));
    let mut run = Run::new(&old);
    (0..50).for_each(|_| assert!(run.take(0, 1)));
    let bucket = TokenBucket::new(&new);
    let carried = bucket.carry(run.state.unwrap(), &run.bucket, Nanos(0));
    // Fifty taken of five: nothing left, and no longer locked out than one refill of the new bucket.
    assert_eq!(bucket.level(Some(carried), Nanos(0)), Level { remaining: 0, grows_in: Nanos(12 * SECOND) });
    assert!(!bucket.is_full(carried, Nanos(60 * SECOND - 1)) && bucket.is_full(carried, Nanos(60 * SECOND)));
}
