//! What can be set from outside, by environment variables (so `make bench ROUNDS=5` works).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// One run.
#[derive(Debug)]
pub(crate) struct Settings {
    /// `ROUNDS`: how often each variant is measured; fewer where the time is up before.
    pub(crate) rounds: usize,
    /// `REQUESTS`: requests to a variant in one round.
    pub(crate) requests: usize,
    /// `VARIANTS`: names separated by commas; all where it is not set.
    pub(crate) only: Vec<String>,
    /// `WEIR_ENVOY`: the Envoy binary.
    pub(crate) envoy: PathBuf,
    /// `WEIR_WASM`: the built filter.
    pub(crate) wasm: PathBuf,
    /// `COMPARE`: other builds of the filter to measure beside it, as `name=path` separated by commas.
    pub(crate) builds: Vec<(String, PathBuf)>,
    /// Where the numbers go.
    pub(crate) output: PathBuf,
}

impl Settings {
    /// Reads the environment.
    ///
    /// # Errors
    /// A value makes no sense, or a file is missing.
    pub(crate) fn from_env() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("bench/ has no parent folder")?;
        let builds = list("COMPARE").into_iter().map(|build| {
            let (name, path) = build.split_once('=').with_context(|| format!("COMPARE: {build:?} is not name=path"))?;
            Ok((name.to_owned(), present(PathBuf::from(path), "set COMPARE to name=path")?))
        });
        Ok(Self {
            rounds: number("ROUNDS", 80, 6)?,
            requests: number("REQUESTS", 4_000, 1_000)?,
            only: list("VARIANTS"),
            envoy: program(root, "WEIR_ENVOY", ".tools/envoy-1.40.0/envoy", "make envoy")?,
            wasm: program(root, "WEIR_WASM", "dist/weir.wasm", "make wasm")?,
            builds: builds.collect::<Result<_>>()?,
            output: root.join("target/bench.json"),
        })
    }
}

fn number(variable: &str, default: usize, least: usize) -> Result<usize> {
    let Ok(text) = std::env::var(variable) else {
        return Ok(default);
    };
    let value = text.parse().with_context(|| format!("{variable}={text}"))?;
    ensure!(value >= least, "{variable}={value}: at least {least} are needed");
    Ok(value)
}

fn list(variable: &str) -> Vec<String> {
    let text = std::env::var(variable).unwrap_or_default();
    text.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

fn program(root: &Path, variable: &str, default: &str, remedy: &str) -> Result<PathBuf> {
    let path = std::env::var_os(variable).map_or_else(|| root.join(default), PathBuf::from);
    present(path, &format!("run `{remedy}`, or set {variable}"))
}

fn present(path: PathBuf, remedy: &str) -> Result<PathBuf> {
    path.canonicalize().with_context(|| format!("{} is missing: {remedy}", path.display()))
}
