//! The header fields that a policy reads, picked out of a request in one pass.

use crate::engine::request::Request;
use crate::http::{self, Single};

/// The names of the fields to pick, each once; a field is asked for by its index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Vec<String>);

/// The index of a name in [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldId(usize);

const METHOD: FieldId = FieldId(0);
const PATH: FieldId = FieldId(1);
const AUTHORITY: FieldId = FieldId(2);
const ORIGIN: FieldId = FieldId(3);
const REQUEST_METHOD: FieldId = FieldId(4);
const ALWAYS: [&str; 5] = [":method", ":path", ":authority", "origin", "access-control-request-method"];

impl Default for Names {
    fn default() -> Self {
        Self(ALWAYS.map(String::from).to_vec())
    }
}

impl Names {
    /// The index of `name` (lower case), added if it is new.
    pub fn intern(&mut self, name: &str) -> FieldId {
        let known = self.0.iter().position(|known| known == name);
        FieldId(known.unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len().saturating_sub(1)
        }))
    }
}

/// What was picked.
#[derive(Debug)]
pub struct Facts<'r> {
    fields: Vec<Single<'r>>,
    cookies: Vec<&'r [u8]>,
}

impl<'r> Facts<'r> {
    /// Reads the fields of `request`; none are there where the policy needs none.
    pub fn gather<R: Request<'r>>(names: &Names, request: Option<&R>) -> Self {
        let mut facts = Facts { fields: Vec::new(), cookies: Vec::new() };
        let Some(request) = request else { return facts };
        facts.fields.resize(names.0.len(), Single::Absent);
        for (name, value) in request.fields() {
            if name == b"cookie" {
                facts.cookies.push(value);
            }
            let wanted = names.0.iter().zip(&mut facts.fields).find(|(wanted, _)| wanted.as_bytes() == name);
            if let Some((_, field)) = wanted {
                field.push(value);
                if name == b"authorization" && http::is_joined(value) {
                    field.push(value);
                }
            }
        }
        facts
    }

    /// A field that may name somebody.
    #[must_use]
    pub fn single(&self, id: FieldId) -> Single<'r> {
        self.fields.get(id.0).copied().unwrap_or_default()
    }

    /// A field, if it was given exactly once and is not blank.
    #[must_use]
    pub fn field(&self, id: FieldId) -> Option<&'r [u8]> {
        self.single(id).value()
    }

    /// A cookie.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Single<'r> {
        http::cookie(self.cookies.iter().copied(), name.as_bytes())
    }

    /// `:method`.
    #[must_use]
    pub fn method(&self) -> Option<&'r [u8]> {
        self.field(METHOD)
    }

    /// `:path`, raw.
    #[must_use]
    pub fn path(&self) -> Option<&'r [u8]> {
        self.field(PATH)
    }

    /// `:authority`, raw.
    #[must_use]
    pub fn authority(&self) -> Option<&'r [u8]> {
        self.field(AUTHORITY)
    }

    /// `origin`.
    #[must_use]
    pub fn origin(&self) -> Option<&'r [u8]> {
        self.field(ORIGIN)
    }

    /// `access-control-request-method`.
    #[must_use]
    pub fn access_control_request_method(&self) -> Option<&'r [u8]> {
        self.field(REQUEST_METHOD)
    }
}
