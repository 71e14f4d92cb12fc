//! A VM that fails takes no bucket with it.

use std::path::Path;
use std::time::{Duration, Instant};

use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, Module, RawSection,
};
use wasmparser::{ExternalKind, Parser, Payload, TypeRef};
use weir_tests::{Envoy, Listener, Req, flood_tally};

use crate::support::{per_key, tally};

/// What a module exports, and the function which it exports for headers of requests.
fn exports(module: &[u8]) -> (ExportSection, u32) {
    let (mut exports, mut on_headers) = (ExportSection::new(), None);
    for payload in Parser::new(0).parse_all(module) {
        let Payload::ExportSection(section) = payload.expect("a module") else { continue };
        for export in section {
            let export = export.expect("an export");
            let function = export.kind == ExternalKind::Func;
            exports.export(export.name, if function { ExportKind::Func } else { ExportKind::Memory }, export.index);
            on_headers = on_headers.or((export.name == "proxy_on_request_headers").then_some(export.index));
        }
    }
    (exports, on_headers.expect("a filter"))
}

/// The built module with one more callback, for bodies of requests, that traps.
fn trap_on_body(module: &[u8]) -> Vec<u8> {
    let (mut out, mut imported, mut types, mut code) = (Module::new(), 0, Vec::new(), CodeSection::new());
    let (mut exports, on_headers) = exports(module);
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.expect("a module");
        match &payload {
            Payload::ImportSection(section) => {
                let imports = section.clone().into_imports().map(|import| import.expect("an import"));
                imported = imports.filter(|import| matches!(import.ty, TypeRef::Func(_))).count() as u32;
            }
            Payload::FunctionSection(section) => {
                types = section.clone().into_iter().map(|index| index.expect("a type")).collect();
                // Both callbacks take and give the same.
                types.push(types[(on_headers - imported) as usize]);
                let mut functions = FunctionSection::new();
                types.iter().for_each(|index| {
                    functions.function(*index);
                });
                out.section(&functions);
                continue;
            }
            Payload::ExportSection(_) => {
                let added = imported + types.len() as u32 - 1;
                out.section(exports.export("proxy_on_request_body", ExportKind::Func, added));
                continue;
            }
            Payload::CodeSectionStart { .. } => continue,
            Payload::CodeSectionEntry(body) => {
                code.raw(body.as_bytes());
                if code.len() as usize + 1 == types.len() {
                    let mut trap = Function::new([]);
                    trap.instruction(&Instruction::Unreachable).instruction(&Instruction::End);
                    out.section(code.function(&trap));
                }
                continue;
            }
            _ => {}
        }
        if let Some((id, range)) = payload.as_section() {
            out.section(&RawSection { id, data: &module[range.start as usize..range.end as usize] });
        }
    }
    out.finish()
}

async fn with_trap(dir: &Path) -> Envoy {
    let file = dir.join("trap.wasm");
    std::fs::write(&file, trap_on_body(&std::fs::read(weir_tests::wasm()).expect("the module"))).expect("a file");
    let listener = Listener::new().policy(per_key("5/hour")).module(&file);
    Envoy::builder().workers(2).listener(listener).start().await
}

async fn until(envoy: &Envoy, arrived: impl AsyncFn() -> bool) {
    let started = Instant::now();
    while !arrived().await {
        assert!(started.elapsed() < Duration::from_secs(10), "{}", envoy.log());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn after_a_trap_the_filter_is_loaded_again_and_debt_is_kept() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut envoy = with_trap(dir.path()).await;
    envoy.expect_vm_failures();
    tally(&envoy.client(), 3, &Req::get("/").key("k")).await.expect(3, 0);
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/").key("spent")).await.expect(5, 15);
    for round in 1..=3 {
        let reply = envoy.client().try_send(&Req::post("/").key("trap").body("trap")).await;
        let answered = reply.map_or(0, |reply| reply.status);
        assert!(answered == 0 || answered >= 500, "{answered}");
        until(&envoy, async || envoy.vm_failures() >= round).await;
        // Envoy waits a moment before it loads a module again that failed.
        let ask = |_| Req::get("/").key("spent");
        until(&envoy, async || flood_tally(envoy.addr(), 16, 8, ask).await.count(429) == 16).await;
    }
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/").key("spent")).await.expect(0, 20);
    flood_tally(envoy.addr(), 20, 8, |_| Req::get("/").key("k")).await.expect(2, 18);
}
