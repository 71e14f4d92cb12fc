mod accepted;
mod answers;
mod encode;
mod limits;
mod matching;
mod notations;
mod plans;
mod properties;
mod refused;
mod unbuilt;

use super::{parse, understand};
use crate::policy::{AlgorithmKind, Cost, Count, Limit, Missing, Mode, Part, Policy, Scope};
use crate::quota::{Quota, Rate};

/// A limit with the defaults of all but these.
fn limit(name: &str, rate: &str, burst: Option<u64>, per: &[Part]) -> Limit {
    Limit {
        name: name.to_owned(),
        quota: Quota::new(Rate::parse(rate).unwrap(), burst).unwrap(),
        algorithm: AlgorithmKind::TokenBucket,
        per: per.to_vec(),
        cost: Cost::Fixed(1),
        count: Count::All,
        missing: Missing::Ip,
        scope: Scope::Proxy,
        mode: Mode::Enforce,
    }
}

/// What it means, whether or not all of it is done yet.
fn accepted(json: &str) -> Policy {
    understand(json.as_bytes()).unwrap_or_else(|fault| panic!("{json}: {fault}"))
}

fn refusal(bytes: impl AsRef<[u8]>) -> String {
    let bytes = bytes.as_ref();
    match parse(bytes) {
        Ok(policy) => panic!("{}: accepted as {policy:?}", String::from_utf8_lossy(bytes)),
        Err(fault) => fault.to_string(),
    }
}
