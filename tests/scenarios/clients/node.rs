//! Clients of Node.js: axios with axios-retry, and got.

use std::fs::File;

use tokio::process::Command;
use weir_tests::Envoy;

use super::{REQUESTS, client_file, recovers, three_then_slowly};

async fn run(file: &str) {
    let envoy = Envoy::with(three_then_slowly()).await;
    let mut node = Command::new("node");
    // A module that is read from standard input finds its libraries in the current folder.
    node.current_dir(weir_tests::clients().join("node")).args(["--input-type=module", "-"]);
    node.stdin(File::open(client_file(file)).expect("the client"));
    node.args([format!("http://{}/", envoy.addr()), REQUESTS.to_string()]);
    recovers(&envoy, &mut node).await;
}

#[tokio::test]
async fn axios_and_got_wait_as_they_are_told() {
    tokio::join!(run("node/with_axios.mjs"), run("node/with_got.mjs"));
}
