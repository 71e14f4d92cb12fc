//! Exact lookups.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// A map by bytes that are known beforehand. What is asked for may be anything, which is why no key longer than the
/// longest known is hashed; what the hash is need not be secret, since a request adds nothing.
#[derive(Debug, Clone)]
pub(super) struct Keyed<V> {
    map: HashMap<Box<[u8]>, V, FixedState>,
    longest: usize,
}

impl<V> Default for Keyed<V> {
    fn default() -> Self {
        Self { map: HashMap::default(), longest: 0 }
    }
}

impl<V> Keyed<V> {
    pub(super) fn get(&self, key: &[u8]) -> Option<&V> {
        if key.len() > self.longest { None } else { self.map.get(key) }
    }

    /// The value of `key`, made if it is new.
    pub(super) fn entry(&mut self, key: &[u8], make: impl FnOnce() -> V) -> &mut V {
        self.longest = self.longest.max(key.len());
        self.map.entry(key.into()).or_insert_with(make)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The length of the longest key.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }
}
