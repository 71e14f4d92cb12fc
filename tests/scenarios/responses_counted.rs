//! `count`: limits that count requests by what came of them.

use std::time::Duration;

use serde_json::{Value, json};
use weir_tests::{Client, Envoy, Listener, RawConnection, Req, flood_tally};

use crate::support::{repeat, tally};

fn failed_logins() -> Value {
    json!({"rules": [{"name": "login", "match": {"paths": ["/login"]}, "limits": [
        {"rate": "3/hour", "per": ["ip"], "count": {"status": [401, 403]}},
    ]}]})
}

fn login(status: &str) -> Req {
    Req::post("/login").body("{}").header("x-want-status", status)
}

#[tokio::test]
async fn only_failed_logins_count() {
    let envoy = Envoy::with(failed_logins()).await;
    for client in [envoy.client(), Client::http2(envoy.addr())] {
        tally(&client, 20, &login("200")).await.expect(20, 0);
    }
    assert_eq!(envoy.upstream.reached(), 40);
}

/// What the response gives back shows in the same response.
#[tokio::test]
async fn the_fields_tell_what_is_left_once_the_response_is_known() {
    let mut policy = failed_logins();
    policy["limits"] = json!([{"rate": "9/hour", "name": "all"}]);
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let expected = [
        ("200", "9", "8", r#""all";r=8;t=400, "login";r=3;t=0"#),
        ("401", "3", "2", r#""all";r=7;t=400, "login";r=2;t=1200"#),
        ("500", "3", "2", r#""all";r=6;t=400, "login";r=2;t=1200"#),
        ("403", "3", "1", r#""all";r=5;t=400, "login";r=1;t=1200"#),
        ("200", "3", "1", r#""all";r=4;t=400, "login";r=1;t=1200"#),
        ("401", "3", "0", r#""all";r=3;t=400, "login";r=0;t=1200"#),
    ];
    // Some seconds may pass meanwhile.
    let but_for_times =
        |list: &str| -> String { list.split(";t=").map(|part| part.trim_start_matches(char::is_numeric)).collect() };
    for (status, limit, remaining, list) in expected {
        let reply = client.send(&login(status)).await;
        let told = ["x-ratelimit-limit", "x-ratelimit-remaining"].map(|name| reply.header(name));
        assert_eq!(told, [Some(limit), Some(remaining)], "{status}");
        assert_eq!(reply.header("ratelimit").map(but_for_times), Some(but_for_times(list)), "{status}");
    }
}

#[tokio::test]
async fn after_the_last_failure_nothing_passes() {
    let envoy = Envoy::with(failed_logins()).await;
    let client = envoy.client();
    let mut seen = Vec::new();
    for status in ["401", "200", "403", "500", "401", "200", "401"] {
        seen.push(client.send(&login(status)).await.status);
    }
    assert_eq!(seen, [401, 200, 403, 500, 401, 429, 429]);
    assert_eq!(envoy.upstream.reached(), 5);
}

#[tokio::test]
async fn successes_in_parallel_are_given_back_exactly() {
    let mut policy = failed_logins();
    policy["rules"][0]["limits"][0]["rate"] = json!("64/hour");
    let envoy = Envoy::builder().workers(4).listener(Listener::new().policy(policy)).start().await;
    // Never more than 16 under way, so none can be refused.
    flood_tally(envoy.addr(), 600, 16, |_| login("200")).await.expect(600, 0);
    let tally = flood_tally(envoy.addr(), 200, 16, |_| login("401")).await;
    assert_eq!((tally.count(401), tally.count(429)), (64, 136));
}

#[tokio::test]
async fn what_is_under_way_counts_until_its_answer() {
    let envoy = Envoy::with(failed_logins()).await;
    let slow = login("200").header("x-want-delay-ms", "600");
    let tally = flood_tally(envoy.addr(), 8, 8, move |_| slow.clone()).await;
    tally.expect(3, 5);
    crate::support::tally(&envoy.client(), 5, &login("200")).await.expect(5, 0);
}

#[tokio::test]
async fn no_response_keeps_the_token() {
    let envoy = Envoy::with(failed_logins()).await;
    for _ in 0..3 {
        let mut leaving = RawConnection::open(envoy.addr()).await;
        leaving.write(b"POST /login HTTP/1.1\r\nhost: a\r\nx-want-delay-ms: 2000\r\ncontent-length: 0\r\n\r\n").await;
        tokio::time::sleep(Duration::from_millis(80)).await;
    }
    assert_eq!(envoy.upstream.reached(), 3);
    tally(&envoy.client(), 3, &login("200")).await.expect(0, 3);
}

/// What Envoy itself answers to a broken or stalled request says nothing of what the service has done.
#[tokio::test]
async fn an_answer_of_the_connection_managers_keeps_the_token() {
    let listener = Listener::new().policy(failed_logins()).manager("stream_idle_timeout", json!("0.3s"));
    let envoy = Envoy::builder().listener(listener).start().await;
    for (rest, status) in [(&b"ZZ\r\n"[..], 400), (b"", 408)] {
        let before = envoy.upstream.reached();
        let mut broken = RawConnection::open(envoy.addr()).await;
        broken.write(b"POST /login HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n").await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        broken.write(rest).await;
        assert_eq!(broken.reply().await.expect("an answer").status, status);
        assert_eq!(envoy.upstream.reached() - before, 1);
    }
    // Stalled in the service, which may have done all of it.
    let stalled = envoy.client().send(&login("200").header("x-want-delay-ms", "1500")).await;
    assert_eq!((stalled.status, envoy.upstream.reached()), (504, 3));
    tally(&envoy.client(), 3, &login("200")).await.expect(0, 3);
}

#[tokio::test]
async fn a_refusal_of_another_limit_gives_nothing_back_and_takes_nothing() {
    let mut policy = failed_logins();
    policy["limits"] = json!([{"rate": "5/hour", "per": []}]);
    let envoy = Envoy::with(policy).await;
    let client = envoy.client();
    let replies = repeat(&client, 8, &login("200")).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 5);
    assert_eq!(replies[7].json()["error"]["policy"], "all");
    assert_eq!(replies[7].json()["error"]["limits"]["login"]["remaining"], 3);
}
