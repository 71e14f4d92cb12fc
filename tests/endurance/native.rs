//! Envoy's own limiter with a bucket for each client, to compare with.

use serde_json::{Value, json};

/// `local_ratelimit` by the API key, with room for so many keys.
pub(crate) fn per_key(clients: u32) -> Value {
    let bucket = json!({"max_tokens": 5, "tokens_per_fill": 5, "fill_interval": "3600s"});
    let always = json!({"default_value": {"numerator": 100, "denominator": "HUNDRED"}});
    json!({"name": "native", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
        "stat_prefix": "native",
        "token_bucket": {"max_tokens": 1_000_000_000, "tokens_per_fill": 1_000_000_000, "fill_interval": "1s"},
        "filter_enabled": always,
        "filter_enforced": always,
        "max_dynamic_descriptors": clients,
        // An entry without a value makes a bucket for each value that comes.
        "descriptors": [{"entries": [{"key": "client"}], "token_bucket": bucket}],
        "rate_limits": [{"actions": [{"request_headers": {"header_name": "x-api-key", "descriptor_key": "client"}}]}],
    }})
}
