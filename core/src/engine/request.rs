//! What the engine asks of a request. Each question may cost the shell a call to its host, so none is asked before it
//! has to be, and none twice.

/// A request, as its host holds it.
pub trait Request<'r> {
    /// All header fields in order, pseudo-fields such as `:path` among them, names in lower case.
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])>;

    /// The peer's address as Envoy's `source.address` spells it.
    fn source_address(&mut self) -> Option<&'r [u8]>;
}
