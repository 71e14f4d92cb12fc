//! Configurations that come close to what is accepted, in both notations.

#[cfg(test)]
mod tests;

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

/// Every word that a configuration may hold, and some that it may not.
const NAMES: [&str; 36] = [
    "limits",
    "rules",
    "client",
    "ip",
    "headers",
    "store",
    "instance",
    "mode",
    "case_insensitive_paths",
    "rate",
    "burst",
    "per",
    "name",
    "algorithm",
    "cost",
    "count",
    "missing",
    "scope",
    "match",
    "methods",
    "paths",
    "hosts",
    "bearer",
    "header",
    "cookie",
    "x_ratelimit",
    "ratelimit",
    "reset",
    "v4_prefix",
    "v6_prefix",
    "trust_forwarded",
    "max_entries",
    "when_full",
    "plans",
    "nmae",
    "",
];

const TEXTS: [&str; 40] = [
    "5/m",
    "100/minute",
    "1/2s",
    "1000000000000/d",
    "1/365d",
    "0/s",
    "ip",
    "client",
    "method",
    "path",
    "host",
    "header:x-tenant",
    "cookie:session",
    "path:id",
    "plan",
    "GET",
    "POST",
    "OPTIONS",
    "/",
    "/**",
    "/users/{id}/**",
    "/a/*/b",
    "/a/../b",
    "api.test",
    "*.example.com",
    "[::1]",
    "enforce",
    "shadow",
    "token_bucket",
    "displace",
    "overflow",
    "draft-11",
    "draft-12",
    "epoch",
    "delta",
    "x-api-key",
    "all",
    "proxy",
    "a\"b\\c",
    "\u{fc}\n",
];

const NUMBERS: [f64; 14] = [0.0, 1.0, 2.0, 5.0, 32.0, 64.0, 128.0, 1e5, 1e12, 1e13, -1.0, 0.5, 9e15, 1e300];

/// A configuration of a plausible shape, each part of which may be anything.
///
/// # Errors
/// Where the bytes do not suffice.
pub fn configuration(source: &mut Unstructured<'_>) -> Result<Value> {
    let mut fields = Map::new();
    for _ in 0..source.int_in_range(0..=2)? {
        let known = ["client", "ip", "headers", "store", "instance", "mode", "case_insensitive_paths"];
        let name = if source.ratio(15, 16)? { *source.choose(&known)? } else { *source.choose(&NAMES)? };
        fields.insert(name.to_owned(), field(source, name)?);
    }
    if source.ratio(3, 4)? {
        fields.insert("limits".to_owned(), several(source, limit)?);
    }
    if source.ratio(1, 2)? {
        let mut rules = several(source, rule)?;
        // Names differ, mostly: or few trees would pass.
        for (place, rule) in rules.as_array_mut().into_iter().flatten().enumerate() {
            if source.ratio(15, 16)? {
                rule["name"] = json!(format!("rule {place}"));
            }
        }
        fields.insert("rules".to_owned(), rules);
    }
    Ok(Value::Object(fields))
}

fn limit(source: &mut Unstructured<'_>) -> Result<Value> {
    let mut limit = json!({"rate": rate(source)?});
    for name in ["burst", "per", "name", "cost", "mode", "scope"] {
        if source.ratio(1, 6)? {
            limit[name] = field(source, name)?;
        }
    }
    Ok(limit)
}

fn rule(source: &mut Unstructured<'_>) -> Result<Value> {
    let mut matches = json!({});
    for name in ["methods", "paths", "hosts"] {
        if source.ratio(1, 2)? {
            matches[name] = field(source, name)?;
        }
    }
    Ok(json!({"name": text(source)?, "match": matches, "limits": several(source, limit)?}))
}

