//! Counters in Envoy's statistics: a fixed number of series, whatever clients send.
//!
//! Labels are part of a statistic's name, `weir_requests_total;rule=auth;decision=allowed`; Envoy's tag rules take
//! them out.

use std::collections::HashMap;

use weir_core::engine::compiled::TOP_LEVEL;
use weir_core::engine::decision::{Decision, Verdict};
use weir_core::table::transaction::Effects;

use crate::host::{Call, MetricKind};

/// Metrics of the table, one set for each VM.
#[derive(Default)]
pub(crate) struct Metrics {
    known: HashMap<&'static str, u32>,
}

impl Metrics {
    /// Counts what a decision did in the table.
    pub(crate) fn count_effects(&mut self, call: &Call, effects: &Effects) {
        let counters = [
            ("weir_store_entries", MetricKind::Gauge, effects.entries),
            ("weir_store_displaced_total", MetricKind::Counter, effects.displaced.into()),
            ("weir_store_overflow_total", MetricKind::Counter, effects.overflowed.into()),
            ("weir_store_foreign_total", MetricKind::Counter, effects.foreign.into()),
            ("weir_cas_retries_total", MetricKind::Counter, effects.retries.into()),
        ];
        for (name, kind, amount) in counters.into_iter().filter(|(.., amount)| *amount != 0) {
            let id = self.known.get(name).copied().or_else(|| call.define_metric(kind, name));
            if let Some(id) = id {
                self.known.insert(name, id);
                call.add_metric(id, amount);
            }
        }
    }
}

/// Metrics of one configuration: for each rule, one for each decision.
#[derive(Default)]
pub(crate) struct RuleMetrics {
    known: HashMap<(Option<String>, &'static str), u32>,
}

impl RuleMetrics {
    /// Counts one request.
    pub(crate) fn count(&mut self, call: &Call, decision: &Decision<'_>) {
        let verdict = match decision.verdict {
            Verdict::Unlimited => return,
            Verdict::Allowed => "allowed",
            Verdict::Limited => "limited",
            Verdict::Busy => "error",
        };
        let key = (decision.rule.map(|rule| rule.name.clone()), verdict);
        let id = self.known.get(&key).copied().or_else(|| {
            let rule = clean(key.0.as_deref().unwrap_or(TOP_LEVEL));
            call.define_metric(MetricKind::Counter, &format!("weir_requests_total;rule={rule};decision={verdict}"))
        });
        if let Some(id) = id {
            self.known.insert(key, id);
            call.add_metric(id, 1);
        }
    }
}

/// A name of any characters as part of a statistic's name.
fn clean(name: &str) -> String {
    name.chars()
        .map(|char| if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' })
        .collect()
}
