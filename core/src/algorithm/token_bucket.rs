//! Token bucket, as the generic cell rate algorithm (ITU-T I.371 Annex A, virtual scheduling).
//!
//! For N tokens per period P the emission interval is T = P / N; a bucket of B tokens tolerates a depth of B·T.
//! The state is one instant, the theoretical arrival time TAT. A request of cost n at time t fits iff
//!
//! ```text
//! max(t, TAT) + n·T − t ≤ B·T
//! ```
//!
//! and then the left sum less t becomes the debt: TAT' = max(t, TAT) + n·T. This is a bucket that holds
//! B − max(0, TAT − t) / T tokens and refills continuously, without a refill job. Over any interval of length w
//! it admits at most B + w / T tokens, and never refuses a client that asks at or below its rate: T is kept as
//! the exact fraction p / q of nanoseconds, so no rounding adds up.

#[cfg(test)]
mod tests;

pub use crate::algorithm::verdict::{Level, Verdict};

use crate::algorithm::span::{Scale, Span};
use crate::quota::Quota;
use crate::time::Nanos;

/// A quota, prepared for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBucket {
    /// T = `numerator` / q ns, in lowest terms.
    pub(super) numerator: u64,
    pub(super) scale: Scale,
    interval: Span,
    /// B·T.
    pub(super) depth: Span,
    /// The most that is ever owed: who owes it has one token again when an empty bucket would be full.
    reach: Span,
}

/// The state of one bucket: its theoretical arrival time, on the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Tat(pub Span);

/// See [`algorithm::Charged`](crate::algorithm::Charged).
pub type Charged = crate::algorithm::Charged<Tat>;

impl TokenBucket {
    /// Prepares a quota.
    #[must_use]
    pub fn new(quota: &Quota) -> Self {
        let (period, tokens) = (quota.rate().period().0, quota.rate().tokens());
        let divisor = gcd(period, tokens).max(1);
        let (numerator, scale) = (period / divisor, Scale(tokens / divisor));
        let interval = scale.span(numerator.into());
        let bucket = Self { numerator, scale, interval, depth: Span::default(), reach: Span::default() };
        let depth = bucket.cost(quota.burst());
        Self { depth, reach: scale.add(depth, scale.sub(depth, interval)), ..bucket }
    }

    /// The same, with room for a debt of `by` besides its own depth.
    pub(super) fn deeper(self, by: Nanos) -> Self {
        if by == Nanos(0) {
            return self;
        }
        Self { depth: self.scale.add(self.depth, Span::whole(by.0)), ..self }.shallow()
    }

    /// The same, where nothing is ever owed beyond the depth: of a queue, whose turns would be told too late.
    pub(crate) fn shallow(self) -> Self {
        Self { reach: self.depth, ..self }
    }

    /// Asks for `cost` tokens at `now`; nothing is written: the caller keeps the new state or does not.
    #[must_use]
    pub fn check(&self, state: Option<Tat>, now: Nanos, cost: u64) -> Verdict<Tat> {
        let next = self.scale.add(self.start(state, now), self.cost(cost));
        let ceiling = self.ceiling(now);
        if next <= ceiling {
            Verdict::Fits(Tat(next))
        } else {
            Verdict::Waits(Nanos(self.scale.sub(next, ceiling).ceil()))
        }
    }

    /// What is left at `now`.
    #[must_use]
    pub fn level(&self, state: Option<Tat>, now: Nanos) -> Level {
        let (start, ceiling) = (self.start(state, now), self.ceiling(now));
        if start > ceiling {
            let missing = self.scale.add(self.scale.sub(start, ceiling), self.interval);
            return Level { remaining: 0, grows_in: Nanos(missing.ceil()) };
        }
        let room = self.scale.sub(ceiling, start);
        let (remaining, missing) = if self.scale.0 == 1 {
            (div(room.ns, self.numerator), self.numerator.saturating_sub(rem(room.ns, self.numerator)))
        } else {
            let (units, one) = (self.scale.units(room), u128::from(self.numerator.max(1)));
            let missing = self.scale.span(one.saturating_sub(units % one)).ceil();
            (u64::try_from(units / one).unwrap_or(u64::MAX), missing)
        };
        Level { remaining, grows_in: Nanos(if room == self.depth { 0 } else { missing }) }
    }

    /// Whether forgetting the state would change nothing.
    #[must_use]
    pub fn is_full(&self, state: Tat, now: Nanos) -> bool {
        state.0 <= Span::whole(now.0)
    }

