//! A faithful native model of Envoy's shared data: one lock, one global counter of versions, a non-zero version on
//! an absent key creates it, and nothing is ever deleted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::store::{Store, StoreError, Swap, Version};

/// A handle on the shared map; clones share it.
#[derive(Debug, Clone, Default)]
pub struct SharedData(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    versions: u32,
    values: HashMap<Vec<u8>, (Vec<u8>, u32)>,
}

impl SharedData {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many keys there are.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.lock().values.len()
    }

    /// Bytes of all keys and values.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lock().values.iter().map(|(key, (value, _))| key.len() + value.len()).sum()
    }

    /// Overwrites every value by what `edit` makes of it: damage, for tests.
    pub fn corrupt(&self, mut edit: impl FnMut(&mut Vec<u8>)) {
        self.lock().values.values_mut().for_each(|(value, _)| edit(value));
    }
}

impl Store for SharedData {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        value.clear();
        Ok(self.lock().values.get(key).map(|(bytes, version)| {
            value.extend_from_slice(bytes);
            Version(*version)
        }))
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        // As the filter asks for creation: by a version that no value will carry.
        let cas = expected.map_or(u32::MAX, |version| version.0);
        let mut inner = self.lock();
        inner.versions = inner.versions.wrapping_add(1).max(1);
        let next = inner.versions;
        match inner.values.get_mut(key) {
            Some((_, version)) if cas != 0 && *version != cas => Ok(Swap::Lost),
            Some(entry) => {
                *entry = (value.to_vec(), next);
                Ok(Swap::Done)
            }
            None => {
                inner.values.insert(key.to_vec(), (value.to_vec(), next));
                Ok(Swap::Done)
            }
        }
    }
}
