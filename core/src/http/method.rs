//! Request methods.

#[cfg(test)]
mod tests;

use super::error::PatternError;
use super::trim_blanks;

/// The methods that a rule is for. `GET` brings `HEAD` with it: the same handler answers both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodSet {
    // A rule names one or two: a short list is quicker than any index.
    names: Vec<String>,
}

impl MethodSet {
    /// The set of the given names.
    ///
    /// # Errors
    /// As [`insert`](Self::insert), for the first name that is refused.
    pub fn parse<'t>(names: impl IntoIterator<Item = &'t str>) -> Result<Self, PatternError> {
        let mut set = Self::default();
        for name in names {
            set.insert(name)?;
        }
        Ok(set)
    }

    /// Adds a method; extension methods (`PROPFIND`) too.
    ///
    /// # Errors
    /// What is not a token (RFC 9110 §5.6.2) in upper case. Methods are case-sensitive (§9.1), so a name in lower case
    /// is a slip that would match nothing.
    pub fn insert(&mut self, name: &str) -> Result<(), PatternError> {
        if name.is_empty() || !name.bytes().all(is_method_byte) {
            return Err(PatternError::new("a method in upper case, such as GET", name));
        }
        let implied = if name == "GET" { Some("HEAD") } else { None };
        for name in [Some(name), implied].into_iter().flatten() {
            if !self.contains(name.as_bytes()) {
                self.names.push(name.to_owned());
            }
        }
        Ok(())
    }

    /// Whether a request with this method is meant.
    #[must_use]
    pub fn contains(&self, method: &[u8]) -> bool {
        self.names.iter().any(|name| name.as_bytes() == method)
    }

    /// All of them, those implied too.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whether it names `OPTIONS`, and so speaks of preflights as well.
    #[must_use]
    pub fn names_options(&self) -> bool {
        self.contains(b"OPTIONS")
    }
}

/// Whether a request is a CORS preflight (Fetch, "CORS-preflight request"): `OPTIONS` with an `Origin` and an
/// `Access-Control-Request-Method`. Blank headers do not make one.
#[must_use]
pub fn is_preflight(method: &[u8], origin: Option<&[u8]>, request_method: Option<&[u8]>) -> bool {
    let given = |header: Option<&[u8]>| header.is_some_and(|value| !trim_blanks(value).is_empty());
    method == b"OPTIONS" && given(origin) && given(request_method)
}

const fn is_method_byte(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
}
