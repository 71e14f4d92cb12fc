//! `store`: the size of the table.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use crate::policy::{StorePolicy, WhenFull};

const STORE: Shape = Shape { what: "an object", known: &["max_entries", "when_full"], later: &[] };

/// The largest table.
const MAX_ENTRIES: u32 = 10_000_000;

pub(super) fn read(cursor: &Cursor<'_>) -> Result<StorePolicy, ConfigError> {
    let fields = cursor.fields(&STORE)?;
    let default = StorePolicy::default();
    let entries = |field: &Cursor<'_>| {
        let entries = field.whole(1..=u64::from(MAX_ENTRIES))?;
        Ok(u32::try_from(entries).unwrap_or(MAX_ENTRIES))
    };
    let choices = [("displace", Some(WhenFull::Displace)), ("overflow", Some(WhenFull::Overflow))];
    Ok(StorePolicy {
        max_entries: fields.read("max_entries", entries)?.unwrap_or(default.max_entries),
        when_full: fields.read("when_full", |field| field.choice(&choices))?.unwrap_or(default.when_full),
    })
}

/// Refuses a table without room for all the limits that one request meets: it could never be decided.
pub(super) fn check_room(store: &StorePolicy, limits: usize) -> Result<(), ConfigError> {
    if usize::try_from(store.max_entries).is_ok_and(|entries| entries < limits) {
        let message =
            format!("expected at least {limits}, since one request can meet so many limits, got {}", store.max_entries);
        return Err(ConfigError::new("store.max_entries", message));
    }
    Ok(())
}
