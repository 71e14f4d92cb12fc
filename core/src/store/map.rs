//! A plain map: the simplest honest [`Store`], for one thread.
//!
//! Unlike a proxy's shared data it counts versions for each key, and swaps a key that is absent only where it is
//! expected to be.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::store::{Store, StoreError, Swap, Version};

/// A store of its own.
#[derive(Debug, Default)]
pub struct Map(HashMap<Vec<u8>, (Vec<u8>, Version)>);

impl Store for Map {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        value.clear();
        Ok(self.0.get(key).map(|(bytes, version)| {
            value.extend_from_slice(bytes);
            *version
        }))
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        match (self.0.entry(key.to_vec()), expected) {
            (Entry::Vacant(place), None) => {
                place.insert((value.to_vec(), Version(1)));
                Ok(Swap::Done)
            }
            (Entry::Occupied(mut place), Some(version)) if place.get().1 == version => {
                place.insert((value.to_vec(), Version(version.0.wrapping_add(1))));
                Ok(Swap::Done)
            }
            _ => Ok(Swap::Lost),
        }
    }
}
