mod accepted;
mod encode;
mod notations;
mod properties;
mod refused;

use super::parse;
use crate::policy::Policy;

fn accepted(json: &str) -> Policy {
    parse(json.as_bytes()).unwrap_or_else(|fault| panic!("{json}: {fault}"))
}

fn refusal(bytes: impl AsRef<[u8]>) -> String {
    let bytes = bytes.as_ref();
    match parse(bytes) {
        Ok(policy) => panic!("{}: accepted as {policy:?}", String::from_utf8_lossy(bytes)),
        Err(fault) => fault.to_string(),
    }
}