/// What the field of this name takes, mostly.
fn field(source: &mut Unstructured<'_>, name: &str) -> Result<Value> {
    if source.ratio(1, 32)? {
        return any(source, 4);
    }
    let whole = |source: &mut Unstructured<'_>, most| Ok(json!(source.int_in_range(0..=most)?));
    match name {
        "burst" => whole(source, 2_000_u32),
        "max_entries" => whole(source, 200_000),
        "v4_prefix" | "v6_prefix" => whole(source, 130),
        "cost" => Ok(json!(1)),
        "methods" => several(source, |source| Ok(json!(source.choose(&["GET", "PUT", "POST", "HEAD", "OPTIONS"])?))),
        "paths" => {
            several(source, |source| Ok(json!(source.choose(&["/", "/**", "/a", "/u/{id}", "/u/*/**", "/b;c"])?)))
        }
        "hosts" => several(source, |source| Ok(json!(source.choose(&["a.test", "*.a.test", "[::1]", "b.test"])?))),
        "per" => several(source, |source| {
            Ok(json!(source.choose(&["client", "ip", "method", "path", "host", "header:x-tenant", "path:id"])?))
        }),
        "client" => several(source, |source| {
            let sources =
                [json!({"bearer": true}), json!({"header": "x-api-key"}), json!({"cookie": "s"}), json!("ip")];
            Ok(source.choose(&sources)?.clone())
        }),
        "mode" => Ok(json!("enforce")),
        "scope" => Ok(json!("proxy")),
        "store" => Ok(
            json!({"max_entries": field(source, "max_entries")?, "when_full": source.choose(&["displace", "overflow"])?}),
        ),
        "ip" => Ok(json!({"v4_prefix": field(source, "v4_prefix")?, "trust_forwarded": source.arbitrary::<bool>()?})),
        "headers" => Ok(
            json!({"x_ratelimit": source.arbitrary::<bool>()?, "ratelimit": source.choose(&["draft-11", "draft-12"])?}),
        ),
        "case_insensitive_paths" => Ok(json!(source.arbitrary::<bool>()?)),
        "instance" => Ok(json!(source.choose(&["one", "two"])?)),
        _ => text(source),
    }
}

fn rate(source: &mut Unstructured<'_>) -> Result<String> {
    if source.ratio(1, 32)? {
        return Ok(source.choose(&TEXTS)?.to_string());
    }
    let unit = source.choose(&["s", "m", "h", "d", "minute", "day", "7s", "3d"])?;
    Ok(format!("{}/{unit}", source.int_in_range(1..=1_000_u64)?))
}

fn several(
    source: &mut Unstructured<'_>,
    mut one: impl FnMut(&mut Unstructured<'_>) -> Result<Value>,
) -> Result<Value> {
    // An empty list is mostly refused.
    let fewest = u8::from(source.ratio(15, 16)?);
    (0..source.int_in_range(fewest..=3)?).map(|_| one(source)).collect()
}

fn text(source: &mut Unstructured<'_>) -> Result<Value> {
    if source.ratio(3, 4)? { Ok(json!(source.choose(&TEXTS)?)) } else { Ok(json!(source.arbitrary::<&str>()?)) }
}

/// Any value at all, nested so deep at most.
fn any(source: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    Ok(match source.int_in_range(0..=if depth == 0 { 3 } else { 5 })? {
        0 => Value::Null,
        1 => json!(source.arbitrary::<bool>()?),
        2 => json!(source.choose(&NUMBERS)?),
        3 => text(source)?,
        4 => several(source, |source| any(source, depth - 1))?,
        _ => {
            let mut fields = Map::new();
            for _ in 0..source.int_in_range(0..=3)? {
                fields.insert(source.choose(&NAMES)?.to_string(), any(source, depth - 1)?);
            }
            Value::Object(fields)
        }
    })
}

/// The value as `google.protobuf.Struct` in the wire format; an object.
#[must_use]
pub fn as_struct(value: &Value) -> Vec<u8> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .flat_map(|(name, value)| message(1, &[message(1, name.as_bytes()), message(2, &as_value(value))].concat()))
        .collect()
}

fn as_value(value: &Value) -> Vec<u8> {
    match value {
        Value::Null => vec![1 << 3, 0],
        Value::Number(number) => [&[2 << 3 | 1][..], &number.as_f64().unwrap_or_default().to_le_bytes()].concat(),
        Value::String(text) => message(3, text.as_bytes()),
        Value::Bool(value) => vec![4 << 3, u8::from(*value)],
        Value::Object(_) => message(5, &as_struct(value)),
        Value::Array(items) => {
            message(6, &items.iter().flat_map(|item| message(1, &as_value(item))).collect::<Vec<_>>())
        }
    }
}

/// A field of wire type 2.
fn message(number: u8, content: &[u8]) -> Vec<u8> {
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
