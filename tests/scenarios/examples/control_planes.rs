//! `envoy/istio.yaml` and `envoy/envoy-gateway.yaml`: what they hand to the filter, as they hand it, which is as JSON.

use std::time::Instant;

use serde_json::Value;
use weir_tests::{Envoy, Listener, Req, Settings};

use super::{client, earned, flood_from, parsed};

async fn exercise(policy: Value, vm_id: &str) {
    let listener = Listener::new().settings(Settings::Json(policy)).vm_id(vm_id);
    let envoy = Envoy::builder().listener(listener).start().await;
    for (request, number, name, rate) in [
        (Req::post("/login").key("made-up"), 1, "auth", 10),
        (Req::get("/api/search/x").key("a"), 2, "search", 30),
        (Req::get("/").key("a"), 3, "everything-else", 1000),
    ] {
        let begun = Instant::now();
        let seen = flood_from(envoy.addr(), &[number], rate + rate / 2, &request).await.tally;
        seen.expect_no_faults();
        let quota = rate as u64..=rate as u64 + earned(begun.elapsed(), rate as u64);
        assert!(quota.contains(&seen.count(200)), "{name}: {quota:?}, {seen:?}");
        let reply = client(&envoy, number + 10).send(&request).await;
        let policy = format!("\"all\";q=3000;w=60, \"{name}\";q={rate};w=60");
        assert_eq!(reply.expect("ratelimit-policy"), policy);
    }
}

#[tokio::test]
async fn istio_s_plugin_configuration_holds_in_a_vm_without_a_name() {
    let resource = parsed("envoy/istio.yaml");
    assert_eq!(
        (&resource["apiVersion"], &resource["kind"]),
        (&"extensions.istio.io/v1alpha1".into(), &"WasmPlugin".into())
    );
    assert_eq!(resource["spec"]["failStrategy"], "FAIL_RELOAD");
    exercise(resource["spec"]["pluginConfig"].clone(), "").await;
}

#[tokio::test]
async fn envoy_gateway_s_configuration_holds() {
    let resource = parsed("envoy/envoy-gateway.yaml");
    assert_eq!(resource["kind"], "EnvoyExtensionPolicy");
    assert_eq!(resource["apiVersion"], "gateway.envoyproxy.io/v1alpha1");
    exercise(resource["spec"]["wasm"][0]["config"].clone(), "envoyextensionpolicy/default/weir/wasm/0").await;
}
