//! The names and labels of statistics, as Prometheus gets them.

use serde_json::json;
use weir_tests::{Envoy, Req, promtool, volley};

use super::labelled;

/// The filter's own part of `/stats/prometheus`, after `promtool` has found nothing wrong with it but what is Envoy's:
/// it gives no help texts.
async fn exposed(envoy: &Envoy) -> Vec<String> {
    let all = envoy.admin("/stats/prometheus").await;
    let (status, said) = promtool(&["check", "metrics"], &all);
    // 1 is for what cannot be read at all, 3 for advice.
    assert!(matches!(status, Some(0 | 3)), "{status:?}: {said}");
    let about_us = |line: &&str| line.contains("weir_") && !line.starts_with("envoy_");
    let advice: Vec<_> = said.lines().filter(about_us).filter(|line| !line.ends_with(" no help text")).collect();
    assert!(advice.is_empty(), "{advice:?}");
    // promtool says nothing at all where it has read nothing.
    assert!(said.contains("weir_requests_total no help text"), "{said}");
    let own = all.lines().filter(|line| line.trim_start_matches("# TYPE ").starts_with("weir_"));
    let mut own: Vec<_> = own.map(str::to_owned).collect();
    own.sort();
    own
}

fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<_> = text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    lines.sort();
    lines
}

/// What all counters of requests read for a rule; those left out read 0.
fn requests(rule: &str, [allowed, limited, shadow_limited, exempt]: [u64; 4]) -> String {
    let of = |decision, count| format!("weir_requests_total{{rule=\"{rule}\",decision=\"{decision}\"}} {count}\n");
    of("allowed", allowed)
        + &of("limited", limited)
        + &of("shadow_limited", shadow_limited)
        + &of("exempt", exempt)
        + &of("error", 0)
}

#[tokio::test]
async fn every_statistic_is_there_from_the_start_with_its_labels_and_its_type() {
    let policy = json!({
        "client": [{"header": "x-api-key"}],
        "exempt": [{"paths": ["/healthz"]}],
        "store": {"max_entries": 64},
        "limits": [{"rate": "1000000/hour", "per": ["ip"]}],
        "plans": {"default": "free", "tiers": {"free": {"limits": ["1000000/hour", {"rate": "2/hour", "per": ["client", "path"]}]}}},
        "rules": [
            {"name": "auth", "match": {"paths": ["/login"]}, "limits": [{"rate": "1/hour", "per": ["ip"]}]},
            {"name": "watch", "match": {"paths": ["/watched"]}, "limits": [{"rate": "1/hour", "mode": "shadow", "name": "trial"}]},
        ],
    });
    let envoy = labelled(policy).start().await;
    let expected = |counts: [[u64; 4]; 3], limited: [u64; 5], entries| {
        let [all, plan, plan_2, auth, trial] = limited;
        lines(&format!(
            r#"
            # TYPE weir_requests_total counter
            # TYPE weir_limited_total counter
            # TYPE weir_store_entries gauge
            # TYPE weir_store_displaced_total counter
            # TYPE weir_store_overflow_total counter
            # TYPE weir_store_foreign_total counter
            # TYPE weir_cas_retries_total counter
            {}{}{}
            weir_limited_total{{rule="all",limit="all",mode="enforce"}} {all}
            weir_limited_total{{rule="plan",limit="free",mode="enforce"}} {plan}
            weir_limited_total{{rule="plan",limit="free-2",mode="enforce"}} {plan_2}
            weir_limited_total{{rule="auth",limit="auth",mode="enforce"}} {auth}
            weir_limited_total{{rule="watch",limit="trial",mode="shadow"}} {trial}
            weir_store_entries{{}} {entries}
            weir_store_displaced_total{{}} 0
            weir_store_overflow_total{{}} 0
            weir_store_foreign_total{{}} 0
            weir_cas_retries_total{{}} 0
            "#,
            requests("all", counts[0]),
            requests("auth", counts[1]),
            requests("watch", counts[2]),
        ))
    };
    // A counter that appeared with its first event would hide that event from increase().
    assert_eq!(exposed(&envoy).await, expected([[0; 4]; 3], [0; 5], 0));

    let client = envoy.client();
    for (path, times) in [("/healthz", 3), ("/login", 3), ("/watched", 2), ("/else", 4)] {
        for _ in 0..times {
            client.send(&Req::get(path).key("k")).await;
        }
    }
    // Entries: the address at the top level and in `auth`; the client in the plan, in `watch`, and each path's.
    let counts = [[2, 2, 0, 3], [1, 2, 0, 0], [1, 0, 1, 0]];
    assert_eq!(exposed(&envoy).await, expected(counts, [0, 0, 2, 2, 1], 7));

    volley(envoy.addr(), 0..500, 2, |n| ("/watched", format!("k-{n}"))).await;
    assert!(envoy.stat("wasmcustom.weir_store_displaced_total").await > 300);
    let entries = envoy.stat("wasmcustom.weir_store_entries").await;
    assert!((32..=64).contains(&entries), "{entries} entries");
}

#[tokio::test]
async fn names_of_any_characters_stay_apart() {
    let names =
        ["a.b", "a_b", "a b", "a-b", "a%20b", "x;decision=error", "\"q\"\\{}", "n:1|c#t", "..", ".", "a.", ";rule=y"];
    let rules = |(at, name): (usize, &&str)| json!({"name": name, "match": {"paths": [format!("/{at}")]}, "limits": ["1/hour"]});
    let rules: Vec<_> = names.iter().enumerate().map(rules).collect();
    let envoy = labelled(json!({"rules": rules})).start().await;
    let client = envoy.client();
    for at in 0..names.len() {
        for _ in 0..=at + 1 {
            client.send(&Req::get(&format!("/{at}"))).await;
        }
    }
    let shown = [
        "a.b",
        "a_b",
        "a%20b",
        "a-b",
        "a%2520b",
        "x%3Bdecision%3Derror",
        "%22q%22%5C%7B%7D",
        "n%3A1%7Cc%23t",
        ".%2E",
        "%2E",
        "a%2E",
        "%3Brule%3Dy",
    ];
    assert_eq!(shown.len(), names.len());
    let all = exposed(&envoy).await;
    for (limited, rule) in (1..).zip(shown) {
        for line in lines(&requests(rule, [1, limited, 0, 0])) {
            assert!(all.contains(&line), "no {line} in {all:#?}");
        }
        let line = format!("weir_limited_total{{rule=\"{rule}\",limit=\"{rule}\",mode=\"enforce\"}} {limited}");
        assert!(all.contains(&line), "no {line} in {all:#?}");
    }
}
