//! `count`: which requests keep what they took.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::value::Value;
use crate::policy::Count;

const COUNT: Shape = Shape { what: "all, or an object with status or grpc_status", known: &["status", "grpc_status"] };

pub(super) fn read(cursor: &Cursor<'_>) -> Result<Count, ConfigError> {
    if matches!(cursor.value(), Value::String(text) if text == "all") {
        return Ok(Count::All);
    }
    let fields = cursor.fields(&COUNT)?;
    let status = fields.read("status", |list| statuses(list, 100, 599))?;
    let grpc_status = fields.read("grpc_status", |list| statuses(list, 0, 16))?;
    if status.is_none() && grpc_status.is_none() {
        return Err(cursor.error("expected status or grpc_status, got neither"));
    }
    Ok(Count::Responses { status: status.unwrap_or_default(), grpc_status: grpc_status.unwrap_or_default() })
}

fn statuses<T: TryFrom<u64> + PartialEq>(cursor: &Cursor<'_>, least: u16, most: u16) -> Result<Vec<T>, ConfigError> {
    let mut statuses: Vec<T> = Vec::new();
    for item in cursor.some("a list of at least one status")? {
        let number = item.whole(least.into()..=most.into())?;
        let Ok(status) = T::try_from(number) else {
            return Err(item.expected("a status"));
        };
        if let Some(twin) = statuses.iter().position(|earlier| *earlier == status) {
            return Err(item.error(format!("the same as {}[{twin}]", cursor.path())));
        }
        statuses.push(status);
    }
    Ok(statuses)
}
