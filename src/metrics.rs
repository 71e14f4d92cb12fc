//! Counters in Envoy's statistics: a fixed number of series, whatever clients send.
//!
//! Labels are part of a statistic's name, `weir_requests_total;rule=auth;decision=allowed`; Envoy's tag rules take
//! them out.

use std::collections::HashMap;
use std::fmt::Write as _;

use weir_core::engine::compiled::{LimitPlace, PLAN, TOP_LEVEL};
use weir_core::engine::decision::{Decision, Verdict};
use weir_core::policy::{Limit, Mode, Policy};
use weir_core::table::transaction::Effects;

use crate::host::{Call, MetricKind};

/// Every metric that this VM has named. The host makes a new number each time one is asked for and keeps them all, so
/// an update asks only for what is new.
#[derive(Default)]
struct Defined(HashMap<String, Option<u32>>);

impl Defined {
    fn id(&mut self, call: &Call, kind: MetricKind, name: String) -> Option<u32> {
        *self.0.entry(name).or_insert_with_key(|name| call.define_metric(kind, name))
    }
}

const TABLE: [(MetricKind, &str); 5] = [
    (MetricKind::Gauge, "weir_store_entries"),
    (MetricKind::Counter, "weir_store_displaced_total"),
    (MetricKind::Counter, "weir_store_overflow_total"),
    (MetricKind::Counter, "weir_store_foreign_total"),
    (MetricKind::Counter, "weir_cas_retries_total"),
];

/// Metrics of the table, one set for each VM.
#[derive(Default)]
pub(crate) struct Metrics {
    defined: Defined,
    table: [Option<u32>; TABLE.len()],
}

impl Metrics {
    /// Counts what a decision did in the table.
    pub(crate) fn count(&self, call: &Call, effects: &Effects) {
        let Effects { entries, displaced, overflowed, foreign, retries } = *effects;
        let amounts = [entries, displaced.into(), overflowed.into(), foreign.into(), retries.into()];
        for (&id, amount) in self.table.iter().zip(amounts) {
            if amount != 0 {
                add(call, id, amount);
            }
        }
    }

    /// Those of a configuration, and of the table, all made now: a counter that appeared with its first event would
    /// hide that event from `increase()`.
    pub(crate) fn define(&mut self, call: &Call, policy: &Policy) -> RuleMetrics {
        for (id, (kind, name)) in self.table.iter_mut().zip(TABLE) {
            *id = self.defined.id(call, kind, name.to_owned());
        }
        let mut counter = |name| self.defined.id(call, MetricKind::Counter, name);
        let mut metrics = RuleMetrics { rules: Vec::new(), limits: HashMap::new() };
        for rule in [TOP_LEVEL].into_iter().chain(policy.rules.iter().map(|rule| rule.name.as_str())) {
            let name = |verdict| format!("weir_requests_total;rule={};decision={verdict}", clean(rule));
            metrics.rules.push(DECISIONS.map(|verdict| counter(name(verdict))));
        }
        let mut limits = |rule: &str, limits: &[Limit], place: &dyn Fn(usize) -> LimitPlace| {
            for (index, limit) in limits.iter().enumerate() {
                let mode = if limit.mode == Mode::Enforce { "enforce" } else { "shadow" };
                let name = format!("weir_limited_total;rule={};limit={};mode={mode}", clean(rule), clean(&limit.name));
                metrics.limits.insert(place(index), counter(name));
            }
        };
        limits(TOP_LEVEL, &policy.limits, &LimitPlace::Top);
        for (at, rule) in policy.rules.iter().enumerate() {
            limits(&rule.name, &rule.limits, &|index| LimitPlace::Rule(at, index));
        }
        for (at, plan) in policy.plans.iter().flat_map(|plans| &plans.tiers).enumerate() {
            limits(PLAN, &plan.limits, &|index| LimitPlace::Plan(at, index));
        }
        metrics
    }
}

const DECISIONS: [&str; 5] = ["allowed", "limited", "shadow_limited", "exempt", "error"];

/// Metrics of one configuration: for each rule one for each decision, and one for each limit's refusals.
pub(crate) struct RuleMetrics {
    /// Those of requests that no rule matched, then each rule's.
    rules: Vec<[Option<u32>; DECISIONS.len()]>,
    limits: HashMap<LimitPlace, Option<u32>>,
}

impl RuleMetrics {
    /// Counts one request.
    pub(crate) fn count(&self, call: &Call, decision: &Decision<'_>) {
        let column = match decision.verdict {
            Verdict::Asks => return,
            Verdict::Allowed if decision.is_shadow_limited() => 2,
            Verdict::Allowed | Verdict::Unlimited => 0,
            Verdict::Limited => 1,
            Verdict::Exempt => 3,
            Verdict::Busy => 4,
        };
        let row = decision.rule_index.map_or(0, |index| index.saturating_add(1));
        add(call, self.rules.get(row).and_then(|columns| *columns.get(column)?), 1);
        for applied in decision.applied.iter().chain(&decision.shadow).filter(|one| one.ruling.wait.is_some()) {
            add(call, self.limits.get(&applied.limit.place).copied().flatten(), 1);
        }
    }
}

fn add(call: &Call, id: Option<u32>, amount: i64) {
    if let Some(id) = id {
        call.add_metric(id, amount);
    }
}

/// A name as part of a statistic's name: all but letters, digits and `-._~` percent-encoded (RFC 3986), so that it ends
/// where it should, breaks no sink's syntax, and stays apart from every other. Envoy drops a dot at the end of a label.
fn clean(name: &str) -> String {
    let mut text = String::new();
    for (place, byte) in (1..).zip(name.bytes()) {
        let last_dot = byte == b'.' && place == name.len();
        if (byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)) && !last_dot {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
