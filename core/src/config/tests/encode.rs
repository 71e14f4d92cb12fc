//! Values in both notations.

use super::super::value::Value;

/// `google.protobuf.Struct` in the wire format; `value` is an object.
pub(super) fn as_struct(value: &Value) -> Vec<u8> {
    let Value::Object(fields) = value else { panic!("a Struct is an object") };
    let mut out = Vec::new();
    for (name, value) in fields {
        let mut entry = field(1, name.as_bytes());
        entry.extend(field(2, &as_value(value)));
        out.extend(field(1, &entry));
    }
    out
}

fn as_value(value: &Value) -> Vec<u8> {
    match value {
        Value::Null => vec![1 << 3, 0],
        Value::Number(number) => [&[2 << 3 | 1][..], &number.to_le_bytes()].concat(),
        Value::String(text) => field(3, text.as_bytes()),
        Value::Bool(value) => vec![4 << 3, u8::from(*value)],
        Value::Object(_) => field(5, &as_struct(value)),
        Value::List(items) => field(6, &items.iter().flat_map(|item| field(1, &as_value(item))).collect::<Vec<_>>()),
    }
}

/// A field of wire type 2.
pub(super) fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut length = content.len();
    while length > 0x7f {
        out.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend(content);
    out
}

pub(super) fn as_json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => serde_json::to_string(text).unwrap(),
        Value::List(items) => format!("[{}]", items.iter().map(as_json).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let field = |(name, value): &(String, Value)| {
                format!("{}:{}", serde_json::to_string(name).unwrap(), as_json(value))
            };
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
        }
    }
}
