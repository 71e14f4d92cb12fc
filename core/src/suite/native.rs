//! The cases over a store, without a proxy.

use super::{Case, Seen, Shown, Step};
use crate::answer::fields::Fields;
use crate::config;
use crate::engine::decision::Verdict;
use crate::engine::request::written::Written;
use crate::engine::{Engine, Scratch};
use crate::store::Store;
use crate::table::secret::Secret;
use crate::time::hand::Hand;
use crate::time::{Nanos, SECOND};

/// Time that each request takes.
const REQUEST: Nanos = Nanos(SECOND / 10_000);

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
    let (clock, mut scratch) = (Hand::new(1_000 * SECOND, 1_000 * SECOND), Scratch::default());
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
    clock.pass(Nanos(u64::try_from(step.wait.as_nanos()).unwrap_or(u64::MAX)));
    let mut seen = Seen { admitted: 0, shown: Shown::Nothing };
    let plain = Written::new(step.method, step.path, step.host).from(&format!("{}:1234", step.client));
    let request = step.fields.iter().fold(plain, |request, (name, value)| request.with(name, value));
    for _ in 0..step.times {
        clock.pass(REQUEST);
        let decision = engine.decide(&mut &request, store, clock, scratch);
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
