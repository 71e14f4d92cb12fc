//! The policy: a validated configuration, in the form in which requests are decided.
//!
//! Everything here is already checked: see [`crate::config`] for how text becomes a `Policy`.

use crate::http::{address::PrefixLengths, host::HostPattern, method::MethodSet, pattern::PathPattern};
use crate::quota::Quota;

/// One filter's whole configuration.
#[derive(Debug)]
pub struct Policy {
    /// Separates the buckets of filters that share one `vm_id`.
    pub instance: String,
    /// Whether paths are compared without regard to ASCII case.
    pub fold_case: bool,
    /// Limits that every request meets.
    pub limits: Vec<Limit>,
    /// Who is calling: the first source that yields a value; the peer's address is implied as the last.
    pub client: Vec<ClientSource>,
    /// How addresses become clients.
    pub address: AddressPolicy,
    /// In order: the first that matches applies.
    pub rules: Vec<Rule>,
    /// Which header fields are sent.
    pub headers: HeaderPolicy,
    /// How many entries are kept.
    pub store: StorePolicy,
}

/// How much of an address is one client, and whether an address from a header is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddressPolicy {
    /// Network sizes, per family.
    pub prefix: PrefixLengths,
    /// Something trusted wrote the header that Envoy took the address from.
    pub trust_forwarded: bool,
}

/// A place where a caller's identity may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientSource {
    /// `Authorization: Bearer` (RFC 6750 §2.1).
    Bearer,
    /// A request header, by lower-case name.
    Header(String),
    /// A cookie, by name.
    Cookie(String),
    /// The peer's address.
    Ip,
}

/// A named set of limits and the requests that meet them.
#[derive(Debug)]
pub struct Rule {
    /// Shown in answers, metrics and logs; unique.
    pub name: String,
    /// Which requests.
    pub matches: RequestMatch,
    /// What they meet; may be empty: such a rule shields its requests from later ones.
    pub limits: Vec<Limit>,
}

/// Conditions of a rule; all that are given must hold. An absent condition always holds.
#[derive(Debug, Default)]
pub struct RequestMatch {
    /// One of these methods.
    pub methods: Option<MethodSet>,
    /// One of these paths.
    pub paths: Option<Vec<PathPattern>>,
    /// One of these hosts.
    pub hosts: Option<Vec<HostPattern>>,
}

/// One quota and what it is counted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Shown in answers, metrics and logs; unique within its rule; printable ASCII (RFC 9651 §3.3.3).
    pub name: String,
    /// How much, how fast.
    pub quota: Quota,
    /// What is counted apart; empty is one bucket for everybody.
    pub per: Vec<Part>,
}

/// One component of a partition key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// The caller (see [`Policy::client`]).
    Client,
    /// The peer's network.
    Ip,
    /// The request method.
    Method,
    /// The normalised path.
    Path,
    /// The normalised host.
    Host,
    /// A request header, by lower-case name.
    Header(String),
    /// A cookie, by name.
    Cookie(String),
    /// What a rule's path pattern captured under this name.
    Capture(String),
}

/// Which header families are sent, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderPolicy {
    /// `X-RateLimit-Limit`, `-Remaining`, `-Reset`.
    pub x_ratelimit: bool,
    /// `RateLimit-Policy` and `RateLimit`.
    pub ratelimit: Option<Draft>,
    /// What `X-RateLimit-Reset` counts.
    pub reset: ResetUnit,
}

/// A version of draft-ietf-httpapi-ratelimit-headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draft {
    /// `r` and `t`.
    Draft11,
    /// `a` and `w`.
    Draft12,
}

/// The unit of `X-RateLimit-Reset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetUnit {
    /// Seconds since the Unix epoch.
    Epoch,
    /// Seconds from now.
    Delta,
}

/// The size of the table and what happens when it is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorePolicy {
    /// Entries kept: one entry is one client in one limit.
    pub max_entries: u32,
    /// What a newcomer gets where everybody in reach is at their limit.
    pub when_full: WhenFull,
}

/// See [`StorePolicy::when_full`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenFull {
    /// The place of the entry nearest to recovery.
    Displace,
    /// A share of one bucket for all newcomers of the limit.
    Overflow,
}

impl Default for HeaderPolicy {
    fn default() -> Self {
        Self { x_ratelimit: true, ratelimit: Some(Draft::Draft11), reset: ResetUnit::Epoch }
    }
}

impl Default for StorePolicy {
    fn default() -> Self {
        Self { max_entries: 100_000, when_full: WhenFull::Displace }
    }
}

impl RequestMatch {
    /// Whether no request escapes: a rule after such a one can never apply.
    #[must_use]
    pub fn matches_everything(&self) -> bool {
        let any_path = |paths: &Vec<PathPattern>| paths.iter().any(PathPattern::matches_everything);
        self.methods.is_none() && self.hosts.is_none() && self.paths.as_ref().is_none_or(any_path)
    }
}
