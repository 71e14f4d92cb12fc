//! Path patterns: literal segments, `*`, `{name}`, and `**` for any rest.

#[cfg(test)]
mod tests;

use super::error::PatternError;
use super::path::write_segment;

/// A pattern over paths in normal form ([`super::path::normalise`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    /// `/**`: anything, also what is no path.
    Everything,
    /// One path, compared as a whole.
    Exact(Vec<u8>),
    /// A literal path and everything below it.
    Under(Vec<u8>),
    /// Segment by segment; `open` where any rest may follow.
    Segments { segments: Vec<Segment>, open: bool },
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Literal(Vec<u8>),
    Any,
    Capture(String),
}

/// What a pattern says, for an index over many.
#[derive(Debug)]
pub(crate) enum Form<'p> {
    /// Anything, also what is no path.
    Everything,
    /// This path.
    Exact(&'p [u8]),
    /// These segments, None being any that is not empty; `open` where any rest may follow.
    Segments { segments: Vec<Option<&'p [u8]>>, open: bool },
}

/// What the captures of a pattern stand for in a path that it matched.
#[derive(Debug, Clone, Copy, Default)]
pub struct Captures<'p> {
    matched: Option<(&'p PathPattern, &'p [u8])>,
}

impl<'p> Captures<'p> {
    /// The segment that `{name}` stands for; never empty. None where the last match failed or has no such capture.
    // Found when asked for: most matches are made for the answer alone.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'p [u8]> {
        let (pattern, path) = self.matched?;
        let place =
            pattern.segments().iter().position(|segment| matches!(segment, Segment::Capture(own) if own == name))?;
        split(path)?.nth(place)
    }
}

impl PathPattern {
    /// Reads a pattern, for paths that were normalised with the same `fold_case`. Literal segments are brought into
    /// normal form; a trailing slash is ignored.
    ///
    /// # Errors
    /// A pattern that no path in normal form can match, or that is not of this form.
    pub fn parse(text: &str, fold_case: bool) -> Result<Self, PatternError> {
        let Some(body) = text.strip_prefix('/') else {
            return refuse("a path that begins with \"/\"", text);
        };
        if body.is_empty() {
            let shape = Shape::Exact(b"/".to_vec());
            return Ok(Self { shape });
        }
        let mut segments = Vec::new();
        let mut open = false;
        for part in body.strip_suffix('/').unwrap_or(body).split('/') {
            if open {
                return refuse("\"**\" as the last segment only", text);
            }
            if part == "**" {
                open = true;
                continue;
            }
            let segment = Segment::parse(part, fold_case, text)?;
            if matches!(segment, Segment::Capture(_)) && segments.contains(&segment) {
                return refuse("capture names that differ", text);
            }
            segments.push(segment);
        }
        let shape = Shape::of(segments, open);
        Ok(Self { shape })
    }

    /// Whether the whole of `path` matches; `captures` then answer for this match, and are empty otherwise.
    pub fn matches<'p>(&'p self, path: &'p [u8], captures: &mut Captures<'p>) -> bool {
        let matched = self.is_match(path);
        captures.matched = matched.then_some((self, path));
        matched
    }

    /// The names of its captures, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.segments().iter().filter_map(|segment| match segment {
            Segment::Capture(name) => Some(name.as_str()),
            Segment::Literal(_) | Segment::Any => None,
        })
    }

    /// Whether no path can fail to match, so that a rule below is never reached.
    #[must_use]
    pub const fn matches_everything(&self) -> bool {
        matches!(self.shape, Shape::Everything)
    }

    pub(crate) fn form(&self) -> Form<'_> {
        match &self.shape {
            Shape::Everything => Form::Everything,
            Shape::Exact(path) => Form::Exact(path),
            Shape::Under(path) => {
                Form::Segments { segments: split(path).into_iter().flatten().map(Some).collect(), open: true }
            }
            Shape::Segments { segments, open } => {
                Form::Segments { segments: segments.iter().map(Segment::literal).collect(), open: *open }
            }
        }
    }

    fn is_match(&self, path: &[u8]) -> bool {
        match &self.shape {
            Shape::Everything => true,
            Shape::Exact(own) => path == own,
            Shape::Under(own) => {
                path.strip_prefix(own.as_slice()).is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
            }
            Shape::Segments { segments, open } => {
                let Some(mut parts) = split(path) else {
                    return false;
                };
                let begins = segments.iter().all(|segment| parts.next().is_some_and(|part| segment.matches(part)));
                begins && (*open || parts.next().is_none())
            }
        }
    }

    fn segments(&self) -> &[Segment] {
        match &self.shape {
            Shape::Segments { segments, .. } => segments,
            Shape::Everything | Shape::Exact(_) | Shape::Under(_) => &[],
        }
    }
}

impl Shape {
    /// The cheapest shape that says the same.
    fn of(segments: Vec<Segment>, open: bool) -> Self {
        if segments.is_empty() {
            return Self::Everything;
        }
        let mut path = Vec::new();
        for segment in &segments {
            let Segment::Literal(literal) = segment else {
                return Self::Segments { segments, open };
            };
            path.push(b'/');
            path.extend(literal);
        }
        if open { Self::Under(path) } else { Self::Exact(path) }
    }
}

impl Segment {
    fn parse(part: &str, fold_case: bool, whole: &str) -> Result<Self, PatternError> {
        if part == "*" {
            return Ok(Self::Any);
        }
        if let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            return if !name.is_empty() && name.bytes().all(is_name) {
                Ok(Self::Capture(name.to_owned()))
            } else {
                refuse("letters, digits, \"_\" or \"-\" between \"{\" and \"}\"", part)
            };
        }
        if part.is_empty() {
            return refuse("no empty segment", whole);
        }
        if part.contains(['*', '{', '}']) {
            return refuse("a segment that is literal, \"*\", \"**\" or \"{name}\" as a whole", part);
        }
        if part.contains(['?', '#', ';']) {
            return refuse("a path without query, fragment and \";\" parameters", whole);
        }
        let mut literal = Vec::new();
        write_segment(part.as_bytes(), fold_case, &mut literal);
        if matches!(literal.as_slice(), b"." | b"..") {
            return refuse("no \".\" or \"..\" segment", whole);
        }
        Ok(Self::Literal(literal))
    }

    fn literal(&self) -> Option<&[u8]> {
        match self {
            Self::Literal(literal) => Some(literal),
            Self::Any | Self::Capture(_) => None,
        }
    }

    fn matches(&self, part: &[u8]) -> bool {
        match self {
            Self::Literal(literal) => part == literal,
            Self::Any | Self::Capture(_) => !part.is_empty(),
        }
    }
}

/// The segments of a path; None where it does not begin with a slash.
fn split(path: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    Some(path.strip_prefix(b"/")?.split(|byte| *byte == b'/'))
}

fn refuse<T>(expected: &'static str, got: &str) -> Result<T, PatternError> {
    Err(PatternError::new(expected, got))
}
