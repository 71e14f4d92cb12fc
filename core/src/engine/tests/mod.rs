//! Requests against policies, as configured.

mod identity;
mod limits;
mod rules;
mod whole;

use crate::config;
use crate::engine::decision::{Decision, Verdict};
use crate::engine::request::written::Written;
use crate::engine::{Engine, Scratch};
use crate::store::model::SharedData;
use crate::table::secret::Secret;
use crate::time::hand::Hand;
use crate::time::{Nanos, SECOND};

/// An engine with a store and a clock.
pub(crate) struct Service {
    pub(crate) engine: Engine,
    store: SharedData,
    scratch: Scratch,
    pub(crate) clock: Hand,
}

impl Service {
    pub(crate) fn new(config: &str) -> Self {
        Self::on(SharedData::default(), config)
    }

    pub(crate) fn on(store: SharedData, config: &str) -> Self {
        let policy = config::parse(config.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let secret = Secret::agree(&mut store.clone(), Secret::new([3; 16])).unwrap();
        let clock = Hand::new(1_000 * SECOND, 1_768_473_000 * SECOND);
        Self { engine: Engine::new(policy, secret, Nanos(0), []), store, scratch: Scratch::default(), clock }
    }

    pub(crate) fn decide(&mut self, request: &Written) -> Decision<'_> {
        self.engine.decide(&mut &*request, &mut self.store, &self.clock, &mut self.scratch)
    }

    /// How many of `times` such requests are allowed.
    pub(crate) fn allowed(&mut self, request: &Written, times: usize) -> usize {
        (0..times).filter(|_| self.decide(request).verdict == Verdict::Allowed).count()
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.clock.pass(Nanos(seconds * SECOND));
    }
}

/// `GET /path`, with further fields.
pub(crate) fn request(line: &str, fields: &[(&str, &str)]) -> Written {
    let (method, path) = line.split_once(' ').unwrap();
    let plain = Written::new(method, path, "api.test").from("192.0.2.1:1234");
    fields.iter().fold(plain, |request, (name, value)| request.with(name, value))
}

pub(crate) fn get(path: &str) -> Written {
    request(&format!("GET {path}"), &[])
}
