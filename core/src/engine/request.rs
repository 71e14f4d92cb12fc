//! What the engine asks of a request. Each question may cost the shell a call to its host, so none is asked before it
//! has to be, and none twice.

#[cfg(any(test, feature = "model"))]
pub mod written;

use crate::policy::Attribute;

/// A request, as its host holds it.
pub trait Request<'r> {
    /// All header fields in order, pseudo-fields such as `:path` among them, names in lower case.
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])>;

    /// The peer's address as Envoy's `source.address` spells it.
    fn source_address(&mut self) -> Option<&'r [u8]>;

    /// An attribute of the request.
    fn attribute(&mut self, path: &AttributePath) -> Option<&'r [u8]>;

    /// The same as a text; an empty one is absent.
    fn text_attribute(&mut self, path: &AttributePath) -> Option<&'r [u8]> {
        self.attribute(path).filter(|value| !value.is_empty())
    }
}

/// The path of an attribute as the host wants it: its segments, separated by zero bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributePath(Vec<u8>);

impl AttributePath {
    /// The path of `attribute`.
    #[must_use]
    pub fn new(attribute: &Attribute) -> Self {
        let segments: Vec<&str> = attribute.segments().collect();
        Self(segments.join("\0").into_bytes())
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}
