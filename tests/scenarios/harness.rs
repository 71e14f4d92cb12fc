//! The harness itself, against an Envoy without the filter.

use std::net::Ipv4Addr;

use serde_json::{Value, json};
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};
use weir_tests::envoy::validate;
use weir_tests::{Client, Envoy, Listener, RawConnection, Req, Tally, Update, flood, flood_tally};

/// Envoy's own limiter: a bucket of so many tokens that does not fill again during a test.
fn native_limit(tokens: u32) -> Value {
    json!({"name": "native", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
        "stat_prefix": "native",
        "token_bucket": {"max_tokens": tokens, "tokens_per_fill": 1, "fill_interval": "3600s"},
        "filter_enabled": {"default_value": {"numerator": 100, "denominator": "HUNDRED"}},
        "filter_enforced": {"default_value": {"numerator": 100, "denominator": "HUNDRED"}},
    }})
}

#[tokio::test]
async fn flood_counts_what_a_native_limiter_admits() {
    let envoy = Envoy::builder().workers(4).listener(Listener::new().before(native_limit(50))).start().await;
    let tally = flood_tally(envoy.addr(), 400, 16, |_| Req::get("/x")).await;
    tally.expect(50, 350);
    assert_eq!(envoy.upstream.reached(), 50);
    assert_eq!(envoy.upstream.reached_by("GET", "/x"), 50);
    assert_eq!(envoy.upstream.reached_by("POST", "/x"), 0);
    assert_eq!(envoy.stat("native.http_local_rate_limit.rate_limited").await, 350);
}

#[tokio::test]
async fn the_upstream_does_as_it_is_asked_and_echoes() {
    let envoy = Envoy::builder().listener(Listener::new()).start().await;
    for client in [envoy.client(), Client::http2(envoy.addr()), envoy.client().one_shot()] {
        let request =
            Req::post("/a//b?q=%zz").body("four").header("x-want-status", "418").header("x-want-header", "x-a=1");
        let reply = client.send(&request.header("x-want-header", "x-a=2").header("x-sent", b"\xff\xfe")).await;
        assert_eq!((reply.status, reply.headers.get_all("x-a").iter().count()), (418, 2));
        let echo = reply.json();
        assert_eq!((&echo["method"], &echo["path"], &echo["body"]), (&json!("POST"), &json!("/a//b?q=%zz"), &json!(4)));
        assert_eq!(reply.echoed("x-sent"), ["\u{fffd}\u{fffd}"]);
    }
    assert_eq!(envoy.upstream.reached(), 3);
}

#[tokio::test]
async fn replies_of_a_flood_come_in_order() {
    let envoy = Envoy::builder().listener(Listener::new()).start().await;
    let replies = flood(envoy.addr(), 40, 8, |i| Req::get(&format!("/{i}"))).await;
    let paths: Vec<Value> = replies.iter().map(|reply| reply.json()["path"].clone()).collect();
    assert_eq!(paths, (0..40).map(|i| json!(format!("/{i}"))).collect::<Vec<_>>());
    replies.iter().collect::<Tally>().expect(40, 0);
}

#[tokio::test]
async fn one_machine_plays_many_clients() {
    let envoy = Envoy::builder().listener(Listener::new()).start().await;
    let client = envoy.client().from_address(Ipv4Addr::new(127, 0, 0, 77));
    assert_eq!(client.send(&Req::get("/")).await.echoed("x-forwarded-for"), ["127.0.0.77"]);

    let format = "%DOWNSTREAM_REMOTE_ADDRESS%";
    let logged = Listener::new().trusted_hops(1).access_log(format);
    let envoy = Envoy::builder().listener(logged).start().await;
    envoy.client().send(&Req::get("/").header("x-forwarded-for", "1.2.3.4, 203.0.113.9")).await;
    envoy.access_log_lines(1).await.iter().for_each(|line| assert_eq!(line, "203.0.113.9:0"));
}

