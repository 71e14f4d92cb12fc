//! Whether a client asks for problem details.

#[cfg(test)]
mod tests;

use crate::http::trim_blanks;

/// Thousandths, as quality values have three decimals.
const HIGHEST: u16 = 1_000;

/// Whether the `Accept` fields of a request (RFC 9110 §12.5.1; each item is one field's value) prefer
/// `application/problem+json` (RFC 9457 §3) to `application/json`.
///
/// Only naming the type asks for it: wildcards accept what anybody gets. Of two types that are named with the same
/// quality the client gets the ordinary one; a type that is named goes before one that only a wildcard covers.
/// Members that are malformed count as absent.
pub(super) fn prefers_problem<'v>(accept: impl IntoIterator<Item = &'v [u8]>) -> bool {
    let mut wishes = Wishes::default();
    for value in accept {
        split_unquoted(value, b',').for_each(|range| wishes.add(range));
    }
    let ordinary = wishes.json.or(wishes.application).or(wishes.anything).unwrap_or(0);
    match wishes.problem {
        None | Some(0) => false,
        Some(problem) => problem > ordinary || (problem == ordinary && wishes.json.is_none()),
    }
}

/// The qualities of the ranges that matter here, in thousandths; of a range given twice, the higher.
#[derive(Default)]
struct Wishes {
    problem: Option<u16>,
    json: Option<u16>,
    application: Option<u16>,
    anything: Option<u16>,
}

impl Wishes {
    fn add(&mut self, range: &[u8]) {
        let mut parts = split_unquoted(range, b';').map(trim_blanks);
        let name = parts.next().unwrap_or_default();
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let wish = if is("application/problem+json") {
            &mut self.problem
        } else if is("application/json") {
            &mut self.json
        } else if is("application/*") {
            &mut self.application
        } else if is("*/*") {
            &mut self.anything
        } else {
            return;
        };
        if let Some(quality) = quality(parts) {
            *wish = (*wish).max(Some(quality));
        }
    }
}

/// The quality among a range's parameters; `None` where it is malformed.
fn quality<'v>(mut parameters: impl Iterator<Item = &'v [u8]>) -> Option<u16> {
    let given = parameters.find_map(|parameter| match parameter {
        [b'q' | b'Q', b'=', value @ ..] => Some(value),
        _ => None,
    });
    let Some(value) = given else { return Some(HIGHEST) };
    let (whole, fraction) = match value {
        [whole] => (whole, &[][..]),
        [whole, b'.', fraction @ ..] if fraction.len() <= 3 => (whole, fraction),
        _ => return None,
    };
    match whole {
        b'0' if fraction.iter().all(u8::is_ascii_digit) => {
            let digit = |place: usize| fraction.get(place).map_or(0, |digit: &u8| u16::from(digit.wrapping_sub(b'0')));
            Some(digit(0) * 100 + digit(1) * 10 + digit(2))
        }
        b'1' if fraction.iter().all(|digit| *digit == b'0') => Some(HIGHEST),
        _ => None,
    }
}

/// The parts of `value` between separators that stand outside of quoted strings (RFC 9110 §5.6.4).
fn split_unquoted(value: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut quoted, mut escaped) = (false, false);
    // `split` asks about each byte once, in order.
    value.split(move |&byte| {
        let literal = core::mem::take(&mut escaped);
        match byte {
            _ if literal => false,
            b'\\' if quoted => {
                escaped = true;
                false
            }
            b'"' => {
                quoted = !quoted;
                false
            }
            _ => !quoted && byte == separator,
        }
    })
}
