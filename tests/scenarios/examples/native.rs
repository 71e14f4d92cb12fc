//! The policy of a file without Envoy, where days pass at once.

use weir_core::config;
use weir_core::engine::decision::Verdict;
use weir_core::engine::request::written::Written;
use weir_core::engine::{Engine, Scratch};
use weir_core::store::model::SharedData;
use weir_core::table::secret::Secret;
use weir_core::time::hand::Hand;
use weir_core::time::{Nanos, SECOND};

/// The first midnight, in nanoseconds since the Unix epoch.
const MIDNIGHT: u64 = 20_500 * 86_400 * SECOND;

/// An engine with the policy of one file.
pub(super) struct Service {
    engine: Engine,
    store: SharedData,
    scratch: Scratch,
    clock: Hand,
}

/// What became of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Admitted,
    /// By this limit, for so many seconds.
    Refused(String, u64),
}

impl Service {
    /// At midnight UTC.
    pub(super) fn new(file: &str) -> Self {
        let policy =
            config::parse(super::policy_of(file).to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let mut store = SharedData::default();
        let secret = Secret::agree(&mut store, Secret::new([9; 16])).expect("a secret");
        let engine = Engine::new(policy, secret, Nanos(0), []);
        Self { engine, store, scratch: Scratch::default(), clock: Hand::new(3600 * SECOND, MIDNIGHT) }
    }

    /// Lets so much time pass.
    pub(super) fn pass(&self, nanos: u64) {
        self.clock.pass(Nanos(nanos));
    }

    /// Waits for a second of a day; the first day is 0.
    pub(super) fn pass_to(&self, day: u64, second: u64) {
        self.pass(MIDNIGHT + (day * 86_400 + second) * SECOND - self.clock.wall.get());
    }

    /// One request whose response, if it gets there, has a status that counts.
    pub(super) fn ask(&mut self, request: &Written) -> Seen {
        let Self { engine, store, scratch, clock } = self;
        let decision = engine.decide(&mut &*request, store, clock, scratch);
        if decision.verdict == Verdict::Allowed {
            return Seen::Admitted;
        }
        assert_eq!(decision.verdict, Verdict::Limited);
        let refusing = decision.applied.iter().filter_map(|applied| Some((applied.ruling.wait?, applied.limit)));
        let (wait, limit) = refusing.max_by_key(|(wait, _)| *wait).expect("a limit that refuses");
        Seen::Refused(limit.limit.name.clone(), wait.ceil_seconds())
    }
}
