//! Partition keys of one request: each distinct `per` is hashed once, whatever the number of limits that share it.

use std::borrow::Cow;

use crate::engine::Engine;
use crate::engine::caller::{Caller, CallerKind, Peer};
use crate::engine::compiled::CompiledPart;
use crate::engine::facts::Facts;
use crate::engine::plans;
use crate::engine::request::Request;
use crate::http::{Captures, ClientNet, bearer_token, query};
use crate::policy::Missing;
use crate::table::partition::{Partition, PartitionBuilder};

/// What the bytes of a key's part are. Stable only within one process: keys are never kept beyond it.
mod kind {
    pub(super) const ABSENT: u8 = 0;
    pub(super) const IP: u8 = 1;
    pub(super) const NO_ADDRESS: u8 = 2;
    pub(super) const BEARER: u8 = 3;
    pub(super) const HEADER: u8 = 4;
    pub(super) const COOKIE: u8 = 5;
    pub(super) const VALUE: u8 = 6;
    pub(super) const ATTRIBUTE: u8 = 7;
}

/// What a request has of a part.
#[derive(PartialEq, Eq)]
enum Found {
    Nothing,
    One,
    /// More than one value, or one that may be read in two ways.
    Several,
}

/// The keys of one request, as far as they were asked for.
#[derive(Debug)]
pub struct Keys<'a, 'r> {
    engine: &'a Engine,
    facts: &'a Facts<'r>,
    path: Option<&'a [u8]>,
    host: Option<&'a [u8]>,
    captures: Captures<'a>,
    pub(super) peer: Peer,
    caller: Option<Caller<'a>>,
    plan: Option<Option<usize>>,
    known: Vec<(usize, Partition)>,
}

