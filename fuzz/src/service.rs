//! An engine that can be asked.

use weir_core::engine::decision::Decision;
use weir_core::engine::request::written::Written;
use weir_core::engine::{Engine, Scratch};
use weir_core::policy::Policy;
use weir_core::store::model::SharedData;
use weir_core::table::secret::Secret;
use weir_core::time::hand::Hand;
use weir_core::time::{Nanos, SECOND};

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

impl Service {
    /// Puts `policy` in force.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let clock = Hand::new(SECOND, 1_700_000_000 * SECOND);
        let engine = Engine::new(policy, Secret::new([3; 16]), Nanos(0), []);
        Self { engine, clock, store: SharedData::default(), scratch: Scratch::default() }
    }

    /// Decides.
    pub fn decide(&mut self, request: &Written) -> Decision<'_> {
        self.engine.decide(&mut &*request, &mut self.store, &self.clock, &mut self.scratch)
    }
}
