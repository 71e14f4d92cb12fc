//! The engine's own cases, in a real proxy: what holds over every store holds here.

use weir_core::suite::{Case, Seen, Shown, Step, cases};
use weir_tests::{Client, Envoy, Listener, Req};

/// One Envoy serves all cases; each has a VM, and so a store, of its own.
#[tokio::test]
async fn what_the_engine_promises_the_proxy_keeps() {
    let mut builder = Envoy::builder();
    for case in cases() {
        for (filter, policy) in case.filters.iter().enumerate() {
            let policy = serde_json::from_str(policy).expect("a configuration in JSON");
            let listener = Listener::named(&listener(case, filter)).vm_id(case.name);
            builder = builder.listener(listener.policy(policy));
        }
    }
    let envoy = builder.start().await;
    let mut faults = Vec::new();
    for case in cases() {
        for (place, step) in case.steps.iter().enumerate() {
            let seen = ask(&envoy, case, step).await;
            let fault = step.check(&seen).err();
            faults.extend(fault.map(|fault| format!("{}: step {place}: {fault}", case.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn listener(case: &Case, filter: usize) -> String {
    format!("{} ({filter})", case.name)
}

async fn ask(envoy: &Envoy, case: &Case, step: &Step) -> Seen {
    if !step.wait.is_zero() {
        tokio::time::sleep(step.wait).await;
    }
    let plain = Req::new(step.method, step.path).host(step.host);
    let request = step.fields.iter().fold(plain, |request, (name, value)| request.header(name, value));
    let client = Client::new(envoy.addr_of(&listener(case, step.filter))).from_address(step.client);
    let mut seen = Seen { admitted: 0, shown: Shown::Nothing };
    for _ in 0..step.times {
        let reply = client.send(&request).await;
        match reply.status {
            200 => seen.admitted += 1,
            429 => {}
            other => panic!("{}: {other} to {step:?}", case.name),
        }
        seen.shown = if reply.header("x-ratelimit-limit").is_some() {
            let number = |name| reply.integer(name);
            Shown::Limit(number("x-ratelimit-limit"), number("x-ratelimit-remaining"))
        } else {
            Shown::Nothing
        };
    }
    seen
}
