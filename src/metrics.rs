//! Counters in Envoy's statistics: a fixed number of series, whatever clients send.
//!
//! Labels are part of a statistic's name, `weir_requests_total;rule=auth;decision=allowed`; Envoy's tag rules take
//! them out.

use std::collections::HashMap;

use weir_core::engine::compiled::{LimitPlace, PLAN, TOP_LEVEL};
use weir_core::engine::decision::{Decision, Verdict};
use weir_core::table::transaction::Effects;

use crate::host::{Call, MetricKind};

/// Metrics of the table, one set for each VM.
#[derive(Default)]
pub(crate) struct Metrics {
    entries: Metric,
    displaced: Metric,
    overflowed: Metric,
    foreign: Metric,
    retries: Metric,
}

impl Metrics {
    /// Counts what a decision did in the table.
    pub(crate) fn count(&mut self, call: &Call, effects: &Effects) {
        use MetricKind::{Counter, Gauge};
        for (metric, kind, name, amount) in [
            (&mut self.entries, Gauge, "weir_store_entries", effects.entries),
            (&mut self.displaced, Counter, "weir_store_displaced_total", effects.displaced.into()),
            (&mut self.overflowed, Counter, "weir_store_overflow_total", effects.overflowed.into()),
            (&mut self.foreign, Counter, "weir_store_foreign_total", effects.foreign.into()),
            (&mut self.retries, Counter, "weir_cas_retries_total", effects.retries.into()),
        ] {
            if amount != 0 {
                metric.add(call, amount, kind, || name.to_owned());
            }
        }
    }
}

/// Metrics of one configuration: for each rule one for each decision, and one for each limit's refusals.
#[derive(Default)]
pub(crate) struct RuleMetrics {
    rules: Vec<[Metric; DECISIONS.len()]>,
    limits: HashMap<LimitPlace, Metric>,
}

const DECISIONS: [&str; 5] = ["allowed", "limited", "shadow_limited", "exempt", "error"];

impl RuleMetrics {
    /// Counts one request.
    pub(crate) fn count(&mut self, call: &Call, decision: &Decision<'_>) {
        let column = match decision.verdict {
            Verdict::Asks => return,
            Verdict::Allowed if decision.is_shadow_limited() => 2,
            Verdict::Allowed | Verdict::Unlimited => 0,
            Verdict::Limited => 1,
            Verdict::Exempt => 3,
            Verdict::Busy => 4,
        };
        let row = decision.rule_index.map_or(0, |index| index.saturating_add(1));
        if self.rules.len() <= row {
            self.rules.resize_with(row.saturating_add(1), Default::default);
        }
        let metric = self.rules.get_mut(row).and_then(|columns| columns.get_mut(column));
        if let (Some(metric), Some(verdict)) = (metric, DECISIONS.get(column)) {
            metric.add(call, 1, MetricKind::Counter, || {
                let rule = clean(decision.rule.map_or(TOP_LEVEL, |rule| &rule.name));
                format!("weir_requests_total;rule={rule};decision={verdict}")
            });
        }
        for applied in decision.applied.iter().chain(&decision.shadow).filter(|one| one.ruling.wait.is_some()) {
            let limit = applied.limit;
            self.limits.entry(limit.place).or_default().add(call, 1, MetricKind::Counter, || {
                let mode = if limit.enforces() { "enforce" } else { "shadow" };
                let rule = match limit.place {
                    LimitPlace::Top(_) => TOP_LEVEL,
                    LimitPlace::Plan(..) => PLAN,
                    LimitPlace::Rule(..) => decision.rule.map_or(TOP_LEVEL, |rule| &rule.name),
                };
                let (rule, limit) = (clean(rule), clean(&limit.limit.name));
                format!("weir_limited_total;rule={rule};limit={limit};mode={mode}")
            });
        }
    }
}

/// One statistic, made when it is first counted.
#[derive(Default)]
struct Metric(Option<u32>);

impl Metric {
    fn add(&mut self, call: &Call, amount: i64, kind: MetricKind, name: impl FnOnce() -> String) {
        if self.0.is_none() {
            self.0 = call.define_metric(kind, &name());
        }
        if let Some(id) = self.0 {
            call.add_metric(id, amount);
        }
    }
}

/// A name of any characters as part of a statistic's name.
fn clean(name: &str) -> String {
    name.chars()
        .map(|char| if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' })
        .collect()
}
