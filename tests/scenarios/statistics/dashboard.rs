//! The dashboard and the alerts in `observe/`, on a real Prometheus that scrapes a real Envoy.

use serde_json::{Value, json};
use weir_tests::{Envoy, Prometheus, Req, promtool, shipped_text, volley};

use super::labelled;

fn dashboard() -> Value {
    serde_json::from_str(&shipped_text("observe/grafana/dashboards/weir.json")).expect("JSON")
}

/// What Grafana would put in for its own variables, and for the dashboard's.
fn filled(query: &str) -> String {
    let variables = [("$__rate_interval", "1m"), ("$__range", "30m"), ("$rule", ".*"), ("$max_entries", "64")];
    let filled = variables.iter().fold(query.to_owned(), |query, (name, value)| query.replace(name, value));
    assert!(!filled.contains('$'), "a variable that nobody sets: {query}");
    filled
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().expect("a list").iter()
}

/// Everything happens in it that the dashboard is to show.
async fn busy() -> Envoy {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "exempt": [{"paths": ["/healthz"]}],
        "store": {"max_entries": 64},
        "rules": [
            {"name": "auth", "match": {"paths": ["/login"]}, "limits": [{"rate": "1/hour", "per": ["ip"]}]},
            {"name": "flooded", "match": {"paths": ["/flood"]}, "limits": ["1/hour"]},
            {"name": "watch", "limits": [{"rate": "1/hour", "mode": "shadow"}]},
        ],
    });
    labelled(policy).start().await
}

async fn traffic(envoy: &Envoy) {
    let client = envoy.client();
    for path in ["/login", "/watched", "/healthz"] {
        for _ in 0..10 {
            client.send(&Req::get(path).key("k")).await;
        }
    }
    volley(envoy.addr(), 0..500, 2, |n| ("/flood", format!("k-{n}"))).await;
}

/// It, and a Prometheus that has seen it before and after.
async fn observed() -> (Envoy, Prometheus) {
    let envoy = busy().await;
    let prometheus = Prometheus::start(&envoy).await;
    prometheus.await_query("weir_requests_total").await;
    traffic(&envoy).await;
    (envoy, prometheus)
}

#[test]
fn prometheus_accepts_its_configuration_and_every_alert_fires_when_it_should() {
    for (arguments, expected) in [
        (["check", "config", "prometheus.yml"], "SUCCESS: 1 rule files found"),
        (["check", "rules", "alerts.yml"], "SUCCESS: 6 rules found"),
        (["test", "rules", "alerts.test.yml"], "SUCCESS"),
    ] {
        let (status, said) = promtool(&arguments, "");
        assert_eq!((status, said.contains(expected)), (Some(0), true), "{arguments:?}: {said}");
    }
    let (alerts, tests) = (shipped_text("observe/alerts.yml"), shipped_text("observe/alerts.test.yml"));
    for alert in alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        let fires = format!("alertname: {alert}\n        exp_alerts:\n          - exp_labels");
        let quiet = format!("alertname: {alert}, exp_alerts: []");
        assert!(tests.contains(&fires) && tests.contains(&quiet), "no test of {alert}");
    }
}

#[tokio::test]
async fn every_query_of_the_dashboard_and_of_the_alerts_yields_data() {
    let (_envoy, prometheus) = observed().await;
    prometheus.await_query("increase(weir_requests_total{rule=\"auth\",decision=\"limited\"}[1m]) > 0").await;

    let dashboard = dashboard();
    for variable in each(&dashboard["templating"]["list"]).filter(|variable| variable["type"] == "query") {
        let query = variable["query"]["query"].as_str().expect("a query");
        let inner = query.strip_prefix("label_values(").and_then(|rest| rest.strip_suffix(')')).expect("label_values");
        let (series, label) = inner.split_once(", ").expect("series and label");
        let values = prometheus.api(&format!("label/{label}/values"), &[("match[]", series)]).await;
        assert_eq!(values, json!(["all", "auth", "flooded", "watch"]));
    }
    let mut queries = 0;
    for target in each(&dashboard["panels"]).flat_map(|panel| each(&panel["targets"])) {
        let query = filled(target["expr"].as_str().expect("a query"));
        let found = prometheus.query(&query).await;
        println!("{query}\n  {found:?}");
        assert!(!found.is_empty(), "nothing comes of {query}");
        assert!(found.iter().all(|(_, value)| value.is_finite()), "{query}: {found:?}");
        // Every label that the legend names is there.
        let legend = target["legendFormat"].as_str().expect("a legend");
        for label in legend.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")) {
            assert!(found.iter().all(|(labels, _)| labels[label.0].is_string()), "{query} by {}: {found:?}", label.0);
        }
        queries += 1;
    }
    assert_eq!(queries, 12);

    let rules = prometheus.api("rules", &[]).await;
    let mut alerts = 0;
    for alert in each(&rules["groups"]).flat_map(|group| each(&group["rules"])) {
        let (query, threshold) =
            alert["query"].as_str().and_then(|query| query.rsplit_once(['>', '<'])).expect("a threshold");
        assert!(threshold.trim().parse::<f64>().is_ok(), "{alert}");
        assert!(!prometheus.query(query).await.is_empty(), "nothing comes of {query}");
        assert_eq!((&alert["health"], &alert["lastError"]), (&json!("ok"), &json!(null)), "{alert}");
        alerts += 1;
    }
    assert_eq!(alerts, 6);
}

#[tokio::test]
async fn the_dashboard_shows_what_happened() {
    let (_envoy, prometheus) = observed().await;
    let flooded = "weir_requests_total{rule=\"flooded\",decision=\"allowed\"} == 500";
    prometheus.await_query(flooded).await;
    prometheus.await_query("increase(weir_store_displaced_total[1m]) > 300").await;

    let dashboard = dashboard();
    let panel = async |title: &str| {
        let panel = each(&dashboard["panels"]).find(|panel| panel["title"] == title);
        let panel = panel.unwrap_or_else(|| panic!("no panel {title}"));
        prometheus.query(&filled(panel["targets"][0]["expr"].as_str().expect("a query"))).await
    };
    let of = |found: &[(Value, f64)], label: &str, name: &str| {
        let one = found.iter().find(|(labels, _)| labels[label] == name);
        one.unwrap_or_else(|| panic!("no {name} in {found:?}")).1
    };
    let share = panel("Share refused, by rule").await;
    assert!((of(&share, "rule", "auth") - 0.9).abs() < 0.01, "{share:?}");
    assert!(of(&share, "rule", "flooded").abs() < 0.01, "{share:?}");
    let busiest = panel("Busiest rules").await;
    assert_eq!(busiest[0].0["rule"], "flooded", "{busiest:?}");
    let refused = panel("Most refused rules").await;
    assert_eq!(refused[0].0["rule"], "auth", "{refused:?}");
    let limits = panel("Refusals of each limit").await;
    assert!(of(&limits, "mode", "shadow") > 0.0, "{limits:?}");
    let occupancy = panel("Table occupancy").await[0].1;
    assert!((0.5..=1.0).contains(&occupancy), "{occupancy}");
    assert!(panel("Clients displaced").await[0].1 > 0.0);

    // The table was full: the alert fires at once.
    let alerts = prometheus.await_query("ALERTS{alertname=\"WeirTableFull\",alertstate=\"firing\"}").await;
    assert_eq!((alerts.len(), &alerts[0].0["severity"]), (1, &json!("warning")));
    assert_eq!(
        prometheus.query("ALERTS{alertname=~\"WeirUndecided|WeirUnseen|WeirDamagedRecords|WeirRestarted\"}").await,
        []
    );
}
