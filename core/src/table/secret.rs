//! The secret under which keys are hashed: drawn at start, one for all workers, so nobody can aim collisions.

use core::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use siphasher::sip::SipHasher13;
use siphasher::sip128::SipHasher13 as SipHasher13x128;

use crate::store::{Store, StoreError, Swap};

/// A SipHash key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    k0: u64,
    k1: u64,
}

const KEY: &[u8] = b"weir\x01secret";
/// Tells our value from a stranger's in a shared name space.
const MAGIC: [u8; 8] = *b"weirkey1";
/// Creation is lost at most once by each worker; more means that somebody else writes this key.
const ATTEMPTS: usize = 16;

impl Secret {
    /// A secret of these random bytes.
    #[must_use]
    pub const fn new(random: [u8; 16]) -> Self {
        let word = u128::from_le_bytes(random);
        Self { k0: word as u64, k1: (word >> 64) as u64 }
    }

    /// The secret that everybody on this store uses: the one that is there, or else `candidate`.
    ///
    /// # Errors
    /// Where the store fails, or something keeps overwriting the secret.
    pub fn agree(store: &mut impl Store, candidate: Self) -> Result<Self, StoreError> {
        let mut value = Vec::new();
        for _ in 0..ATTEMPTS {
            let version = store.get(KEY, &mut value)?;
            if let Some(secret) = Self::decode(&value).filter(|_| version.is_some()) {
                return Ok(secret);
            }
            if store.swap(KEY, &candidate.encode(), version)? == Swap::Done {
                return Ok(candidate);
            }
        }
        Err(StoreError)
    }

    /// A keyed hash of 64 bits, for names that the configuration chose.
    #[must_use]
    pub(super) fn hash64(&self) -> impl Hasher {
        SipHasher13::new_with_keys(self.k0, self.k1)
    }

    /// A keyed hash for what only damage or a stranger changes: several times as fast, and no defence.
    #[must_use]
    pub(super) fn checksum(&self) -> impl Hasher {
        let mut hasher = FixedState::with_seed(self.k0).build_hasher();
        hasher.write_u64(self.k1);
        hasher
    }

    /// A keyed hash of 128 bits, for what clients chose.
    #[must_use]
    pub(super) fn hash128(&self) -> SipHasher13x128 {
        SipHasher13x128::new_with_keys(self.k0, self.k1)
    }

    fn encode(self) -> Vec<u8> {
        [MAGIC, self.k0.to_le_bytes(), self.k1.to_le_bytes()].concat()
    }

    fn decode(value: &[u8]) -> Option<Self> {
        let key = value.strip_prefix(&MAGIC)?;
        Some(Self::new(key.try_into().ok()?))
    }
}

impl core::fmt::Debug for Secret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Secret(..)")
    }
}
