//! Who is calling.

use crate::engine::facts::{Facts, FieldId, Names};
use crate::engine::request::Request;
use crate::http::{ClientNet, Source, bearer_token};
use crate::policy::{AddressPolicy, ClientSource};

/// A [`ClientSource`] with its field looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The token of `authorization`.
    Bearer(FieldId),
    /// A header, with its name.
    Header(FieldId, String),
    /// A cookie, by name.
    Cookie(String),
    /// The peer's address.
    Ip,
}

/// A caller's identity. Two callers are the same where these are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller<'r> {
    /// A bearer token.
    Bearer(&'r [u8]),
    /// A header's name and value.
    Header(&'r str, &'r [u8]),
    /// A cookie's name and value.
    Cookie(&'r str, &'r [u8]),
    /// A network; `None` where the peer has no address (a Unix socket).
    Ip(Option<ClientNet>),
}

/// The sort of an identity: what may be shown of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerKind {
    /// A bearer token.
    Bearer,
    /// A header's value.
    Header,
    /// A cookie's value.
    Cookie,
    /// An address.
    Ip,
}

impl Lookup {
    pub(super) fn new(source: &ClientSource, names: &mut Names) -> Self {
        match source {
            ClientSource::Bearer => Self::Bearer(names.intern("authorization")),
            ClientSource::Header(name) => Self::Header(names.intern(name), name.clone()),
            ClientSource::Cookie(name) => Self::Cookie(name.clone()),
            ClientSource::Ip => Self::Ip,
        }
    }

    fn find<'r>(&'r self, facts: &Facts<'r>, address: &mut impl FnMut() -> Option<ClientNet>) -> Option<Caller<'r>> {
        match self {
            Self::Bearer(field) => facts.field(*field).and_then(bearer_token).map(Caller::Bearer),
            Self::Header(field, name) => facts.field(*field).map(|value| Caller::Header(name, value)),
            Self::Cookie(name) => facts.cookie(name).map(|value| Caller::Cookie(name, value)),
            Self::Ip => Some(Caller::Ip(address())),
        }
    }
}

impl<'r> Caller<'r> {
    /// The first source that yields a value; the address where none does.
    pub fn resolve(lookups: &'r [Lookup], facts: &Facts<'r>, mut address: impl FnMut() -> Option<ClientNet>) -> Self {
        let found = lookups.iter().find_map(|lookup| lookup.find(facts, &mut address));
        found.unwrap_or_else(|| Self::Ip(address()))
    }

    /// The sort of it.
    #[must_use]
    pub const fn kind(&self) -> CallerKind {
        match self {
            Self::Bearer(_) => CallerKind::Bearer,
            Self::Header(..) => CallerKind::Header,
            Self::Cookie(..) => CallerKind::Cookie,
            Self::Ip(_) => CallerKind::Ip,
        }
    }
}

/// The peer's address, asked for once.
#[derive(Debug, Default)]
pub struct Peer {
    asked: Option<Option<Source>>,
}

impl Peer {
    /// Its network.
    pub fn network<'r>(&mut self, policy: &AddressPolicy, request: &mut impl Request<'r>) -> Option<ClientNet> {
        let ask = || request.source_address().and_then(Source::parse);
        let source = *self.asked.get_or_insert_with(ask);
        source.map(|source| policy.prefix.client(source.ip))
    }

    /// Whether it was used, and came from a header that nobody vouches for.
    #[must_use]
    pub fn hearsay(&self, policy: &AddressPolicy) -> bool {
        !policy.trust_forwarded && self.asked.flatten().is_some_and(|source| source.forwarded)
    }
}
