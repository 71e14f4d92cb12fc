//! "Did you mean": the known name that a misspelt one is nearest to.

/// More edits than this are another word.
const MAX_EDITS: usize = 2;

/// The nearest of `known`, if it is near enough for a slip.
pub(super) fn nearest<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
    known
        .iter()
        .map(|name| (edits(given, name), *name))
        .filter(|(edits, name)| *edits <= MAX_EDITS && edits * 2 < name.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// Levenshtein's distance over bytes, ASCII case aside; texts of very different length are not compared further.
fn edits(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > MAX_EDITS {
        return usize::MAX;
    }
    // One row of the usual matrix, for the prefixes of `b`; its first cell, for the empty one, is the row's number.
    let mut row: Vec<usize> = (1..=b.len()).collect();
    for (number, x) in a.bytes().enumerate() {
        let (mut diagonal, mut left) = (number, number + 1);
        for (cell, y) in row.iter_mut().zip(b.bytes()) {
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = *cell;
            *cell = replaced.min(diagonal + 1).min(left + 1);
            left = *cell;
        }
    }
    row.last().copied().unwrap_or(a.len())
}