    /// Whether not even one token is left.
    #[must_use]
    pub fn at_limit(&self, state: Tat, now: Nanos) -> bool {
        matches!(self.check(Some(state), now, 1), Verdict::Waits(_))
    }

    /// The debt as a fraction of the bucket's depth, for comparison only.
    #[must_use]
    pub fn debt_fraction(&self, state: Tat, now: Nanos) -> f64 {
        self.debt(Some(state), now).ns as f64 / self.depth.ns.max(1) as f64
    }

    /// Tokens in use, rounded up, at most the burst.
    #[must_use]
    pub fn used(&self, state: Tat, now: Nanos) -> u64 {
        let debt = self.scale.units(self.debt(Some(state), now).min(self.depth));
        u64::try_from(debt.div_ceil(u128::from(self.numerator.max(1)))).unwrap_or(u64::MAX)
    }

    /// Restates what was written under the numbers `from`, as of `anchor`: the debt in tokens of that moment, from
    /// then on paid at this rate, and never more than this bucket's own depth.
    #[must_use]
    pub fn carry(&self, state: Tat, from: &Self, anchor: Nanos) -> Tat {
        let debt = from.scale.units(from.debt(Some(state), anchor));
        let one = u128::from(from.numerator.max(1));
        let (tokens, rest) = (debt / one, debt % one);
        let numerator = u128::from(self.numerator);
        let units = tokens.saturating_mul(numerator).saturating_add((rest.saturating_mul(numerator)).div_ceil(one));
        let span = self.scale.span(units).min(self.depth);
        Tat(self.scale.add(Span::whole(anchor.0), span))
    }

    /// Charges what another limit has admitted; up to twice the depth less `cost` is owed.
    #[must_use]
    pub fn pile(&self, state: Tat, now: Nanos, cost: u64) -> Tat {
        let (start, cost) = (self.start(Some(state), now), self.cost(cost));
        let more = self.scale.sub(self.scale.add(self.reach, self.interval), self.scale.add(self.depth, cost));
        let most = self.scale.add(self.ceiling(now), more);
        Tat(self.scale.add(start, cost).min(most).max(start))
    }

    /// How long an empty bucket needs to fill, rounded up.
    #[must_use]
    pub fn refill(&self) -> Nanos {
        Nanos(self.depth.ceil())
    }

    /// Takes back a charge of `cost` that moved `prior` to `charged` at `at`, when the bucket holds `current`.
    ///
    /// Exact where nobody else was served meanwhile. Otherwise the time in which the bucket would have been full
    /// without the charge cannot be known, so it is not given back: a refund never lets the bound be passed.
    #[must_use]
    pub fn refund(&self, charge: &Charged, current: Tat, now: Nanos) -> Tat {
        let start = self.start(charge.prior, charge.at);
        if current == charge.charged {
            return Tat(start);
        }
        let idle = self.scale.sub(Span::whole(now.0), start).min(self.cost(charge.cost));
        Tat(self.scale.sub(self.scale.add(current.0, idle), self.cost(charge.cost)))
    }

    /// Where a charge starts: now, or the end of the debt; a debt beyond the reach is none of ours.
    pub(super) fn start(&self, state: Option<Tat>, now: Nanos) -> Span {
        let now_span = Span::whole(now.0);
        match state {
            Some(Tat(tat)) if tat > now_span => {
                Span { ns: tat.ns, sub: tat.sub.min(self.scale.0.saturating_sub(1)) }.min(self.after(now, self.reach))
            }
            _ => now_span,
        }
    }

    /// What is owed at `now`.
    pub(super) fn debt(&self, state: Option<Tat>, now: Nanos) -> Span {
        self.scale.sub(self.start(state, now), Span::whole(now.0))
    }

    fn ceiling(&self, now: Nanos) -> Span {
        self.after(now, self.depth)
    }

    fn after(&self, now: Nanos, span: Span) -> Span {
        Span { ns: now.0.saturating_add(span.ns), sub: span.sub }
    }

    /// n·T.
    fn cost(&self, tokens: u64) -> Span {
        if tokens == 1 {
            return self.interval;
        }
        self.scale.span(u128::from(self.numerator).saturating_mul(u128::from(tokens)))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, rem(a, b)) }
}

fn div(a: u64, b: u64) -> u64 {
    a.checked_div(b).unwrap_or(0)
}

fn rem(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(0)
}