impl<'a, 'r: 'a> Keys<'a, 'r> {
    pub(super) fn new(
        engine: &'a Engine,
        facts: &'a Facts<'r>,
        path: Option<&'a [u8]>,
        host: Option<&'a [u8]>,
        captures: Captures<'a>,
        peer: Peer,
    ) -> Self {
        Self { engine, facts, path, host, captures, peer, caller: None, plan: None, known: Vec::new() }
    }

    /// The key that the `per` of this index makes of the request; `None` where it lacks a part and is not to be counted
    /// by address instead. A part that is repeated is not lacking, so nobody escapes a limit that skips by saying it
    /// twice.
    pub fn partition(&mut self, per: usize, missing: Missing, request: &mut impl Request<'r>) -> Option<Partition> {
        if let Some((_, known)) = self.known.iter().find(|(index, _)| *index == per) {
            return Some(*known);
        }
        let engine = self.engine;
        let mut key = PartitionBuilder::new(&engine.table.secret);
        let (mut complete, mut lacking) = (true, false);
        for part in engine.compiled.pers.get(per).into_iter().flatten() {
            let found = self.part(part, &mut key, request);
            complete &= found == Found::One;
            lacking |= found == Found::Nothing;
        }
        match missing {
            Missing::Skip if lacking => return None,
            Missing::Reject if !complete => return None,
            _ => {}
        }
        let partition = key.finish();
        if complete {
            self.known.push((per, partition));
        }
        Some(partition)
    }

    /// The caller's plan, as an index into the tiers.
    pub fn plan(&mut self, request: &mut impl Request<'r>) -> Option<usize> {
        if let Some(plan) = self.plan {
            return plan;
        }
        let policy = self.engine.policy.plans.as_ref()?;
        let caller = self.caller(request);
        let plan = plans::resolve(&self.engine.compiled.assign, policy, self.facts, &caller, request);
        *self.plan.insert(plan)
    }

    /// What kind of caller was counted, by a limit on callers or else by one on addresses; `None` where nothing asked.
    #[must_use]
    pub fn client_kind(&self) -> Option<CallerKind> {
        self.caller.as_ref().map(Caller::kind).or(self.peer.is_known().then_some(CallerKind::Ip))
    }

    /// See [`Peer::hearsay`].
    #[must_use]
    pub fn hearsay(&self) -> bool {
        self.peer.hearsay(&self.engine.policy.address)
    }

    /// Who is calling.
    pub fn caller(&mut self, request: &mut impl Request<'r>) -> Caller<'a> {
        let engine = self.engine;
        if let Some(caller) = self.caller {
            return caller;
        }
        let peer = &mut self.peer;
        let caller = Caller::resolve(&engine.compiled.client, self.facts, peer, &engine.policy.address, request);
        *self.caller.insert(caller)
    }

    /// Appends one part; where there is no one value, it is counted by address, and apart from any value that reads like
    /// one.
    fn part(&mut self, part: &CompiledPart, key: &mut PartitionBuilder, request: &mut impl Request<'r>) -> Found {
        let parameter;
        let value = match part {
            CompiledPart::Client => {
                self.client(key, request);
                return Found::One;
            }
            CompiledPart::Ip => {
                address(key, self.network(request));
                return Found::One;
            }
            CompiledPart::Plan => {
                let tiers = self.engine.policy.plans.as_ref().map(|plans| &plans.tiers);
                let plan = self.plan(request).and_then(|plan| tiers?.get(plan));
                plan.map(|plan| Some(plan.name.as_bytes()))
            }
            CompiledPart::Method => self.facts.method().map(Some),
            CompiledPart::Path => self.path.map(Some),
            CompiledPart::Host => self.host.map(Some),
            CompiledPart::Header(field) => self.facts.single(*field).given(),
            CompiledPart::Bearer(field) => bearer_token(self.facts.single(*field)).given(),
            CompiledPart::Cookie(name) => self.facts.cookie(name).given(),
            CompiledPart::Query(name) => {
                parameter = given(self.facts.path().unwrap_or_default(), name);
                parameter.as_ref().map(Option::as_deref)
            }
            CompiledPart::Capture(name) => self.captures.get(name).map(Some),
            CompiledPart::Attribute(path) => request.text_attribute(path).map(Some),
        };
        if let Some(Some(value)) = value {
            key.part(kind::VALUE, value);
            return Found::One;
        }
        key.part(kind::ABSENT, &[]);
        address(key, self.network(request));
        if value.is_some() { Found::Several } else { Found::Nothing }
    }

    fn client(&mut self, key: &mut PartitionBuilder, request: &mut impl Request<'r>) {
        match self.caller(request) {
            Caller::Bearer(token) => key.part(kind::BEARER, token),
            Caller::Header(name, value) => {
                key.part(kind::HEADER, name.as_bytes());
                key.part(kind::VALUE, value);
            }
            Caller::Cookie(name, value) => {
                key.part(kind::COOKIE, name.as_bytes());
                key.part(kind::VALUE, value);
            }
            Caller::Attribute(path, _, value) => {
                key.part(kind::ATTRIBUTE, path.as_bytes());
                key.part(kind::VALUE, value);
            }
            Caller::Ip(network) => address(key, network),
        }
    }

    fn network(&mut self, request: &mut impl Request<'r>) -> Option<ClientNet> {
        self.peer.network(&self.engine.policy.address, request)
    }
}

/// A parameter of the query, as [`Single::given`](crate::http::Single::given) has a field.
fn given<'p>(raw_path: &'p [u8], name: &str) -> Option<Option<Cow<'p, [u8]>>> {
    let mut given = query::parameters(raw_path).filter(|(given, _)| given.as_ref() == name.as_bytes());
    let (_, value) = given.next()?;
    match given.next() {
        None if value.is_empty() => None,
        None => Some(Some(value)),
        Some(_) => Some(None),
    }
}

fn address(key: &mut PartitionBuilder, network: Option<ClientNet>) {
    match network {
        Some(network) => key.part(kind::IP, &network.to_bytes()),
        None => key.part(kind::NO_ADDRESS, &[]),
    }
}
