//! Envoy's own configuration around the listeners, and the names that it shares with the harness.

use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};

/// File names within the Envoy's directory. JSON in a `.yaml` file is YAML without YAML's surprises.
pub(super) const BOOTSTRAP: &str = "envoy.yaml";
pub(super) const LISTENERS: &str = "lds.yaml";
pub(super) const ADMIN_ADDRESS: &str = "admin";
pub(super) const ACCESS_LOG: &str = "access.log";

/// A request with this header is the harness' own.
pub(super) const PROBE_HEADER: &str = "x-harness-probe";

/// Every response shows here which configuration it came from, local replies included.
pub(super) const GENERATION_HEADER: &str = "server";

pub(super) fn generation_name(generation: u64) -> String {
    format!("generation-{generation}")
}

pub(super) fn address(addr: SocketAddr) -> Value {
    json!({"socket_address": {"address": addr.ip().to_string(), "port_value": addr.port()}})
}

/// The bootstrap: with `listeners` in it, or reading them from a watched file in `dir`.
pub(super) fn bootstrap(
    dir: &Path,
    upstream: SocketAddr,
    listeners: Option<Vec<Value>>,
    clusters: &[Value],
    http2: bool,
) -> Value {
    let mut cluster = json!({
        "name": "upstream",
        "load_assignment": {
            "cluster_name": "upstream",
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(upstream)}}]}],
        },
    });
    if http2 {
        const OPTIONS: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
        cluster["typed_extension_protocol_options"] = json!({OPTIONS: {
            "@type": format!("type.googleapis.com/{OPTIONS}"),
            "explicit_http_config": {"http2_protocol_options": {}},
        }});
    }
    let mut all = vec![cluster];
    all.extend_from_slice(clusters);
    let mut config = json!({
        "node": {"id": "weir-tests", "cluster": "weir-tests"},
        "admin": {"address": address(SocketAddr::from(([127, 0, 0, 1], 0)))},
        "static_resources": {"clusters": all},
    });
    match listeners {
        Some(listeners) => {
            let typeless = |mut listener: Value| {
                listener.as_object_mut().map(|fields| fields.remove("@type"));
                listener
            };
            config["static_resources"]["listeners"] = listeners.into_iter().map(typeless).collect();
        }
        None => {
            config["dynamic_resources"] = json!({"lds_config": {
                "resource_api_version": "V3",
                "path_config_source": {"path": dir.join(LISTENERS)},
            }});
        }
    }
    config
}

/// The watched file's content.
pub(super) fn discovery(listeners: &[Value], version: u64) -> Value {
    json!({"version_info": version.to_string(), "resources": listeners})
}
