//! Counters in Envoy's statistics: a fixed number of series, whatever clients send.
//!
//! Labels are part of a statistic's name, `weir_requests_total;rule=auth;decision=allowed`; Envoy's tag rules take
//! them out.

use weir_core::engine::compiled::TOP_LEVEL;
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

/// Metrics of one configuration: for each rule, one for each decision.
#[derive(Default)]
pub(crate) struct RuleMetrics {
    rules: Vec<[Metric; 3]>,
}

impl RuleMetrics {
    /// Counts one request.
    pub(crate) fn count(&mut self, call: &Call, decision: &Decision<'_>) {
        let (column, verdict) = match decision.verdict {
            Verdict::Unlimited => return,
            Verdict::Allowed => (0, "allowed"),
            Verdict::Limited => (1, "limited"),
            Verdict::Busy => (2, "error"),
        };
        let row = decision.rule_index.map_or(0, |index| index.saturating_add(1));
        if self.rules.len() <= row {
            self.rules.resize_with(row.saturating_add(1), Default::default);
        }
        if let Some(metric) = self.rules.get_mut(row).and_then(|columns| columns.get_mut(column)) {
            metric.add(call, 1, MetricKind::Counter, || {
                let rule = clean(decision.rule.map_or(TOP_LEVEL, |rule| &rule.name));
                format!("weir_requests_total;rule={rule};decision={verdict}")
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
