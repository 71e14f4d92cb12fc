//! The policy of a file without Envoy, where days pass at once.

use std::cell::Cell;

use weir_core::config;
use weir_core::engine::decision::Verdict;
use weir_core::engine::request::{AttributePath, Request};
use weir_core::engine::{Engine, Scratch};
use weir_core::store::model::SharedData;
use weir_core::table::secret::Secret;
use weir_core::time::{Clock, Nanos, SECOND, UnixNanos};

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
        Self { engine, store, scratch: Scratch::default(), clock: Hand(Cell::new(0)) }
    }

    /// Lets so much time pass.
    pub(super) fn pass(&self, nanos: u64) {
        self.clock.0.set(self.clock.0.get() + nanos);
    }

    /// Waits for the first midnight after so many days.
    pub(super) fn pass_to_day(&self, day: u64) {
        self.clock.0.set(day * 86_400 * SECOND);
    }

    /// One request whose response, if it gets there, has a status that counts.
    pub(super) fn ask(&mut self, request: &Asked<'_>) -> Seen {
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

/// A request as Weir meets it.
pub(super) struct Asked<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) field: (&'a str, &'a str),
    pub(super) address: &'a str,
}

impl<'r> Request<'r> for &'r Asked<'_> {
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        let asked = *self;
        let fields = [(":method", asked.method), (":path", asked.path), (":authority", "api.test"), asked.field];
        fields.into_iter().map(|(name, value)| (name.as_bytes(), value.as_bytes()))
    }

    fn source_address(&mut self) -> Option<&'r [u8]> {
        Some(self.address.as_bytes())
    }

    fn attribute(&mut self, _path: &AttributePath) -> Option<&'r [u8]> {
        None
    }
}

/// Both clocks, moved by hand; the monotonic one has run for an hour.
struct Hand(Cell<u64>);

impl Clock for Hand {
    fn monotonic(&self) -> Nanos {
        Nanos(self.0.get() + 3600 * SECOND)
    }

    fn wall(&self) -> UnixNanos {
        UnixNanos(self.0.get() + 20_500 * 86_400 * SECOND)
    }
}
