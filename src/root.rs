//! One configuration, as one worker serves it.

use std::cell::{Cell, OnceCell};
use std::rc::Weak;

use weir_core::engine::Engine;
use weir_core::policy::Policy;
use weir_core::store::claim;
use weir_core::table::secret::Secret;
use weir_core::time::Nanos;

use crate::host::{Call, Level};
use crate::metrics::RuleMetrics;
use crate::vm::Shared;

/// A configuration that Envoy accepted.
pub(crate) struct Root {
    /// Its context.
    pub(crate) id: u32,
    policy: Cell<Option<Policy>>,
    since: Nanos,
    /// What was in force when this arrived: its limits may have had the same numbers for longer.
    earlier: Vec<Weak<Self>>,
    engine: OnceCell<Engine>,
    pub(crate) metrics: RuleMetrics,
    warned: Cell<bool>,
}

impl Root {
    pub(crate) fn new(id: u32, policy: Policy, metrics: RuleMetrics, since: Nanos, earlier: Vec<Weak<Self>>) -> Self {
        Self {
            id,
            policy: Cell::new(Some(policy)),
            since,
            earlier,
            engine: OnceCell::new(),
            metrics,
            warned: Cell::new(false),
        }
    }

    /// The engine, prepared when the first request asks: while configurations are checked, nothing shared may be
    /// written. `None` where the workers cannot agree on a secret.
    pub(crate) fn engine(&self, call: &Call, shared: &mut Shared) -> Option<&Engine> {
        if self.engine.get().is_none() {
            let secret = match shared.secret {
                Some(secret) => secret,
                None => *shared.secret.insert(Secret::agree(&mut { call }, Secret::new(call.random()?)).ok()?),
            };
            let earlier: Vec<_> = self.earlier.iter().filter_map(Weak::upgrade).collect();
            let earlier = earlier.iter().filter_map(|root| root.engine.get());
            let engine = Engine::new(self.policy.take()?, secret, self.since, earlier);
            return Some(self.engine.get_or_init(|| engine));
        }
        self.engine.get()
    }

    /// The engine, where a request has asked for it before.
    pub(crate) fn ready(&self) -> Option<&Engine> {
        self.engine.get()
    }

    /// Says once that addresses come from a header which nobody vouches for.
    pub(crate) fn warn_forwarded(&self, call: &Call) {
        if !self.warned.replace(true) && claim(&mut { call }, b"weir\x01forwarded") {
            call.log(
                Level::Warn,
                "weir: client addresses come from a request header (source.address has no port): they are counted, but \
                 unless something trusted writes that header they can be forged; set `use_remote_address: true` in the \
                 connection manager, or `ip.trust_forwarded: true` here",
            );
        }
    }
}
