use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use prost::Message;

use super::*;

#[derive(Clone, PartialEq, Message)]
struct Status {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<Duration>,
}

#[derive(Clone, PartialEq, Message)]
struct Duration {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}

#[test]
fn what_is_grpc() {
    for content_type in [
        "application/grpc",
        "application/grpc+proto",
        "application/grpc+json",
        "application/grpc;charset=utf-8",
        "application/grpc ; charset=utf-8",
        "APPLICATION/GRPC+PROTO",
    ] {
        assert!(is_grpc(content_type.as_bytes()), "{content_type}");
    }
    for content_type in [
        "",
        "application/grp",
        "application/grpc-web",
        "application/grpc-web+proto",
        "application/grpc-web-text",
        "application/grpcx",
        "application/json",
        "application/json;a=application/grpc",
        "application/connect+proto",
    ] {
        assert!(!is_grpc(content_type.as_bytes()), "{content_type}");
    }
    assert!(!is_grpc(b"application/grpc\xff"));
}

#[test]
fn the_fields_of_twelve_seconds() {
    let mut fields = Fields::default();
    push_fields(&mut fields, Code::ResourceExhausted, "m", Nanos(12 * SECOND));
    let fields: Vec<_> = fields.iter().collect();
    assert_eq!(
        fields,
        [
            ("grpc-status", "8"),
            ("grpc-message", "m"),
            ("grpc-retry-pushback-ms", "12000"),
            ("grpc-status-details-bin", "CAgSAW0aMAoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJldHJ5SW5mbxIECgIIDA"),
        ]
    );
}

#[test]
fn a_pushback_is_never_too_short_nor_too_long_to_read() {
    for (wait, told) in [
        (0, 1),
        (1, 1),
        (MILLISECOND, 1),
        (MILLISECOND + 1, 2),
        (365 * 86_400 * SECOND, i32::MAX as u64),
        (u64::MAX, i32::MAX as u64),
    ] {
        assert_eq!(pushback(Nanos(wait)), told, "{wait}");
    }
}

proptest! {
    #[test]
    fn a_status_decodes(message in any::<String>(), wait in any::<u64>(), busy in any::<bool>()) {
        let code = if busy { Code::Unavailable } else { Code::ResourceExhausted };
        let status = Status::decode(status(code, &message, Nanos(wait)).as_slice()).unwrap();
        prop_assert_eq!(status.code, if busy { 14 } else { 8 });
        prop_assert_eq!(status.message, message);
        let [detail] = &status.details[..] else { panic!("one detail") };
        prop_assert_eq!(&detail.type_url, "type.googleapis.com/google.rpc.RetryInfo");
        let delay = RetryInfo::decode(detail.value.as_slice()).unwrap().retry_delay.unwrap();
        prop_assert_eq!(delay.seconds as u64 * SECOND + delay.nanos as u64, wait);
    }

    #[test]
    fn details_are_base64_without_padding(length in 0_usize..200) {
        let mut fields = Fields::default();
        push_fields(&mut fields, Code::ResourceExhausted, &"x".repeat(length), Nanos(SECOND));
        let (_, text) = fields.iter().last().unwrap();
        prop_assert!(!text.contains('='));
        let padded = format!("{text}{}", "=".repeat((4 - text.len() % 4) % 4));
        prop_assert_eq!(
            STANDARD.decode(padded).unwrap(),
            status(Code::ResourceExhausted, &"x".repeat(length), Nanos(SECOND))
        );
    }
}
