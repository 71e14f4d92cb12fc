//! Requests, and what is expected of them.

use std::net::Ipv4Addr;
use std::time::Duration;

/// Requests that are alike, sent one after another.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Time to pass before the first; short, since a proxy's clock cannot be moved by hand.
    pub wait: Duration,
    /// Which of the case's filters they meet.
    pub filter: usize,
    /// Their method.
    pub method: &'static str,
    /// Their path, raw.
    pub path: &'static str,
    /// Their host, raw.
    pub host: &'static str,
    /// Further header fields; a name may be there twice.
    pub fields: &'static [(&'static str, &'static str)],
    /// Where they come from: an address of this machine's own, `127.0.0.0/8`.
    pub client: Ipv4Addr,
    /// How many there are.
    pub times: u32,
    /// How many of them are admitted.
    pub admitted: u32,
    /// What the last one is told.
    pub shown: Shown,
}

/// What `X-RateLimit-Limit` and `X-RateLimit-Remaining` say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Whatever they like.
    Any,
    /// They are not there: no limit applied.
    Nothing,
    /// The limit, and what remains of it.
    Limit(u64, u64),
}

/// What became of a step's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// How many were admitted; all others were refused.
    pub admitted: u32,
    /// What the last one was told.
    pub shown: Shown,
}

impl Step {
    /// One `GET`, to be admitted.
    pub(super) const fn get(path: &'static str) -> Self {
        Self::new("GET", path)
    }

    /// One request, to be admitted.
    pub(super) const fn new(method: &'static str, path: &'static str) -> Self {
        Self {
            wait: Duration::ZERO,
            filter: 0,
            method,
            path,
            host: "api.test",
            fields: &[],
            client: Ipv4Addr::LOCALHOST,
            times: 1,
            admitted: 1,
            shown: Shown::Any,
        }
    }

    pub(super) const fn after(mut self, seconds: u64) -> Self {
        self.wait = Duration::from_secs(seconds);
        self
    }

    pub(super) const fn on(mut self, filter: usize) -> Self {
        self.filter = filter;
        self
    }

    pub(super) const fn host(mut self, host: &'static str) -> Self {
        self.host = host;
        self
    }

    pub(super) const fn with(mut self, fields: &'static [(&'static str, &'static str)]) -> Self {
        self.fields = fields;
        self
    }

    pub(super) const fn from(mut self, a: u8, b: u8) -> Self {
        self.client = Ipv4Addr::new(127, 0, a, b);
        self
    }

    /// So many such requests, of which so many are admitted.
    pub(super) const fn times(mut self, times: u32, admitted: u32) -> Self {
        (self.times, self.admitted) = (times, admitted);
        self
    }

    pub(super) const fn shows(mut self, limit: u64, remaining: u64) -> Self {
        self.shown = Shown::Limit(limit, remaining);
        self
    }

    pub(super) const fn shows_nothing(mut self) -> Self {
        self.shown = Shown::Nothing;
        self
    }

    /// Compares.
    ///
    /// # Errors
    /// What differs, in words.
    pub fn check(&self, seen: &Seen) -> Result<(), String> {
        let told = self.shown == Shown::Any || self.shown == seen.shown;
        if self.admitted == seen.admitted && told {
            return Ok(());
        }
        Err(format!("{self:?}\n  came to {seen:?}"))
    }
}
