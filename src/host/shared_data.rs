//! Shared data as a store.

use weir_core::store::{Store, StoreError, Swap, Version};

use crate::host::abi;
use crate::host::call::Call;

/// The host counts versions up from 1, so none is this one for four billion writes: setting with it creates a key that
/// is absent and fails on one that is there.
const CREATE: u32 = u32::MAX;

impl Store for &Call {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        value.clear();
        Ok(self.shared_data(key).map(|(bytes, version)| {
            value.extend_from_slice(bytes);
            Version(version)
        }))
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        match self.set_shared_data(key, value, expected.map_or(CREATE, |version| version.0)) {
            abi::OK => Ok(Swap::Done),
            abi::CAS_MISMATCH => Ok(Swap::Lost),
            _ => Err(StoreError),
        }
    }
}
