//! One bucket under two configurations that differ, used in every order.

use proptest::prelude::*;

use super::*;
use crate::policy::AlgorithmKind::{FixedWindow, LeakyBucket, SlidingLog, SlidingWindow, TokenBucket};
use crate::store::map::Map;
use crate::table::meter::Meter;

/// Tokens per so many seconds, and burst.
type Size = (u64, u64, u64);

/// A pause, of one of seven kinds and of this many tenths of a window; whose window; who asks; how often.
type Step = (u8, u64, usize, u8, u8);

const EXACT: [AlgorithmKind; 4] = [TokenBucket, LeakyBucket { max_delay: Nanos(0) }, SlidingWindow, SlidingLog];
const BUCKETS: [AlgorithmKind; 2] = [TokenBucket, LeakyBucket { max_delay: Nanos(0) }];

fn sizes() -> impl Strategy<Value = Size> {
    (1..13_u64, prop::sample::select(vec![1, 2, 3, 5, 10_u64])).prop_map(|(tokens, period)| (tokens, period, tokens))
}

/// A few steps, which are repeated: what is gained by a trick is gained again.
fn patterns() -> impl Strategy<Value = Vec<Step>> {
    let often = prop::sample::select(vec![1, 2, 40, 40_u8]);
    prop::collection::vec((0..7_u8, 0..21_u64, 0..2_usize, 0..4_u8, often), 1..6)
}

struct Sides {
    bench: Bench<Map>,
    limits: [Limit; 2],
    sizes: [Size; 2],
    /// When, and how many then.
    admitted: Vec<(u64, u64)>,
}

impl Sides {
    fn new(kinds: [AlgorithmKind; 2], sizes: [Size; 2]) -> Self {
        let limit = |kind, (tokens, period, burst)| Limit::of(kind, "l", &format!("{tokens}/{period}s"), Some(burst));
        let limits = [limit(kinds[0], sizes[0]), limit(kinds[1], sizes[1])];
        Self { bench: Bench::on(Map::default(), 1_000, WhenFull::Displace), limits, sizes, admitted: Vec::new() }
    }

    fn run(mut self, pattern: &[Step], times: usize) -> Self {
        for &(kind, tenths, whose, who, often) in pattern.iter().cycle().take(pattern.len() * times) {
            let (tokens, period, _) = self.sizes[whose];
            let period = period * SECOND;
            let border = period - self.bench.clock.wall().0 % period;
            self.pass(
                [0, border - 1, border, period / tokens, period, period * tenths / 10, period * tenths]
                    [usize::from(kind)],
            );
            let who: &[usize] = [&[0][..], &[1], &[0, 1], &[1, 0]][usize::from(who)];
            for _ in 0..often {
                if who.iter().filter(|&&side| self.take(side)).count() == 0 {
                    break;
                }
            }
        }
        self
    }

    fn pass(&self, time: u64) {
        self.bench.clock.pass(Nanos(time));
    }

    fn take(&mut self, side: usize) -> bool {
        let (fits, now) = (self.bench.take(&self.limits[side], "a"), self.bench.clock.monotonic().0);
        match self.admitted.last_mut() {
            Some((at, count)) if *at == now => *count += u64::from(fits),
            _ => self.admitted.push((now, fits.into())),
        }
        fits
    }

    /// Whether no span of time holds more than `burst` + t · `tokens` / `period`.
    fn within(&self, burst: u64, tokens: u64, period: u64) -> bool {
        let admitted = &self.admitted;
        (0..admitted.len()).all(|first| {
            let mut sum = 0;
            admitted[first..].iter().all(|(at, count)| {
                sum += count;
                let over = u128::from(sum.saturating_sub(burst)) * u128::from(period * SECOND);
                over <= u128::from(tokens) * u128::from(at - admitted[first].0)
            })
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Of all but a fixed window, any two of equal numbers hold together exactly what each holds alone.
    #[test]
    fn two_algorithms_admit_together_what_either_does(
        one in prop::sample::select(&EXACT[..]), two in prop::sample::select(&EXACT[..]), size in sizes(), pattern in patterns(),
    ) {
        let sides = Sides::new([one, two], [size; 2]).run(&pattern, 20);
        prop_assert!(sides.within(size.0, size.0, size.1));
    }

    /// Beside a fixed window there is its own edge, where it admits as much again, and a token in each window.
    #[test]
    fn a_fixed_window_adds_its_edge(
        kind in prop::sample::select(&EXACT[..]), first: bool, size in sizes(), pattern in patterns(),
    ) {
        let kinds = if first { [FixedWindow, kind] } else { [kind, FixedWindow] };
        let sides = Sides::new(kinds, [size; 2]).run(&pattern, 20);
        prop_assert!(sides.within(2 * size.0, size.0 + 1, size.1));
    }

    /// Nobody who asks no more is locked out for longer than a refill, and the wait that is told is right.
    #[test]
    fn neither_side_locks_out_for_longer_than_its_own_refill(
        kinds in prop::sample::subsequence(&meters::ALL[..], 2).prop_shuffle(), sizes in [sizes(), sizes()], pattern in patterns(),
        times in 1..5_usize, side in 0..2_usize,
    ) {
        let mut sides = Sides::new([kinds[0], kinds[1]], sizes).run(&pattern, times);
        if !sides.take(side) {
            let wait = sides.bench.rulings[0].wait.unwrap().0;
            let refill = match sides.limits[side].shape.meter {
                Meter::State(algorithm) => algorithm.refill(),
                Meter::Log(log) => log.refill(),
            };
            prop_assert!(wait <= refill.0);
            sides.pass(wait - 1);
            prop_assert!(!sides.take(side));
            sides.pass(1);
            prop_assert!(sides.take(side));
        }
    }

    /// A client at or below both rates is never refused, whichever side it asks.
    #[test]
    fn a_client_at_both_rates_is_never_refused(
        one in prop::sample::select(&BUCKETS[..]), two in prop::sample::select(&BUCKETS[..]), sizes in [sizes(), sizes()],
        asks in prop::collection::vec((0..2_usize, 1..4_u64), 1..150),
    ) {
        let mut sides = Sides::new([one, two], sizes);
        let gap = sizes.map(|(tokens, period, _)| (period * SECOND).div_ceil(tokens)).into_iter().max().unwrap();
        for (side, gaps) in asks {
            sides.pass(gap * gaps);
            prop_assert!(sides.take(side));
        }
    }
}
