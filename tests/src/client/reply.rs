//! What a client got.

use bytes::Bytes;
use hyper::HeaderMap;
use serde_json::Value;

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// All header lines.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Reply {
    /// The value of a header that must not be repeated; `None` if it is absent.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next();
        assert!(values.next().is_none(), "{name} is repeated: {:?}", self.headers);
        value.map(|value| value.to_str().unwrap_or_else(|_| panic!("{name} is no plain text: {value:?}")))
    }

    /// The value of a header that must be there, once.
    #[track_caller]
    pub fn expect(&self, name: &str) -> &str {
        match self.header(name) {
            Some(value) => value,
            None => panic!("no {name} in {} {:?}", self.status, self.headers),
        }
    }

    /// A header that must be a bare non-negative integer.
    #[track_caller]
    pub fn integer(&self, name: &str) -> u64 {
        let value = self.expect(name);
        assert!(!value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()), "{name}: {value}");
        value.parse().unwrap_or_else(|_| panic!("{name}: {value}"))
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(fault) => panic!("body is not JSON ({fault}): {:?}", self.body),
        }
    }

    /// What the echoing upstream saw in a request header (all values, in order).
    #[track_caller]
    pub fn echoed(&self, name: &str) -> Vec<String> {
        let echo = self.json();
        let pairs = echo["headers"].as_array().expect("an echo from the upstream");
        let of_name = pairs.iter().filter(|pair| pair[0] == name);
        of_name.map(|pair| pair[1].as_str().unwrap_or_default().to_owned()).collect()
    }
}
