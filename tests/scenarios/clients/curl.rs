//! `curl --retry`.

use tokio::process::Command;
use weir_tests::Envoy;

use super::{REQUESTS, recovers, three_then_slowly};

#[tokio::test]
async fn curl_waits_as_it_is_told() {
    let envoy = Envoy::with(three_then_slowly()).await;
    // Left to itself it would wait one second, then two.
    // Before a retry it empties the file, which so cannot be /dev/null.
    let dir = tempfile::tempdir().expect("a directory");
    let mut curl = Command::new("curl");
    curl.args(["--disable", "--silent", "--noproxy", "*", "--retry", "3", "--write-out", "%{http_code}\n"]);
    for _ in 0..REQUESTS {
        curl.arg("--output").arg(dir.path().join("body")).arg(format!("http://{}/", envoy.addr()));
    }
    recovers(&envoy, &mut curl).await;
}
