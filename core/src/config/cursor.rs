//! A place in the configuration: a value and the path that leads to it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::error::ConfigError;
use super::fields::{Fields, Shape, child};
use super::show::{alternatives, described};
use super::value::Value;
use crate::http::PatternError;

/// Reads the value as what a field needs, or says by its path why it cannot.
pub(super) struct Cursor<'v> {
    path: String,
    value: &'v Value,
}

impl<'v> Cursor<'v> {
    pub(super) fn root(value: &'v Value) -> Self {
        Self::at(String::new(), value)
    }

    pub(super) fn at(path: String, value: &'v Value) -> Self {
        Self { path, value }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn value(&self) -> &'v Value {
        self.value
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ConfigError {
        ConfigError::new(self.path.clone(), message)
    }

    /// `expected …, got …`, with this value.
    pub(super) fn expected(&self, what: &str) -> ConfigError {
        self.error(format!("expected {what}, got {}", described(self.value)))
    }

    /// For what [`crate::http`] cannot read as a pattern.
    pub(super) fn pattern(&self, fault: &PatternError) -> ConfigError {
        self.expected(fault.expected)
    }

    pub(super) fn string(&self, what: &str) -> Result<&'v str, ConfigError> {
        if let Value::String(text) = self.value { Ok(text) } else { Err(self.expected(what)) }
    }

    pub(super) fn boolean(&self) -> Result<bool, ConfigError> {
        if let Value::Bool(value) = self.value { Ok(*value) } else { Err(self.expected("true or false")) }
    }

    /// A whole number within bounds that a double holds exactly. A number in quotes is none, but for one of more than 31
    /// bits: Envoy writes those into a `Struct` as text, so there they cannot be told apart.
    pub(super) fn whole(&self, bounds: RangeInclusive<u64>) -> Result<u64, ConfigError> {
        if let Value::String(digits) = self.value
            && let Ok(number) = digits.parse()
            && number > u64::from(i32::MAX.unsigned_abs())
            && bounds.contains(&number)
        {
            return Ok(number);
        }
        if let Value::Number(number) = self.value
            && number.fract() == 0.0
            && (*bounds.start() as f64..=*bounds.end() as f64).contains(number)
        {
            return Ok(*number as u64);
        }
        Err(self.expected(&format!("a whole number from {} to {}", bounds.start(), bounds.end())))
    }

    /// One of the names given, as what stands beside it.
    pub(super) fn choice<T: Copy>(&self, names: &[(&'static str, T)]) -> Result<T, ConfigError> {
        let chosen = names.iter().find(|(name, _)| matches!(self.value, Value::String(text) if text == name));
        chosen
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| self.expected(&alternatives(names.iter().map(|(name, _)| *name))))
    }

    /// The items of a list.
    pub(super) fn list(&self, what: &str) -> Result<Vec<Self>, ConfigError> {
        let Value::List(items) = self.value else {
            return Err(self.expected(what));
        };
        let item = |(index, value)| Self::at(format!("{}[{index}]", self.path), value);
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The items of a list that has some: an empty one would be a hole, or a fault in what wrote it.
    pub(super) fn some(&self, what: &str) -> Result<Vec<Self>, ConfigError> {
        let items = self.list(what)?;
        if items.is_empty() { Err(self.expected(what)) } else { Ok(items) }
    }

    /// The fields of an object, all of which are known.
    pub(super) fn fields(&self, shape: &Shape) -> Result<Fields<'v>, ConfigError> {
        let Value::Object(entries) = self.value else {
            return Err(self.expected(shape.what));
        };
        Fields::new(&self.path, entries, shape)
    }

    /// The fields of an object that has some, with names of the user's choice, each given once.
    pub(super) fn entries(&self, what: &str) -> Result<Vec<(&'v str, Self)>, ConfigError> {
        self.named(what, |_, name| child(&self.path, name))
    }

    /// As [`entries`](Self::entries), with names that no message may show: the paths have their places instead.
    pub(super) fn secret_entries(&self, what: &str) -> Result<Vec<(&'v str, Self)>, ConfigError> {
        self.named(what, |place, _| format!("{}[{place}]", self.path))
    }

    fn named(&self, what: &str, path: impl Fn(usize, &str) -> String) -> Result<Vec<(&'v str, Self)>, ConfigError> {
        let entries = match self.value {
            Value::Object(entries) if !entries.is_empty() => entries,
            Value::Object(_) => return Err(self.error(format!("expected {what}, got an empty one"))),
            _ => return Err(self.expected(what)),
        };
        let mut seen = BTreeSet::new();
        let entry = |(place, (name, value)): (usize, &'v (String, Value))| {
            let field = Self::at(path(place, name), value);
            if seen.insert(name) { Ok((name.as_str(), field)) } else { Err(field.error("given twice")) }
        };
        entries.iter().enumerate().map(entry).collect()
    }
}
