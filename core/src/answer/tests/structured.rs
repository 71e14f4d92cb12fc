//! Fields and bodies over random names and numbers, read back by others' parsers.

use proptest::prelude::*;
use serde_json::{Value, json};
use sfv::{BareItem, List, ListEntry, Parameters, Parser};

use crate::answer::fields::Fields;
use crate::answer::format::Format;
use crate::answer::refusal::Refusal;
use crate::answer::style::{Overrides, Plans, Style};
use crate::engine::decision::Decision;
use crate::engine::tests::{Service, get};
use crate::quota::MAX_TOKENS;
use crate::time::Nanos;

/// One limit, and what it says.
#[derive(Debug, Clone)]
struct Case {
    name: String,
    rate: u64,
    seconds: u64,
    burst: u64,
    remaining: u64,
    grows_in: u64,
    wait: Option<u64>,
}

fn case() -> impl Strategy<Value = Case> {
    let tokens = || prop_oneof![1..20_u64, 1..=MAX_TOKENS];
    let nanos = || prop_oneof![0..3_000_000_000_u64, any::<u64>()];
    let ruling = (0..=MAX_TOKENS, nanos(), prop::option::of(nanos()));
    let quota = (tokens(), 1..=365 * 86_400_u64, tokens());
    let name = prop_oneof!["[ -~]{1,64}", r#"[a"\\; =,]{1,8}"#];
    (name, quota, ruling).prop_filter_map("a bucket has to fill within ten years", |(name, quota, ruling)| {
        let ((rate, seconds, burst), (remaining, grows_in, wait)) = (quota, ruling);
        let fits = u128::from(burst) * u128::from(seconds) <= u128::from(rate) * (3_650 * 86_400);
        fits.then_some(Case { name, rate, seconds, burst, remaining, grows_in, wait })
    })
}

/// One to three limits whose names differ.
fn cases() -> impl Strategy<Value = Vec<Case>> {
    prop::collection::vec(case(), 1..4).prop_map(|mut cases| {
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        cases.dedup_by(|one, other| one.name == other.name);
        cases
    })
}

fn service(cases: &[Case], headers: &Value) -> Service {
    let limits: Vec<_> = cases
        .iter()
        .map(|case| json!({"name": case.name, "rate": format!("{}/{}s", case.rate, case.seconds), "burst": case.burst}))
        .collect();
    Service::new(&json!({"headers": headers, "rules": [{"name": "rule", "limits": limits}]}).to_string())
}

/// A decision that says what the cases do.
fn decide<'e>(service: &'e mut Service, cases: &[Case]) -> Decision<'e> {
    let mut decision = service.decide(&get("/"));
    assert_eq!(decision.applied.len(), cases.len());
    for (applied, case) in decision.applied.iter_mut().zip(cases) {
        applied.ruling.level.remaining = case.remaining;
        applied.ruling.level.grows_in = Nanos(case.grows_in);
        applied.ruling.wait = case.wait.map(Nanos);
    }
    decision
}

/// The members of a list of Strings with integer parameters.
fn members(field: &str) -> Vec<(String, Vec<(String, i64)>)> {
    let list: List = Parser::new(field).parse().unwrap_or_else(|error| panic!("{error}: {field}"));
    let integers = |parameters: Parameters| {
        let integer = |value: BareItem| value.as_integer().map(i64::from).unwrap();
        parameters.into_iter().map(|(key, value)| (key.as_str().to_owned(), integer(value))).collect()
    };
    list.into_iter()
        .map(|entry| match entry {
            ListEntry::Item(item) => (item.bare_item.as_string().unwrap().as_str().to_owned(), integers(item.params)),
            ListEntry::InnerList(_) => panic!("a list within: {field}"),
        })
        .collect()
}

fn parameters(members: &[(&str, u64)]) -> Vec<(String, i64)> {
    members.iter().map(|(key, value)| ((*key).to_owned(), i64::try_from(*value).unwrap())).collect()
}

fn rounded_up(nanos: u64) -> u64 {
    (u128::from(nanos) + 999_999_999).div_euclid(1_000_000_000) as u64
}

proptest! {
    #[test]
    fn structured_fields_read_back(cases in cases(), newest in any::<bool>()) {
        let (draft, left, until) = if newest { ("draft-12", "a", "w") } else { ("draft-11", "r", "t") };
        let mut service = service(&cases, &json!({"ratelimit": draft}));
        let (clock, policy) = (service.clock.clone(), service.engine.policy().headers);
        let fields = Fields::of(&decide(&mut service, &cases), &policy, &clock);
        let field = |name| fields.iter().find(|(own, _)| *own == name).unwrap().1;
        let mut quotas = members(field("ratelimit-policy")).into_iter();
        let mut levels = members(field("ratelimit")).into_iter();
        for case in &cases {
            let mut quota = vec![("q", case.rate), ("w", case.seconds)];
            if case.burst != case.rate {
                quota.push(("weir-burst", case.burst));
            }
            prop_assert_eq!(quotas.next(), Some((case.name.clone(), parameters(&quota))));
            let level = [(left, case.remaining), (until, rounded_up(case.grows_in))];
            prop_assert_eq!(levels.next(), Some((case.name.clone(), parameters(&level))));
        }
        prop_assert_eq!((quotas.next(), levels.next()), (None, None));
    }

    #[test]
    fn bodies_read_back(cases in cases(), plan in prop::option::of(".*"), url in prop::option::of(".*")) {
        let mut service = service(&cases, &json!({}));
        let (clock, headers) = (service.clock.clone(), service.engine.policy().headers);
        let plans = Plans { name: plan.as_deref(), upgrade_url: url.as_deref() };
        let style = Style { headers, overrides: Overrides::NONE, plans };
        let decision = decide(&mut service, &cases);
        let refusals = [Format::Json, Format::Problem].map(|format| Refusal::of(&decision, &style, &clock, format));
        let Some(wait) = cases.iter().filter_map(|case| case.wait).max() else {
            prop_assert_eq!(refusals, [None, None]);
            return Ok(());
        };
        let [body, problem] = refusals.map(|refusal| serde_json::from_str::<Value>(&refusal.unwrap().body).unwrap());
        let error = &body["error"];
        let longest = cases.iter().rfind(|case| case.wait == Some(wait)).unwrap();
        prop_assert_eq!(&error["policy"], &json!(longest.name));
        prop_assert_eq!(&error["remaining"], &json!(longest.remaining));
        prop_assert_eq!(&error["limit"], &json!(longest.rate.max(longest.burst)));
        prop_assert_eq!(&error["retryAfter"], &json!(rounded_up(wait).max(1)));
        prop_assert_eq!(error["limits"].as_object().unwrap().len(), cases.len());
        for case in &cases {
            let shown = json!({"limit": case.rate.max(case.burst), "window": case.seconds, "remaining": case.remaining});
            prop_assert_eq!(&error["limits"][&case.name], &shown);
        }
        for member in ["retryAfter", "limit", "remaining", "resetAt", "plan", "upgradeUrl"] {
            prop_assert_eq!(problem.get(member), error.get(member));
        }
        for (member, value) in [("plan", plans.name), ("upgradeUrl", plans.upgrade_url)] {
            prop_assert_eq!(error.get(member).map(|shown| shown.as_str().unwrap()), value);
        }
        let refusing: Vec<_> = cases.iter().filter(|case| case.wait.is_some()).map(|case| &case.name).collect();
        prop_assert_eq!(&problem["violated-policies"], &json!(refusing));
    }
}
