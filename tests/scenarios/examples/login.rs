//! `envoy/login.yaml`: guessing passwords ends, for the guesser alone.

use std::time::Instant;

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Reply, Req};

use super::{client, earned};

const QUIET: &str = r#"response:
                              body: '{"error": {"code": "RATE_LIMITED", "message": "Try again in {retry_after} seconds."}}'"#;

/// With the usual body, which tells a test what it tells a guesser.
async fn started() -> Envoy {
    Envoy::from_file("envoy/login.yaml").replace(QUIET, "").start().await
}

#[tokio::test]
async fn a_refusal_does_not_tell_how_near_a_guesser_is() {
    let envoy = Envoy::from_file("envoy/login.yaml").start().await;
    let me = client(&envoy, 1);
    assert_eq!(statuses(&me, (0..5).map(|_| attempt("anne", "401"))).await, [401; 5]);
    let refused = me.send(&attempt("anne", "401")).await;
    let message = format!("Try again in {} seconds.", refused.integer("retry-after"));
    assert_eq!(refused.json(), json!({"error": {"code": "RATE_LIMITED", "message": message}}));
    assert!(refused.headers.keys().all(|name| !name.as_str().contains("ratelimit-")), "{:?}", refused.headers);
}

/// An attempt, and what the service says to it.
fn attempt(account: &str, status: &str) -> Req {
    Req::post(&format!("/accounts/{account}/login")).body("password=…").header("x-want-status", status)
}

async fn statuses(client: &Client, requests: impl IntoIterator<Item = Req>) -> Vec<u16> {
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push(client.send(&request).await.status);
    }
    statuses
}

fn refused_by(reply: &Reply) -> Value {
    assert_eq!(reply.status, 429);
    reply.json()["error"]["policy"].clone()
}

#[tokio::test]
async fn right_passwords_cost_nothing_and_wipe_out_no_failures() {
    let envoy = started().await;
    let me = client(&envoy, 1);
    assert_eq!(statuses(&me, (0..20).map(|_| attempt("anne", "200"))).await, [200; 20]);
    let mixed = ["401", "200", "403", "500", "401", "200", "401", "404", "401", "200", "401"];
    let seen = statuses(&me, mixed.map(|status| attempt("anne", status))).await;
    assert_eq!(seen, [401, 200, 403, 500, 401, 200, 401, 404, 401, 429, 429]);
    let refused = me.send(&attempt("anne", "200")).await;
    assert_eq!(refused_by(&refused), "account");
    assert!((100..=180).contains(&refused.integer("retry-after")), "one in three minutes");
    // The longer window has counted along.
    let limits = refused.json()["error"]["limits"].clone();
    assert_eq!(limits["account-day"], json!({"limit": 15, "window": 86_400, "remaining": 10}));
    assert_eq!(limits["address-day"], json!({"limit": 50, "window": 86_400, "remaining": 45}));
    assert!(refused.header("ratelimit").is_none() && refused.header("x-ratelimit-remaining").is_none());
}

#[tokio::test]
async fn an_address_that_tries_many_accounts_is_stopped() {
    let envoy = started().await;
    let me = client(&envoy, 1);
    let seen = statuses(&me, (0..13).map(|i| attempt(&format!("user-{i}"), "401"))).await;
    assert_eq!(seen, [[401; 10].as_slice(), &[429; 3]].concat());
    // Not even by telling another address.
    let claims = attempt("user-99", "401").header("x-forwarded-for", "192.0.2.9");
    assert_eq!(refused_by(&me.send(&claims).await), "address");
    // What is no login goes on, and so do others.
    assert_eq!(me.send(&Req::get("/accounts/anne/login")).await.status, 200);
    assert_eq!(client(&envoy, 2).send(&attempt("user-1", "401")).await.status, 401);
}

#[tokio::test]
async fn every_attempt_counts_towards_a_flood() {
    let envoy = started().await;
    let begun = Instant::now();
    let seen = super::flood_from(envoy.addr(), &[1], 100, &attempt("anne", "200")).await.tally;
    assert!((60..=60 + earned(begun.elapsed(), 60)).contains(&seen.count(200)), "{seen:?}");
}

#[tokio::test]
async fn all_spellings_of_an_account_are_one() {
    let envoy = started().await;
    let spellings = [
        "/accounts/anne/login",
        "/accounts/ANNE/login",
        "/Accounts/%61nne/login?next=/",
        "//accounts/./anne;x=1/login/",
        "/accounts/bob/../anNe/login",
        "/accounts/anne/login",
        "/ACCOUNTS/Anne/LOGIN;v=2",
    ];
    let requests = spellings.map(|path| Req::post(path).header("x-want-status", "401"));
    assert_eq!(statuses(&client(&envoy, 1), requests).await, [401, 401, 401, 401, 401, 429, 429]);
}

#[tokio::test]
async fn a_stranger_locks_out_himself_and_not_the_owner() {
    let envoy = started().await;
    let stranger = client(&envoy, 1);
    assert_eq!(statuses(&stranger, (0..6).map(|_| attempt("anne", "401"))).await, [401, 401, 401, 401, 401, 429]);
    let owner = client(&envoy, 2);
    assert_eq!(statuses(&owner, ["401", "200", "200"].map(|status| attempt("anne", status))).await, [401, 200, 200]);
    // The same address at another account: five more.
    assert_eq!(statuses(&stranger, (0..6).map(|_| attempt("bob", "401"))).await, [401, 401, 401, 401, 401, 429]);
}

#[tokio::test]
async fn many_strangers_together_are_seen_and_still_lock_nobody_out() {
    let envoy = started().await;
    for number in 1..=30 {
        assert_eq!(statuses(&client(&envoy, number), (0..4).map(|_| attempt("anne", "401"))).await, [401; 4]);
    }
    assert_eq!(client(&envoy, 99).send(&attempt("anne", "200")).await.status, 200);
    let watched = envoy.stat("wasmcustom.weir_limited_total;rule=login;limit=account-anywhere;mode=shadow").await;
    assert_eq!(watched, 21, "of 120 failures and the owner's own login");
    let lines = envoy.access_log_lines(121).await;
    let watched =
        lines.iter().filter(|line| line.contains("decision=shadow_limited rule=login limit=account-anywhere"));
    assert_eq!(watched.count(), 21, "{lines:?}");
}
