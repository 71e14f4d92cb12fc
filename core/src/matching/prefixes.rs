//! Which of many prefixes a value begins with.

use super::posting::Posting;
use crate::order::sorted;

/// Prefixes, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct PrefixIndex {
    entries: Vec<Entry>,
    /// How many bytes all of them begin with alike.
    common: usize,
    /// Of each entry, what is next after those, in order as well: nearly always enough to find the place.
    heads: Vec<u64>,
}

#[derive(Debug, Clone)]
struct Entry {
    prefix: Vec<u8>,
    /// The longest other entry that this one begins with.
    parent: Option<usize>,
    /// Of this prefix and of all that it begins with.
    posting: Posting,
}

impl PrefixIndex {
    /// From prefixes and their rules, of `rules` in all.
    pub(super) fn new(given: Vec<(Vec<u8>, usize)>, rules: usize) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for (prefix, rule) in sorted(given) {
            if entries.last().is_none_or(|last| last.prefix != prefix) {
                let before = entries.len().checked_sub(1);
                let parent = Self::longest(&entries, before, &prefix);
                let inherited = parent.and_then(|parent| entries.get(parent)).map(|parent| parent.posting.clone());
                entries.push(Entry { prefix, parent, posting: inherited.unwrap_or_default() });
            }
            if let Some(last) = entries.last_mut() {
                last.posting.push(rule, rules);
            }
        }
        let common = match (entries.first(), entries.last()) {
            (Some(first), Some(last)) => first.prefix.iter().zip(&last.prefix).take_while(|(a, b)| a == b).count(),
            _ => 0,
        };
        let heads = entries.iter().map(|entry| head(&entry.prefix, common)).collect();
        Self { entries, common, heads }
    }

    /// The rules of all prefixes that `value` begins with.
    pub(super) fn get(&self, value: &[u8]) -> Option<&Posting> {
        let first = self.entries.first()?;
        if value.get(..self.common)? != first.prefix.get(..self.common)? {
            return None;
        }
        let head = head(value, self.common);
        let end = self.heads.partition_point(|own| *own <= head);
        let before = self.heads.get(..end)?;
        let after = if before.last() == Some(&head) {
            let start = before.partition_point(|own| *own < head);
            let alike = self.entries.get(start..end)?;
            start + alike.partition_point(|entry| entry.prefix.as_slice() <= value)
        } else {
            end
        };
        let longest = Self::longest(&self.entries, after.checked_sub(1), value)?;
        self.entries.get(longest).map(|entry| &entry.posting)
    }

    /// The longest entry that `value` begins with. All such are among the greatest entry that is not greater than
    /// `value` and that one's ancestors: what lies between a prefix of `value` and `value` begins with that prefix too.
    fn longest(entries: &[Entry], greatest: Option<usize>, value: &[u8]) -> Option<usize> {
        let mut at = greatest;
        while let Some(entry) = at.and_then(|at| entries.get(at)) {
            if value.starts_with(&entry.prefix) {
                return at;
            }
            at = entry.parent;
        }
        None
    }
}

/// The eight bytes after the first `skip`, zeros where there are fewer: in the order of the texts, save for equals.
fn head(text: &[u8], skip: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(text.iter().skip(skip)).for_each(|(to, from)| *to = *from);
    u64::from_be_bytes(bytes)
}
