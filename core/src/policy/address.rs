//! How addresses become clients.

use crate::http::PrefixLengths;

/// How much of an address is one client, and whether an address from a header is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddressPolicy {
    /// Network sizes, per family.
    pub prefix: PrefixLengths,
    /// Something trusted wrote the header that Envoy took the address from.
    pub trust_forwarded: bool,
}
