//! Regular expressions over whole values.

mod prefix;
#[cfg(test)]
mod tests;

use std::fmt;

use regex_lite::RegexBuilder;

/// The longest pattern, bytes.
pub const MAX_PATTERN: usize = 512;

/// The largest program of a pattern, bytes. It bounds the time that one byte of a value can take: some 20 ns for each
/// step of the program that a value may be at, of which ordinary patterns have few at once.
const MAX_PROGRAM: usize = 16 << 10;

/// How deep groups may nest.
const MAX_NESTING: u32 = 16;

/// A regular expression that a value matches as a whole, in a time linear in the value's length. Values may be any
/// bytes: they are read as UTF-8, and what is not UTF-8 as U+FFFD, so that a stray byte lets nothing slip past a `.`;
/// `.` matches a line break too, for the same reason. Classes such as `\d` and case folding are those of ASCII.
#[derive(Debug, Clone)]
pub struct WholeRegex {
    pattern: String,
    fold_case: bool,
    program: regex_lite::Regex,
    prefix: Vec<u8>,
}

impl PartialEq for WholeRegex {
    /// Whether they are written alike.
    fn eq(&self, other: &Self) -> bool {
        (&self.pattern, self.fold_case) == (&other.pattern, other.fold_case)
    }
}

impl Eq for WholeRegex {}

/// Why a pattern is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegexError(String);

impl WholeRegex {
    /// Reads a pattern; with `fold_case`, for values whose letters were made lower case.
    ///
    /// # Errors
    /// What is not of the syntax of `regex-lite`, is empty, or too large: see [`MAX_PATTERN`].
    pub fn parse(pattern: &str, fold_case: bool) -> Result<Self, RegexError> {
        if pattern.is_empty() {
            return Err(RegexError("not empty".to_owned()));
        }
        if pattern.len() > MAX_PATTERN {
            return Err(RegexError(format!("at most {MAX_PATTERN} bytes")));
        }
        let build = |text: &str| {
            let mut builder = RegexBuilder::new(text);
            builder.dot_matches_new_line(true).case_insensitive(fold_case);
            builder.nest_limit(MAX_NESTING).size_limit(MAX_PROGRAM);
            builder.build().map_err(|fault| RegexError(fault.to_string()))
        };
        // On its own first: `a)|(b` is no pattern, and must not become one between the brackets.
        build(pattern)?;
        let program = build(&format!("^(?:{pattern})$"))?;
        Ok(Self { pattern: pattern.to_owned(), fold_case, program, prefix: prefix::literal(pattern, fold_case) })
    }

    /// Whether the whole of `value` matches.
    #[must_use]
    pub fn matches(&self, value: &[u8]) -> bool {
        value.starts_with(&self.prefix) && self.program.is_match(&String::from_utf8_lossy(value))
    }

    /// Whether every path matches, as far as that shows at once.
    #[must_use]
    pub fn matches_everything(&self) -> bool {
        matches!(self.pattern.as_str(), ".*" | "/.*")
    }

    /// Bytes with which every value that matches begins; may be fewer than all such, down to none.
    #[must_use]
    pub fn literal_prefix(&self) -> &[u8] {
        &self.prefix
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RegexError {}
