//! No request can crash the filter, and none escapes it by odd bytes.

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, RawConnection, Req, Tally};

use crate::support::{tally, tally_across_workers};

/// Every sort of header the filter may read, read by a limit that never refuses, besides the client's own limit.
fn everything_read() -> Value {
    json!({
        "client": [{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}],
        "limits": [
            {"rate": "5/hour", "name": "own"},
            {"rate": "100000/second", "name": "all", "per": ["ip", "method", "path", "host", "header:x-odd", "cookie:odd"]},
        ],
        "rules": [
            {"name": "r", "match": {"hosts": ["x.test"], "paths": ["/{a}/**"], "methods": ["GET"]},
             "limits": [{"rate": "100000/second", "per": ["path:a"]}]},
        ],
    })
}

async fn start() -> Envoy {
    let listener = Listener::new().policy(everything_read()).manager("max_request_headers_kb", json!(512));
    Envoy::builder().workers(4).listener(listener).start().await
}

fn request(head: &[u8], headers: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = head.to_vec();
    for (name, value) in headers {
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value);
    }
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}

/// Whatever became of the odd requests, every worker still serves others.
async fn expect_sound(mut envoy: Envoy) {
    let request = Req::get("/").key("sound");
    tally_across_workers(envoy.addr(), 8, &request).await.expect(5, 3);
    envoy.assert_no_vm_failure();
}

#[tokio::test]
async fn bytes_that_are_no_text_in_any_header_are_answered() {
    let envoy = start().await;
    let names = [
        "x-api-key",
        "authorization",
        "cookie",
        "user-agent",
        "x-forwarded-for",
        "x-odd",
        "x-unrelated",
        "accept",
        "host",
    ];
    let values: [&[u8]; 6] =
        [b"\xff\xfe", b"\xc0\xa7", b"Bearer \xff", b"session=\xff\xfe; odd=\xc3\x28", b"\xed\xa0\x80", b"\x80"];
    for name in names {
        for value in values {
            for _ in 0..8 {
                let headers: &[(&str, &[u8])] =
                    if name == "host" { &[(name, value)] } else { &[("host", b"x.test"), (name, value)] };
                let reply = RawConnection::exchange(envoy.addr(), &request(b"GET /a/b HTTP/1.1", headers)).await;
                let status = reply.map(|reply| reply.status);
                assert!(matches!(status, Some(200 | 400 | 429)), "{name} {value:?}: {status:?}");
            }
        }
    }
    expect_sound(envoy).await;
}

#[tokio::test]
async fn odd_request_lines_are_answered() {
    let envoy = start().await;
    let heads: [&[u8]; 20] = [
        b"GET /\xff\xfe HTTP/1.1",
        b"GET /%ff%fe/%c0%a7 HTTP/1.1",
        b"GET /%00/%0a%0d HTTP/1.1",
        b"GET /a/../../../../etc HTTP/1.1",
        b"GET ?x HTTP/1.1",
        b"GET //// HTTP/1.1",
        b"GET /;;;/;=/ HTTP/1.1",
        b"GET /#x HTTP/1.1",
        b"GET /a b HTTP/1.1",
        b"GET http://x.test HTTP/1.1",
        b"GET http://x.test/a?b HTTP/1.1",
        b"GET http:///a HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"CONNECT x.test:443 HTTP/1.1",
        b"G\xffT / HTTP/1.1",
        b"get / HTTP/1.1",
        b"GET  / HTTP/1.1",
        b"GET / HTTP/1.0",
        b"GET / HTTP/9.9",
        b"\x00\x01\x02",
    ];
    for head in heads {
        for headers in
            [&[("host", b"x.test" as &[u8])][..], &[], &[("host", b"")], &[("host", b"a:b:c")], &[("host", b"[::1")]]
        {
            let reply = RawConnection::exchange(envoy.addr(), &request(head, headers)).await;
            let status = reply.map_or(0, |reply| reply.status);
            assert!(status < 500, "{:?} {headers:?}: {status}", String::from_utf8_lossy(head));
        }
    }
    expect_sound(envoy).await;
}

#[tokio::test]
async fn the_same_bytes_are_the_same_client() {
    let envoy = start().await;
    let client = envoy.client();
    let keys: [&[u8]; 4] = [b"\xff\xfe", b"\xff\xfd", b"\xc0\xa7", "é".as_bytes()];
    for key in keys {
        tally(&client, 12, &Req::get("/").header("x-api-key", key)).await.expect(5, 7);
    }
    assert_eq!(envoy.upstream.reached(), 20);
    expect_sound(envoy).await;
}

#[tokio::test]
async fn keys_of_sixty_kibibytes_are_counted_whole() {
    let envoy = start().await;
    let client = envoy.client();
    let (one, other) = ("k".repeat(61_440), format!("{}l", "k".repeat(61_439)));
    for key in [&one, &other] {
        tally(&client, 8, &Req::get("/").key(key)).await.expect(5, 3);
    }
    let path = format!("/{}/x?{}", "p".repeat(30_000), "q".repeat(30_000));
    tally(&client, 8, &Req::get(&path).host("x.test").key("path")).await.expect(5, 3);
    let odd = Req::get("/").key("odd").header("x-odd", one.as_bytes()).header("cookie", format!("odd={one}"));
    tally(&client, 8, &odd).await.expect(5, 3);
    expect_sound(envoy).await;
}

#[tokio::test]
async fn a_hundred_duplicates_of_a_header_are_answered() {
    let envoy = start().await;
    let client = envoy.client();
    for name in ["x-api-key", "x-odd", "cookie", "authorization", "x-forwarded-for", "accept", "origin"] {
        let request = (0..80).fold(Req::get("/"), |request, i| request.header(name, format!("odd={i}")));
        tally(&client, 3, &request).await.expect_no_faults();
    }
    expect_sound(envoy).await;
}

#[tokio::test]
async fn http2_requests_with_odd_bytes_are_answered() {
    let envoy = start().await;
    let client = Client::http2(envoy.addr());
    let mut statuses = Tally::default();
    for (name, value) in
        [("x-api-key", b"\xff\xfe" as &[u8]), ("x-odd", b"\xc0"), ("cookie", b"session=\xff"), ("accept", b"\x80")]
    {
        statuses.add(client.send(&Req::get("/a/b").header(name, value)).await.status);
    }
    statuses.expect(4, 0);
    expect_sound(envoy).await;
}
