//! The policy: a validated configuration, in the form in which requests are decided.
//!
//! Everything here is already checked: see [`crate::config`] for how text becomes a `Policy`.
//!
//! - `limit`, `part`: one quota, and what it counts apart
//! - `client`, `address`, `attribute`: who is calling
//! - `plan`, `exempt`, `rule`, `matching`: which requests meet which limits
//! - `headers`, `response`, `status`: what callers are told
//! - `global`, `store`: where buckets are kept

mod address;
mod attribute;
mod client;
mod exempt;
mod global;
mod headers;
mod limit;
mod matching;
mod part;
mod plan;
mod response;
mod rule;
mod status;
mod store;
#[cfg(test)]
mod tests;

pub use address::AddressPolicy;
pub use attribute::Attribute;
pub use client::ClientSource;
pub use exempt::{Exemption, PropertyEquals};
pub use global::{GlobalPolicy, OnError};
pub use headers::{Draft, HeaderPolicy, ResetUnit};
pub use limit::{AlgorithmKind, Cost, Count, Limit, Missing, Mode, Scope};
pub use matching::{RequestMatch, ValueMatch, ValueTest};
pub use part::Part;
pub use plan::{ClientPlans, CredentialDigest, Plan, PlanPolicy, PlanSource};
pub use response::ResponsePolicy;
pub use rule::Rule;
pub use status::StatusPolicy;
pub use store::{StorePolicy, WhenFull};

/// One filter's whole configuration.
#[derive(Debug)]
pub struct Policy {
    /// Separates the buckets of filters that share one `vm_id`.
    pub instance: String,
    /// With shadow, nothing that the filter decides ends a request.
    pub mode: Mode,
    /// Whether paths are compared without regard to ASCII case.
    pub fold_case: bool,
    /// Limits that every request meets.
    pub limits: Vec<Limit>,
    /// Who is calling: the first source that yields a value; the peer's address is implied as the last.
    pub client: Vec<ClientSource>,
    /// How addresses become clients.
    pub address: AddressPolicy,
    /// What callers of different standing may do.
    pub plans: Option<PlanPolicy>,
    /// What is never limited and never counted: any that holds.
    pub exempt: Vec<Exemption>,
    /// In order: the first that matches applies.
    pub rules: Vec<Rule>,
    /// Which header fields are sent.
    pub headers: HeaderPolicy,
    /// What a refusal looks like instead.
    pub response: ResponsePolicy,
    /// Where the filter tells what is left.
    pub status: Option<StatusPolicy>,
    /// The service that counts the limits that a fleet shares.
    pub global: Option<GlobalPolicy>,
    /// How many entries are kept.
    pub store: StorePolicy,
}
