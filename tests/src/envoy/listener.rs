//! A listener and the filter in it, as Envoy's configuration.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::bootstrap;

const HTTP: &str = "type.googleapis.com/envoy.extensions.filters.http";

/// The filter's configuration in one of the forms in which Envoy hands it in.
#[derive(Clone)]
pub enum Settings {
    /// `google.protobuf.Struct`: what YAML written inline becomes.
    Struct(Value),
    /// `google.protobuf.StringValue` that holds this as JSON.
    Json(Value),
    /// `google.protobuf.StringValue` that holds this text.
    Text(String),
}

impl Settings {
    fn to_any(&self) -> Value {
        let string = |text: &str| json!({"@type": "type.googleapis.com/google.protobuf.StringValue", "value": text});
        match self {
            Self::Struct(value) => {
                json!({"@type": "type.googleapis.com/google.protobuf.Struct", "value": value})
            }
            Self::Json(value) => string(&value.to_string()),
            Self::Text(text) => string(text),
        }
    }
}

/// The filter as an entry of `http_filters`.
pub fn weir_filter(settings: &Settings, vm_id: &str, failure_policy: &str) -> Value {
    json!({
        "name": "weir",
        "typed_config": {
            "@type": format!("{HTTP}.wasm.v3.Wasm"),
            "config": {
                "name": "weir",
                "root_id": "weir",
                "vm_config": {
                    "vm_id": vm_id,
                    "runtime": "envoy.wasm.runtime.v8",
                    "code": {"local": {"filename": crate::paths::wasm()}},
                },
                "failure_policy": failure_policy,
                "configuration": settings.to_any(),
            },
        },
    })
}

/// A listener on loopback: the filters given, then the router to the upstream. Its peers' own addresses are
/// the clients' (`use_remote_address`), as the front proxy of an API has it.
#[derive(Clone)]
pub struct Listener {
    pub(super) name: String,
    settings: Option<Settings>,
    vm_id: String,
    module: Option<PathBuf>,
    failure_policy: String,
    manager: Value,
    before: Vec<Value>,
    after: Vec<Value>,
    access_log: Option<String>,
    direct: bool,
    route_filters: Value,
}

impl Default for Listener {
    fn default() -> Self {
        Self::new()
    }
}

impl Listener {
    /// A listener named `main`, without the filter until a policy is given.
    pub fn new() -> Self {
        Self::named("main")
    }

    /// A listener with a name of its own.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            settings: None,
            vm_id: "weir".to_owned(),
            module: None,
            failure_policy: "FAIL_RELOAD".to_owned(),
            manager: json!({"use_remote_address": true}),
            before: Vec::new(),
            after: Vec::new(),
            access_log: None,
            direct: false,
            route_filters: json!({}),
        }
    }

    /// The filter, configured by a `Struct`.
    pub fn policy(self, policy: Value) -> Self {
        self.settings(Settings::Struct(policy))
    }

    /// The filter, configured in the given form.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Another `vm_id` than `weir`.
    pub fn vm_id(mut self, vm_id: &str) -> Self {
        self.vm_id = vm_id.to_owned();
        self
    }

    /// Another module than the built one.
    pub fn module(mut self, file: &Path) -> Self {
        self.module = Some(file.to_owned());
        self
    }

    /// Another failure policy than `FAIL_RELOAD`.
    pub fn failure_policy(mut self, policy: &str) -> Self {
        self.failure_policy = policy.to_owned();
        self
    }

    /// Trusts so many proxies in front: with one, the last entry of `X-Forwarded-For` is the client.
    pub fn trusted_hops(self, hops: u32) -> Self {
        self.manager("xff_num_trusted_hops", json!(hops))
    }

    /// Lets Envoy itself normalise paths and merge slashes.
    pub fn normalize_path(self) -> Self {
        self.manager("normalize_path", json!(true)).manager("merge_slashes", json!(true))
    }

    /// Any field of the HTTP connection manager.
    pub fn manager(mut self, field: &str, value: Value) -> Self {
        self.manager[field] = value;
        self
    }

    /// An HTTP filter in front of Weir.
    pub fn before(mut self, filter: Value) -> Self {
        self.before.push(filter);
        self
    }

    /// An HTTP filter behind Weir.
    pub fn after(mut self, filter: Value) -> Self {
        self.after.push(filter);
        self
    }

    /// An access log of lines in this format; see [`super::Envoy::access_log`].
    pub fn access_log(mut self, format: &str) -> Self {
        self.access_log = Some(format.to_owned());
        self
    }

    /// Lets Envoy itself answer what gets through, with a 200: for load beyond the upstream's.
    pub fn direct(mut self) -> Self {
        self.direct = true;
        self
    }

    /// What a filter is told by the route (`typed_per_filter_config`).
    pub fn route_filter(mut self, name: &str, config: Value) -> Self {
        self.route_filters[name] = config;
        self
    }

    /// As Envoy's configuration. `generation` is what [`bootstrap::GENERATION_HEADER`] shows; with `probe`,
    /// a filter in front of all answers the harness' own requests, which no limit then counts.
    pub(super) fn to_json(&self, addr: SocketAddr, dir: &Path, generation: u64, probe: bool) -> Value {
        let mut filters = Vec::new();
        if probe {
            filters.push(json!({"name": "probe", "typed_config": {
                "@type": format!("{HTTP}.health_check.v3.HealthCheck"),
                "pass_through_mode": false,
                "headers": [{"name": bootstrap::PROBE_HEADER, "present_match": true}],
            }}));
        }
        filters.extend(self.before.iter().cloned());
        filters.extend(self.settings.iter().map(|settings| {
            let mut filter = weir_filter(settings, &self.vm_id, &self.failure_policy);
            if let Some(module) = &self.module {
                filter["typed_config"]["config"]["vm_config"]["code"] = json!({"local": {"filename": module}});
            }
            filter
        }));
        filters.extend(self.after.iter().cloned());
        filters.push(json!({"name": "router", "typed_config": {"@type": format!("{HTTP}.router.v3.Router")}}));

        let mut manager = self.manager.clone();
        manager["@type"] = json!(
            "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
        );
        manager["stat_prefix"] = json!(self.name);
        manager["server_name"] = json!(bootstrap::generation_name(generation));
        manager["http_filters"] = json!(filters);
        let mut route = json!({"match": {"prefix": "/"}});
        if self.direct {
            route["direct_response"] = json!({"status": 200, "body": {"inline_string": "\n"}});
        } else {
            route["route"] = json!({"cluster": "upstream"});
        }
        route["typed_per_filter_config"] = self.route_filters.clone();
        manager["route_config"] = json!({"virtual_hosts": [{
            "name": "all",
            "domains": ["*"],
            "routes": [route],
        }]});
        if let Some(format) = &self.access_log {
            manager["access_log"] = json!([{"name": "file", "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
                "path": dir.join(bootstrap::ACCESS_LOG),
                "log_format": {"text_format_source": {"inline_string": format!("{format}\n")}},
            }}]);
        }
        json!({
            "@type": "type.googleapis.com/envoy.config.listener.v3.Listener",
            "name": self.name,
            "address": bootstrap::address(addr),
            // Connections go round the workers, so that a few of them reach every worker.
            "connection_balance_config": {"exact_balance": {}},
            "filter_chains": [{"filters": [{"name": "http", "typed_config": manager}]}],
        })
    }
}
