use wasm_encoder::{
    CodeSection, CustomSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, GlobalSection,
    GlobalType, ImportSection, MemorySection, MemoryType, Module, TypeSection, ValType,
};
use wasmparser::{ExternalKind, Parser, Payload};

use super::{EXPORTS, prune};

/// A module that imports `imports` and whose exported functions, one for each name, return their own position.
fn module(imports: &[(&str, &str)], exports: &[&str]) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    let mut import_section = ImportSection::new();
    for (from, name) in imports {
        import_section.import(from, name, EntityType::Function(0));
    }
    let mut functions = FunctionSection::new();
    let mut export_section = ExportSection::new();
    let mut code = CodeSection::new();
    let first = u32::try_from(imports.len()).unwrap();
    for (position, name) in (0..).zip(exports) {
        if *name == "memory" {
            export_section.export(name, ExportKind::Memory, 0);
        } else {
            export_section.export(name, ExportKind::Func, first + position);
        }
        functions.function(0);
        let mut body = Function::new([]);
        body.instructions().i32_const(i32::try_from(position).unwrap()).end();
        code.function(&body);
    }
    let mut memories = MemorySection::new();
    memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
    let mut globals = GlobalSection::new();
    globals.global(
        GlobalType { val_type: ValType::I32, mutable: true, shared: false },
        &wasm_encoder::ConstExpr::i32_const(7),
    );
    export_section.export("__heap_base", ExportKind::Global, 0);
    let mut module = Module::new();
    module
        .section(&types)
        .section(&import_section)
        .section(&functions)
        .section(&memories)
        .section(&globals)
        .section(&export_section)
        .section(&code)
        .section(&CustomSection { name: "producers".into(), data: (&[0]).into() });
    module.finish()
}

/// The sections of a module but its exports, and the exports.
type Parts = (Vec<(u8, Vec<u8>)>, Vec<(String, ExternalKind, u32)>);

fn parts(module: &[u8]) -> Parts {
    let (mut sections, mut exports) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.unwrap();
        if let Payload::ExportSection(section) = &payload {
            exports.extend(section.clone().into_iter().map(|export| {
                let export = export.unwrap();
                (export.name.to_owned(), export.kind, export.index)
            }));
        } else if let Some((id, range)) = payload.as_section() {
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            sections.push((id, module[range].to_vec()));
        }
    }
    (sections, exports)
}

#[test]
fn keeps_the_listed_exports_at_their_indices_and_every_other_section() {
    let names: Vec<&str> = ["proxy_on_log"].iter().chain(EXPORTS).chain(&["proxy_on_request_body"]).copied().collect();
    let before = module(&[("env", "proxy_log"), ("wasi_snapshot_preview1", "random_get")], &names);
    let pruned = prune(&before).unwrap();

    let (mut sections, mut exports) = parts(&before);
    sections.retain(|(id, _)| *id != 0);
    exports.retain(|(name, ..)| EXPORTS.contains(&name.as_str()));
    assert_eq!(parts(&pruned.bytes), (sections, exports));
    assert_eq!(pruned.exports, EXPORTS);
    assert_eq!(pruned.imports, ["proxy_log", "random_get"]);
}

#[test]
fn is_idempotent() {
    let once = prune(&module(&[], EXPORTS)).unwrap().bytes;
    assert_eq!(prune(&once).unwrap().bytes, once);
}

#[test]
fn refuses_a_module_without_a_required_export() {
    for missing in EXPORTS {
        let names: Vec<&str> = EXPORTS.iter().copied().filter(|name| name != missing).collect();
        let error = prune(&module(&[], &names)).unwrap_err().to_string();
        assert_eq!(error, format!("the built module does not export {missing}"));
    }
}

#[test]
fn refuses_an_import_that_is_not_listed() {
    for (from, name) in [("env", "socket"), ("wasi_snapshot_preview2", "random_get"), ("", "proxy_log")] {
        let error = prune(&module(&[(from, name)], EXPORTS)).unwrap_err().to_string();
        assert_eq!(error, format!("the built module imports {from}.{name}, which is not allowed"));
    }
}

#[test]
fn refuses_what_is_no_module() {
    let whole = module(&[], EXPORTS);
    for length in [0, 4, 8, whole.len() / 2, whole.len() - 1] {
        assert!(prune(&whole[..length]).is_err(), "{length} bytes were taken for a module");
    }
}
