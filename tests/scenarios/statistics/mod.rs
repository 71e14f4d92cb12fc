//! What operators see: statistics with labels, in fixed number, and a dashboard and alerts that work on them.

mod dashboard;
mod labels;
mod number;

use serde_json::Value;
use weir_tests::{Builder, Envoy, Listener, shipped_text};

/// An Envoy with the tag rules of `envoy/envoy.yaml` itself.
fn labelled(policy: Value) -> Builder {
    Envoy::builder().overlay(&tag_rules()).listener(Listener::new().policy(policy))
}

/// The `stats_config` of `envoy/envoy.yaml`, word for word.
fn tag_rules() -> String {
    let text = shipped_text("envoy/envoy.yaml");
    let block = text.lines().skip_while(|line| !line.starts_with("stats_config:"));
    let block = block.enumerate().take_while(|(at, line)| *at == 0 || line.starts_with(' '));
    let block: String = block.map(|(_, line)| format!("{line}\n")).collect();
    assert!(block.lines().count() > 2, "no stats_config in envoy/envoy.yaml");
    block
}
