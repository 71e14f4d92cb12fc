//! Who is calling: one credential in any spelling, and none that cannot be told.

use std::net::Ipv4Addr;

use serde_json::json;
use weir_tests::{Client, Envoy, RawConnection, Req};

use crate::support::{per_key, tally};

#[tokio::test]
async fn a_key_given_twice_names_nobody() {
    let envoy = Envoy::with(per_key("5/hour")).await;
    for client in [envoy.client(), Client::http2(envoy.addr()).from_address(Ipv4Addr::new(127, 0, 0, 8))] {
        let before = envoy.upstream.reached();
        for i in 0..12 {
            client.send(&Req::get("/").key(&format!("rotating-{i}")).key("fixed")).await;
        }
        for i in 0..12 {
            client.send(&Req::get("/").key("fixed").key(&format!("rotating-{i}"))).await;
        }
        tally(&client, 2, &Req::get("/").key("same").key("same")).await.expect(0, 2);
        tally(&client, 2, &Req::get("/")).await.expect(0, 2);
        assert_eq!(envoy.upstream.reached() - before, 5);
    }
    tally(&envoy.client(), 6, &Req::get("/").key("fixed")).await.expect(5, 1);
}

#[tokio::test]
async fn a_bearer_token_given_twice_names_nobody() {
    let envoy = Envoy::with(json!({"client": [{"bearer": true}], "limits": ["5/hour"]})).await;
    let client = envoy.client();
    let bearer = |request: Req, token: &str| request.header("authorization", format!("Bearer {token}"));
    for i in 0..12 {
        client.send(&bearer(bearer(Req::get("/"), &format!("rotating-{i}")), "fixed")).await;
    }
    for i in 0..12 {
        client.send(&bearer(bearer(Req::get("/"), "fixed"), &format!("rotating-{i}"))).await;
    }
    assert_eq!(envoy.upstream.reached(), 5);
    tally(&client, 6, &bearer(Req::get("/"), "fixed")).await.expect(5, 1);
}

#[tokio::test]
async fn a_cookie_given_twice_names_nobody() {
    let envoy = Envoy::with(json!({"client": [{"cookie": "session"}], "limits": ["5/hour"]})).await;
    let client = envoy.client();
    for i in 0..12 {
        client.send(&Req::get("/").header("cookie", format!("session=rotating-{i}; session=fixed"))).await;
        client
            .send(&Req::get("/").header("cookie", "session=fixed").header("cookie", format!("a=b; session=r-{i}")))
            .await;
    }
    assert_eq!(envoy.upstream.reached(), 5);
    tally(&client, 6, &Req::get("/").header("cookie", "a=b; session=fixed; c=d")).await.expect(5, 1);
    tally(&client, 2, &Req::get("/").header("cookie", "xsession=1;session=fixed")).await.expect(0, 2);
    tally(&client, 2, &Req::get("/").header("cookie", "Session=other")).await.expect(0, 2);
}

#[tokio::test]
async fn what_is_given_twice_is_not_made_up_for_by_a_later_source() {
    let sources = json!([{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}]);
    let envoy = Envoy::with(json!({"client": sources, "limits": ["5/hour"]})).await;
    let client = envoy.client();
    for i in 0..12 {
        let varied = Req::get("/").header("cookie", format!("session={i}"));
        client.send(&varied.clone().key("K").key("K")).await;
        client.send(&varied.clone().header("authorization", "Bearer K, Bearer K")).await;
        client
            .send(&varied.key(&format!("key-{i}")).header("authorization", "Bearer K").header("authorization", "x"))
            .await;
    }
    assert_eq!(envoy.upstream.reached(), 5);
    tally(&client, 6, &Req::get("/").key("K").header("cookie", "session=1")).await.expect(5, 1);
}

