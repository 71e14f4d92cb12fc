//! Requests without a proxy.

use super::{AttributePath, Request};

/// A request as it is written down.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The header fields in order; any name may be there any number of times, or not at all.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// What the host says about the peer.
    pub address: Option<Vec<u8>>,
    /// What else it knows: paths, whose segments zero bytes separate, and values.
    pub attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Written {
    /// A request with its pseudo-fields.
    #[must_use]
    pub fn new(method: &str, path: &str, host: &str) -> Self {
        Self::default().with(":method", method).with(":path", path).with(":authority", host)
    }

    /// With a further header field.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// From an address, as Envoy's `source.address` spells it.
    #[must_use]
    pub fn from(mut self, address: &str) -> Self {
        self.address = Some(address.into());
        self
    }

    /// With an attribute; dots stand between the segments of its path.
    #[must_use]
    pub fn knows(mut self, path: &str, value: &str) -> Self {
        self.attributes.push((path.replace('.', "\0").into(), value.into()));
        self
    }
}

impl<'r> Request<'r> for &'r Written {
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        self.fields.iter().map(|(name, value)| (name.as_slice(), value.as_slice()))
    }

    fn source_address(&mut self) -> Option<&'r [u8]> {
        self.address.as_deref()
    }

    fn attribute(&mut self, path: &AttributePath) -> Option<&'r [u8]> {
        let known = self.attributes.iter().find(|(own, _)| own.as_slice() == path.as_bytes());
        known.map(|(_, value)| value.as_slice())
    }
}
