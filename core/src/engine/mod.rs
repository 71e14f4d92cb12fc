//! A request meets the policy: which limits apply, who is counted, what the table says.
//!
//! - `request`: what the engine asks of a request, and in which order
//! - `facts`: the header fields that the policy reads, gathered in one pass
//! - `caller`, `plans`: who is calling, and on which plan
//! - `keys`, `cost`: what is counted apart, and how much
//! - `compiled`: limits, prepared once for each configuration
//! - `decision`, `pending`, `report`: what comes of it
//! - `response`: who answered in the end

pub mod caller;
pub mod compiled;
pub mod cost;
pub mod decision;
pub mod facts;
pub mod keys;
pub mod pending;
pub mod plans;
pub mod report;
pub mod request;
pub mod response;

#[cfg(test)]
pub(crate) mod tests;

use crate::answer::style::{Overrides, Plans, Style};
use crate::http::{Captures, NormalPath, host, is_preflight, path, query};
use crate::matching::{self, Matcher, Purpose, Subject};
use crate::policy::{Missing, Mode, Policy, ResetUnit};
use crate::store::{Store, StoreError};
use crate::table::geometry::Geometry;
use crate::table::secret::Secret;
use crate::table::transaction::{self, Outcome, Receipt, Returned, Ruling, Table};
use crate::time::{Clock, Nanos};

use self::caller::Peer;
use self::compiled::{Compiled, CompiledLimit, LimitPlace};
use self::decision::{Applied, Decision, Verdict};
use self::facts::Facts;
use self::keys::Keys;
use self::report::Report;
use self::request::Request;

/// A policy, ready to decide.
#[derive(Debug)]
pub struct Engine {
    policy: Policy,
    compiled: Compiled,
    exempt: Matcher,
    rules: Matcher,
    overrides: Overrides,
    table: Table,
}

