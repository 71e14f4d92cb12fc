//! The query of a request's `:path`.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

/// The parameters of a raw `:path`, in order: what follows the first `?`, up to a fragment, split at `&`. Names and
/// values are decoded once, as forms are (WHATWG URL, "application/x-www-form-urlencoded parsing"): percent-escapes and
/// `+` for a blank. A malformed escape is literal text; a name alone has an empty value; an empty piece is nothing.
pub fn parameters(raw_path: &[u8]) -> impl Iterator<Item = (Cow<'_, [u8]>, Cow<'_, [u8]>)> {
    let pieces = raw_query(raw_path).split(|byte| *byte == b'&').filter(|piece| !piece.is_empty());
    pieces.map(|piece| {
        let equals = piece.iter().position(|byte| *byte == b'=').unwrap_or(piece.len());
        let (name, value) = piece.split_at_checked(equals).unwrap_or((piece, &[]));
        (decode(name), decode(value.strip_prefix(b"=").unwrap_or_default()))
    })
}

fn raw_query(raw_path: &[u8]) -> &[u8] {
    let without_fragment = raw_path.split(|byte| *byte == b'#').next().unwrap_or_default();
    let mark = without_fragment.iter().position(|byte| *byte == b'?').unwrap_or(without_fragment.len());
    without_fragment.split_at_checked(mark).and_then(|(_, query)| query.split_first()).map_or(&[], |(_, query)| query)
}

fn decode(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.iter().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        rest = match rest {
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                out.push(hex(*high) << 4 | hex(*low));
                after
            }
            [b'+', after @ ..] => {
                out.push(b' ');
                after
            }
            [byte, after @ ..] => {
                out.push(*byte);
                after
            }
            [] => return Cow::Owned(out),
        };
    }
}

/// The value of a hexadecimal digit.
const fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}
