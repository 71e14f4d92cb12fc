//! What Envoy itself knows of a request.

/// Where Envoy's attributes hold the filters' dynamic metadata.
const DYNAMIC_METADATA: [&str; 2] = ["metadata", "filter_metadata"];

/// The path to a value that Envoy, or a filter in front, knows of a request. Only a text counts, and an empty one is
/// absent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// Dynamic metadata: a filter's namespace and at least one key below it.
    Metadata(Vec<String>),
    /// Any attribute; at least one segment.
    Property(Vec<String>),
}

impl Attribute {
    /// The whole path among Envoy's attributes; no segment is empty or holds a NUL.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        let (prefix, path) = match self {
            Self::Metadata(path) => (&DYNAMIC_METADATA[..], path),
            Self::Property(path) => (&[][..], path),
        };
        prefix.iter().copied().chain(path.iter().map(String::as_str))
    }
}