/// Buffers kept from one decision to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    path: Vec<u8>,
    host: Vec<u8>,
    matching: matching::Scratch,
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
        let table =
            Table { geometry: Geometry::new(policy.store.max_entries), when_full: policy.store.when_full, secret };
        Self {
            exempt: Matcher::new(policy.exempt.iter().map(|one| &one.matches), Purpose::Exempt),
            rules: Matcher::new(policy.rules.iter().map(|rule| &rule.matches), Purpose::Limit),
            // The configuration has been refused where this is not a template.
            overrides: Overrides::new(&policy.response).unwrap_or_default(),
            policy,
            compiled,
            table,
        }
    }

    /// The policy.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Whether nothing that is decided may end a request.
    #[must_use]
    pub fn is_shadow(&self) -> bool {
        self.policy.mode == Mode::Shadow
    }

    /// How answers about `decision` look.
    #[must_use]
    pub fn style<'s>(&'s self, decision: &Decision<'s>) -> Style<'s> {
        let upgrade_url = self.policy.plans.as_ref().and_then(|plans| plans.upgrade_url.as_deref());
        let plans = Plans { name: decision.plan, upgrade_url };
        Style { headers: self.policy.headers, overrides: &self.overrides, plans }
    }

    /// Decides one request and charges what it costs.
    pub fn decide<'r>(
        &self,
        request: &mut impl Request<'r>,
        store: &mut impl Store,
        clock: &impl Clock,
        scratch: &mut Scratch,
    ) -> Decision<'_> {
        let Scratch { path, host, matching, transaction, rulings } = scratch;
        let facts = Facts::gather(&self.compiled.names, self.compiled.reads_headers.then_some(&*request));
        let subject = self.subject(&facts, path, host);
        if self.asks(&subject) {
            return Decision { verdict: Verdict::Asks, ..Decision::default() };
        }
        let mut peer = Peer::default();
        if self.is_exempt(request, &subject, &mut peer, matching) {
            return Decision { verdict: Verdict::Exempt, ..Decision::default() };
        }
        let rule_index = self.rules.find(&subject, || request.fields(), matching);
        let rule = rule_index.and_then(|index| self.policy.rules.get(index));
        let captures = self.captures(rule_index, &subject);
        let path = subject.path.map(|path| path.bytes);
        let mut keys = Keys::new(self, &facts, path, subject.host, captures, peer);
        let plan = if subject.preflight { None } else { keys.plan(request) };

        let (mut limits, mut charges, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for limit in self.limits(rule_index, plan) {
            match keys.partition(limit.per, limit.limit.missing, request) {
                Some(partition) => {
                    limits.push(limit);
                    charges.push(limit.charge(partition, limit.cost.of(&facts)));
                }
                None if limit.limit.missing == Missing::Reject => rejected.push(limit),
                None => {}
            }
        }
        let decision = Decision {
            rule,
            rule_index,
            plan: self.plan_name(plan),
            client: keys.client_kind(),
            forwarded: keys.hearsay(),
            ..Decision::default()
        };
        let nameless = rejected.iter().map(|limit| Applied { limit, ruling: nameless(limit) });
        let (nameless, unseen): (Vec<_>, Vec<_>) = nameless.partition(|applied| applied.limit.enforces());
        if !nameless.is_empty() {
            return Decision { verdict: Verdict::Limited, applied: nameless, shadow: unseen, ..decision };
        }
        if charges.is_empty() {
            let verdict = if unseen.is_empty() { Verdict::Unlimited } else { Verdict::Allowed };
            return Decision { verdict, shadow: unseen, ..decision };
        }
        let Ok((outcome, effects)) = self.table.decide(store, &charges, clock, transaction, rulings) else {
            return Decision { verdict: Verdict::Busy, ..decision };
        };
        let mut decision = Decision { verdict: outcome.into(), effects, shadow: unseen, ..decision };
        if decision.verdict == Verdict::Busy {
            return decision;
        }
        decision.wall = transaction.wall();
        let enforced = limits.iter().zip(rulings.iter()).filter(|(limit, _)| limit.enforces());
        decision.delay = enforced.map(|(_, ruling)| ruling.delay).max().unwrap_or_default();
        if decision.verdict == Verdict::Allowed {
            let held = decision.delay > Nanos(0);
            let kept = limits.iter().zip(transaction.receipts(&charges));
            let due = kept.filter(|(limit, _)| held || limit.counts_responses());
            decision.receipts = due.filter_map(|(limit, receipt)| Some((limit.place, receipt?))).collect();
        }
        for (limit, ruling) in limits.into_iter().zip(rulings.iter()) {
            let side = if limit.enforces() { &mut decision.applied } else { &mut decision.shadow };
            side.push(Applied { limit, ruling: *ruling });
        }
        decision
    }

    /// Gives back what a limit was charged: the response, or its absence, says that it does not count.
    ///
    /// # Errors
    /// Where the store fails; the charge stands.
    pub fn give_back(
        &self,
        (place, receipt): &(LimitPlace, Receipt),
        store: &mut impl Store,
        clock: &impl Clock,
        scratch: &mut Scratch,
    ) -> Result<Returned, StoreError> {
        let Some(limit) = self.compiled.at(*place) else { return Ok(Returned::default()) };
        self.table.give_back(store, &limit.shape, receipt, clock, &mut scratch.transaction)
    }

    /// The limit at a place.
    #[must_use]
    pub fn limit(&self, place: LimitPlace) -> Option<&CompiledLimit> {
        self.compiled.at(place)
    }

    /// Tells a caller what is left, and spends nothing but of a limit of its own, by address: it is no oracle for
    /// guessing keys.
    ///
    /// `?method=` and `?path=` choose the rule; without a path, the limits that any request of the caller meets.
    pub fn report<'r>(
        &self,
        request: &mut impl Request<'r>,
        store: &mut impl Store,
        clock: &impl Clock,
        scratch: &mut Scratch,
    ) -> Report<'_> {
        let Scratch { path, host, matching, transaction, rulings } = scratch;
        let facts = Facts::gather(&self.compiled.names, Some(&*request));
        let raw = facts.path().unwrap_or_default();
        let given = |name: &[u8]| query::parameters(raw).find(|(own, _)| own.as_ref() == name).map(|(_, value)| value);
        let (method, about) = (given(b"method"), given(b"path"));
        let subject = Subject {
            method: method.as_deref().unwrap_or(b"GET"),
            preflight: false,
            path: about.as_deref().map(|raw| path::normalise(raw, self.policy.fold_case, path)),
            host: facts.authority().map(|raw| host::normalise(raw, host)),
            raw_path: about.as_deref(),
        };
        let mut peer = Peer::default();
        let exempt = self.is_exempt(request, &subject, &mut peer, matching);
        let chosen = about.is_some().then(|| self.rules.find(&subject, || request.fields(), matching)).flatten();
        let captures = self.captures(chosen, &subject);
        let path = subject.path.map(|path| path.bytes);
        let mut keys = Keys::new(self, &facts, path, subject.host, captures, peer);
        let plan = keys.plan(request);
        let client = keys.caller(request).kind().name();
        let busy = || Report::Refused(Decision { verdict: Verdict::Busy, ..Decision::default() });
        if let Some(limit) = &self.compiled.asking {
            let Some(partition) = keys.partition(limit.per, Missing::Ip, request) else { return busy() };
            let charge = limit.charge(partition, 1);
            match self.table.decide(store, &[charge], clock, transaction, rulings) {
                Ok((Outcome::Admitted, _)) => {}
                Ok((Outcome::Refused, effects)) => {
                    let applied = rulings.iter().map(|ruling| Applied { limit, ruling: *ruling }).collect();
                    let (verdict, client) = (Verdict::Limited, keys.client_kind());
                    return Report::Refused(Decision { verdict, applied, effects, client, ..Decision::default() });
                }
                _ => return busy(),
            }
        }
        let (mut limits, mut charges) = (Vec::new(), Vec::new());
        for limit in self.limits(chosen, plan).filter(|limit| limit.enforces() && !exempt) {
            let Some(partition) = keys.partition(limit.per, limit.limit.missing, request) else { continue };
            limits.push(limit);
            charges.push(limit.charge(partition, limit.cost.of(&facts)));
        }
        if self.table.peek(store, &charges, clock, transaction, rulings).is_err() {
            return busy();
        }
        let zip = limits.into_iter().zip(rulings.iter());
        let applied: Vec<_> = zip.map(|(limit, ruling)| Applied { limit, ruling: *ruling }).collect();
        let wall = transaction.wall().unwrap_or_else(|| clock.wall());
        let reset = |applied: &Applied<'_>| match self.policy.headers.reset {
            ResetUnit::Epoch => wall.ceil_seconds_after(applied.ruling.level.grows_in),
            ResetUnit::Delta => applied.ruling.level.grows_in.ceil_seconds(),
        };
        Report::Left(report::json(client, self.plan_name(plan), &applied, reset))
    }

    fn subject<'s>(&self, facts: &Facts<'s>, path: &'s mut Vec<u8>, host: &'s mut Vec<u8>) -> Subject<'s> {
        let method = facts.method().unwrap_or_default();
        Subject {
            method,
            preflight: is_preflight(method, facts.origin(), facts.access_control_request_method()),
            path: facts.path().map(|raw| plain(path::normalise(raw, self.policy.fold_case, path))),
            host: facts.authority().map(|raw| host::normalise(raw, host)),
            raw_path: facts.path(),
        }
    }

    /// Whether the request is for the status endpoint.
    fn asks(&self, subject: &Subject<'_>) -> bool {
        let matches = |path: NormalPath<'_>, status: &crate::policy::StatusPolicy| {
            status.path.matches(path.bytes, &mut Captures::default())
        };
        matches!(subject.method, b"GET" | b"HEAD")
            && self.policy.status.as_ref().is_some_and(|status| subject.path.is_some_and(|path| matches(path, status)))
    }

    fn is_exempt<'r>(
        &self,
        request: &mut impl Request<'r>,
        subject: &Subject<'_>,
        peer: &mut Peer,
        scratch: &mut matching::Scratch,
    ) -> bool {
        if self.policy.exempt.is_empty() {
            return false;
        }
        let search = self.exempt.search(subject, || request.fields(), scratch);
        let found = search.first(|index| {
            let Some(exemption) = self.policy.exempt.get(index) else { return false };
            let network = exemption.networks.as_ref().is_none_or(|networks| {
                let source = peer.source(request);
                !peer.hearsay(&self.policy.address) && source.is_some_and(|source| networks.contains(source.ip))
            });
            let path = self.compiled.exempt.get(index).and_then(Option::as_ref);
            network
                && exemption.property.as_ref().is_none_or(|property| {
                    let value = path.and_then(|path| request.text_attribute(path));
                    value == Some(property.equals.as_bytes())
                })
        });
        found.is_some()
    }

    fn captures<'p>(&'p self, rule: Option<usize>, subject: &Subject<'p>) -> Captures<'p> {
        let matched = rule.and_then(|index| Some((index, self.policy.rules.get(index)?, subject.path?)));
        matched.map(|(index, rule, path)| self.rules.captures(index, &rule.matches, path.bytes)).unwrap_or_default()
    }

    fn limits(&self, rule: Option<usize>, plan: Option<usize>) -> impl Iterator<Item = &CompiledLimit> {
        let of_rule = rule.and_then(|index| self.compiled.rules.get(index)).into_iter().flatten();
        let of_plan = plan.and_then(|index| self.compiled.tiers.get(index)).into_iter().flatten();
        self.compiled.top.iter().chain(of_rule).chain(of_plan)
    }

    fn plan_name(&self, plan: Option<usize>) -> Option<&str> {
        let plan = self.policy.plans.as_ref()?.tiers.get(plan?)?;
        Some(&plan.name)
    }
}

/// A path that some upstream may read as another once it has decoded it, or as Windows does, grants nothing.
fn plain(path: NormalPath<'_>) -> NormalPath<'_> {
    let hidden = |part: &[u8]| [&b"%2F"[..], b"%5C", b"%25", b"%00", b"%2E"].contains(&part);
    let ambiguous = path.bytes.contains(&b'\\') || path.bytes.windows(3).any(hidden);
    NormalPath { canonical: path.canonical && !ambiguous, ..path }
}

/// What a limit says to a request that it cannot tell from others, and is told to reject: nothing is left, and a
/// window's time will not change that.
fn nameless(limit: &CompiledLimit) -> Ruling {
    let period = limit.shape.quota.rate().period();
    Ruling { level: crate::algorithm::Level { remaining: 0, grows_in: period }, wait: Some(period), delay: Nanos(0) }
}