#[tokio::test]
async fn raw_bytes_go_out_and_answers_come_back() {
    let envoy = Envoy::builder().listener(Listener::new()).start().await;
    let mut connection = RawConnection::open(envoy.addr()).await;
    connection.write(b"GET /\xe9 HTTP/1.1\r\nHost: a\r\nx-odd: \xff\xfe\r\nx-odd: 2\r\n\r\n").await;
    let reply = connection.reply().await.expect("an answer");
    assert!([200, 400].contains(&reply.status), "{reply:?}");

    let mut connection = RawConnection::open(envoy.addr()).await;
    connection.write(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(connection.head_reply().await.expect("an answer").status, 200);
    connection.write(b"GET /2 HTTP/1.1\r\nHost: a\r\nx-odd: \xff\xfe\r\nx-odd: 2\r\n\r\n").await;
    let reply = connection.reply().await.expect("an answer on the same connection");
    assert_eq!((reply.status, reply.echoed("x-odd").len()), (200, 2));

    let refused = RawConnection::exchange(envoy.addr(), b"GET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(refused.expect("an answer").status, 400, "no host");
}

#[tokio::test]
async fn updates_take_hold_on_every_worker_or_are_told_rejected() {
    let generation = |tokens| Listener::new().before(native_limit(tokens));
    let mut envoy = Envoy::builder().workers(4).watched().listener(generation(3)).start().await;
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/")).await.expect(3, 17);
    assert_eq!(envoy.update(&[generation(5)]).await, Update::Accepted);
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/")).await.expect(5, 15);

    let mut impossible = native_limit(9);
    impossible["typed_config"]["token_bucket"]["fill_interval"] = json!("0.001s");
    assert_eq!(envoy.update(&[Listener::new().before(impossible)]).await, Update::Rejected);
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/")).await.expect(0, 20);

    let second = Listener::named("second");
    assert_eq!(envoy.update(&[generation(2), second]).await, Update::Accepted);
    flood_tally(envoy.addr_of("second"), 20, 8, |_| Req::get("/")).await.expect(20, 0);
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/")).await.expect(2, 18);
}

#[tokio::test]
async fn a_refused_start_is_told_with_its_log() {
    let broken =
        || Listener::new().before(json!({"name": "no.such.filter", "typed_config": {"@type": "no.such/Type"}}));
    let failure = Envoy::builder().listener(broken()).try_start().await.err().expect("a refusal");
    assert!(failure.log.contains("no.such/Type"), "{failure}");
    let failure = validate(broken()).await.expect_err("a refusal");
    assert!(failure.log.contains("no.such/Type"), "{failure}");
    validate(Listener::new()).await.expect("a sound configuration");
}

/// A filter that loads, and traps at the first request.
fn trapping_module() -> Vec<u8> {
    let exports: [(&str, &[ValType], &[ValType], Instruction); 4] = [
        ("proxy_abi_version_0_2_1", &[], &[], Instruction::Nop),
        ("proxy_on_memory_allocate", &[ValType::I32], &[ValType::I32], Instruction::I32Const(0)),
        ("proxy_on_context_create", &[ValType::I32; 2], &[], Instruction::Nop),
        ("proxy_on_request_headers", &[ValType::I32; 3], &[ValType::I32], Instruction::Unreachable),
    ];
    let memory = MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
    let (mut types, mut functions, mut memories) = (TypeSection::new(), FunctionSection::new(), MemorySection::new());
    let (mut names, mut code) = (ExportSection::new(), CodeSection::new());
    memories.memory(memory);
    names.export("memory", ExportKind::Memory, 0);
    for (index, (name, parameters, results, instruction)) in (0..).zip(exports) {
        types.ty().function(parameters.iter().copied(), results.iter().copied());
        functions.function(index);
        names.export(name, ExportKind::Func, index);
        let mut body = Function::new([]);
        body.instruction(&instruction).instruction(&Instruction::End);
        code.function(&body);
    }
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&names).section(&code);
    module.finish()
}

#[tokio::test]
#[should_panic(expected = "a VM failed")]
async fn a_trap_in_a_module_is_noticed() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("trap.wasm");
    std::fs::write(&file, trapping_module()).expect("a file");
    let filter = json!({"name": "trap", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
        "config": {"name": "trap", "root_id": "trap", "vm_config": {
            "runtime": "envoy.wasm.runtime.v8",
            "code": {"local": {"filename": file}},
        }},
    }});
    let mut envoy = Envoy::builder().listener(Listener::new().before(filter)).start().await;
    envoy.assert_no_vm_failure();
    let _ = envoy.client().send(&Req::get("/")).await;
    envoy.assert_no_vm_failure();
}

#[tokio::test]
async fn the_process_shows_its_memory() {
    let envoy = Envoy::builder().listener(Listener::new()).start().await;
    assert!(envoy.heap_bytes().await > 1 << 20);
    assert!(envoy.resident_bytes() > 1 << 20);
}
