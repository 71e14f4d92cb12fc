//! Where the programs under test are.

use std::path::{Path, PathBuf};

/// The Envoy binary: `WEIR_ENVOY`, else the one that `make envoy` puts into the checkout.
pub(crate) fn envoy() -> PathBuf {
    locate("WEIR_ENVOY", ".tools/envoy-1.40.0/envoy", "make envoy")
}

/// The built module: `WEIR_WASM`, else `dist/weir.wasm`.
pub fn wasm() -> PathBuf {
    locate("WEIR_WASM", "dist/weir.wasm", "make wasm")
}

/// Where the client libraries are: `WEIR_CLIENTS`, else where `make clients` puts them.
pub fn clients() -> PathBuf {
    let complete = locate("WEIR_CLIENTS", ".tools/clients/complete", "make clients");
    complete.parent().expect("a file in a folder").to_owned()
}

/// The monitoring system's server: `WEIR_PROMETHEUS`, else the one that `make prometheus` puts into the checkout.
pub(crate) fn prometheus() -> PathBuf {
    locate("WEIR_PROMETHEUS", ".tools/prometheus/prometheus", "make prometheus")
}

/// Its tool for checks: `WEIR_PROMTOOL`, else the one that `make prometheus` puts into the checkout.
pub(crate) fn promtool() -> PathBuf {
    locate("WEIR_PROMTOOL", ".tools/prometheus/promtool", "make prometheus")
}

/// A file of this repository.
pub fn shipped(path: &str) -> PathBuf {
    root().join(path)
}

/// The text of a file of this repository.
pub fn shipped_text(path: &str) -> String {
    std::fs::read_to_string(shipped(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

fn locate(variable: &str, default: &str, remedy: &str) -> PathBuf {
    let path = match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => root().join(default),
    };
    match path.canonicalize() {
        Ok(path) => path,
        Err(_) => panic!("{} is missing: run `{remedy}`, or set {variable}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "is missing: run `make wasm`, or set WEIR_NO_SUCH_VARIABLE")]
    fn what_is_missing_is_told_with_its_remedy() {
        super::locate("WEIR_NO_SUCH_VARIABLE", "no/such/file", "make wasm");
    }
}
