//! All that an answer says, taken together, from the first request to the refusals.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tokio::time::sleep;
use weir_tests::{Client, Envoy, RawConnection, Reply, Req};

use crate::structured::{members, parameter};
use crate::support::repeat;

/// When the answer was given, by its own `Date`.
fn date(reply: &Reply) -> u64 {
    let date = httpdate::parse_http_date(reply.expect("date")).expect("a date");
    date.duration_since(SystemTime::UNIX_EPOCH).expect("a date after 1970").as_secs()
}

/// Drains a bucket and is refused twice: each answer's fields, among themselves and with its `Date`. `interval` is
/// how many seconds one token takes.
async fn drain(envoy: &Envoy, path: &str, name: &str, quota: i64, window: i64, interval: u64) {
    let count = usize::try_from(quota).expect("a small number") + 2;
    for (number, reply) in repeat(&envoy.client(), count, &Req::get(path)).await.iter().enumerate() {
        let left = (quota as u64).saturating_sub(number as u64 + 1);
        let limited = number as i64 >= quota;
        assert_eq!(reply.status, if limited { 429 } else { 200 }, "{path}, {number}");
        assert_eq!(reply.expect("x-ratelimit-limit"), quota.to_string());
        assert_eq!(reply.expect("x-ratelimit-remaining"), left.to_string(), "{path}, {number}");
        let policy = [("q".to_owned(), quota), ("w".to_owned(), window)];
        assert_eq!(members(reply, "ratelimit-policy"), [(name.to_owned(), policy.to_vec())]);
        let t = parameter(reply, "ratelimit", name, "t");
        let state = [("r".to_owned(), left as i64), ("t".to_owned(), t as i64)];
        assert_eq!(members(reply, "ratelimit"), [(name.to_owned(), state.to_vec())]);
        // The first token was taken this moment, so that the next is a whole interval away.
        assert!(if number == 0 { t == interval } else { (interval - 5..=interval).contains(&t) }, "{path}: t={t}");
        let reset = reply.integer("x-ratelimit-reset");
        // Both round up, each from its own fraction of a second, and `Date` may be a second old.
        assert!(reset.abs_diff(date(reply) + t) <= 2, "{path}: {reset} against {} + {t}", date(reply));
        if limited {
            let wait = reply.integer("retry-after");
            assert!(wait >= t && wait <= interval, "{path}: {wait} against {t}");
        }
        assert_eq!(reply.header("retry-after").is_some(), limited);
        assert_eq!(reply.header("x-envoy-ratelimited"), limited.then_some("true"));
    }
}

#[tokio::test]
async fn every_field_of_a_drained_bucket_agrees_with_the_others() {
    let policy = json!({"rules": [
        {"name": "minute", "match": {"paths": ["/minute"]}, "limits": ["5/minute"]},
        {"name": "hour", "match": {"paths": ["/hour"]}, "limits": ["5/hour"]},
        {"name": "day", "match": {"paths": ["/day"]}, "limits": ["10/day"]},
    ]});
    let envoy = Envoy::with(policy).await;
    drain(&envoy, "/minute", "minute", 5, 60, 12).await;
    drain(&envoy, "/hour", "hour", 5, 3600, 720).await;
    drain(&envoy, "/day", "day", 10, 86_400, 8640).await;
    assert_eq!(envoy.upstream.reached(), 20);
}

/// `Limit`, `Remaining`, and for refusals `Retry-After`, the name of the limit and of the rule.
fn told(reply: &Reply) -> (u16, u64, u64, Option<u64>, Value, Value) {
    let refused = reply.status == 429;
    let error = if refused { reply.json()["error"].clone() } else { Value::Null };
    let wait = refused.then(|| reply.integer("retry-after"));
    let (limit, remaining) = (reply.integer("x-ratelimit-limit"), reply.integer("x-ratelimit-remaining"));
    (reply.status, limit, remaining, wait, error["policy"].clone(), error["rule"].clone())
}

