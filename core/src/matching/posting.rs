//! The rules that something in a request speaks for.

use super::bits::Bits;

/// A list while there are few, and bits once that is the quicker way to add them to a set.
#[derive(Debug, Clone)]
pub(super) enum Posting {
    Few(Vec<u32>),
    Many(Bits),
}

impl Default for Posting {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Posting {
    /// Adds one rule, of `rules` in all.
    pub(super) fn push(&mut self, rule: usize, rules: usize) {
        match self {
            Self::Few(few) => {
                few.push(u32::try_from(rule).unwrap_or(u32::MAX));
                if few.len() > Bits::words(rules) {
                    let mut bits = Bits::empty(rules);
                    self.mark(&mut bits);
                    *self = Self::Many(bits);
                }
            }
            Self::Many(bits) => bits.insert(rule),
        }
    }

    /// Adds them to a set.
    pub(super) fn mark(&self, set: &mut Bits) {
        match self {
            Self::Few(few) => few.iter().for_each(|rule| set.insert(*rule as usize)),
            Self::Many(bits) => set.add(bits),
        }
    }
}
