//! `ip`: how addresses become clients.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::{Fields, Shape};
use crate::http::address::PrefixLengths;
use crate::policy::AddressPolicy;

const IP: Shape = Shape { what: "an object", known: &["v4_prefix", "v6_prefix", "trust_forwarded"] };

pub(super) fn read(cursor: &Cursor<'_>) -> Result<AddressPolicy, ConfigError> {
    let fields = cursor.fields(&IP)?;
    let default = AddressPolicy::default();
    Ok(AddressPolicy {
        prefix: PrefixLengths {
            v4: prefix(&fields, "v4_prefix", 32)?.unwrap_or(default.prefix.v4),
            v6: prefix(&fields, "v6_prefix", 128)?.unwrap_or(default.prefix.v6),
        },
        trust_forwarded: fields.read("trust_forwarded", Cursor::boolean)?.unwrap_or(default.trust_forwarded),
    })
}

/// At least one bit: with none, the whole world would be one client, which `per: []` says better.
fn prefix(fields: &Fields<'_>, name: &str, bits: u8) -> Result<Option<u8>, ConfigError> {
    let read = |field: &Cursor<'_>| field.whole(1..=u64::from(bits)).map(|length| u8::try_from(length).unwrap_or(bits));
    fields.read(name, read)
}
