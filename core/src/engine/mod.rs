//! A request meets the policy: which limits apply, who is counted, what the table says.
//!
//! - `request`: what the engine asks of a request, and in which order
//! - `facts`: the header fields that the policy reads, gathered in one pass
//! - `caller`: who is calling
//! - `keys`: partition keys of a request
//! - `compiled`: limits, prepared once for each configuration
//! - `decision`: what comes of it

pub mod caller;
pub mod compiled;
pub mod decision;
pub mod facts;
pub mod keys;
pub mod request;

#[cfg(test)]
pub(crate) mod tests;

use crate::http::{Captures, host, is_preflight, path};
use crate::policy::Policy;
use crate::store::Store;
use crate::table::secret::Secret;
use crate::table::transaction::{self, Charge, Ruling, Table};
use crate::time::{Clock, Nanos};

use self::compiled::{Compiled, CompiledLimit};
use self::decision::{Applied, Decision, Verdict};
use self::facts::Facts;
use self::keys::Keys;
use self::request::Request;

/// A policy, ready to decide.
#[derive(Debug)]
pub struct Engine {
    policy: Policy,
    compiled: Compiled,
    table: Table,
}

/// Buffers kept from one decision to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    path: Vec<u8>,
    host: Vec<u8>,
    transaction: transaction::Scratch,
    rulings: Vec<Ruling>,
}

impl Engine {
    /// Prepares a policy, in force since `since`, whose buckets are hashed with `secret`; `earlier` are engines that
    /// served the same table before.
    #[must_use]
    pub fn new<'e>(policy: Policy, secret: Secret, since: Nanos, earlier: impl IntoIterator<Item = &'e Self>) -> Self {
        let mut compiled = Compiled::new(&policy, &secret, since);
        earlier.into_iter().for_each(|engine| compiled.inherit(&engine.compiled));
        let table = Table {
            geometry: crate::table::geometry::Geometry::new(policy.store.max_entries),
            when_full: policy.store.when_full,
            secret,
        };
        Self { policy, compiled, table }
    }

    /// The policy.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Decides one request and charges what it costs.
    pub fn decide<'r>(
        &self,
        request: &mut impl Request<'r>,
        store: &mut impl Store,
        clock: &impl Clock,
        scratch: &mut Scratch,
    ) -> Decision<'_> {
        let facts = Facts::gather(&self.compiled.names, self.compiled.reads_headers.then_some(&*request));
        let path = facts.path().map(|raw| path::normalise(raw, self.policy.fold_case, &mut scratch.path).bytes);
        let host = facts.authority().map(|raw| host::normalise(raw, &mut scratch.host));
        let mut captures = Captures::default();
        let rule_index = self.select(&facts, path, host, &mut captures);
        let rule = rule_index.and_then(|index| self.policy.rules.get(index));
        let of_rule = rule_index.and_then(|index| self.compiled.rules.get(index)).map(Vec::as_slice);

        let limits = || self.compiled.top.iter().chain(of_rule.unwrap_or_default());
        let mut keys = Keys::new(self, &facts, path, host, captures);
        let charges: Vec<Charge<'_>> = limits()
            .map(|limit| Charge {
                shape: &limit.shape,
                salt: limit.salt,
                since: limit.since,
                partition: keys.partition(&self.compiled, limit.per, request),
                cost: 1,
            })
            .collect();
        let (client, forwarded) = (keys.client_kind(), keys.hearsay());
        if charges.is_empty() {
            return Decision { rule, rule_index, client, forwarded, ..Decision::unlimited() };
        }
        let Scratch { transaction, rulings, .. } = scratch;
        let decided = self.table.decide(store, &charges, clock, transaction, rulings);
        let (verdict, effects) =
            decided.map_or((Verdict::Busy, Default::default()), |(outcome, effects)| (Verdict::from(outcome), effects));
        let applied = match verdict {
            Verdict::Busy => Vec::new(),
            _ => limits().zip(rulings.iter()).map(|(limit, ruling)| applied(limit, *ruling)).collect(),
        };
        Decision { rule, rule_index, verdict, applied, effects, client, forwarded }
    }

    /// The index of the first rule that matches; a preflight meets none that does not name its method.
    fn select<'p>(
        &'p self,
        facts: &Facts<'_>,
        path: Option<&'p [u8]>,
        host: Option<&[u8]>,
        captures: &mut Captures<'p>,
    ) -> Option<usize> {
        let method = facts.method().unwrap_or_default();
        let preflight = is_preflight(method, facts.origin(), facts.access_control_request_method());
        self.policy.rules.iter().position(|rule| {
            let rule = &rule.matches;
            let methods = match &rule.methods {
                Some(methods) => methods.contains(method) && (!preflight || methods.names_options()),
                None => !preflight,
            };
            methods
                && rule
                    .hosts
                    .as_ref()
                    .is_none_or(|hosts| host.is_some_and(|host| hosts.iter().any(|h| h.matches(host))))
                && rule.paths.as_ref().is_none_or(|paths| {
                    paths.iter().any(|pattern| match path {
                        Some(path) => pattern.matches(path, captures),
                        None => pattern.matches_everything(),
                    })
                })
        })
    }
}

fn applied(limit: &CompiledLimit, ruling: Ruling) -> Applied<'_> {
    Applied { limit, ruling }
}
