//! Where records are kept: small values under short keys, replaced by compare-and-swap.
//!
//! Modelled on what a proxy's shared data gives and no more: no deletion, no listing, no expiry.

#[cfg(any(test, feature = "model"))]
pub mod map;
#[cfg(any(test, feature = "model"))]
pub mod model;

/// A value's version, as its store counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version(pub u32);

/// How a swap ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// The new value is in place.
    Done,
    /// Somebody was faster; nothing was written.
    Lost,
}

/// The store did not do what was asked, for a reason of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreError;

/// Whether nobody on this store has claimed `key` before; now it is claimed. True as well where the store fails: what
/// happens once may rather happen twice than never.
pub fn claim(store: &mut impl Store, key: &[u8]) -> bool {
    match store.get(key, &mut Vec::new()) {
        Ok(Some(_)) => false,
        Ok(None) => store.swap(key, b"claimed", None) != Ok(Swap::Lost),
        Err(StoreError) => true,
    }
}

/// A shared store.
pub trait Store {
    /// Reads the value of `key` into `value`, replacing what was there; `None` where the key is absent.
    ///
    /// # Errors
    /// Where the store cannot be read.
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError>;

    /// Replaces the value of `key` if it still has the version `expected`; `None` creates it if it is still absent.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError>;
}
