//! Cookies.

#[cfg(test)]
mod tests;

use super::{Single, trim_blanks};

/// The cookie `name` over all `Cookie` fields of a request (RFC 6265 §4.2.1; HTTP/2 may split the field). Names are
/// case-sensitive; one pair of quotes around the value is not part of it.
pub fn cookie<'a>(headers: impl Iterator<Item = &'a [u8]>, name: &[u8]) -> Single<'a> {
    headers.flat_map(|header| header.split(|byte| *byte == b';')).filter_map(|pair| value_of(pair, name)).collect()
}

fn value_of<'a>(pair: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let equals = pair.iter().position(|byte| *byte == b'=')?;
    let (own, [_, value @ ..]) = pair.split_at_checked(equals)? else {
        return None;
    };
    (trim_blanks(own) == name).then_some(match trim_blanks(value) {
        [b'"', inner @ .., b'"'] => inner,
        bare => bare,
    })
}
