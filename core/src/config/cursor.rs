//! A place in the configuration: a value and the path that leads to it.

use std::ops::RangeInclusive;

use super::error::ConfigError;
use super::fields::{Fields, Shape};
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

    /// For what Weir defines and this version does not do: it must not be ignored.
    pub(super) fn unsupported(&self) -> ConfigError {
        self.error("not supported yet")
    }

    pub(super) fn string(&self, what: &str) -> Result<&'v str, ConfigError> {
        if let Value::String(text) = self.value { Ok(text) } else { Err(self.expected(what)) }
    }

    pub(super) fn boolean(&self) -> Result<bool, ConfigError> {
        if let Value::Bool(value) = self.value { Ok(*value) } else { Err(self.expected("true or false")) }
    }

    /// A whole number within bounds that a double holds exactly. A number in quotes is none.
    pub(super) fn whole(&self, bounds: RangeInclusive<u64>) -> Result<u64, ConfigError> {
        if let Value::Number(number) = self.value
            && number.fract() == 0.0
            && (*bounds.start() as f64..=*bounds.end() as f64).contains(number)
        {
            return Ok(*number as u64);
        }
        Err(self.expected(&format!("a whole number from {} to {}", bounds.start(), bounds.end())))
    }

    /// One of the names given, as what stands beside it; None there is a name for what is not supported yet.
    pub(super) fn choice<T: Copy>(&self, names: &[(&'static str, Option<T>)]) -> Result<T, ConfigError> {
        match names.iter().find(|(name, _)| matches!(self.value, Value::String(text) if text == name)) {
            Some((_, Some(chosen))) => Ok(*chosen),
            Some((_, None)) => Err(self.unsupported()),
            None => {
                let supported = names.iter().filter(|(_, meaning)| meaning.is_some());
                Err(self.expected(&alternatives(supported.map(|(name, _)| *name))))
            }
        }
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
}
