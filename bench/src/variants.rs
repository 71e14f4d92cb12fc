//! What is compared.

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::reply::Expected;
use crate::settings::Settings;
use crate::weir::Policy;
use crate::{local, noop, weir};

/// Clients of the variants that look at the store.
const MANY: usize = 10_000;

const NO_FIELDS: &[&str] = &[];
const X_RATELIMIT: &[&str] = &["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
const ALL_FIELDS: &[&str] =
    &["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-policy", "ratelimit"];

/// One Envoy to measure.
#[derive(Debug)]
pub(crate) struct Variant {
    /// Shown in the table.
    pub(crate) name: String,
    /// Its filter in front of the router; without one, it is what all others are measured against.
    pub(crate) filter: Option<Value>,
    /// Envoy's worker threads.
    pub(crate) workers: usize,
    /// Clients that take turns.
    pub(crate) clients: usize,
    /// What each of its responses must be.
    pub(crate) expected: Expected,
    /// The variant of Envoy's own limiter that does comparable work.
    pub(crate) like: Option<&'static str>,
}

impl Variant {
    fn new(name: &str, filter: Option<Value>, status: u16, fields: &'static [&'static str]) -> Self {
        let expected = Expected { status, fields };
        Self { name: name.to_owned(), filter, workers: 1, clients: 1, expected, like: None }
    }

    fn like(self, like: &'static str) -> Self {
        Self { like: Some(like), ..self }
    }

    fn clients(self, clients: usize) -> Self {
        Self { clients, ..self }
    }

    fn two_workers(self) -> Self {
        Self { workers: 2, ..self }
    }
}

/// All that the settings ask for, with what those are measured against. `dir` takes the modules that are made here.
///
/// # Errors
/// A name is unknown, or a module cannot be written.
pub(crate) fn selected(settings: &Settings, dir: &Path) -> Result<Vec<Variant>> {
    let all = all(settings, dir)?;
    let names: Vec<_> = all.iter().map(|variant| variant.name.as_str()).collect();
    for name in &settings.only {
        ensure!(names.contains(&name.as_str()), "VARIANTS: {name:?} is none of {}", names.join(", "));
    }
    let named = |variant: &Variant| {
        settings.only.is_empty()
            || settings.only.contains(&variant.name)
            || settings.builds.iter().any(|(name, _)| *name == variant.name)
    };
    let workers: Vec<_> = all.iter().filter(|variant| named(variant)).map(|variant| variant.workers).collect();
    let wanted = |variant: &Variant| named(variant) || (variant.filter.is_none() && workers.contains(&variant.workers));
    Ok(all.into_iter().filter(wanted).collect())
}

fn all(settings: &Settings, dir: &Path) -> Result<Vec<Variant>> {
    let bare = noop::write(dir, "no-op.wasm", noop::REQUEST_ONLY)?;
    let hooks = noop::write(dir, "no-op-hooks.wasm", noop::LIKE_WEIR)?;
    let weir = |policy: &Policy| Some(weir::filter(&settings.wasm, policy));
    let local = |limits: &local::Limits| Some(local::filter(limits));

    let mut all = vec![
        Variant::new("none", None, 200, NO_FIELDS),
        Variant::new("no-op", Some(noop::filter(&bare)), 200, NO_FIELDS),
        Variant::new("no-op-hooks", Some(noop::filter(&hooks)), 200, NO_FIELDS),
        Variant::new("local-ip", local(&local::BY_ADDRESS), 200, X_RATELIMIT),
        Variant::new("weir-ip", weir(&Policy::by_address()), 200, ALL_FIELDS).like("local-ip"),
        Variant::new("local-ip-key", local(&local::BY_ADDRESS_AND_KEY), 200, X_RATELIMIT),
        Variant::new("weir-rules", weir(&Policy::rules()), 200, ALL_FIELDS).like("local-ip-key"),
        Variant::new("weir-no-headers", weir(&Policy::rules().without_headers()), 200, NO_FIELDS).like("local-ip-key"),
        Variant::new("local-refusing", local(&local::REFUSING), 429, X_RATELIMIT),
        Variant::new("weir-refusing", weir(&Policy::refusing()), 429, ALL_FIELDS).like("local-refusing"),
        Variant::new("local-10k", local(&local::MANY), 200, X_RATELIMIT).clients(MANY),
        Variant::new("weir-10k", weir(&Policy::crowded(MANY)), 200, ALL_FIELDS).clients(MANY).like("local-10k"),
        Variant::new("none-2w", None, 200, NO_FIELDS).two_workers(),
        Variant::new("local-ip-key-2w", local(&local::BY_ADDRESS_AND_KEY), 200, X_RATELIMIT).two_workers(),
        Variant::new("weir-rules-2w", weir(&Policy::rules()), 200, ALL_FIELDS).two_workers().like("local-ip-key-2w"),
    ];
    for (name, path) in &settings.builds {
        let filter = Some(weir::filter(path, &Policy::rules()));
        all.push(Variant::new(name, filter, 200, ALL_FIELDS).like("local-ip-key"));
    }
    Ok(all)
}
