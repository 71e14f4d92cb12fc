//! An engine that can be asked.

use std::cell::Cell;

use weir_core::engine::decision::Decision;
use weir_core::engine::{Engine, Scratch};
use weir_core::policy::Policy;
use weir_core::store::model::SharedData;
use weir_core::table::secret::Secret;
use weir_core::time::{Clock, Nanos, SECOND, UnixNanos};

use crate::request::AnyRequest;

/// A policy in force, on a store of its own.
#[derive(Debug)]
pub struct Service {
    /// The engine.
    pub engine: Engine,
    /// Both of its clocks.
    pub clock: Hand,
    store: SharedData,
    scratch: Scratch,
}

/// Clocks moved by hand.
#[derive(Debug, Clone)]
pub struct Hand {
    /// Nanoseconds.
    pub monotonic: Cell<u64>,
    /// Nanoseconds.
    pub wall: Cell<u64>,
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
    /// Puts `policy` in force.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let clock = Hand { monotonic: Cell::new(SECOND), wall: Cell::new(1_700_000_000 * SECOND) };
        let engine = Engine::new(policy, Secret::new([3; 16]), Nanos(0), []);
        Self { engine, clock, store: SharedData::default(), scratch: Scratch::default() }
    }

    /// Decides.
    pub fn decide(&mut self, request: &AnyRequest) -> Decision<'_> {
        self.engine.decide(&mut &*request, &mut self.store, &self.clock, &mut self.scratch)
    }
}
