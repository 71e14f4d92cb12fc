//! How the table is laid out: `max_entries` places in sets of up to [`SET_PLACES`].

/// The most entries of one set. A larger set wastes fewer places when clients fall unevenly and has room for a longer
/// log, a smaller one is quicker to copy; at 128 a full set is 4 KiB.
pub const SET_PLACES: u32 = 128;

/// The layout that follows from `max_entries`. Another number is another table, which starts empty; nothing else is, so
/// that debt survives any other change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    entries: u32,
    sets: u32,
}

/// One set of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetIndex {
    /// The set that a partition key chose.
    Home(u32),
    /// The set that newcomers share where everybody in their own is at the limit; one bucket per limit.
    Overflow,
}

/// The name of a set in the store: short enough for the host to keep inline, and ours alone by its prefix.
pub type SetKey = [u8; 13];

impl Geometry {
    /// The layout for so many entries, at least one.
    #[must_use]
    pub const fn new(max_entries: u32) -> Self {
        let entries = if max_entries == 0 { 1 } else { max_entries };
        Self { entries, sets: entries.div_ceil(SET_PLACES) }
    }

    /// How many sets there are, without the overflow.
    #[must_use]
    pub const fn sets(&self) -> u32 {
        self.sets
    }

    /// The home of a partition key, evenly spread over the sets.
    #[must_use]
    pub const fn home(&self, place: u64) -> SetIndex {
        SetIndex::Home(((place as u128 * self.sets as u128) >> 64) as u32)
    }

    /// How many entries a set may hold. All homes together hold exactly `max_entries`.
    #[must_use]
    pub fn capacity(&self, set: SetIndex) -> usize {
        let even = self.entries.checked_div(self.sets).unwrap_or(1);
        let rest = self.entries.checked_rem(self.sets).unwrap_or(0);
        match set {
            SetIndex::Home(index) => (even + u32::from(index < rest)) as usize,
            SetIndex::Overflow => SET_PLACES as usize,
        }
    }

    /// The set's name in the store.
    #[must_use]
    pub fn key(&self, set: SetIndex) -> SetKey {
        let index = match set {
            SetIndex::Home(index) => index,
            SetIndex::Overflow => u32::MAX,
        };
        let [e0, e1, e2, e3] = self.entries.to_le_bytes();
        let [i0, i1, i2, i3] = index.to_le_bytes();
        [b'w', b'e', b'i', b'r', 1, e0, e1, e2, e3, i0, i1, i2, i3]
    }
}
