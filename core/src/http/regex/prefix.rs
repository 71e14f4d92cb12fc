//! The literal text that a pattern begins with: an index over many patterns sorts by it.

/// Bytes with which every whole match begins. In doubt, fewer.
pub(super) fn literal(pattern: &str, fold_case: bool) -> Vec<u8> {
    if has_branches(pattern) {
        return Vec::new();
    }
    let mut out = Vec::new();
    // Where the last character began: a quantifier may take it away.
    let mut last = 0;
    let mut rest = pattern.strip_prefix('^').unwrap_or(pattern).chars();
    while let Some(c) = rest.next() {
        let literal = match c {
            '?' | '*' | '{' => {
                out.truncate(last);
                break;
            }
            '\\' => match rest.next() {
                Some(escaped) if escaped.is_ascii_punctuation() && !matches!(escaped, '<' | '>') => escaped,
                _ => break,
            },
            // At least one, unless a quantifier of the quantifier follows.
            '+' => {
                if rest.next().is_some_and(|next| matches!(next, '?' | '*' | '+' | '{')) {
                    out.truncate(last);
                }
                break;
            }
            '.' | '[' | ']' | '(' | ')' | '|' | '^' | '$' | '}' => break,
            c => c,
        };
        match literal {
            // Stands for bytes that are not UTF-8 too.
            char::REPLACEMENT_CHARACTER => break,
            // An escape in a path keeps its case where letters lose theirs.
            '%' if fold_case => break,
            _ => {}
        }
        last = out.len();
        let literal = if fold_case { literal.to_ascii_lowercase() } else { literal };
        out.extend(literal.encode_utf8(&mut [0; 4]).bytes());
    }
    out
}

/// Whether the pattern may be more than one sequence: it has an alternative outside of any group, or something that is
/// not worth telling apart from one (flags, which may start comments; a class within a class).
fn has_branches(pattern: &str) -> bool {
    let (mut depth, mut in_class, mut escaped) = (0_u32, false, false);
    let mut previous = ' ';
    for (at, c) in pattern.char_indices() {
        let follows = |text: &str| pattern.get(at..).is_some_and(|rest| rest.starts_with(text));
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if in_class => return true,
            // A bracket that comes first in a class is one of its members.
            ']' if in_class && matches!(previous, '[' | '^') => return true,
            ']' if in_class => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '(' if follows("(?") && !follows("(?:") => return true,
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
        previous = c;
    }
    in_class
}