#[tokio::test]
async fn of_two_windows_the_one_that_matters_is_told() {
    let policy = json!({"plans": {"default": "tier", "tiers": {"tier": {"limits": [
        {"rate": "2/10s", "name": "short"},
        {"rate": "5/hour", "name": "long"},
    ]}}}});
    let envoy = Envoy::with(policy).await;
    let (client, pause) = (envoy.client(), Duration::from_millis(10_500));
    let allowed = |limit, remaining| (200, limit, remaining, None, Value::Null, Value::Null);

    let first: Vec<_> = repeat(&client, 3, &Req::get("/")).await.iter().map(told).collect();
    assert_eq!(first[..2], [allowed(2, 1), allowed(2, 0)]);
    assert!(first[2].3.is_some_and(|wait| (1..=5).contains(&wait)), "{:?}", first[2]);
    assert_eq!(first[2], (429, 2, 0, first[2].3, json!("short"), json!("plan")));

    sleep(pause).await;
    let then: Vec<_> = repeat(&client, 2, &Req::get("/")).await.iter().map(told).collect();
    // Of one in two and two in five left, the latter is the less.
    assert_eq!(then, [allowed(5, 2), allowed(2, 0)]);

    sleep(pause).await;
    let last = repeat(&client, 2, &Req::get("/")).await;
    assert_eq!(told(&last[0]), allowed(5, 0));
    let wait = last[1].integer("retry-after");
    assert!((600..=720).contains(&wait), "{wait}");
    assert_eq!(told(&last[1]), (429, 5, 0, Some(wait), json!("long"), json!("plan")));
    let reset = last[1].integer("x-ratelimit-reset");
    assert!(reset.abs_diff(date(&last[1]) + wait) <= 2, "{reset}");
    assert_eq!(parameter(&last[1], "ratelimit", "short", "r"), 1);
}

/// Names of fields, and values of those that do not move with time.
fn shape(reply: &Reply) -> Vec<(String, String)> {
    let moving = ["date", "x-ratelimit-reset", "ratelimit", "retry-after"];
    let value = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        let value = if moving.contains(&name.as_str()) { "" } else { value.to_str().unwrap_or_default() };
        (name.to_string(), value.to_owned())
    };
    reply.headers.iter().map(value).collect()
}

#[tokio::test]
async fn head_is_refused_with_the_fields_of_get() {
    let envoy = Envoy::with(json!({"limits": ["1/hour"]})).await;
    let get = repeat(&envoy.client(), 2, &Req::get("/")).await.pop().expect("two");
    let head = envoy.client().send(&Req::new("HEAD", "/")).await;
    assert_eq!((head.status, head.body.len()), (429, 0));
    assert_eq!(shape(&head), shape(&get));
}

#[tokio::test]
async fn whatever_the_path_and_the_key_are_a_refusal_is_sound_json() {
    let policy = json!({"client": [{"header": "x-api-key"}], "limits": [{"rate": "1/hour", "per": []}]});
    let envoy = Envoy::with(policy).await;
    repeat(&envoy.client(), 1, &Req::get("/")).await;
    let mut connection = RawConnection::open(envoy.addr()).await;
    for odd in [r#"a"b"#, r"a\b", "</script>", "\u{e9}", &"x".repeat(8192)] {
        // Envoy itself refuses a path that is not ASCII.
        let path = odd.replace('\u{e9}', "%C3%A9");
        connection.write(format!("GET /{path} HTTP/1.1\r\nhost: a\r\nx-api-key: {odd}\r\n\r\n").as_bytes()).await;
        let Some(reply) = connection.reply().await else { panic!("no answer to {odd:?}") };
        assert_eq!(reply.expect("content-type"), "application/json", "{odd:?}: {}", reply.status);
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (429, &json!("RATE_LIMITED")), "{odd:?}");
        assert_eq!(reply.integer("content-length"), reply.body.len() as u64);
        assert_eq!(reply.expect("cache-control"), "no-store");
    }
    assert_eq!(envoy.upstream.reached(), 1);
}

#[tokio::test]
async fn after_an_upload_that_nobody_read_the_client_goes_on() {
    let policy = json!({"rules": [{"name": "r", "match": {"methods": ["POST"]}, "limits": ["1/hour"]}]});
    let envoy = Envoy::with(policy).await;
    for client in [envoy.client(), Client::http2(envoy.addr())] {
        let upload = Req::post("/").body(vec![b'x'; 1 << 20]);
        for _ in 0..3 {
            let status = client.send(&upload).await.status;
            assert!([200, 429].contains(&status), "{status}");
            assert_eq!(client.send(&Req::get("/")).await.status, 200);
        }
    }
    assert_eq!(envoy.upstream.reached_by("POST", "/"), 1);
}
