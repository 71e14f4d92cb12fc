//! Requests of any fields.

use arbitrary::{Result, Unstructured};
use weir_core::engine::request::{AttributePath, Request};

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

/// A request as fields and an address.
#[derive(Debug, Clone)]
pub struct AnyRequest {
    /// The fields in order; any name may be there any number of times, or not at all.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// What the host says about the peer.
    pub address: Option<Vec<u8>>,
}

impl AnyRequest {
    /// The next request that the bytes describe.
    ///
    /// # Errors
    /// Where the bytes do not suffice.
    pub fn new(source: &mut Unstructured<'_>) -> Result<Self> {
        let mut fields = Vec::new();
        for _ in 0..source.int_in_range(0..=8)? {
            fields.push((bytes(source, &NAMES)?, bytes(source, &VALUES)?));
        }
        let address = if source.ratio(1, 8)? { None } else { Some(bytes(source, &ADDRESSES)?) };
        Ok(Self { fields, address })
    }

    /// `GET /`, for which every policy that limits anybody has an answer.
    #[must_use]
    pub fn plain() -> Self {
        let fields = [(":method", "GET"), (":path", "/"), (":authority", "api.test")];
        Self {
            fields: fields.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())).collect(),
            address: Some(b"192.0.2.1:80".to_vec()),
        }
    }
}

/// One of the known, or any.
fn bytes(source: &mut Unstructured<'_>, known: &[&[u8]]) -> Result<Vec<u8>> {
    if source.ratio(3, 4)? { Ok(source.choose(known)?.to_vec()) } else { Ok(source.arbitrary::<&[u8]>()?.to_vec()) }
}

impl<'r> Request<'r> for &'r AnyRequest {
    fn fields(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        self.fields.iter().map(|(name, value)| (name.as_slice(), value.as_slice()))
    }

    fn source_address(&mut self) -> Option<&'r [u8]> {
        self.address.as_deref()
    }

    fn attribute(&mut self, _path: &AttributePath) -> Option<&'r [u8]> {
        None
    }
}
