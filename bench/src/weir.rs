//! Weir's filter and its configurations.

use std::path::Path;

use serde_json::{Value, json};

/// More than any machine sends.
const PLENTY: &str = "10000000/second";

/// Weir's configuration.
#[derive(Debug, Clone)]
pub(crate) struct Policy(Value);

impl Policy {
    /// One limit, by address: the smallest there is.
    pub(crate) fn by_address() -> Self {
        Self(json!({"limits": [{"rate": PLENTY, "per": ["ip"]}]}))
    }

    /// A limit by address for everything, and four rules by method and path with a limit by API key, the third of
    /// which applies.
    pub(crate) fn rules() -> Self {
        Self::rules_at(PLENTY)
    }

    /// The same, with nothing left for the API key after its first request.
    pub(crate) fn refusing() -> Self {
        Self::rules_at("1/day")
    }

    /// The same in a table that so many clients nearly fill, every one of them in debt.
    pub(crate) fn crowded(clients: usize) -> Self {
        let mut policy = Self::rules_at("2000/day");
        policy.0["store"] = json!({"max_entries": clients + clients / 5});
        policy
    }

    fn rules_at(rate: &str) -> Self {
        Self(json!({
            "client": [{"header": "x-api-key"}],
            "limits": [{"rate": PLENTY, "per": ["ip"]}],
            "rules": [
                {
                    "name": "auth",
                    "match": {"methods": ["POST"], "paths": ["/login", "/signup", "/api/auth/**"]},
                    "limits": [{"rate": "5/minute", "per": ["ip"]}],
                },
                {"name": "search", "match": {"paths": ["/api/search/**"]}, "limits": [{"rate": "30/minute"}]},
                {
                    "name": "reads",
                    "match": {"methods": ["GET", "HEAD"], "paths": ["/api/**"]},
                    "limits": [{"rate": rate}],
                },
                {"name": "everything-else", "limits": [{"rate": "100/minute"}]},
            ],
        }))
    }

    /// The same, adding no header field to any response.
    pub(crate) fn without_headers(mut self) -> Self {
        self.0["headers"] = json!({"x_ratelimit": false, "ratelimit": false});
        self
    }
}

/// The module at `module` as an HTTP filter.
pub(crate) fn filter(module: &Path, policy: &Policy) -> Value {
    wasm(module, Some(&policy.0))
}

/// A Wasm module as an HTTP filter.
pub(crate) fn wasm(module: &Path, configuration: Option<&Value>) -> Value {
    let mut config = json!({
        "name": "weir",
        "root_id": "weir",
        "vm_config": {
            "vm_id": "weir",
            "runtime": "envoy.wasm.runtime.v8",
            "code": {"local": {"filename": module}},
        },
        "failure_policy": "FAIL_CLOSED",
    });
    if let Some(value) = configuration {
        config["configuration"] = json!({"@type": "type.googleapis.com/google.protobuf.Struct", "value": value});
    }
    json!({
        "name": "weir",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
            "config": config,
        },
    })
}
