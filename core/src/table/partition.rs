//! Partition keys: what a limit counts apart, hashed at once so that no credential is kept.

use core::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use crate::table::secret::Secret;

/// The hash of a partition key: two independent halves of one keyed 128-bit hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Partition {
    /// Chooses the set.
    pub place: u64,
    /// Tells the key from others in its set.
    pub tag: u64,
}

/// Which limit a bucket belongs to: its tag is the partition's, mixed with this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Salt(pub u64);

/// Builds a partition key of typed, length-prefixed parts, so that no two keys share an encoding.
#[derive(Debug)]
pub struct PartitionBuilder(SipHasher13);

impl PartitionBuilder {
    /// An empty key.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        Self(secret.hash128())
    }

    /// Appends one part. `kind` tells what the bytes are; equal kinds must mean equal things.
    pub fn part(&mut self, kind: u8, bytes: &[u8]) {
        self.0.write_u8(kind);
        self.0.write_u64(bytes.len() as u64);
        self.0.write(bytes);
    }

    /// The finished key.
    #[must_use]
    pub fn finish(self) -> Partition {
        let hash = self.0.finish128();
        Partition { place: hash.h1, tag: hash.h2 }
    }
}

impl Salt {
    /// The salt of the limit with these names; each must be complete, in a fixed order.
    #[must_use]
    pub fn new(secret: &Secret, names: &[&str]) -> Self {
        let mut hasher = secret.hash64();
        for name in names {
            hasher.write_u64(name.len() as u64);
            hasher.write(name.as_bytes());
        }
        Self(hasher.finish())
    }

    /// The tag of this limit's bucket for the partition key.
    #[must_use]
    pub const fn tag(self, partition: Partition) -> u64 {
        self.0 ^ partition.tag
    }
}
