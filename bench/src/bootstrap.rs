//! Envoy's configuration: one listener, at most one filter, and an answer from the router itself, so that as little
//! as possible happens besides.

use std::net::SocketAddr;

use serde_json::{Value, json};

const HTTP: &str = "type.googleapis.com/envoy.extensions.filters";

/// The whole of it.
pub(crate) fn bootstrap(address: SocketAddr, filter: Option<&Value>) -> Value {
    let router = json!({"name": "router", "typed_config": {"@type": format!("{HTTP}.http.router.v3.Router")}});
    let filters: Vec<_> = filter.cloned().into_iter().chain([router]).collect();
    let manager = json!({
        "@type": format!("{HTTP}.network.http_connection_manager.v3.HttpConnectionManager"),
        "stat_prefix": "bench",
        "use_remote_address": true,
        "http_filters": filters,
        "route_config": {"virtual_hosts": [{
            "name": "all",
            "domains": ["*"],
            "routes": [{
                "match": {"prefix": "/"},
                "direct_response": {"status": 200, "body": {"inline_string": "hello\n"}},
            }],
        }]},
    });
    let socket = json!({"address": address.ip().to_string(), "port_value": address.port()});
    json!({"static_resources": {"listeners": [{
        "name": "main",
        "address": {"socket_address": socket},
        // Every worker gets the same number of connections.
        "connection_balance_config": {"exact_balance": {}},
        "filter_chains": [{"filters": [{"name": "http", "typed_config": manager}]}],
    }]}})
}
