//! Requests of any fields.

use arbitrary::{Result, Unstructured};
use weir_core::engine::request::written::Written;

/// Names that policies read, so that they are met.
const NAMES: [&[u8]; 12] = [
    b":method",
    b":path",
    b":authority",
    b"authorization",
    b"x-api-key",
    b"cookie",
    b"origin",
    b"access-control-request-method",
    b"x-tenant",
    b"accept",
    b"",
    b"\xff\0",
];

/// Values that are almost right.
const VALUES: [&[u8]; 16] = [
    b"GET",
    b"POST",
    b"OPTIONS",
    b"/",
    b"/users/7/orders",
    b"/login;a=b/../%2e%2E//login?x",
    b"*",
    b"api.test:443.",
    b"[::1]:80",
    b"Bearer abc.def==",
    b"session=a; session=\"\";;=;x",
    b" \t",
    b"k",
    b"%",
    b"\xff\xfe\0",
    b"",
];

const ADDRESSES: [&[u8]; 8] =
    [b"192.0.2.1:80", b"192.0.2.2:0", b"[2001:db8::1]:443", b"[::ffff:192.0.2.1]:1", b"@unix", b"", b"\xff", b"::1%lo"];

/// The next request that the bytes describe.
///
/// # Errors
/// Where the bytes do not suffice.
pub fn any(source: &mut Unstructured<'_>) -> Result<Written> {
    let mut request = Written::default();
    for _ in 0..source.int_in_range(0..=8)? {
        request.fields.push((bytes(source, &NAMES)?, bytes(source, &VALUES)?));
    }
    request.address = if source.ratio(1, 8)? { None } else { Some(bytes(source, &ADDRESSES)?) };
    Ok(request)
}

/// `GET /`, for which every policy that limits anybody has an answer.
#[must_use]
pub fn plain() -> Written {
    Written::new("GET", "/", "api.test").from("192.0.2.1:80")
}

/// One of the known, or any.
fn bytes(source: &mut Unstructured<'_>, known: &[&[u8]]) -> Result<Vec<u8>> {
    if source.ratio(3, 4)? { Ok(source.choose(known)?.to_vec()) } else { Ok(source.arbitrary::<&[u8]>()?.to_vec()) }
}
