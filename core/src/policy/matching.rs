//! Which requests a rule or an exemption is for.

use crate::http::{HostPattern, MethodSet, PathPattern, WholeRegex};

/// Conditions of a rule; all that are given must hold. An absent condition always holds.
#[derive(Debug, Default)]
pub struct RequestMatch {
    /// One of these methods.
    pub methods: Option<MethodSet>,
    /// One of these paths.
    pub paths: Option<Vec<PathPattern>>,
    /// The path in its normal form: with this regular expression.
    pub path_regex: Option<WholeRegex>,
    /// One of these hosts.
    pub hosts: Option<Vec<HostPattern>>,
    /// All of these header fields, by lower-case name.
    pub headers: Vec<ValueMatch>,
    /// All of these parameters of the query.
    pub query: Vec<ValueMatch>,
}

/// A condition on what a request says under one name. See [`crate::matching`] for values that are given several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMatch {
    /// The name.
    pub name: String,
    /// What holds of the value.
    pub test: ValueTest,
}

/// What a value must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueTest {
    /// These bytes.
    Equals(Vec<u8>),
    /// These bytes, and any after them.
    Prefix(Vec<u8>),
    /// Whatever matches.
    Regex(WholeRegex),
    /// Anything, or nothing at all.
    Present(bool),
}

impl RequestMatch {
    /// Whether no request escapes: a rule after such a one can never apply.
    #[must_use]
    pub fn matches_everything(&self) -> bool {
        let any_path = |paths: &Vec<PathPattern>| paths.iter().any(PathPattern::matches_everything);
        self.methods.is_none()
            && self.hosts.is_none()
            && self.paths.as_ref().is_none_or(any_path)
            && self.path_regex.as_ref().is_none_or(WholeRegex::matches_everything)
            && self.headers.is_empty()
            && self.query.is_empty()
    }
}
