//! What lasts: one request, however long it goes on and in however many pieces.

use std::time::Duration;

use serde_json::json;
use weir_tests::{Envoy, Listener, RawConnection, Req};

#[tokio::test]
async fn handshakes_are_limited_and_frames_cost_nothing() {
    let policy = json!({"limits": [{"rate": "3/hour", "per": ["ip"]}]});
    let listener = Listener::new().policy(policy).manager("upgrade_configs", json!([{"upgrade_type": "websocket"}]));
    let envoy = Envoy::builder().listener(listener).start().await;
    let handshake = b"GET /ws HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut connection = RawConnection::open(envoy.addr()).await;
        connection.write(handshake).await;
        assert_eq!(connection.handshake().await.expect("an answer").status, 101);
        open.push(connection);
    }
    for connection in &mut open {
        for _ in 0..1000 {
            connection.write(b"frame").await;
            assert_eq!(connection.bytes(5).await, b"frame"[..]);
        }
    }
    for _ in 0..2 {
        let refused = RawConnection::exchange(envoy.addr(), handshake).await.expect("an answer");
        assert_eq!(refused.status, 429);
        refused.integer("retry-after");
        assert_eq!(refused.header("upgrade"), None);
    }
    drop(open);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(RawConnection::exchange(envoy.addr(), handshake).await.expect("an answer").status, 429);
    assert_eq!(envoy.upstream.reached(), 3);
}

#[tokio::test]
async fn an_upload_in_ten_thousand_pieces_costs_one() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "3/hour", "per": ["ip"]}]})).await;
    let mut upload = b"POST /upload HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    upload.extend(b"1\r\nx\r\n".repeat(10_000));
    upload.extend(b"0\r\n\r\n");
    let mut connection = RawConnection::open(envoy.addr()).await;
    for piece in upload.chunks(1_000) {
        connection.write(piece).await;
    }
    let reply = connection.reply().await.expect("an answer");
    assert_eq!((reply.status, &reply.json()["body"]), (200, &json!(10_000)));
    assert_eq!(envoy.client().send(&Req::get("/")).await.integer("x-ratelimit-remaining"), 1);
}

#[tokio::test]
async fn an_event_stream_costs_one_and_holds_up_nobody() {
    let envoy = Envoy::with(json!({"limits": [{"rate": "9/hour", "per": ["ip"]}]})).await;
    let events = envoy.client();
    let stream =
        Req::get("/events").header("x-want-pieces", "25").header("x-want-header", "content-type=text/event-stream");
    let others = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let client = envoy.client();
        let mut left = Vec::new();
        for _ in 0..4 {
            left.push(client.send(&Req::get("/")).await.integer("x-ratelimit-remaining"));
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        left
    };
    let (events, left) = tokio::join!(events.send(&stream), others);
    assert_eq!((events.status, events.integer("x-ratelimit-remaining"), events.body.len()), (200, 8, 25 * 9));
    assert_eq!(left, [7, 6, 5, 4]);
    assert_eq!(
        envoy.client().send(&Req::get("/")).await.integer("x-ratelimit-remaining"),
        3,
        "its end refunds nothing"
    );
}
