//! Counting answers by status.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use crate::client::Reply;

/// How many answers had which status.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<u16, u64>);

impl Tally {
    /// Counts one answer.
    pub fn add(&mut self, status: u16) {
        *self.0.entry(status).or_default() += 1;
    }

    /// Answers with that status.
    pub fn count(&self, status: u16) -> u64 {
        self.0.get(&status).copied().unwrap_or(0)
    }

    /// Answers in all.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Panics unless there were exactly so many 200s, so many 429s, and nothing else.
    #[track_caller]
    pub fn expect(&self, ok: u64, limited: u64) {
        let seen = (self.count(200), self.count(429), self.total());
        assert_eq!(seen, (ok, limited, ok + limited), "(200s, 429s, all) of {self:?}");
    }

    /// Panics unless there were exactly so many answers, all of this status.
    #[track_caller]
    pub fn expect_all(&self, status: u16, count: u64) {
        assert_eq!((self.count(status), self.total()), (count, count), "all {status}: {self:?}");
    }

    /// Panics if any answer was neither 200 nor 429.
    #[track_caller]
    pub fn expect_no_faults(&self) {
        assert_eq!(self.count(200) + self.count(429), self.total(), "only 200 and 429 expected: {self:?}");
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        other.0.into_iter().for_each(|(status, count)| *self.0.entry(status).or_default() += count);
    }
}

impl FromIterator<u16> for Tally {
    fn from_iter<I: IntoIterator<Item = u16>>(statuses: I) -> Self {
        let mut tally = Self::default();
        statuses.into_iter().for_each(|status| tally.add(status));
        tally
    }
}

impl<'a> FromIterator<&'a Reply> for Tally {
    fn from_iter<I: IntoIterator<Item = &'a Reply>>(replies: I) -> Self {
        replies.into_iter().map(|reply| reply.status).collect()
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.0).finish()
    }
}
