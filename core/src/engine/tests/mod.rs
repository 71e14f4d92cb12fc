//! Requests against policies, as configured.

mod identity;
mod limits;
mod rules;
mod whole;

use std::cell::Cell;

use crate::config;
use crate::engine::decision::{Decision, Verdict};
use crate::engine::request::{AttributePath, Request};
use crate::engine::{Engine, Scratch};
use crate::store::model::SharedData;
use crate::table::secret::Secret;
use crate::time::{Clock, Nanos, SECOND, UnixNanos};

/// A request as a test writes it.
#[derive(Debug, Clone)]
pub(crate) struct Fake {
    fields: Vec<(&'static [u8], Vec<u8>)>,
    address: &'static str,
    attributes: Vec<(&'static str, &'static str)>,
}

impl Fake {
    /// `GET /path`, with further fields.
    pub(crate) fn new(request: &str, fields: &[(&'static str, &str)]) -> Self {
        let (method, path) = request.split_once(' ').unwrap();
        let mut fake = Self { fields: Vec::new(), address: "192.0.2.1:1234", attributes: Vec::new() };
        for (name, value) in [(":method", method), (":path", path), (":authority", "api.test")] {
            fake.fields.push((name.as_bytes(), value.into()));
        }
        for (name, value) in fields {
            fake.fields.push((name.as_bytes(), (*value).into()));
        }
        fake
    }

    /// With an attribute; dots stand for the steps of its path.
    pub(crate) fn knows(mut self, path: &'static str, value: &'static str) -> Self {
        self.attributes.push((path, value));
        self
    }

    pub(crate) fn from(mut self, address: &'static str) -> Self {
        self.address = address;
        self
    }
}

impl<'r> Request<'r> for &'r Fake {
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        self.fields.iter().map(|(name, value)| (*name, value.as_slice()))
    }

    fn source_address(&mut self) -> Option<&'r [u8]> {
        (!self.address.is_empty()).then_some(self.address.as_bytes())
    }

    fn attribute(&mut self, path: &AttributePath) -> Option<&'r [u8]> {
        let known = self.attributes.iter().find(|(name, _)| name.replace('.', "\0").as_bytes() == path.as_bytes());
        known.map(|(_, value)| value.as_bytes())
    }
}

/// An engine with a store and a clock.
pub(crate) struct Service {
    pub(crate) engine: Engine,
    store: SharedData,
    scratch: Scratch,
    pub(crate) clock: Hand,
}

/// Both clocks, moved by hand.
#[derive(Default, Clone)]
pub(crate) struct Hand {
    pub(crate) monotonic: Cell<u64>,
    pub(crate) wall: Cell<u64>,
}

impl Clock for Hand {
    fn monotonic(&self) -> Nanos {
        Nanos(self.monotonic.get())
    }

    fn wall(&self) -> UnixNanos {
        UnixNanos(self.wall.get())
    }
}

impl Service {
    pub(crate) fn new(config: &str) -> Self {
        Self::on(SharedData::default(), config)
    }

    pub(crate) fn on(store: SharedData, config: &str) -> Self {
        let policy = config::parse(config.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let secret = Secret::agree(&mut store.clone(), Secret::new([3; 16])).unwrap();
        let clock = Hand { monotonic: Cell::new(1_000 * SECOND), wall: Cell::new(1_768_473_000 * SECOND) };
        Self { engine: Engine::new(policy, secret, Nanos(0), []), store, scratch: Scratch::default(), clock }
    }

    pub(crate) fn decide(&mut self, request: &Fake) -> Decision<'_> {
        self.engine.decide(&mut &*request, &mut self.store, &self.clock, &mut self.scratch)
    }

    /// How many of `times` such requests are allowed.
    pub(crate) fn allowed(&mut self, request: &Fake, times: usize) -> usize {
        (0..times).filter(|_| self.decide(request).verdict == Verdict::Allowed).count()
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.clock.monotonic.set(self.clock.monotonic.get() + seconds * SECOND);
        self.clock.wall.set(self.clock.wall.get() + seconds * SECOND);
    }
}

pub(crate) fn get(path: &str) -> Fake {
    Fake::new(&format!("GET {path}"), &[])
}
