//! Partition keys of one request: each distinct `per` is hashed once, whatever the number of limits that share it.

use crate::engine::Engine;
use crate::engine::caller::{Caller, CallerKind, Peer};
use crate::engine::compiled::{Compiled, CompiledPart};
use crate::engine::facts::Facts;
use crate::engine::request::Request;
use crate::http::{Captures, ClientNet};
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
}

/// The keys of one request, as far as they were asked for.
#[derive(Debug)]
pub struct Keys<'a, 'r> {
    engine: &'a Engine,
    facts: &'a Facts<'r>,
    path: Option<&'a [u8]>,
    host: Option<&'a [u8]>,
    captures: Captures<'a>,
    peer: Peer,
    caller: Option<Caller<'a>>,
    known: Vec<(usize, Partition)>,
}

impl<'a, 'r: 'a> Keys<'a, 'r> {
    pub(super) fn new(
        engine: &'a Engine,
        facts: &'a Facts<'r>,
        path: Option<&'a [u8]>,
        host: Option<&'a [u8]>,
        captures: Captures<'a>,
    ) -> Self {
        Self { engine, facts, path, host, captures, peer: Peer::default(), caller: None, known: Vec::new() }
    }

    /// The key that the `per` of this index makes of the request.
    pub fn partition(&mut self, compiled: &'a Compiled, per: usize, request: &mut impl Request<'r>) -> Partition {
        if let Some((_, known)) = self.known.iter().find(|(index, _)| *index == per) {
            return *known;
        }
        let mut key = PartitionBuilder::new(&self.engine.table.secret);
        for part in compiled.pers.get(per).into_iter().flatten() {
            self.part(compiled, part, &mut key, request);
        }
        let partition = key.finish();
        self.known.push((per, partition));
        partition
    }

    /// What kind of caller was counted; `None` where nothing asked.
    #[must_use]
    pub fn client_kind(&self) -> Option<CallerKind> {
        self.caller.as_ref().map(Caller::kind)
    }

    /// See [`Peer::hearsay`].
    #[must_use]
    pub fn hearsay(&self) -> bool {
        self.peer.hearsay(&self.engine.policy.address)
    }

    fn part(
        &mut self,
        compiled: &'a Compiled,
        part: &CompiledPart,
        key: &mut PartitionBuilder,
        request: &mut impl Request<'r>,
    ) {
        let value = match part {
            CompiledPart::Client => return self.client(compiled, key, request),
            CompiledPart::Ip => return address(key, self.network(request)),
            CompiledPart::Method => self.facts.method(),
            CompiledPart::Path => self.path,
            CompiledPart::Host => self.host,
            CompiledPart::Header(field) => self.facts.field(*field),
            CompiledPart::Cookie(name) => self.facts.cookie(name),
            CompiledPart::Capture(name) => self.captures.get(name),
        };
        match value {
            Some(value) => key.part(kind::VALUE, value),
            None => {
                // Counted by address, and apart from any value that reads like one.
                key.part(kind::ABSENT, &[]);
                address(key, self.network(request));
            }
        }
    }

    fn client(&mut self, compiled: &'a Compiled, key: &mut PartitionBuilder, request: &mut impl Request<'r>) {
        let (peer, policy) = (&mut self.peer, &self.engine.policy.address);
        let facts = self.facts;
        let resolve = || Caller::resolve(&compiled.client, facts, || peer.network(policy, request));
        match *self.caller.get_or_insert_with(resolve) {
            Caller::Bearer(token) => key.part(kind::BEARER, token),
            Caller::Header(name, value) => {
                key.part(kind::HEADER, name.as_bytes());
                key.part(kind::VALUE, value);
            }
            Caller::Cookie(name, value) => {
                key.part(kind::COOKIE, name.as_bytes());
                key.part(kind::VALUE, value);
            }
            Caller::Ip(network) => address(key, network),
        }
    }

    fn network(&mut self, request: &mut impl Request<'r>) -> Option<ClientNet> {
        self.peer.network(&self.engine.policy.address, request)
    }
}

fn address(key: &mut PartitionBuilder, network: Option<ClientNet>) {
    match network {
        Some(network) => key.part(kind::IP, &network.to_bytes()),
        None => key.part(kind::NO_ADDRESS, &[]),
    }
}
