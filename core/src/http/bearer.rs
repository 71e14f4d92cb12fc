//! Bearer tokens.

#[cfg(test)]
mod tests;

use super::{Single, trim_blanks};

/// The token of an `Authorization` value of the scheme `Bearer`, however the scheme is cased and spaced. What is not
/// exactly one `b64token` (RFC 6750 §2.1) counts as repeated: two fields may have been joined to one, and a lenient
/// reading would give one caller many identities.
#[must_use]
pub fn bearer_token<'a>(authorization: Single<'a>) -> Single<'a> {
    let Single::One(value) = authorization else { return authorization };
    let Some((scheme, rest)) = value.split_at_checked(b"Bearer".len()) else { return Single::Absent };
    let token = trim_blanks(rest);
    if !scheme.eq_ignore_ascii_case(b"Bearer") || token.len() == rest.len() {
        Single::Absent
    } else if is_b64token(token) {
        Single::One(token)
    } else {
        Single::Repeated
    }
}

/// Whether an `Authorization` value is two fields that were joined, as Envoy does: a comma after credentials that are
/// no list of parameters, which alone may have one (RFC 9110 §11.4).
#[must_use]
pub fn is_joined(value: &[u8]) -> bool {
    let Some((first, _)) = value.iter().position(|byte| *byte == b',').and_then(|comma| value.split_at_checked(comma))
    else {
        return false;
    };
    let mut credentials = trim_blanks(first);
    while let [rest @ .., b'='] = credentials {
        credentials = rest;
    }
    !credentials.iter().any(|byte| matches!(byte, b'=' | b'"'))
}

fn is_b64token(token: &[u8]) -> bool {
    let mut body = token;
    while let [rest @ .., b'='] = body {
        body = rest;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(byte);
    !body.is_empty() && body.iter().all(is_part)
}
