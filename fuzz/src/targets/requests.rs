//! Whole requests of any fields, against a policy that reads all it can.

use std::collections::HashMap;

use crate::request;
use crate::service::Service;
use arbitrary::Unstructured;
use bolero::check;
use weir_core::config;
use weir_core::http::Source;
use weir_core::time::SECOND;

use super::answers;

const POLICY: &str = r#"{
    "client": [{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}],
    "ip": {"v6_prefix": 48, "trust_forwarded": true},
    "limits": [
        {"rate": "20/m", "per": [], "name": "everybody"},
        {"rate": "7/m", "burst": 9, "per": ["ip"], "name": "address"},
        {"rate": "50/s", "name": "client"}],
    "rules": [
        {"name": "login", "match": {"methods": ["POST"], "paths": ["/login", "/users/*/login"]}, "limits": ["3/m"]},
        {"name": "user", "match": {"paths": ["/users/{id}/**"], "hosts": ["api.test", "*.api.test"]},
         "limits": [{"rate": "4/m", "per": ["path:id", "header:x-tenant"]}, {"rate": "900/d", "per": ["cookie:a"]}]},
        {"name": "options", "match": {"methods": ["OPTIONS"]}, "limits": ["5/m"]},
        {"name": "rest", "limits": [{"rate": "11/m", "per": ["method", "path", "host", "client"]}]}]
}"#;

#[test]
fn requests() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let mut service = Service::new(config::parse(POLICY.as_bytes()).expect("a policy"));
        let start = service.clock.monotonic.get();
        let (mut admitted, mut by_address) = (0, HashMap::new());
        while let (false, Ok(request)) = (source.is_empty(), request::any(&mut source)) {
            let passed = source.int_in_range(0..=5 * SECOND).unwrap_or(0);
            service.clock.monotonic.set(service.clock.monotonic.get() + passed);
            service.clock.wall.set(source.arbitrary::<u64>().unwrap_or(0) >> 8);
            if !answers::check(&mut service, &request) {
                continue;
            }
            // Over any time since the start: burst + rate × t.
            let minutes = (service.clock.monotonic.get() - start) as f64 / (60 * SECOND) as f64;
            admitted += 1;
            assert!(f64::from(admitted) <= 20.0 + 20.0 * minutes, "{admitted} after {minutes} minutes");
            let address = request.address.as_deref().and_then(Source::parse).map(|source| source.ip);
            let own = by_address.entry(address).or_insert(0);
            *own += 1;
            assert!(f64::from(*own) <= 9.0 + 7.0 * minutes, "{own} of {address:?} after {minutes} minutes");
        }
    });
}

/// Every request of a client that changes what it can: the bound holds for its address.
#[test]
fn request_floods() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let mut service = Service::new(config::parse(POLICY.as_bytes()).expect("a policy"));
        let mut admitted = 0;
        for _ in 0..24 {
            let Ok(mut request) = request::any(&mut source) else { return };
            request.address = Some(b"192.0.2.1:80".to_vec());
            admitted += u32::from(answers::check(&mut service, &request));
        }
        assert!(admitted <= 9, "{admitted}");
    });
}
