//! What to do after a refusal.

#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::backoff::Backoff;

/// How a client takes refusals of one job.
#[derive(Clone, Debug)]
pub struct Manner {
    /// How long to wait where the answer does not say; `None` is the client that never waits at all.
    pub backoff: Option<Backoff>,
    /// Requests for one job, the first included.
    pub tries: u32,
    /// From the first request of a job to its last.
    pub total: Duration,
}

impl Manner {
    /// As it should be.
    pub fn polite() -> Self {
        let backoff = Backoff { first: Duration::from_millis(100), longest: Duration::from_secs(10) };
        Self { backoff: Some(backoff), tries: 8, total: Duration::from_secs(60) }
    }

    /// As it should not be: tries again at once, until time is up.
    pub fn naive() -> Self {
        Self { backoff: None, tries: u32::MAX, total: Duration::from_secs(60) }
    }

    /// The wait after this many tries, all refused: what the answer told if it told anything. `None` is to give up,
    /// and at once where the wait would outlast the time that is left.
    pub fn wait(&self, tries: u32, told: Option<Duration>, elapsed: Duration) -> Option<Duration> {
        let wait = match &self.backoff {
            Some(backoff) => told.unwrap_or_else(|| backoff.pause(tries.saturating_sub(1))),
            None => Duration::ZERO,
        };
        (tries < self.tries && elapsed.saturating_add(wait) <= self.total).then_some(wait)
    }
}
