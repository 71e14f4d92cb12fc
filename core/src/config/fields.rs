//! The fields of an object.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::show::quoted;
use super::suggest::nearest;
use super::value::Value;

/// Which fields an object may have.
pub(super) struct Shape {
    /// What it is, after `expected`.
    pub(super) what: &'static str,
    /// The fields that are understood.
    pub(super) known: &'static [&'static str],
}

/// Fields that are known, each given once.
pub(super) struct Fields<'v> {
    path: String,
    entries: &'v [(String, Value)],
}

impl<'v> Fields<'v> {
    pub(super) fn new(path: &str, entries: &'v [(String, Value)], shape: &Shape) -> Result<Self, ConfigError> {
        let fields = Self { path: path.to_owned(), entries };
        // Ends at the first name that is unknown or there already, so after no more steps than there are known names.
        for (index, (name, value)) in entries.iter().enumerate() {
            let field = Cursor::at(fields.path_of(name), value);
            if !shape.known.contains(&name.as_str()) {
                return Err(unknown(&field, name, shape.known));
            }
            if entries.iter().take(index).any(|(earlier, _)| earlier == name) {
                return Err(field.error("given twice"));
            }
        }
        Ok(fields)
    }

    pub(super) fn get(&self, name: &str) -> Option<Cursor<'v>> {
        let (_, value) = self.entries.iter().find(|(own, _)| own == name)?;
        Some(Cursor::at(self.path_of(name), value))
    }

    /// Reads the field, if it is given.
    pub(super) fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Cursor<'v>) -> Result<T, ConfigError>,
    ) -> Result<Option<T>, ConfigError> {
        self.get(name).map(|field| read(&field)).transpose()
    }

    /// A field that must be given; `what` it should be.
    pub(super) fn require(&self, name: &str, what: &str) -> Result<Cursor<'v>, ConfigError> {
        let missing = || ConfigError::new(self.path_of(name), format!("missing, expected {what}"));
        self.get(name).ok_or_else(missing)
    }

    /// The one field of an object that has exactly one.
    pub(super) fn only(&self) -> Result<(&'v str, Cursor<'v>), ConfigError> {
        let [(name, value)] = self.entries else {
            let message = format!("expected exactly one field, got {}", self.entries.len());
            return Err(ConfigError::new(self.path.clone(), message));
        };
        Ok((name, Cursor::at(self.path_of(name), value)))
    }

    /// Refuses every other field than these, of which `what` is said.
    pub(super) fn nothing_but(&self, names: &[&str], what: &str) -> Result<(), ConfigError> {
        match self.entries.iter().find(|(name, _)| !names.contains(&name.as_str())) {
            Some((name, value)) => Err(Cursor::at(self.path_of(name), value).error(what)),
            None => Ok(()),
        }
    }

    fn path_of(&self, name: &str) -> String {
        child(&self.path, name)
    }
}

/// The path of the field `name` of what is at `path`.
pub(super) fn child(path: &str, name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_plain = (1..=40).contains(&name.len()) && name.bytes().all(plain);
    let name = if is_plain { name.to_owned() } else { quoted(name) };
    if path.is_empty() { name } else { format!("{path}.{name}") }
}

fn unknown(field: &Cursor<'_>, name: &str, known: &[&str]) -> ConfigError {
    let hint = nearest(name, known).map_or(String::new(), |name| format!(", did you mean {name}?"));
    field.error(format!("unknown field{hint} (known here: {})", known.join(", ")))
}
