//! Bearer tokens.

#[cfg(test)]
mod tests;

use super::trim_blanks;

/// The token of an `Authorization` value of the scheme `Bearer`, however the scheme is cased and spaced. None for
/// anything but exactly one `b64token` (RFC 6750 §2.1): a lenient reading would give one caller many identities.
#[must_use]
pub fn bearer_token(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = trim_blanks(value).split_at_checked(b"Bearer".len())?;
    let token = trim_blanks(rest);
    let separated = token.len() < rest.len();
    (scheme.eq_ignore_ascii_case(b"Bearer") && separated && is_b64token(token)).then_some(token)
}

fn is_b64token(token: &[u8]) -> bool {
    let mut body = token;
    while let [rest @ .., b'='] = body {
        body = rest;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(byte);
    !body.is_empty() && body.iter().all(is_part)
}
