//! Hosts, compared without port, trailing dot or case.

#[cfg(test)]
mod tests;

use std::net::Ipv6Addr;

use super::error::PatternError;

/// The host of an `:authority` or `Host` (RFC 3986 §3.2) in normal form: whatever a lenient reader behind might take
/// for user information or a port is dropped. An IPv6 address keeps its brackets. `scratch` is overwritten where there
/// are letters to lower; otherwise a part of the input is returned.
pub fn normalise<'a>(raw: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    let host = trim_dots(without_port(raw.rsplit(|byte| *byte == b'@').next().unwrap_or(raw)));
    if !host.iter().any(u8::is_ascii_uppercase) {
        return host;
    }
    scratch.clear();
    scratch.extend(host.iter().map(u8::to_ascii_lowercase));
    scratch
}

/// `api.example.com`, or `*.example.com` for every host below `example.com`, at any depth, but not itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Exact(Vec<u8>),
    /// The parent, with its leading dot.
    Below(Vec<u8>),
}

/// What a pattern says, for an index over many.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form<'p> {
    /// This host.
    Exact(&'p [u8]),
    /// Whatever ends in this, a dot and the parent, and has something before it.
    Below(&'p [u8]),
}

impl HostPattern {
    /// Reads a pattern. Case and a trailing dot do not matter.
    ///
    /// # Errors
    /// What is not of one of the two forms, has a port, or cannot be a host.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let host = text.strip_suffix('.').unwrap_or(text);
        let name = host.strip_prefix("*.").unwrap_or(host);
        let is_address = |host: &str| {
            let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
            inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok())
        };
        if !is_address(host) && !name.split('.').all(is_label) {
            let expected = "a host such as \"api.example.com\", \"*.example.com\" or \"[2001:db8::1]\" \
                            (no port, international names in their xn-- form)";
            return Err(PatternError::new(expected, text));
        }
        let lower = host.to_ascii_lowercase();
        let shape = match lower.strip_prefix('*') {
            Some(parent) => Shape::Below(parent.into()),
            None => Shape::Exact(lower.into()),
        };
        Ok(Self { shape })
    }

    pub(crate) fn form(&self) -> Form<'_> {
        match &self.shape {
            Shape::Exact(host) => Form::Exact(host),
            Shape::Below(parent) => Form::Below(parent),
        }
    }

    /// Whether `host`, in normal form, matches.
    #[must_use]
    pub fn matches(&self, host: &[u8]) -> bool {
        match &self.shape {
            Shape::Exact(own) => host == own,
            Shape::Below(parent) => host.strip_suffix(parent.as_slice()).is_some_and(|below| !below.is_empty()),
        }
    }
}

fn is_label(label: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !label.is_empty() && label.bytes().all(is_part)
}

fn without_port(authority: &[u8]) -> &[u8] {
    let place = |wanted: u8| authority.iter().position(|byte| *byte == wanted);
    let end = match (authority.first(), place(b']'), place(b':')) {
        (Some(b'['), Some(bracket), _) => bracket.saturating_add(1),
        // The colons of an address without brackets separate no port.
        (_, _, Some(colon)) if authority.iter().filter(|byte| **byte == b':').count() == 1 => colon,
        _ => return authority,
    };
    authority.get(..end).unwrap_or(authority)
}

fn trim_dots(host: &[u8]) -> &[u8] {
    let mut host = host;
    while let [rest @ .., b'.'] = host {
        host = rest;
    }
    host
}
