//! The 429 itself.

use serde_json::json;
use weir_tests::{Client, Envoy, Listener, RawConnection, Reply, Req};

use crate::support::{per_key, repeat, unix_now};

fn auth() -> serde_json::Value {
    json!({"rules": [{"name": "auth", "match": {"paths": ["/login"]}, "limits": [{"rate": "5/minute", "per": ["ip"]}]}]})
}

/// What holds of every refusal.
#[track_caller]
fn expect_refusal(reply: &Reply) {
    assert_eq!(reply.status, 429);
    assert_eq!(reply.expect("content-type"), "application/json");
    assert_eq!(reply.expect("cache-control"), "no-store");
    assert_eq!(reply.expect("x-envoy-ratelimited"), "true");
    assert!(reply.integer("retry-after") >= 1);
    for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"] {
        reply.expect(name);
    }
}

#[tokio::test]
async fn a_refusal_says_all_there_is_to_say() {
    let envoy = Envoy::with(auth()).await;
    let reply = repeat(&envoy.client(), 6, &Req::get("/login")).await.pop().expect("six replies");
    expect_refusal(&reply);
    let wait = reply.integer("retry-after");
    assert!((10..=12).contains(&wait));
    let body = reply.json();
    let error = &body["error"];
    let reset_at = error["resetAt"].as_str().expect("a time").to_owned();
    let expected = json!({"error": {
        "code": "RATE_LIMITED",
        "message": format!("Rate limit exceeded. Try again in {wait} seconds."),
        "retryAfter": wait, "limit": 5, "remaining": 0, "resetAt": reset_at,
        "rule": "auth", "policy": "auth",
        "limits": {"auth": {"limit": 5, "window": 60, "remaining": 0}},
    }});
    assert_eq!(body, expected);
    let again = unix_now() + wait;
    assert!((again - 2..=again + 2).any(|second| rfc3339(second) == reset_at), "{reset_at}");
}

/// A second of Unix time as UTC in RFC 3339, by the civil-from-days calculation.
fn rfc3339(second: u64) -> String {
    let (days, second) = (second / 86_400 + 719_468, second % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[tokio::test]
async fn every_sort_of_request_gets_a_readable_refusal() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "1/hour", "per": []}]})).await;
    for client in [envoy.client(), Client::http2(envoy.addr())] {
        let megabyte = vec![b'x'; 1 << 20];
        for request in [
            Req::get("/"),
            Req::get("/").header("accept", "text/html"),
            Req::post("/").body(megabyte),
            Req::post("/").body("{}").header("content-type", "application/json"),
            Req::get(&format!("/%22%5C%3C/script%3E/{}", "p".repeat(8192)))
                .key(&format!("\"\\</script>{}", "k".repeat(8192))),
            Req::get("/").header("x-api-key", "é\u{1f600}".as_bytes()),
            Req::new("DELETE", "/"),
            Req::get("/"),
        ] {
            let reply = client.send(&request).await;
            if reply.status == 200 {
                continue;
            }
            expect_refusal(&reply);
            assert_eq!(reply.json()["error"]["code"], "RATE_LIMITED");
            assert_eq!(reply.integer("content-length"), reply.body.len() as u64);
        }
    }
    assert_eq!(envoy.upstream.reached(), 1);
}

#[tokio::test]
async fn head_gets_the_headers_and_no_body() {
    let envoy = Envoy::with(per_key("1/hour")).await;
    repeat(&envoy.client(), 1, &Req::get("/")).await;
    let mut connection = RawConnection::open(envoy.addr()).await;
    for _ in 0..2 {
        // A body would be taken for the beginning of the second answer.
        connection.write(b"HEAD / HTTP/1.1\r\nhost: a\r\n\r\n").await;
        expect_refusal(&connection.head_reply().await.expect("an answer"));
    }
    connection.write(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
    expect_refusal(&connection.reply().await.expect("an answer"));
}

#[tokio::test]
async fn the_access_log_names_the_limit() {
    let listener =
        Listener::new().policy(auth()).access_log("%RESPONSE_CODE% %RESPONSE_CODE_DETAILS% %RESPONSE_FLAGS%");
    let envoy = Envoy::builder().listener(listener).start().await;
    repeat(&envoy.client(), 6, &Req::get("/login")).await;
    let lines = envoy.access_log_lines(6).await;
    let refused: Vec<&String> = lines.iter().filter(|line| line.starts_with("429")).collect();
    assert_eq!(refused.len(), 1, "{lines:?}");
    assert!(refused[0].starts_with("429 weir_rate_limited{auth} "), "{lines:?}");
    assert!(lines.iter().filter(|line| line.starts_with("200 via_upstream ")).count() == 5, "{lines:?}");
}
