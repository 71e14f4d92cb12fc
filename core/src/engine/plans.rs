//! Which plan a caller has.

use crate::engine::caller::Caller;
use crate::engine::facts::{Facts, FieldId, Names};
use crate::engine::request::{AttributePath, Request};
use crate::policy::{ClientPlans, PlanPolicy, PlanSource};

/// A [`PlanSource`] with its field looked up.
#[derive(Debug)]
pub enum PlanLookup {
    /// A value that the host knows.
    Attribute(AttributePath),
    /// A header that something in front sets.
    Header(FieldId),
    /// By the caller's credential.
    Clients(ClientPlans),
}

impl PlanLookup {
    pub(super) fn new(source: &PlanSource, names: &mut Names) -> Self {
        match source {
            PlanSource::Attribute(attribute) => Self::Attribute(AttributePath::new(attribute)),
            PlanSource::Header(name) => Self::Header(names.intern(name)),
            PlanSource::Clients(clients) => Self::Clients(clients.clone()),
        }
    }

    /// Whether it reads header fields.
    pub(super) const fn reads_headers(&self) -> bool {
        matches!(self, Self::Header(_))
    }
}

/// The first source that yields a known plan, or else the default; as an index into the tiers.
///
/// A credential gives its plan only to the caller that it names: not to one who shows it beside another identity.
pub fn resolve<'r>(
    lookups: &[PlanLookup],
    policy: &PlanPolicy,
    facts: &Facts<'_>,
    caller: &Caller<'_>,
    request: &mut impl Request<'r>,
) -> Option<usize> {
    let found = lookups.iter().find_map(|lookup| match lookup {
        PlanLookup::Attribute(path) => request.text_attribute(path).and_then(|name| policy.find(name)),
        PlanLookup::Header(field) => facts.field(*field).and_then(|name| policy.find(name)),
        PlanLookup::Clients(clients) => caller.credential().and_then(|credential| clients.plan_of(credential)),
    });
    found.or(policy.default)
}
