//! What must come back.

use anyhow::{Context, Result, bail, ensure};

#[cfg(test)]
mod tests;

/// The header fields that limiters add.
const RATE_LIMIT_FIELDS: [&str; 5] =
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-policy", "ratelimit"];

/// What every response of a variant is like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    /// Its status.
    pub(crate) status: u16,
    /// Which of the fields that limiters add it carries: these and no others.
    pub(crate) fields: &'static [&'static str],
}

impl Expected {
    /// Reads one response; its length once it is whole. Without a status and fields expected, any will do.
    ///
    /// # Errors
    /// It is not what it should be.
    pub(crate) fn check(expected: Option<&Self>, bytes: &[u8]) -> Result<Option<usize>> {
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut response = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(head) = response.parse(bytes)? else {
            return Ok(None);
        };
        let find = |name: &str| response.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
        let length = find("content-length").context("a response without content-length")?.value;
        let length: usize = str::from_utf8(length)?.parse()?;
        if bytes.len() < head + length {
            return Ok(None);
        }
        if let Some(expected) = expected {
            let wrong = RATE_LIMIT_FIELDS.iter().find(|name| find(name).is_some() != expected.fields.contains(name));
            let head = || String::from_utf8_lossy(bytes);
            ensure!(response.code == Some(expected.status), "not {}, as expected, but\n{}", expected.status, head());
            if let Some(name) = wrong {
                bail!("the field {name} was expected and is missing, or the reverse, in\n{}", head());
            }
        }
        Ok(Some(head + length))
    }
}
