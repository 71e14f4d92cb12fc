//! Refusals as gRPC clients read them.
//!
//! The whole response is in header fields. The proxy could write `grpc-status` and `grpc-message` itself, but not for a
//! request that arrived as gRPC-Web and that a filter in front made gRPC: that filter reads them off ours.

#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::answer::fields::Fields;
use crate::time::{Nanos, SECOND};

/// Nanoseconds in a millisecond.
const MILLISECOND: u64 = 1_000_000;

/// The type of gRPC's requests and responses, but for a suffix.
pub const MEDIA_TYPE: &str = "application/grpc";

const RETRY_INFO: &str = "type.googleapis.com/google.rpc.RetryInfo";

/// A status code of gRPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// A quota is used up. Most retry policies leave it alone.
    ResourceExhausted = 8,
    /// The service cannot answer at present.
    Unavailable = 14,
}

/// Whether a request of this `Content-Type` is a gRPC request: `application/grpc`, alone, with a suffix (`+proto`) or
/// with parameters. gRPC-Web is not: its status travels in the body.
#[must_use]
pub fn is_grpc(content_type: &[u8]) -> bool {
    content_type.split_at_checked(MEDIA_TYPE.len()).is_some_and(|(start, rest)| {
        start.eq_ignore_ascii_case(MEDIA_TYPE.as_bytes()) && matches!(rest, [] | [b'+' | b';' | b' ' | b'\t', ..])
    })
}

/// Adds the status, its message, which needs no percent-encoding, and what tells a client when to come back:
/// `grpc-retry-pushback-ms` (gRFC A6) and `grpc-status-details-bin`.
pub(super) fn push_fields(fields: &mut Fields, code: Code, message: &str, wait: Nanos) {
    fields.number("grpc-status", code as u64);
    fields.text("grpc-message", message);
    fields.number("grpc-retry-pushback-ms", pushback(wait));
    // Receivers take either; senders should leave the padding out.
    let details = STANDARD_NO_PAD.encode(status(code, message, wait));
    fields.text("grpc-status-details-bin", &details);
}

/// Milliseconds, rounded up; at least one, and no more than clients read, a signed 32-bit number.
fn pushback(wait: Nanos) -> u64 {
    wait.0.div_ceil(MILLISECOND).clamp(1, i32::MAX as u64)
}

/// A `google.rpc.Status` with a `google.rpc.RetryInfo`, without which some clients drop what they cannot deliver
/// (OTLP exporters).
fn status(code: Code, message: &str, wait: Nanos) -> Vec<u8> {
    let mut delay = Vec::new();
    push_number(&mut delay, 1, wait.0 / SECOND);
    push_number(&mut delay, 2, wait.0 % SECOND);
    let mut retry_info = Vec::new();
    push_bytes(&mut retry_info, 1, &delay);
    let mut detail = Vec::new();
    push_bytes(&mut detail, 1, RETRY_INFO.as_bytes());
    push_bytes(&mut detail, 2, &retry_info);
    let mut status = Vec::new();
    push_number(&mut status, 1, code as u64);
    push_bytes(&mut status, 2, message.as_bytes());
    push_bytes(&mut status, 3, &detail);
    status
}

/// A field of wire type 0; a zero is left out, as it is the default.
fn push_number(out: &mut Vec<u8>, field: u8, value: u64) {
    if value != 0 {
        out.push(field << 3);
        push_varint(out, value);
    }
}

/// A field of wire type 2.
fn push_bytes(out: &mut Vec<u8>, field: u8, bytes: &[u8]) {
    out.push(field << 3 | 2);
    push_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