#[tokio::test]
async fn one_bearer_token_is_one_client_in_every_spelling() {
    let envoy = Envoy::with(json!({"client": [{"bearer": true}], "limits": ["5/hour"]})).await;
    let client = envoy.client();
    for spelling in ["Bearer K", "bearer K", "BEARER K", "bEaReR K", "Bearer  K"] {
        client.send(&Req::get("/").header("authorization", spelling)).await;
    }
    for spelling in ["Bearer K", "bearer K", "BEARER K", "bEaReR K", "Bearer  K", "Bearer    K"] {
        tally(&client, 2, &Req::get("/").header("authorization", spelling)).await.expect(0, 2);
    }
    let raw = b"GET / HTTP/1.1\r\nhost: a\r\nauthorization: \t Bearer K\t \r\n\r\n";
    assert_eq!(RawConnection::exchange(envoy.addr(), raw).await.expect("an answer").status, 429);
    tally(&client, 6, &Req::get("/").header("authorization", "Bearer k")).await.expect(5, 1);

    // What is no bearer token is nobody's: the address answers for it.
    for other in ["xBearer K", "Basic S0s=", "BearerK", "Bearer", "Bearer ", "Bearer a b", "Negotiate x"] {
        let reply = client.send(&Req::get("/").header("authorization", other)).await;
        assert!([200, 429].contains(&reply.status));
    }
    tally(&client, 3, &Req::get("/")).await.expect(0, 3);
    assert_eq!(envoy.upstream.reached(), 15);
}

#[tokio::test]
async fn absent_empty_and_blank_keys_are_the_address() {
    let envoy = Envoy::with(per_key("5/hour")).await;
    for source in [Ipv4Addr::new(127, 0, 0, 1), Ipv4Addr::new(127, 0, 0, 9)] {
        let client = envoy.client().from_address(source);
        let before = envoy.upstream.reached();
        tally(&client, 2, &Req::get("/")).await.expect(2, 0);
        tally(&client, 2, &Req::get("/").key("")).await.expect(2, 0);
        tally(&client, 2, &Req::get("/").header("x-api-key", b"  \t ")).await.expect(1, 1);
        for request in [Req::get("/"), Req::get("/").key(""), Req::get("/").header("x-api-key", b" ")] {
            tally(&client, 18, &request).await.expect(0, 18);
        }
        assert_eq!(envoy.upstream.reached() - before, 5);
    }
}

#[tokio::test]
async fn falling_back_to_the_address_takes_nothing_from_a_limit_by_address() {
    let policy = json!({"client": [{"header": "x-api-key"}], "limits": [
        {"rate": "5/hour", "name": "by-client"},
        {"rate": "8/hour", "name": "by-address", "per": ["ip"]},
    ]});
    let envoy = Envoy::with(policy).await;
    tally(&envoy.client(), 20, &Req::get("/")).await.expect(5, 15);
    tally(&envoy.client(), 20, &Req::get("/").key("k")).await.expect(3, 17);
}

#[tokio::test]
async fn a_key_that_reads_like_an_address_is_no_address() {
    let envoy = Envoy::with(per_key("5/hour")).await;
    tally(&envoy.client(), 6, &Req::get("/")).await.expect(5, 1);
    tally(&envoy.client(), 6, &Req::get("/").key("127.0.0.1")).await.expect(5, 1);
    tally(&envoy.client(), 6, &Req::get("/").key("127.0.0.1/32")).await.expect(5, 1);
}

#[tokio::test]
async fn the_first_source_that_yields_a_value_wins() {
    let policy =
        json!({"client": [{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}], "limits": ["3/hour"]});
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let token = || Req::get("/").header("authorization", "Bearer T");
    tally(&client, 4, &token()).await.expect(3, 1);
    tally(&client, 2, &token().key("other")).await.expect(0, 2);
    tally(&client, 4, &Req::get("/").key("other").header("cookie", "session=s")).await.expect(3, 1);
    tally(&client, 4, &Req::get("/").header("cookie", "session=s").header("authorization", "Basic eDp5"))
        .await
        .expect(3, 1);
    tally(&client, 4, &Req::get("/")).await.expect(3, 1);
}

#[tokio::test]
async fn values_of_several_parts_do_not_run_into_each_other() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "2/hour", "per": ["header:x-a", "header:x-b"]}]})).await;
    let client = envoy.client();
    for (a, b) in [("ab", "c"), ("a", "bc"), ("abc", "d"), ("a", "b")] {
        tally(&client, 3, &Req::get("/").header("x-a", a).header("x-b", b)).await.expect(2, 1);
    }
}
