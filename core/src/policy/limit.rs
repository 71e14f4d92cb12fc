//! One quota, and how it is counted.

use super::Part;
use crate::quota::Quota;
use crate::time::Nanos;

/// One quota and what it is counted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Shown in answers, metrics and logs; unique within its rule; printable ASCII (RFC 9651 §3.3.3).
    pub name: String,
    /// How much, how fast.
    pub quota: Quota,
    /// How it is measured.
    pub algorithm: AlgorithmKind,
    /// What is counted apart; empty is one bucket for everybody.
    pub per: Vec<Part>,
    /// What one request takes.
    pub cost: Cost,
    /// Which requests keep what they took.
    pub count: Count,
    /// What becomes of a request that lacks a part.
    pub missing: Missing,
    /// Who shares it.
    pub scope: Scope,
    /// What its refusal does; the top level's mode is in this already.
    pub mode: Mode,
}

/// How a quota is measured. The capacity is the quota's burst in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AlgorithmKind {
    /// Fills at the rate and may be spent at once.
    #[default]
    TokenBucket,
    /// Drains at the rate.
    LeakyBucket {
        /// How long a request may be held for its turn; zero is a meter that holds nothing back.
        max_delay: Nanos,
    },
    /// Windows of the wall clock.
    FixedWindow,
    /// The counter of two windows.
    SlidingWindow,
    /// Each admission by its time; the burst is at most [`crate::algorithm::sliding_log::MAX_LOG`].
    SlidingLog,
}

/// Tokens that one request takes: at least 1, at most the burst.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cost {
    /// Always so many.
    Fixed(u64),
    /// As a header says.
    Header {
        /// The request header, by lower-case name.
        name: String,
        /// Where it is not a whole number of at least 1.
        default: u64,
        /// Where it is more than this.
        max: u64,
    },
}

/// Which requests keep the tokens that they took on arrival.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Count {
    /// All.
    #[default]
    All,
    /// Those whose response, from behind the filter, has one of these; and those without a response. At least one
    /// status is listed.
    Responses {
        /// HTTP statuses, 100 to 599, each once.
        status: Vec<u16>,
        /// gRPC statuses, 0 to 16, each once.
        grpc_status: Vec<u8>,
    },
}

/// What becomes of a request that lacks a part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// It is counted by address, apart from those that have the part.
    #[default]
    Ip,
    /// The limit does not apply.
    Skip,
    /// It is refused.
    Reject,
}

/// Who shares a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// All workers of this proxy.
    #[default]
    Proxy,
    /// All proxies that ask the same service.
    Global,
}

/// What a refusal does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// It ends the request.
    #[default]
    Enforce,
    /// It is counted and logged, nothing else.
    Shadow,
}

impl Default for Cost {
    fn default() -> Self {
        Self::Fixed(1)
    }
}

impl Mode {
    /// Of a limit with this mode where the top level has `other`: shadow overrules.
    #[must_use]
    pub const fn under(self, other: Self) -> Self {
        match other {
            Self::Enforce => self,
            Self::Shadow => Self::Shadow,
        }
    }
}
