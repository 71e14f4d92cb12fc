//! Sets of rules, a bit for each.

const WORD: usize = u64::BITS as usize;

/// A set of rules by their places. All sets of one matcher have the same length.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Clone for Bits {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    // Keeps the memory that is there already.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Bits {
    pub(super) fn empty(rules: usize) -> Self {
        Self(vec![0; rules.div_ceil(WORD)])
    }

    pub(super) fn full(rules: usize) -> Self {
        (0..rules).fold(Self::empty(rules), |mut bits, rule| {
            bits.insert(rule);
            bits
        })
    }

    pub(super) fn insert(&mut self, rule: usize) {
        if let Some(word) = self.0.get_mut(rule / WORD) {
            *word |= 1 << (rule % WORD);
        }
    }

    pub(super) fn contains(&self, rule: usize) -> bool {
        self.0.get(rule / WORD).is_some_and(|word| word >> (rule % WORD) & 1 == 1)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    pub(super) fn retain(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }

    /// Whether it has anything that `other` has not.
    pub(super) fn exceeds(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & !other != 0)
    }

    /// The first place that is accepted; places are asked about in order.
    pub(super) fn find(&self, mut accepted: impl FnMut(usize) -> bool) -> Option<usize> {
        for (index, word) in self.0.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let place = index * WORD + left.trailing_zeros() as usize;
                if accepted(place) {
                    return Some(place);
                }
                // Clears the lowest bit that is set.
                left &= left - 1;
            }
        }
        None
    }

    /// How many words a set of this length has.
    pub(super) fn words(rules: usize) -> usize {
        rules.div_ceil(WORD)
    }
}
