//! Whatever is decided, the answer is well-formed.

use crate::service::Service;
use serde_json::Value;
use sfv::{BareItem, List, ListEntry, Parser};
use weir_core::answer::fields::Fields;
use weir_core::answer::format::Format;
use weir_core::answer::refusal::Refusal;
use weir_core::answer::style::{Overrides, Plans, Style};
use weir_core::engine::decision::{Decision, Verdict};
use weir_core::engine::request::written::Written;
use weir_core::policy::Draft;

/// Decides, and reads the answer as a client would; whether the request was allowed.
pub(crate) fn check(service: &mut Service, request: &Written) -> bool {
    let (headers, clock) = (service.engine.policy().headers, service.clock.clone());
    let decision = service.decide(request);
    let fields = match decision.verdict {
        Verdict::Unlimited | Verdict::Exempt | Verdict::Asks => return true,
        Verdict::Busy => panic!("nobody contends: {request:?}"),
        Verdict::Allowed => Fields::of(&decision, &headers, &clock),
        Verdict::Limited => {
            let style = Style { headers, overrides: Overrides::NONE, plans: Plans::default() };
            let refusal = Refusal::of(&decision, &style, &clock, Format::Json).expect("a refusal by some limit");
            check_body(&refusal);
            refusal.fields
        }
    };
    for (name, value) in fields.iter() {
        assert!(value.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{name}: {value:?}");
        match name {
            "ratelimit-policy" => members(&decision, value, ["q", "w"]),
            "ratelimit" if headers.ratelimit == Some(Draft::Draft12) => members(&decision, value, ["a", "w"]),
            "ratelimit" => members(&decision, value, ["r", "t"]),
            "cache-control" | "content-type" | "x-envoy-ratelimited" => {}
            _ => assert!(value.parse::<u64>().is_ok(), "{name}: {value}"),
        }
    }
    decision.verdict == Verdict::Allowed
}

/// A list (RFC 9651) with one member for each limit that applied, by its name, with these parameters.
fn members(decision: &Decision<'_>, text: &str, parameters: [&str; 2]) {
    let list: List = Parser::new(text).parse().unwrap_or_else(|fault| panic!("{text}: {fault}"));
    assert_eq!(list.len(), decision.applied.len(), "{text}");
    for (entry, applied) in list.iter().zip(&decision.applied) {
        let ListEntry::Item(item) = entry else { panic!("{text}: an inner list") };
        let BareItem::String(name) = &item.bare_item else { panic!("{text}: no String") };
        assert_eq!(name.as_str(), applied.limit.limit.name);
        for parameter in parameters {
            assert!(matches!(item.params.get(parameter), Some(BareItem::Integer(_))), "{text}: {parameter}");
        }
    }
}

fn check_body(refusal: &Refusal) {
    let body: Value = serde_json::from_str(&refusal.body).unwrap_or_else(|fault| panic!("{}: {fault}", refusal.body));
    let error = &body["error"];
    let told = refusal.fields.iter().find(|(name, _)| *name == "retry-after").map(|(_, value)| value.to_owned());
    assert_eq!(error["retryAfter"].as_u64().map(|seconds| seconds.to_string()), told, "{}", refusal.body);
    assert!(error["retryAfter"].as_u64() >= Some(1));
    assert!(error["limits"].as_object().is_some_and(|limits| !limits.is_empty()));
    assert!(!error["resetAt"].as_str().unwrap_or_default().is_empty(), "{}", refusal.body);
}
