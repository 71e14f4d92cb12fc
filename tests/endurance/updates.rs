//! Two hundred updates under load, and thirty with a new `vm_id` each.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use weir_tests::{Client, Envoy, Listener, Req, Tally, flood_tally};

use crate::table::{line, megabytes};

const UPDATES: usize = 200;
/// After so many updates memory has to be flat.
const SETTLED: usize = 20;
const FLAT: u64 = 3_000_000;
const NEW_VMS: usize = 30;

/// Prints every figure; panics where anything was refilled, refused with a fault, or grew.
pub(crate) async fn run() {
    line("", &["resident", "heap", "seconds"].map(str::to_owned));
    // What the proxy's own updates cost, for comparison.
    let (_, own) = churn("no filter", |update| Listener::new().manager("via", json!(format!("{}", update % 2)))).await;
    let (mut envoy, grown) = churn("Weir", |update| Listener::new().policy(policy(update))).await;
    println!("without the filter {}, with it {}, of {} allowed", megabytes(own), megabytes(grown), megabytes(FLAT));
    assert!(grown <= FLAT, "{grown} bytes more, over {FLAT}");
    new_vms(&mut envoy).await;
}

/// [`UPDATES`] under load; by how much memory has grown since number [`SETTLED`].
async fn churn(name: &str, listener: fn(usize) -> Listener) -> (Envoy, u64) {
    let mut envoy = Envoy::builder().workers(4).watched().listener(listener(0)).start().await;
    let started = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    let limited: Vec<_> = (0..2).map(|_| ask(envoy.addr(), Req::get("/").key("limited"), &stop)).collect();
    let modest = ask(envoy.addr(), Req::get("/modest").key("modest"), &stop);
    let (mut settled, mut names) = ((0, 0), 0);
    for update in 1..=UPDATES {
        envoy.accept(&[listener(update)]).await;
        if update % SETTLED == 0 {
            let memory = (envoy.resident_bytes(), envoy.heap_bytes().await);
            settled = if update == SETTLED { memory } else { settled };
            let seconds = format!("{:.0}", started.elapsed().as_secs_f64());
            // How many statistics there are.
            let count = envoy.admin("/stats").await.lines().count();
            names = if update == SETTLED { count } else { names };
            assert_eq!(count, names, "statistics after {update} updates");
            line(&format!("{name}: {update} updates"), &[megabytes(memory.0), megabytes(memory.1), seconds]);
        }
    }
    stop.store(true, Ordering::Relaxed);
    let mut all = Tally::default();
    for client in limited {
        all += client.await.expect("a client");
    }
    let served = modest.await.expect("a client");
    let rate = (all.total() + served.total()) as f64 / started.elapsed().as_secs_f64();
    println!("{name}: over its limit {all:?}, modest {served:?}, {rate:.0} requests/s");
    served.expect(served.total(), 0);
    if name == "Weir" {
        all.expect(40, all.total() - 40);
    }
    assert!(rate >= 50.0, "{rate} requests/s");
    assert_eq!(envoy.stat("http.main.downstream_rq_5xx").await, 0);
    let grown = [envoy.resident_bytes().saturating_sub(settled.0), envoy.heap_bytes().await.saturating_sub(settled.1)];
    (envoy, grown.into_iter().max().unwrap_or_default())
}

/// Each starts from nothing, as documented; nothing breaks.
async fn new_vms(envoy: &mut Envoy) {
    let before = envoy.resident_bytes();
    for update in 0..NEW_VMS {
        envoy.accept(&[Listener::new().policy(policy(update)).vm_id(&format!("vm-{update}"))]).await;
        flood_tally(envoy.addr(), 60, 8, |_| Req::get("/").key("limited")).await.expect(40, 20);
    }
    envoy.assert_no_vm_failure();
    assert_eq!(envoy.stat("http.main.downstream_rq_5xx").await, 0);
    println!("{NEW_VMS} new VMs: {} more resident", megabytes(envoy.resident_bytes().saturating_sub(before)));
}

/// One of two configurations that differ in a rule.
fn policy(update: usize) -> Value {
    let other = format!("other-{}", update % 2);
    json!({
        "client": [{"header": "x-api-key"}],
        "rules": [
            {"name": other, "match": {"paths": ["/other"]}, "limits": ["1000/second"]},
            {"name": "modest", "match": {"paths": ["/modest"]}, "limits": ["100/second"]},
            {"name": "main", "limits": ["40/hour"]},
        ],
    })
}

/// Asks until told to stop, some thirty times a second; connections that an update ends are opened again.
fn ask(addr: SocketAddr, request: Req, stop: &Arc<AtomicBool>) -> JoinHandle<Tally> {
    let stop = Arc::clone(stop);
    tokio::spawn(async move {
        let (client, mut tally) = (Client::new(addr), Tally::default());
        let mut every = tokio::time::interval(Duration::from_millis(25));
        while !stop.load(Ordering::Relaxed) {
            every.tick().await;
            tally.add(client.send(&request).await.status);
        }
        tally
    })
}
