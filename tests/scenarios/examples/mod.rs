//! The configurations to copy, in `envoy/`: each starts as it stands there, and does what it says.

mod api_keys;
mod api_keys_attacked;
mod control_planes;
mod days;
mod jwt;
mod login;
mod mtls;
mod native;
mod shadow;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;
use weir_tests::{Client, Envoy, Reply, Req, Tally};

/// Connections side by side.
const LANES: usize = 8;

/// One of the addresses that tests come from.
fn address(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 7, number)
}

fn client(envoy: &Envoy, number: u8) -> Client {
    envoy.client().from_address(address(number))
}

/// What became of a flood.
struct Flood {
    tally: Tally,
    /// One of the refusals.
    refusal: Option<Reply>,
    /// When the last request was sent that was refused.
    refused: Option<Instant>,
}

/// So many requests from these addresses, over connections side by side.
async fn flood_from(addr: SocketAddr, numbers: &[u8], count: usize, request: &Req) -> Flood {
    let mut lanes = JoinSet::new();
    for (lane, number) in (0..LANES).zip(numbers.iter().cycle()) {
        let (client, request) = (Client::new(addr).from_address(address(*number)), request.clone());
        lanes.spawn(async move {
            let mut replies = Vec::new();
            for _ in (lane..count).step_by(LANES) {
                let sent = Instant::now();
                replies.push((sent, client.send(&request).await));
            }
            replies
        });
    }
    let replies = lanes.join_all().await.concat();
    let refused = replies.iter().filter(|(_, reply)| reply.status == 429).max_by_key(|(sent, _)| *sent);
    Flood {
        tally: replies.iter().map(|(_, reply)| reply).collect(),
        refusal: refused.map(|(_, reply)| reply.clone()),
        refused: refused.map(|(sent, _)| *sent),
    }
}

/// What a limit earns in this time.
fn earned(time: Duration, per_minute: u64) -> u64 {
    (time.as_nanos() * u128::from(per_minute) / 60_000_000_000) as u64
}

/// The file as a tree.
fn parsed(file: &str) -> Value {
    serde_saphyr::from_str(&weir_tests::shipped_text(file)).unwrap_or_else(|fault| panic!("{file}: {fault}"))
}

/// What the filter named `weir` is told in this file.
fn policy_of(file: &str) -> Value {
    let manager = &parsed(file)["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"];
    let filters = manager["http_filters"].as_array().expect("filters");
    let weir = filters.iter().find(|filter| filter["name"] == "weir").expect("the filter");
    weir["typed_config"]["config"]["configuration"]["value"].clone()
}

#[tokio::test]
async fn each_is_valid_and_warns_of_nothing_that_it_does_not_mention() {
    let mut seen = 0;
    for entry in std::fs::read_dir(weir_tests::shipped("envoy")).expect("the folder") {
        let name = entry.expect("a file").file_name().into_string().expect("a name");
        if ["upstream.yaml", "istio.yaml", "envoy-gateway.yaml"].contains(&name.as_str()) {
            continue;
        }
        let file = Envoy::from_file(&format!("envoy/{name}"));
        let authority = mtls::Authorities::new();
        let file = if name == "mtls.yaml" { authority.put_into(file) } else { file };
        let log = file.validate().await.unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let unmentioned = |line: &&str| line.contains("[warning]") && !line.contains("api_key_auth.v3");
        assert_eq!(log.lines().find(unmentioned), None, "{name}");
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}
