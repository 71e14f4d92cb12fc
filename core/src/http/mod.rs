//! Reading parts of an HTTP request. Every input is hostile bytes: nothing here panics, and what cannot be read is
//! absent rather than guessed at.

pub mod address;
pub mod bearer;
pub mod cidr;
pub mod cookie;
pub mod error;
pub mod host;
pub mod method;
pub mod pairs;
pub mod path;
pub mod pattern;
pub mod query;
pub mod regex;
pub mod single;

pub use address::{ClientNet, PrefixLengths, Source};
pub use bearer::{bearer_token, is_joined};
pub use cidr::{Cidr, CidrSet};
pub use cookie::cookie;
pub use error::PatternError;
pub use host::HostPattern;
pub use method::{MethodSet, is_preflight};
pub use pairs::Pairs;
pub use path::NormalPath;
pub use pattern::{Captures, PathPattern};
pub use regex::WholeRegex;
pub use single::Single;

/// `text` without the blanks (space, tab) that HTTP allows around a field value (RFC 9110 §5.5).
#[must_use]
pub fn trim_blanks(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}
