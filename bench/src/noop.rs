//! Filters that do nothing, assembled here: what entering a VM costs by itself.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};

use crate::weir;

/// A function that the host calls: its name, how many numbers it takes, and what it returns.
type Hook = (&'static str, usize, Option<i32>);

const ABI: Hook = ("proxy_abi_version_0_2_1", 0, None);
/// Where the host would put what it returns; nothing is ever asked of it.
const ALLOCATE: Hook = ("proxy_on_memory_allocate", 1, Some(1024));
const CONTEXT: Hook = ("proxy_on_context_create", 2, None);
const REQUEST: Hook = ("proxy_on_request_headers", 3, Some(0));
const RESPONSE: Hook = ("proxy_on_response_headers", 3, Some(0));

/// Entered once for each request.
pub(crate) const REQUEST_ONLY: &[Hook] = &[ABI, ALLOCATE, REQUEST];
/// Entered as often as Weir.
pub(crate) const LIKE_WEIR: &[Hook] = &[ABI, ALLOCATE, CONTEXT, REQUEST, RESPONSE];

/// Writes a module with these hooks into `dir`.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write(dir: &Path, name: &str, hooks: &[Hook]) -> Result<PathBuf> {
    let path = dir.join(name);
    std::fs::write(&path, module(hooks)).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// The module at `module` as an HTTP filter.
pub(crate) fn filter(module: &Path) -> Value {
    weir::wasm(module, None)
}

fn module(hooks: &[Hook]) -> Vec<u8> {
    let (mut types, mut functions) = (TypeSection::new(), FunctionSection::new());
    let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
    exports.export("memory", ExportKind::Memory, 0);
    for (index, &(name, parameters, result)) in (0..).zip(hooks) {
        types.ty().function(vec![ValType::I32; parameters], result.map(|_| ValType::I32));
        functions.function(index);
        exports.export(name, ExportKind::Func, index);
        let mut body = Function::new([]);
        if let Some(result) = result {
            body.instruction(&Instruction::I32Const(result));
        }
        body.instruction(&Instruction::End);
        code.function(&body);
    }
    let mut memories = MemorySection::new();
    memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports).section(&code);
    module.finish()
}
