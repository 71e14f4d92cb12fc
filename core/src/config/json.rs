//! JSON (RFC 8259) to [`Value`].

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::value::{MAX_DEPTH, Value};

/// Reads exactly one JSON text.
///
/// # Errors
/// A message with line and column.
pub(super) fn parse(text: &[u8]) -> Result<Value, String> {
    if text.starts_with(b"\xef\xbb\xbf") {
        return Err("it begins with a byte order mark; save it without".to_owned());
    }
    let mut source = serde_json::Deserializer::from_slice(text);
    let node = Node { depth: MAX_DEPTH };
    let value = node.deserialize(&mut source).map_err(|fault| fault.to_string())?;
    source.end().map_err(|fault| fault.to_string())?;
    Ok(value)
}

/// A value to come, and how many levels may still be below it.
#[derive(Clone, Copy)]
struct Node {
    depth: u8,
}

impl Node {
    fn below<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1);
        let depth = depth.ok_or_else(|| E::custom(format_args!("nested more than {MAX_DEPTH} deep")))?;
        Ok(Self { depth })
    }
}

impl<'de> DeserializeSeed<'de> for Node {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut items = Vec::new();
        while let Some(item) = source.next_element_seed(below)? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut fields = Vec::new();
        while let Some(name) = source.next_key::<String>()? {
            fields.push((name, source.next_value_seed(below)?));
        }
        Ok(Value::Object(fields))
    }
}
