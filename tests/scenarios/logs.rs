//! What an attack leaves in the logs: next to nothing, no credential, and no line of the attacker's own.

use serde_json::json;
use weir_tests::{Envoy, Listener, RawConnection, Req, Settings, StartFailure, flood_tally};

const DENIALS: usize = 10_000;
const SECRET: &str = "SECRET-abc";
/// Every line of the access log is known from its first word to its last.
const FORMAT: &str = "BEGIN %RESPONSE_CODE% %RESPONSE_CODE_DETAILS% %FILTER_STATE(wasm.weir:PLAIN)% END";

/// Line ends and terminal codes, in clear and in every escape that something on the way might undo.
const FORGED: &str = "%0d%0aFORGED%0a\\r\\nFORGED\\n&#13;&#10;FORGED\\x1b[2J\\u001b[31mFORGED%1b[2J";

/// A credential in every place from which the filter takes one, and addresses that anybody may claim.
fn listener() -> Listener {
    let policy = json!({
        "client": [{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}],
        "plans": {
            "assign": [{"header": "x-plan", "trusted": true}, {"clients": {SECRET: "pro"}}],
            "default": "free",
            "tiers": {"free": {"limits": ["1/hour"]}, "pro": {"limits": ["1/hour"]}},
        },
        "status": {"path": "/ratelimit"},
        "limits": [{"rate": "1/hour", "per": ["query:token"], "missing": "skip", "name": "by-token"}],
        "rules": [{"name": "attacked", "limits": [{"rate": "1/hour", "per": ["client", "path"]}]}],
    });
    Listener::new().policy(policy).manager("use_remote_address", json!(false)).access_log(FORMAT)
}

fn asked(i: usize) -> Req {
    let path = if i.is_multiple_of(500) { "/ratelimit" } else { "/" };
    let get = Req::get(path).header("x-forwarded-for", "10.1.2.3");
    match i % 6 {
        0 => get.key(SECRET),
        1 => get.header("authorization", format!("Bearer {SECRET}")),
        2 => get.header("cookie", format!("session={SECRET}")),
        3 => get.key(FORGED).header("x-plan", FORGED),
        4 => get.key(SECRET).key(FORGED).header("user-agent", FORGED),
        _ => Req::get(&format!("/?token={SECRET}{FORGED}")).key(SECRET).header("x-forwarded-for", "FORGED"),
    }
}

/// Bytes that no client library sends.
const RAW: [&[u8]; 6] = [
    b"x-api-key: SECRET-abc\x1b[2J\x1b[31mFORGED",
    b"x-api-key: SECRET-abc\r\n FORGED folded",
    b"x-api-key: SECRET-abc\rFORGED",
    b"x-api-key: SECRET-abc\nFORGED: 1",
    b"x-api-key: SECRET-abc\x00FORGED",
    b"authorization: Bearer SECRET-abc\xc2\x85FORGED\x9b2J",
];

#[tokio::test]
async fn ten_thousand_denials_leave_few_lines_and_no_key_in_the_log() {
    let envoy = Envoy::builder().log_level("info").listener(listener()).start().await;
    let before = envoy.log().lines().count();
    let tally = flood_tally(envoy.addr(), DENIALS, 16, asked).await;
    tally.expect_no_faults();
    assert!(tally.count(429) > DENIALS as u64 * 9 / 10, "{tally:?}");
    let mut raw = 0;
    for field in RAW {
        let request = [b"GET / HTTP/1.1\r\nhost: a\r\n", field, b"\r\n\r\n"].concat();
        raw += usize::from(RawConnection::exchange(envoy.addr(), &request).await.is_some());
    }
    assert_eq!(raw, RAW.len(), "each is answered, if only with a refusal to read it");

    let lines = envoy.access_log_lines(DENIALS + RAW.len()).await;
    assert_eq!(lines.len(), DENIALS + RAW.len(), "one line for each request");
    for line in &lines {
        assert!(line.starts_with("BEGIN ") && line.ends_with(" END"), "{line}");
        assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
    }
    let denied = "BEGIN 429 weir_rate_limited{pro} decision=limited rule=plan limit=pro remaining=0 client=header END";
    assert!(lines.iter().any(|line| line == denied), "{:?}", &lines[..20]);

    let log = envoy.log();
    for (name, text) in [("log", &log), ("access log", &lines.join("\n"))] {
        for trace in [SECRET, "FORGED", "\u{1b}", "[2J"] {
            assert!(!text.contains(trace), "{trace:?} in the {name}");
        }
    }
    let new: Vec<_> = log.lines().skip(before).collect();
    assert!(new.len() < 100, "{} lines: {:#?}", new.len(), &new[..100]);
    // One warning, of the addresses that anybody may claim.
    let warned = new.iter().filter(|line| line.contains("client addresses come from a request header")).count();
    assert_eq!(warned, 1, "{new:#?}");
}

#[tokio::test]
async fn a_refused_configuration_shows_no_credential() {
    let policy = json!({"client": [{"header": "x-api-key"}], "plans": {
        "assign": [{"clients": {SECRET: "gold"}}],
        "default": "free",
        "tiers": {"free": {"limits": ["1/hour"]}},
    }});
    for settings in [Settings::Struct(policy.clone()), Settings::Json(policy)] {
        let builder = Envoy::builder().log_level("info").listener(Listener::new().settings(settings));
        let Err(StartFailure { log, .. }) = builder.try_start().await else { panic!("an unknown plan is accepted") };
        assert!(log.contains("configuration refused: plans.assign[0].clients[0]: expected"), "{log}");
        assert!(!log.contains(SECRET), "{log}");
    }
}
