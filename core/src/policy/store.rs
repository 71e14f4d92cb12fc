//! The size of the table.

/// The size of the table and what happens when it is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorePolicy {
    /// Entries kept: one entry is one client in one limit.
    pub max_entries: u32,
    /// What a newcomer gets where everybody in reach is at their limit.
    pub when_full: WhenFull,
}

/// See [`StorePolicy::when_full`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenFull {
    /// The place of the entry nearest to recovery.
    Displace,
    /// A share of one bucket for all newcomers of the limit.
    Overflow,
}

impl Default for StorePolicy {
    fn default() -> Self {
        Self { max_entries: 100_000, when_full: WhenFull::Displace }
    }
}
