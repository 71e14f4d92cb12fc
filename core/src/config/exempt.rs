//! `exempt`: what is never limited and never counted.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::value::Value;
use super::{attribute, matching};
use crate::http::{Cidr, CidrSet};
use crate::policy::{Exemption, PropertyEquals};

/// Every field of `match`, and two more.
const EXEMPTION: Shape = Shape {
    what: "an object",
    known: &["methods", "paths", "path_regex", "hosts", "headers", "query", "cidr", "property"],
};

/// The fields that `match` does not have.
const OWN: [&str; 2] = ["cidr", "property"];

const PROPERTY: Shape = Shape { what: "an object with path and equals", known: &["path", "equals"] };

pub(super) fn list(cursor: &Cursor<'_>, fold_case: bool) -> Result<Vec<Exemption>, ConfigError> {
    let items = cursor.some("a list of at least one exemption")?;
    items.iter().map(|item| exemption(item, fold_case)).collect()
}

fn exemption(cursor: &Cursor<'_>, fold_case: bool) -> Result<Exemption, ConfigError> {
    let fields = cursor.fields(&EXEMPTION)?;
    let of_match = of_match(cursor);
    let exemption = Exemption {
        matches: matching::read(&Cursor::at(cursor.path().to_owned(), &of_match), fold_case)?,
        networks: fields.read("cidr", networks)?,
        property: fields.read("property", property)?,
    };
    let everything =
        exemption.networks.is_none() && exemption.property.is_none() && exemption.matches.matches_everything();
    if everything { Err(cursor.error("exempts every request: nothing would be limited")) } else { Ok(exemption) }
}

/// The part of an entry that a `match` could be.
fn of_match(cursor: &Cursor<'_>) -> Value {
    match cursor.value() {
        Value::Object(fields) => {
            let is_match = |(name, _): &&(String, Value)| !OWN.contains(&name.as_str());
            Value::Object(fields.iter().filter(is_match).cloned().collect())
        }
        other => other.clone(),
    }
}

fn networks(cursor: &Cursor<'_>) -> Result<CidrSet, ConfigError> {
    let network = |item: &Cursor<'_>| {
        let text = item.string("a network such as 10.0.0.0/8")?;
        Cidr::parse(text).map_err(|fault| item.expected(&fault.expected))
    };
    let networks = cursor.some("a list of at least one network")?;
    let networks: Vec<_> = networks.iter().map(network).collect::<Result<_, _>>()?;
    Ok(networks.iter().collect())
}

fn property(cursor: &Cursor<'_>) -> Result<PropertyEquals, ConfigError> {
    let fields = cursor.fields(&PROPERTY)?;
    let attribute = attribute::property(&fields.require("path", "a list of at least one text")?)?;
    let what = "a text that is not empty";
    let equals = fields.require("equals", what)?;
    let text = equals.string(what)?;
    if text.is_empty() {
        return Err(equals.expected(what));
    }
    Ok(PropertyEquals { attribute, equals: text.to_owned() })
}
