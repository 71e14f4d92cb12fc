//! What is never limited and never counted.

use super::{Attribute, RequestMatch};
use crate::http::CidrSet;

/// Conditions of an exemption; all that are given must hold, and at least one is given.
///
/// It grants something, so what is in doubt does not hold: a path that did not arrive in its normal form, an address
/// from a header that nobody vouches for, a header whose values disagree.
#[derive(Debug)]
pub struct Exemption {
    /// Of the request itself.
    pub matches: RequestMatch,
    /// The peer's address is in one of these networks.
    pub networks: Option<CidrSet>,
    /// Something that Envoy knows has this value.
    pub property: Option<PropertyEquals>,
}

/// A value that Envoy knows and what it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyEquals {
    /// Where it is.
    pub attribute: Attribute,
    /// The whole value; not empty.
    pub equals: String,
}
