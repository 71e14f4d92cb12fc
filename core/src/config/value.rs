//! What both notations have in common: a small tree.

/// How deep a configuration may nest; what Weir understands needs less than half.
pub(super) const MAX_DEPTH: u8 = 24;

/// One node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    // As a Struct has it. Whole numbers are exact far beyond any bound that a field has.
    Number(f64),
    String(String),
    List(Vec<Value>),
    /// In document order, or sorted by name where the notation has no order; a name may be there twice.
    Object(Vec<(String, Value)>),
}
