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

fn locate(variable: &str, default: &str, remedy: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let path = match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => root.join(default),
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
