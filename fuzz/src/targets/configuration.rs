//! A configuration is read or refused; what is read can be served.

use crate::request;
use crate::service::Service;
use crate::tree;
use arbitrary::Unstructured;
use bolero::check;
use serde_json::json;
use weir_core::config;
use weir_core::policy::Policy;

use super::answers;

/// Puts the policy in force and asks it a few things.
fn serve(policy: Policy, source: &mut Unstructured<'_>) {
    let mut service = Service::new(policy);
    for _ in 0..3 {
        answers::check(&mut service, &request::plain());
        if let Ok(request) = request::any(source) {
            answers::check(&mut service, &request);
        }
    }
}

#[test]
fn configuration_bytes() {
    check!().for_each(|bytes: &[u8]| {
        if let Ok(policy) = config::parse(bytes) {
            serve(policy, &mut Unstructured::new(bytes));
        }
    });
}

/// Both notations mean the same.
#[test]
fn configuration_trees() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let Ok(tree) = tree::configuration(&mut source) else { return };
        if tree == json!({}) {
            return; // As a Struct, no bytes at all: another refusal.
        }
        let from_json = config::parse(tree.to_string().as_bytes());
        let from_struct = config::parse(&tree::as_struct(&tree));
        match (from_json, from_struct) {
            (Ok(policy), Ok(twin)) => {
                assert_eq!(format!("{policy:?}"), format!("{twin:?}"));
                serve(policy, &mut source);
            }
            (Err(refusal), Err(twin)) => assert_eq!(refusal.to_string(), twin.to_string()),
            (from_json, from_struct) => panic!("{tree}\n{from_json:?}\n{from_struct:?}"),
        }
    });
}
