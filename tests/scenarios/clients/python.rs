//! Python's urllib3, by itself and below requests.

use tokio::process::Command;
use weir_tests::Envoy;

use super::{REQUESTS, client_file, recovers, three_then_slowly};

async fn run(file: &str) {
    let envoy = Envoy::with(three_then_slowly()).await;
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", weir_tests::clients().join("python")).arg("-B").arg(client_file(file));
    python.args([format!("http://{}/", envoy.addr()), REQUESTS.to_string()]);
    recovers(&envoy, &mut python).await;
}

#[tokio::test]
async fn urllib3_and_requests_wait_as_they_are_told() {
    tokio::join!(run("python/with_urllib3.py"), run("python/with_requests.py"));
}
