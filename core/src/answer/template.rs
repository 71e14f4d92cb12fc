//! `response.body`: a text with placeholders.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::answer::escape::Escape;

/// A body, ready to be filled in.
///
/// A word alone in braces is a placeholder, everything else stands as it is written, other braces too: so JSON needs no
/// escaping. Inside a JSON string a literal `{word}` is written `\u007bword}`, in HTML `&#123;word}`.
///
/// What is filled in is escaped as the body's type has it, but not quoted: `"rule": "{rule}"`. All of it comes from the
/// configuration or is a number; nothing of the client's is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
    content_type: String,
    escape: Escape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Value(Placeholder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placeholder {
    RetryAfter,
    Limit,
    Remaining,
    ResetAt,
    Rule,
    Plan,
}

/// What is filled in.
#[derive(Debug, Clone, Copy)]
pub struct Values<'v> {
    /// `{retry_after}`, seconds.
    pub retry_after: u64,
    /// `{limit}`, tokens.
    pub limit: u64,
    /// `{remaining}`, tokens.
    pub remaining: u64,
    /// `{reset_at}`, as RFC 3339 has it.
    pub reset_at: &'v str,
    /// `{rule}`.
    pub rule: &'v str,
    /// `{plan}`; empty where the caller has none.
    pub plan: &'v str,
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// There is no such placeholder.
    Unknown(String),
    /// The type is JSON, and the body would not be, whatever is filled in.
    NotJson(String),
}

impl Template {
    /// Reads the body of a response whose type is `content_type`.
    ///
    /// # Errors
    /// See [`TemplateError`].
    pub fn parse(body: &str, content_type: &str) -> Result<Self, TemplateError> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = body;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            match after.split_once('}').filter(|(inner, _)| is_word(inner.trim_matches(' '))) {
                Some((name, after)) => {
                    let known = Placeholder::named(name).ok_or_else(|| TemplateError::Unknown(name.to_owned()))?;
                    parts.extend([Part::Text(core::mem::take(&mut text)), Part::Value(known)]);
                    rest = after;
                }
                None => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text.push_str(rest);
        parts.push(Part::Text(text));
        let template = Self { parts, content_type: content_type.to_owned(), escape: Escape::for_type(content_type) };
        if template.escape == Escape::Json {
            template.check_json()?;
        }
        Ok(template)
    }

    /// The type of the body.
    #[must_use]
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// Fills it in.
    #[must_use]
    pub fn render(&self, values: &Values<'_>) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Value(Placeholder::RetryAfter) => push_number(&mut out, values.retry_after),
                Part::Value(Placeholder::Limit) => push_number(&mut out, values.limit),
                Part::Value(Placeholder::Remaining) => push_number(&mut out, values.remaining),
                Part::Value(Placeholder::ResetAt) => self.escape.push(&mut out, values.reset_at),
                Part::Value(Placeholder::Rule) => self.escape.push(&mut out, values.rule),
                Part::Value(Placeholder::Plan) => self.escape.push(&mut out, values.plan),
            }
        }
        out
    }

    /// Escaped text can end no string and digits change no number's form, so two fillings stand for all: one of zeros,
    /// which may not lead a number, and one of texts that are values on their own nowhere in JSON.
    fn check_json(&self) -> Result<(), TemplateError> {
        let sample = |number, text| Values {
            retry_after: number,
            limit: number,
            remaining: number,
            reset_at: text,
            rule: text,
            plan: text,
        };
        for values in [sample(0, ""), sample(17, "\"a")] {
            let body = self.render(&values);
            if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&body) {
                return Err(TemplateError::NotJson(error.to_string()));
            }
        }
        Ok(())
    }
}

impl Placeholder {
    const ALL: [(&'static str, Self); 6] = [
        ("retry_after", Self::RetryAfter),
        ("limit", Self::Limit),
        ("remaining", Self::Remaining),
        ("reset_at", Self::ResetAt),
        ("rule", Self::Rule),
        ("plan", Self::Plan),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, placeholder)| *placeholder)
    }
}

/// A letter, then letters, digits, `_` or `-`: also what is only nearly right, so that it is told rather than sent.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

fn push_number(out: &mut String, value: u64) {
    out.push_str(itoa::Buffer::new().format(value));
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "unknown placeholder {{{name}}}: there are")?;
                for (place, (known, _)) in Placeholder::ALL.iter().enumerate() {
                    let before = if place == 0 { " " } else { ", " };
                    write!(f, "{before}{{{known}}}")?;
                }
                Ok(())
            }
            Self::NotJson(error) => {
                write!(f, "not JSON once filled in (texts need quotes around them: \"{{rule}}\"): {error}")
            }
        }
    }
}

impl std::error::Error for TemplateError {}
