//! `google.protobuf.Struct` in the protobuf wire format to [`Value`].

use super::value::{MAX_DEPTH, Value};

/// What is wrong with the bytes.
pub(super) type Fault = &'static str;

const CUT_OFF: Fault = "it is cut off";
const NO_SUCH_FIELD: Fault = "it has a field that a Struct does not have";
const TOO_DEEP: Fault = "it is nested too deep";
const TYPED: Fault = "it is a TypedStruct; give its value as a plain Struct";

/// Reads a whole message; no bytes are an empty one. Fields that the message does not have are refused: it would be some
/// other message.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    let mut fields = Vec::new();
    read_struct(bytes, MAX_DEPTH, &mut fields)?;
    Ok(Value::Object(fields))
}

/// `Struct`: `map<string, Value> fields = 1`.
fn read_struct(bytes: &[u8], depth: u8, fields: &mut Vec<(String, Value)>) -> Result<(), Fault> {
    let depth = depth.checked_sub(1).ok_or(TOO_DEEP)?;
    let mut reader = Reader { rest: bytes };
    while let Some(field) = reader.next()? {
        let (1, Wire::Bytes(entry)) = field else {
            return Err(NO_SUCH_FIELD);
        };
        let read = read_entry(entry, depth);
        fields.push(if entry.starts_with(b"type.googleapis.com/") { read.map_err(|_| TYPED)? } else { read? });
    }
    // The order of a map on the wire means nothing and may change: messages should not change with it.
    fields.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(())
}

/// An entry of a map: `string key = 1; Value value = 2`.
fn read_entry(bytes: &[u8], depth: u8) -> Result<(String, Value), Fault> {
    let (mut key, mut value) = (String::new(), Value::Null);
    let mut reader = Reader { rest: bytes };
    while let Some(field) = reader.next()? {
        match field {
            (1, Wire::Bytes(text)) => key = utf8(text)?,
            (2, Wire::Bytes(message)) => read_value(message, depth, &mut value)?,
            _ => return Err(NO_SUCH_FIELD),
        }
    }
    Ok((key, value))
}

/// `Value`: one of `null_value = 1`, `number_value = 2`, `string_value = 3`, `bool_value = 4`, `struct_value = 5`,
/// `list_value = 6`. The last one given wins, and a message given twice is merged, as protobuf has it.
fn read_value(bytes: &[u8], depth: u8, value: &mut Value) -> Result<(), Fault> {
    let mut reader = Reader { rest: bytes };
    while let Some(field) = reader.next()? {
        match field {
            (1, Wire::Varint(_)) => *value = Value::Null,
            (2, Wire::Fixed64(bits)) => *value = Value::Number(f64::from_bits(bits)),
            (3, Wire::Bytes(text)) => *value = Value::String(utf8(text)?),
            (4, Wire::Varint(bit)) => *value = Value::Bool(bit != 0),
            (5, Wire::Bytes(message)) => {
                let mut fields = if let Value::Object(fields) = value { std::mem::take(fields) } else { Vec::new() };
                read_struct(message, depth, &mut fields)?;
                *value = Value::Object(fields);
            }
            (6, Wire::Bytes(message)) => {
                let mut items = if let Value::List(items) = value { std::mem::take(items) } else { Vec::new() };
                read_list(message, depth, &mut items)?;
                *value = Value::List(items);
            }
            _ => return Err(NO_SUCH_FIELD),
        }
    }
    Ok(())
}

/// `ListValue`: `repeated Value values = 1`.
fn read_list(bytes: &[u8], depth: u8, items: &mut Vec<Value>) -> Result<(), Fault> {
    let depth = depth.checked_sub(1).ok_or(TOO_DEEP)?;
    let mut reader = Reader { rest: bytes };
    while let Some(field) = reader.next()? {
        let (1, Wire::Bytes(message)) = field else {
            return Err(NO_SUCH_FIELD);
        };
        let mut item = Value::Null;
        read_value(message, depth, &mut item)?;
        items.push(item);
    }
    Ok(())
}

fn utf8(bytes: &[u8]) -> Result<String, Fault> {
    let text = str::from_utf8(bytes).map_err(|_| "it has text that is not UTF-8")?;
    Ok(text.to_owned())
}

/// A field's content, in the wire types that a Struct uses.
enum Wire<'a> {
    Varint(u64),
    Fixed64(u64),
    Bytes(&'a [u8]),
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next field's number and content; None at the end.
    fn next(&mut self) -> Result<Option<(u64, Wire<'a>)>, Fault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let wire = match tag & 7 {
            0 => Wire::Varint(self.varint()?),
            1 => {
                let (bits, rest) = self.rest.split_first_chunk().ok_or(CUT_OFF)?;
                self.rest = rest;
                Wire::Fixed64(u64::from_le_bytes(*bits))
            }
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| CUT_OFF)?;
                let (content, rest) = self.rest.split_at_checked(length).ok_or(CUT_OFF)?;
                self.rest = rest;
                Wire::Bytes(content)
            }
            _ => return Err(NO_SUCH_FIELD),
        };
        Ok(Some((tag >> 3, wire)))
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (byte, rest) = self.rest.split_first().ok_or(CUT_OFF)?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("it has a number that does not end")
    }
}
