//! Exact durations: nanoseconds and a fraction of one.
//!
//! 7 tokens per minute are one token per 8,571,428,571 3/7 ns. Rounded, either the bound or the promise to a
//! client at its rate would break in the long run, so the 3/7 is kept.

/// `ns + sub / q` nanoseconds, for a `q` that its [`Scale`] holds; `sub < q`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Whole nanoseconds.
    pub ns: u64,
    /// Numerator of the rest.
    pub sub: u64,
}

/// The denominator `q` that the spans of one quota share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale(pub(super) u64);

impl Span {
    /// A whole number of nanoseconds.
    #[must_use]
    pub const fn whole(ns: u64) -> Self {
        Self { ns, sub: 0 }
    }

    /// Rounded up to a whole nanosecond.
    #[must_use]
    pub const fn ceil(self) -> u64 {
        if self.sub == 0 { self.ns } else { self.ns.saturating_add(1) }
    }
}

impl Scale {
    pub(super) fn add(self, a: Span, b: Span) -> Span {
        let sub = a.sub.saturating_add(b.sub);
        let (carry, sub) = if sub >= self.0 { (1, sub.saturating_sub(self.0)) } else { (0, sub) };
        Span { ns: a.ns.saturating_add(b.ns).saturating_add(carry), sub }
    }

    /// `a − b`, zero where `b` is the larger.
    pub(super) fn sub(self, a: Span, b: Span) -> Span {
        if a <= b {
            return Span::default();
        }
        if a.sub >= b.sub {
            return Span { ns: a.ns.saturating_sub(b.ns), sub: a.sub.saturating_sub(b.sub) };
        }
        let sub = a.sub.saturating_add(self.0).saturating_sub(b.sub);
        Span { ns: a.ns.saturating_sub(b.ns).saturating_sub(1), sub }
    }

    /// The span in units of 1/q ns.
    pub(super) fn units(self, span: Span) -> u128 {
        u128::from(span.ns).saturating_mul(u128::from(self.0)).saturating_add(u128::from(span.sub))
    }

    /// The span of so many units of 1/q ns, saturating.
    pub(super) fn span(self, units: u128) -> Span {
        let q = u128::from(self.0.max(1));
        Span { ns: saturate(units / q), sub: saturate(units % q) }
    }
}

fn saturate(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}
