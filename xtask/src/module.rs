//! The built module's surface: what it shows to Envoy, and what it asks of it.

use anyhow::{Context, Result, bail, ensure};
use wasm_encoder::{ExportKind, ExportSection, RawSection};
use wasmparser::{Export, ExternalKind, Parser, Payload, Validator};

#[cfg(test)]
mod tests;

/// What the module may export; every one of these must be there.
///
/// Envoy enters the VM for each callback that a module exports, on every request, whether or not the callback does
/// anything; an entry costs about a microsecond. So nothing is exported that the filter has no use for.
const EXPORTS: &[&str] = &[
    "memory",
    "_initialize",
    "proxy_abi_version_0_2_1",
    "proxy_on_memory_allocate",
    "proxy_on_configure",
    "proxy_on_context_create",
    "proxy_on_request_headers",
    "proxy_on_response_headers",
    "proxy_on_response_trailers",
    "proxy_on_tick",
];

/// What the module may import: a module's name, and how the names in it start.
///
/// Envoy offers more; a call that is not on this list means that some library does I/O of its own.
const IMPORTS: &[(&str, &str)] = &[("env", "proxy_"), ("wasi_snapshot_preview1", "")];

/// A pruned module and its surface.
#[derive(Debug)]
pub(crate) struct Pruned {
    /// The module.
    pub(crate) bytes: Vec<u8>,
    /// The names it exports.
    pub(crate) exports: Vec<String>,
    /// The names it imports.
    pub(crate) imports: Vec<String>,
}

/// Drops every export that is not on the list, and every custom section (names, producers); all else is copied byte
/// for byte, so that indices stay what they were. Fails if a required export is missing or an import is not allowed.
pub(crate) fn prune(module: &[u8]) -> Result<Pruned> {
    let mut out = wasm_encoder::Module::new();
    let mut exports = Vec::new();
    let mut imports = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.context("reading the built module")?;
        match &payload {
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports() {
                    let import = import?;
                    check_import(import.module, import.name)?;
                    imports.push(import.name.to_owned());
                }
            }
            Payload::ExportSection(section) => {
                let mut kept = ExportSection::new();
                for export in section.clone() {
                    let export = export?;
                    if EXPORTS.contains(&export.name) {
                        kept.export(export.name, kind(&export)?, export.index);
                        exports.push(export.name.to_owned());
                    }
                }
                out.section(&kept);
                continue;
            }
            Payload::CustomSection(_) => continue,
            _ => {}
        }
        if let Some((id, range)) = payload.as_section() {
            let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
            let data = module.get(range).context("a section reaches past the module's end")?;
            out.section(&RawSection { id, data });
        }
    }
    for name in EXPORTS {
        ensure!(exports.iter().any(|export| export == name), "the built module does not export {name}");
    }
    let bytes = out.finish();
    Validator::new().validate_all(&bytes).context("the pruned module is not valid")?;
    Ok(Pruned { bytes, exports, imports })
}

fn check_import(module: &str, name: &str) -> Result<()> {
    let allowed = IMPORTS.iter().any(|(from, prefix)| *from == module && name.starts_with(prefix));
    ensure!(allowed, "the built module imports {module}.{name}, which is not allowed");
    Ok(())
}

fn kind(export: &Export<'_>) -> Result<ExportKind> {
    Ok(match export.kind {
        ExternalKind::Func => ExportKind::Func,
        ExternalKind::Memory => ExportKind::Memory,
        other => bail!("{} is exported as {other:?}; a function or a memory is expected", export.name),
    })
}
