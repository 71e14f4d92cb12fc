//! The cases over a store, without a proxy.

use std::cell::Cell;
use std::time::Duration;

use super::{Case, Seen, Shown, Step};
use crate::answer::fields::Fields;
use crate::config;
use crate::engine::decision::Verdict;
use crate::engine::request::{AttributePath, Request};
use crate::engine::{Engine, Scratch};
use crate::store::Store;
use crate::table::secret::Secret;
use crate::time::{Clock, Nanos, SECOND, UnixNanos};

/// Time that each request takes.
const REQUEST: Duration = Duration::from_micros(100);

/// Runs one case on an empty store.
///
/// # Errors
/// The first step that came out in another way, or why none could be made.
pub fn run(case: &Case, store: &mut impl Store) -> Result<(), String> {
    let secret = Secret::agree(store, Secret::new([5; 16])).map_err(|fault| format!("no secret: {fault:?}"))?;
    let mut engines = Vec::new();
    for filter in case.filters {
        let policy = config::parse(filter.as_bytes()).map_err(|error| error.to_string())?;
        let engine = Engine::new(policy, secret, Nanos(0), &engines);
        engines.push(engine);
    }
    let (clock, mut scratch) = (Hand::default(), Scratch::default());
    for (place, step) in case.steps.iter().enumerate() {
        let engine = engines.get(step.filter).ok_or("no such filter")?;
        let seen = ask(step, engine, store, &clock, &mut scratch)?;
        step.check(&seen).map_err(|fault| format!("step {place}: {fault}"))?;
    }
    Ok(())
}

fn ask(
    step: &Step,
    engine: &Engine,
    store: &mut impl Store,
    clock: &Hand,
    scratch: &mut Scratch,
) -> Result<Seen, String> {
    clock.pass(step.wait);
    let mut seen = Seen { admitted: 0, shown: Shown::Nothing };
    let address = format!("{}:1234", step.client);
    for _ in 0..step.times {
        clock.pass(REQUEST);
        let decision = engine.decide(&mut Asked { step, address: &address }, store, clock, scratch);
        match decision.verdict {
            Verdict::Unlimited | Verdict::Exempt | Verdict::Allowed | Verdict::Asks => {
                seen.admitted = seen.admitted.saturating_add(1)
            }
            Verdict::Limited => {}
            Verdict::Busy => return Err("busy, though nobody contends".to_owned()),
        }
        let fields = Fields::of(&decision, &engine.policy().headers, clock);
        let number = |name| fields.iter().find(|(own, _)| *own == name).and_then(|(_, value)| value.parse().ok());
        seen.shown = match (number("x-ratelimit-limit"), number("x-ratelimit-remaining")) {
            (Some(limit), Some(remaining)) => Shown::Limit(limit, remaining),
            _ => Shown::Nothing,
        };
    }
    Ok(seen)
}

/// A step's request, as a host would hold it.
struct Asked<'r> {
    step: &'r Step,
    address: &'r str,
}

impl<'r> Request<'r> for Asked<'r> {
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        let step = self.step;
        let pseudo = [(":method", step.method), (":path", step.path), (":authority", step.host)];
        let fields = pseudo.into_iter().chain(step.fields.iter().copied());
        fields.map(|(name, value)| (name.as_bytes(), value.as_bytes()))
    }

    fn source_address(&mut self) -> Option<&'r [u8]> {
        Some(self.address.as_bytes())
    }

    fn attribute(&mut self, _path: &AttributePath) -> Option<&'r [u8]> {
        None
    }
}

/// Both clocks, moved by hand.
struct Hand(Cell<u64>);

impl Default for Hand {
    fn default() -> Self {
        Self(Cell::new(1_000 * SECOND))
    }
}

impl Hand {
    fn pass(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.set(self.0.get().saturating_add(nanos));
    }
}

impl Clock for Hand {
    fn monotonic(&self) -> Nanos {
        Nanos(self.0.get())
    }

    fn wall(&self) -> UnixNanos {
        UnixNanos(self.0.get())
    }
}
