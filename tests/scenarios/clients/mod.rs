//! Real client programs and libraries: each recovers from a refusal by itself, and is refused no more often than a
//! client must be that cannot know of a limit before it meets it.

mod curl;
mod example;
mod grpc;
mod grpc_web;
mod node;
mod python;

use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::Command;
use weir_tests::Envoy;

/// No client here takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Three at once, then one in two seconds: longer than the first waits of those who only back off.
fn three_then_slowly() -> Value {
    json!({"limits": [{"rate": "1/2s", "burst": 3}]})
}

/// What a client that comes back neither early nor late goes through with [`three_then_slowly`]: of five requests,
/// the fourth and the fifth are refused once each.
const REQUESTS: usize = 5;
const REFUSALS: u64 = 2;

/// A test's own file beside the clients' libraries.
fn client_file(name: &str) -> std::path::PathBuf {
    weir_tests::shipped("tests/clients").join(name)
}

/// Runs a program to its end.
async fn output(command: &mut Command, remedy: &str) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let name = command.as_std().get_program().to_owned();
    let child = command.spawn().unwrap_or_else(|fault| panic!("{name:?}: {fault}: run `{remedy}`"));
    let ended = tokio::time::timeout(PATIENCE, child.wait_with_output()).await;
    ended.unwrap_or_else(|_| panic!("{name:?} takes longer than {PATIENCE:?}")).expect("the output of a child")
}

/// Runs a client that prints the final status of each of its requests: all must have come through, after no more
/// refusals than needed.
async fn recovers(envoy: &Envoy, command: &mut Command) {
    let output = output(command, "make clients").await;
    let text = String::from_utf8_lossy(&output.stdout);
    let statuses: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(statuses, ["200"; REQUESTS], "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(envoy.upstream.reached(), REQUESTS as u64);
    // Fewer, if the machine stalls.
    let refusals = refusals(envoy).await;
    assert!((1..=REFUSALS).contains(&refusals), "{refusals} refusals");
}

/// Refusals by any limit so far.
async fn refusals(envoy: &Envoy) -> u64 {
    envoy.stats("weir_limited_total").await.iter().map(|(_, value)| value).sum()
}
