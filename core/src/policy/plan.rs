//! Plans: what callers of different standing may do.

use sha2::{Digest, Sha256};

use super::{Attribute, Limit};
use crate::order::sorted;

/// The plans and who has which.
#[derive(Debug)]
pub struct PlanPolicy {
    /// In order: the first that yields a known plan wins.
    pub assign: Vec<PlanSource>,
    /// The plan of everybody else, as an index into `tiers`; without one they meet no plan.
    pub default: Option<usize>,
    /// The plans; their names differ.
    pub tiers: Vec<Plan>,
    /// Where a caller can get a better one.
    pub upgrade_url: Option<String>,
}

/// One plan.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    /// The value by which it is assigned; printable ASCII.
    pub name: String,
    /// What its callers meet; at least one.
    pub limits: Vec<Limit>,
}

/// A place where a caller's plan may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanSource {
    /// A value that Envoy knows.
    Attribute(Attribute),
    /// A request header, by lower-case name: something in front sets it, and drops the client's own.
    Header(String),
    /// A credential, where the sources of [`Policy::client`](super::Policy::client) that are one find it.
    Clients(ClientPlans),
}

/// Which credential has which plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientPlans {
    /// Sorted by digest; the plan as an index into [`PlanPolicy::tiers`].
    entries: Vec<(CredentialDigest, usize)>,
}

/// A credential's SHA-256: credentials are not kept in clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CredentialDigest(pub [u8; 32]);

impl PlanPolicy {
    /// The plan of this name, as an index into `tiers`.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.tiers.iter().position(|plan| plan.name.as_bytes() == name)
    }
}

impl ClientPlans {
    /// Of digests that differ.
    #[must_use]
    pub fn new(entries: Vec<(CredentialDigest, usize)>) -> Self {
        Self { entries: sorted(entries) }
    }

    /// The plan of a credential, as the client sent it: a token, a header's value, a cookie's.
    #[must_use]
    pub fn plan_of(&self, credential: &[u8]) -> Option<usize> {
        let digest = CredentialDigest::of(credential);
        let place = self.entries.binary_search_by_key(&digest, |(own, _)| *own).ok()?;
        self.entries.get(place).map(|(_, plan)| *plan)
    }
}

impl CredentialDigest {
    /// The digest of a credential in clear.
    #[must_use]
    pub fn of(credential: &[u8]) -> Self {
        Self(Sha256::digest(credential).into())
    }
}
