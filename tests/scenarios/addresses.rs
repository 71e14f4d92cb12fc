//! An address is what Envoy says it is, and as much of it as one client owns.

use std::net::Ipv4Addr;

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, Req, Tally};

use crate::support::{per_address, tally};

async fn behind_a_trusted_hop(policy: Value) -> Envoy {
    Envoy::builder().listener(Listener::new().policy(policy).trusted_hops(1)).start().await
}

async fn from(client: &Client, addresses: impl IntoIterator<Item = String>) -> Tally {
    let mut tally = Tally::default();
    for address in addresses {
        tally.add(client.send(&Req::get("/").header("x-forwarded-for", address)).await.status);
    }
    tally
}

#[tokio::test]
async fn a_forged_address_is_worth_nothing() {
    let envoy = Envoy::with(per_address("5/hour")).await;
    let client = envoy.client();
    let mut forged = Tally::default();
    for i in 0..20 {
        let address = format!("203.0.113.{i}");
        let names = ["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-envoy-external-address"];
        let request = names.iter().fold(Req::get("/"), |request, name| request.header(name, &address));
        forged.add(client.send(&request.header("forwarded", format!("for={address}"))).await.status);
    }
    forged.expect(5, 15);
    from(&client, (0..20).map(|_| "10.1.2.3".to_owned())).await.expect(0, 20);
    assert_eq!(envoy.upstream.reached(), 5);
}

#[tokio::test]
async fn only_what_the_trusted_hop_wrote_counts() {
    let envoy = behind_a_trusted_hop(per_address("5/hour")).await;
    let client = envoy.client();
    from(&client, (0..20).map(|i| format!("192.0.2.{i}, 198.51.100.{i}, 203.0.113.9"))).await.expect(5, 15);
    from(&client, (20..40).map(|i| format!("203.0.113.9, 203.0.113.{i}"))).await.expect(20, 0);
    from(&client, ["203.0.113.20".to_owned()].into_iter().cycle().take(6)).await.expect(4, 2);
}

#[tokio::test]
async fn a_port_is_no_part_of_the_client() {
    let envoy = Envoy::with(per_address("3/hour")).await;
    tally(&envoy.client().one_shot(), 8, &Req::get("/")).await.expect(3, 5);

    let envoy = behind_a_trusted_hop(per_address("3/hour")).await;
    let client = envoy.client();
    let ports = from(&client, (1111..1123).map(|port| format!("203.0.113.9:{port}"))).await;
    ports.expect_no_faults();
    assert!(ports.count(200) <= 3, "{ports:?}");
    let odd = (0..12).map(|i| format!("[2001:db8::1]:{i}"));
    let odd = from(&client, odd.chain((0..12).map(|i| format!("not-an-ip-{i}")))).await;
    odd.expect_no_faults();
    assert!(odd.count(200) <= 6, "{odd:?}");
}

#[tokio::test]
async fn a_network_of_ipv6_is_one_client_however_spelt() {
    let envoy = behind_a_trusted_hop(per_address("5/hour")).await;
    let client = envoy.client();
    from(&client, (1..=20).map(|i| format!("2001:db8:0:1::{i:x}"))).await.expect(5, 15);
    from(&client, ["2001:0DB8:0:1:0:0:0:5", "2001:db8:0:1:ffff:ffff:ffff:ffff"].map(str::to_owned)).await.expect(0, 2);
    from(&client, ["2001:db8:0:2::1", "2001:db8:0:3::1"].map(str::to_owned)).await.expect(2, 0);
}

#[tokio::test]
async fn an_ipv4_address_within_ipv6_counts_as_ipv4() {
    let envoy = behind_a_trusted_hop(per_address("3/hour")).await;
    let client = envoy.client();
    from(&client, ["203.0.113.7", "::ffff:203.0.113.7", "64:ff9b::203.0.113.7"].map(str::to_owned)).await.expect(3, 0);
    from(&client, ["::FFFF:cb00:7107", "64:ff9b::cb00:7107", "203.0.113.7"].map(str::to_owned)).await.expect(0, 3);
    from(&client, ["203.0.113.8", "64:ff9b::203.0.113.9", "::ffff:203.0.113.10"].map(str::to_owned)).await.expect(3, 0);
}

#[tokio::test]
async fn ipv4_addresses_are_apart_by_default() {
    let envoy = Envoy::with(per_address("2/hour")).await;
    for host in 1..6 {
        let client = envoy.client().from_address(Ipv4Addr::new(127, 0, 0, host));
        tally(&client, 4, &Req::get("/")).await.expect(2, 2);
    }
}

#[tokio::test]
async fn the_size_of_a_network_can_be_told() {
    let mut policy = per_address("2/hour");
    policy["ip"] = json!({"v4_prefix": 24, "v6_prefix": 48, "trust_forwarded": true});
    let envoy = behind_a_trusted_hop(policy).await;
    let client = envoy.client();
    from(&client, (1..5).map(|i| format!("203.0.113.{i}"))).await.expect(2, 2);
    from(&client, (1..5).map(|i| format!("::ffff:203.0.113.{i}"))).await.expect(0, 4);
    from(&client, ["203.0.112.1".to_owned()]).await.expect(1, 0);
    from(&client, (1..5).map(|i| format!("2001:db8:1:{i}::1"))).await.expect(2, 2);
    from(&client, ["2001:db8:2::1".to_owned()]).await.expect(1, 0);
}

#[tokio::test]
async fn an_address_from_a_header_is_warned_of_unless_it_is_vouched_for() {
    let warnings = |envoy: &Envoy| envoy.log().lines().filter(|line| line.contains("trust_forwarded")).count();
    let envoy = behind_a_trusted_hop(per_address("5/hour")).await;
    from(&envoy.client(), (0..50).map(|i| format!("203.0.113.{i}"))).await.expect(50, 0);
    assert_eq!(warnings(&envoy), 1, "{}", envoy.log());

    let mut policy = per_address("5/hour");
    policy["ip"] = json!({"trust_forwarded": true});
    let envoy = behind_a_trusted_hop(policy).await;
    from(&envoy.client(), (0..5).map(|i| format!("203.0.113.{i}"))).await.expect(5, 0);
    assert_eq!(warnings(&envoy), 0, "{}", envoy.log());

    let envoy = Envoy::with(per_address("5/hour")).await;
    tally(&envoy.client(), 3, &Req::get("/")).await.expect(3, 0);
    assert_eq!(warnings(&envoy), 0, "{}", envoy.log());
}
