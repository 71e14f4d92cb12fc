//! What an algorithm says to a request, and what it needs to take a charge back.

use crate::time::Nanos;

/// What a bucket with states of type `S` says to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict<S> {
    /// It fits; the state to keep if it is charged.
    Fits(S),
    /// It does not; the time after which it would, if nobody else is charged.
    Waits(Nanos),
}

/// What is in a bucket, as clients are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Whole tokens, rounded down.
    pub remaining: u64,
    /// When that number next grows; zero only where it cannot, and then something remains.
    pub grows_in: Nanos,
}

impl Level {
    /// What is surely left some time later, if nobody else is charged: where more has come meanwhile, that shows next.
    #[must_use]
    pub fn after(self, elapsed: Nanos) -> Self {
        let least = self.grows_in.0.min(1);
        Self { grows_in: Nanos(self.grows_in.0.saturating_sub(elapsed.0).max(least)), ..self }
    }
}

/// A charge that may have to be taken back.
#[derive(Debug, Clone, Copy)]
pub struct Charged<S> {
    /// The state it found.
    pub prior: Option<S>,
    /// The state it left; the default where that is not known, because the charge came along by `pile`.
    pub charged: S,
    /// When.
    pub at: Nanos,
    /// Tokens.
    pub cost: u64,
}

impl<S> Verdict<S> {
    /// How long to wait, where it does not fit.
    #[must_use]
    pub const fn wait(&self) -> Option<Nanos> {
        if let Self::Waits(wait) = self { Some(*wait) } else { None }
    }

    /// The same verdict about another type of state.
    pub fn map<T>(self, change: impl FnOnce(S) -> T) -> Verdict<T> {
        match self {
            Self::Fits(next) => Verdict::Fits(change(next)),
            Self::Waits(wait) => Verdict::Waits(wait),
        }
    }
}
