//! A value that has to be given once.

#[cfg(test)]
mod tests;

use super::trim_blanks;

/// What a request says in a field that may name somebody. Given twice, it names nobody: which of the values the
/// upstream reads is anybody's guess.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Single<'a> {
    /// Not given.
    #[default]
    Absent,
    /// Given, but blank: no value either. Apart from `Absent` only so that a value beside it is seen to be the second.
    Blank,
    /// Given once: the value without surrounding blanks, never empty.
    One(&'a [u8]),
    /// Given more than once, even if alike, or in a form that two readers may read in two ways.
    Repeated,
}

impl<'a> Single<'a> {
    /// Takes in one more field with this name.
    pub fn push(&mut self, value: &'a [u8]) {
        let value = trim_blanks(value);
        *self = match self {
            Self::Absent | Self::Blank if value.is_empty() => Self::Blank,
            Self::Absent => Self::One(value),
            Self::Blank | Self::One(_) | Self::Repeated => Self::Repeated,
        };
    }

    /// The value where something is given at all; `Some(None)` where it is no one value.
    #[must_use]
    pub const fn given(self) -> Option<Option<&'a [u8]>> {
        match self {
            Self::Absent | Self::Blank => None,
            Self::One(value) => Some(Some(value)),
            Self::Repeated => Some(None),
        }
    }

    /// The value, if there is exactly one.
    #[must_use]
    pub const fn value(self) -> Option<&'a [u8]> {
        match self {
            Self::One(value) => Some(value),
            Self::Absent | Self::Blank | Self::Repeated => None,
        }
    }
}

impl<'a> FromIterator<&'a [u8]> for Single<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(values: I) -> Self {
        let mut single = Self::Absent;
        for value in values {
            single.push(value);
        }
        single
    }
}
