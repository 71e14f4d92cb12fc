//! One spelling for each path, so that no other spelling escapes a rule (RFC 3986 §6.2.2).

#[cfg(test)]
mod tests;

/// A path in its normal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormalPath<'a> {
    /// The normal form: no query, no fragment.
    pub bytes: &'a [u8],
    /// Whether the path arrived in that form already, its query aside, and the case of letters where that is folded. What
    /// grants something (an exemption) asks for it: there the upstream cannot read the path in another way.
    pub canonical: bool,
}

/// The normal form of a request's `:path`. In this order:
///
/// 1. query and fragment are dropped, and the `;parameters` of each segment;
/// 2. percent-encoded unreserved characters are decoded, once; other escapes keep their place, in upper case, and bytes
///    outside ASCII become escapes. A `%` that begins no escape is text;
/// 3. with `fold_case`, ASCII letters become lower case;
/// 4. repeated slashes are merged, `.` and `..` resolved, a trailing slash is dropped; the root stays `/`.
///
/// What does not begin with a slash (`*`, or nothing) only loses its query. `scratch` may be overwritten; where the
/// path is in normal form already, a part of the input is returned.
pub fn normalise<'a>(raw: &'a [u8], fold_case: bool, scratch: &'a mut Vec<u8>) -> NormalPath<'a> {
    let path = before(raw, |byte| matches!(byte, b'?' | b'#'));
    if path.starts_with(b"/") && !is_plain(path, fold_case) {
        rewrite(path, fold_case, scratch);
        if scratch != path {
            return NormalPath { canonical: fold_case && scratch.eq_ignore_ascii_case(path), bytes: scratch };
        }
    }
    NormalPath { bytes: path, canonical: true }
}

/// Writes one segment, without its parameters, in normal form.
pub(super) fn write_segment(segment: &[u8], fold_case: bool, out: &mut Vec<u8>) {
    let mut rest = segment;
    while let Some((unit, after)) = next_unit(rest) {
        match unit {
            Unit::Text(byte) if fold_case => out.push(byte.to_ascii_lowercase()),
            Unit::Text(byte) => out.push(byte),
            Unit::Escape(byte) => write_escape(byte, out),
            // `%%361` would come out as the escape `%61`, to be decoded a second time by whoever reads it next.
            Unit::Percent if begins_with_octet(after) => write_escape(b'%', out),
            Unit::Percent => out.push(b'%'),
        }
        rest = after;
    }
}

/// The shortest unit of a segment that has a normal form of its own.
enum Unit {
    /// Stands for itself, in the end.
    Text(u8),
    /// Stays, or becomes, a percent-encoded byte.
    Escape(u8),
    /// A `%` that begins no escape.
    Percent,
}

/// No surprises at all: the common case, in one pass. May be wrong about a normal path, never about another.
fn is_plain(path: &[u8], fold_case: bool) -> bool {
    let mut previous = 0;
    for &byte in path {
        match byte {
            b'%' | b';' | 0x80.. => return false,
            b'/' | b'.' if previous == b'/' => return false,
            b'A'..=b'Z' if fold_case => return false,
            _ => previous = byte,
        }
    }
    previous != b'/' || path.len() == 1
}

fn rewrite(path: &[u8], fold_case: bool, out: &mut Vec<u8>) {
    out.clear();
    for segment in path.split(|byte| *byte == b'/') {
        let start = out.len();
        out.push(b'/');
        write_segment(before(segment, |byte| byte == b';'), fold_case, out);
        match out.get(start..) {
            Some(b"/" | b"/.") => out.truncate(start),
            Some(b"/..") => {
                out.truncate(start);
                let parent = out.iter().rposition(|byte| *byte == b'/');
                out.truncate(parent.unwrap_or(0));
            }
            _ => {}
        }
    }
    if out.is_empty() {
        out.push(b'/');
    }
}

fn next_unit(text: &[u8]) -> Option<(Unit, &[u8])> {
    if let [b'%', high, low, rest @ ..] = text
        && let (Some(high), Some(low)) = (hex_value(*high), hex_value(*low))
    {
        let byte = high << 4 | low;
        let unit = if is_unreserved(byte) { Unit::Text(byte) } else { Unit::Escape(byte) };
        return Some((unit, rest));
    }
    let (&byte, rest) = text.split_first()?;
    let unit = match byte {
        b'%' => Unit::Percent,
        0x80.. => Unit::Escape(byte),
        _ => Unit::Text(byte),
    };
    Some((unit, rest))
}

/// Whether two hexadecimal digits come out first.
fn begins_with_octet(text: &[u8]) -> bool {
    let digit = |text| match next_unit(text) {
        Some((Unit::Text(byte), rest)) if byte.is_ascii_hexdigit() => Some(rest),
        _ => None,
    };
    digit(text).and_then(digit).is_some()
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    out.extend([b'%', hex_digit(byte >> 4), hex_digit(byte & 0x0f)]);
}

fn before(text: &[u8], is_end: impl Fn(u8) -> bool) -> &[u8] {
    text.split(|byte| is_end(*byte)).next().unwrap_or_default()
}

/// RFC 3986 §2.3.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

const fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

const fn hex_digit(value: u8) -> u8 {
    match value {
        0..=9 => b'0' + value,
        _ => b'A' + (value & 0x0f) - 10,
    }
}
