//! Who is calling.

use crate::engine::facts::{Facts, FieldId, Names};
use crate::engine::request::{AttributePath, Request};
use crate::http::{ClientNet, Source, bearer_token};
use crate::policy::{AddressPolicy, Attribute, ClientSource};

/// A [`ClientSource`] with its field looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The token of `authorization`.
    Bearer(FieldId),
    /// A header, with its name.
    Header(FieldId, String),
    /// A cookie, by name.
    Cookie(String),
    /// A value that the host knows.
    Attribute(AttributePath, CallerKind),
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
    /// What the host knows: where, and the value.
    Attribute(&'r AttributePath, CallerKind, &'r [u8]),
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
    /// Dynamic metadata.
    Metadata,
    /// Any other attribute.
    Property,
    /// An address.
    Ip,
}

impl CallerKind {
    /// Its name, as configurations have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bearer => "bearer",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Metadata => "metadata",
            Self::Property => "property",
            Self::Ip => "ip",
        }
    }
}

impl Lookup {
    pub(super) fn new(source: &ClientSource, names: &mut Names) -> Self {
        match source {
            ClientSource::Bearer => Self::Bearer(names.intern("authorization")),
            ClientSource::Header(name) => Self::Header(names.intern(name), name.clone()),
            ClientSource::Cookie(name) => Self::Cookie(name.clone()),
            ClientSource::Attribute(attribute) => {
                let kind = match attribute {
                    Attribute::Metadata(_) => CallerKind::Metadata,
                    Attribute::Property(_) => CallerKind::Property,
                };
                Self::Attribute(AttributePath::new(attribute), kind)
            }
            ClientSource::Ip => Self::Ip,
        }
    }

    /// Whether it reads header fields.
    pub(super) const fn reads_headers(&self) -> bool {
        matches!(self, Self::Bearer(_) | Self::Header(..) | Self::Cookie(_))
    }
}

impl<'r> Caller<'r> {
    /// The first source that yields a value; the address where none does, or where the first that is there at all is
    /// repeated: the upstream may take it for a name, and what comes after it for nothing.
    pub fn resolve<'h: 'r>(
        lookups: &'r [Lookup],
        facts: &Facts<'r>,
        peer: &mut Peer,
        policy: &AddressPolicy,
        request: &mut impl Request<'h>,
    ) -> Self {
        let found = lookups.iter().find_map(|lookup| match lookup {
            Lookup::Bearer(field) => bearer_token(facts.single(*field)).given().map(|token| token.map(Caller::Bearer)),
            Lookup::Header(field, name) => {
                facts.single(*field).given().map(|value| value.map(|value| Caller::Header(name, value)))
            }
            Lookup::Cookie(name) => {
                facts.cookie(name).given().map(|value| value.map(|value| Caller::Cookie(name, value)))
            }
            Lookup::Attribute(path, kind) => {
                request.text_attribute(path).map(|value| Some(Caller::Attribute(path, *kind, value)))
            }
            Lookup::Ip => Some(None),
        });
        found.flatten().unwrap_or_else(|| Self::Ip(peer.network(policy, request)))
    }

    /// The sort of it.
    #[must_use]
    pub const fn kind(&self) -> CallerKind {
        match self {
            Self::Bearer(_) => CallerKind::Bearer,
            Self::Header(..) => CallerKind::Header,
            Self::Cookie(..) => CallerKind::Cookie,
            Self::Attribute(_, kind, _) => *kind,
            Self::Ip(_) => CallerKind::Ip,
        }
    }

    /// The secret that the caller showed, where that is who it is.
    #[must_use]
    pub const fn credential(&self) -> Option<&'r [u8]> {
        match self {
            Self::Bearer(value) | Self::Header(_, value) | Self::Cookie(_, value) => Some(value),
            Self::Attribute(..) | Self::Ip(_) => None,
        }
    }
}

/// The peer's address, asked for once.
#[derive(Debug, Default)]
pub struct Peer {
    asked: Option<Option<Source>>,
}

impl Peer {
    /// The address itself.
    pub fn source<'r>(&mut self, request: &mut impl Request<'r>) -> Option<Source> {
        *self.asked.get_or_insert_with(|| request.source_address().and_then(Source::parse))
    }

    /// Its network.
    pub fn network<'r>(&mut self, policy: &AddressPolicy, request: &mut impl Request<'r>) -> Option<ClientNet> {
        self.source(request).map(|source| policy.prefix.client(source.ip))
    }

    /// Whether it was asked for.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether it was used, and came from a header that nobody vouches for.
    #[must_use]
    pub fn hearsay(&self, policy: &AddressPolicy) -> bool {
        !policy.trust_forwarded && self.asked.flatten().is_some_and(|source| source.forwarded)
    }
}
