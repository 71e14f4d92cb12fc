//! Envoy's own limiter, `envoy.filters.http.local_ratelimit`, with a bucket for each client and with its headers, so
//! that it does as much as it can of the same work.

use serde_json::{Value, json};

/// What is counted, and how much is let through.
#[derive(Debug)]
pub(crate) struct Limits {
    /// By API key too, not by address alone.
    by_key: bool,
    /// Tokens of each bucket, refilled each second; `None` is a single one for a day.
    tokens: Option<u32>,
    /// How many buckets are kept.
    buckets: u32,
}

const PLENTY: Option<u32> = Some(2_000_000_000);

/// By address.
pub(crate) const BY_ADDRESS: Limits = Limits { by_key: false, tokens: PLENTY, buckets: 1_000 };
/// By address, and by API key.
pub(crate) const BY_ADDRESS_AND_KEY: Limits = Limits { by_key: true, tokens: PLENTY, buckets: 1_000 };
/// The same, refusing everything but the first request.
pub(crate) const REFUSING: Limits = Limits { by_key: true, tokens: None, buckets: 1_000 };
/// The same for many clients.
pub(crate) const MANY: Limits = Limits { by_key: true, tokens: PLENTY, buckets: 20_000 };

/// As an HTTP filter.
pub(crate) fn filter(limits: &Limits) -> Value {
    let bucket = match limits.tokens {
        Some(tokens) => {
            json!({"max_tokens": tokens, "tokens_per_fill": tokens, "fill_interval": "1s"})
        }
        None => json!({"max_tokens": 1, "tokens_per_fill": 1, "fill_interval": "86400s"}),
    };
    // An entry without a value stands for every value, each with a bucket of its own.
    let descriptor = |key: &str| json!({"entries": [{"key": key}], "token_bucket": bucket});
    let mut descriptors = vec![descriptor("remote_address")];
    let mut actions = vec![json!({"actions": [{"remote_address": {}}]})];
    if limits.by_key {
        descriptors.push(descriptor("client"));
        let header = json!({"header_name": "x-api-key", "descriptor_key": "client"});
        actions.push(json!({"actions": [{"request_headers": header}]}));
    }
    let always = json!({"default_value": {"numerator": 100, "denominator": "HUNDRED"}});
    json!({
        "name": "local_ratelimit",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
            "stat_prefix": "local",
            "token_bucket": bucket,
            "always_consume_default_token_bucket": false,
            "filter_enabled": always,
            "filter_enforced": always,
            "enable_x_ratelimit_headers": "DRAFT_VERSION_03",
            "max_dynamic_descriptors": limits.buckets,
            "descriptors": descriptors,
            "rate_limits": actions,
        },
    })
}
