//! Values as error messages show them: short, on one line, printable.

use super::value::Value;

/// Characters shown of a text.
const SHOWN: usize = 48;

/// In double quotes, shortened; everything but printable ASCII is escaped, so that no log or terminal is led astray.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars().take(SHOWN) {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => out.extend(c.escape_default()),
        }
    }
    out.push('"');
    if text.chars().nth(SHOWN).is_some() {
        out.push_str("...");
    }
    out
}

/// A value after `got`.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => {
            let text = number.to_string();
            if text.len() <= SHOWN { text } else { "a number out of all bounds".to_owned() }
        }
        Value::String(text) => quoted(text),
        Value::List(items) if items.is_empty() => "an empty list".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// `a, b or c`.
pub(super) fn alternatives<'t>(names: impl Iterator<Item = &'t str>) -> String {
    let mut names: Vec<&str> = names.collect();
    match names.pop() {
        None => String::new(),
        Some(last) if names.is_empty() => last.to_owned(),
        Some(last) => format!("{} or {last}", names.join(", ")),
    }
}
