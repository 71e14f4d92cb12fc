//! From source to `dist/weir.wasm`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::module;
use crate::toolchain::{TARGET, Toolchain};

/// Builds the filter, prunes it, and writes it to `out`, by default `dist/weir.wasm` in the workspace.
pub(crate) fn build(toolchain: &Toolchain, out: Option<PathBuf>) -> Result<()> {
    let root = workspace()?;
    let target = target_dir(toolchain, &root);
    run(cargo(toolchain, &root, &target, "build").args(["--lib", "--release"]))?;

    let built = target.join(TARGET).join("release/weir.wasm");
    let bytes = std::fs::read(&built).with_context(|| format!("reading {}", built.display()))?;
    let pruned = module::prune(&bytes)?;

    let out = out.unwrap_or_else(|| root.join("dist/weir.wasm"));
    write_whole(&out, &pruned.bytes)?;
    println!(
        "{}: {} bytes ({} before pruning)\n  exports {}\n  imports {}",
        out.strip_prefix(&root).unwrap_or(&out).display(),
        pruned.bytes.len(),
        bytes.len(),
        pruned.exports.join(" "),
        pruned.imports.join(" "),
    );
    Ok(())
}

/// Lints the filter as it is compiled for Envoy. Needs clippy beside the chosen compiler.
pub(crate) fn clippy(install: bool) -> Result<()> {
    let toolchain = Toolchain::choose(install)?;
    let root = workspace()?;
    let target = target_dir(&toolchain, &root);
    run(cargo(&toolchain, &root, &target, "clippy").args(["--lib", "--", "-D", "warnings"]))
}

fn cargo(toolchain: &Toolchain, root: &Path, target: &Path, command: &str) -> Command {
    let mut cargo = toolchain.cargo();
    cargo
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        // Cargo joins encoded flags by this byte, so that a path may hold spaces.
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags(toolchain, root, target).join("\x1f"))
        .args([command, "--package", "weir", "--target", TARGET])
        .args(toolchain.cargo_flags());
    cargo
}

/// The toolchain's own flags, and what keeps this machine's folders out of the module.
fn rustflags(toolchain: &Toolchain, root: &Path, target: &Path) -> Vec<String> {
    let mut flags = toolchain.rustflags();
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    // The last prefix that matches wins, so a folder comes before the folders in it.
    let mut remaps = vec![(root.to_owned(), "/weir"), (target.to_owned(), "/target")];
    remaps.extend(cargo_home.map(|home| (home, "/cargo")));
    remaps.extend(toolchain.library().map(|library| (library.to_owned(), "/rust/library")));
    flags.extend(remaps.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())));
    flags
}

/// A folder of its own for each compiler, so that changing it does not rebuild everything twice.
fn target_dir(toolchain: &Toolchain, root: &Path) -> PathBuf {
    let base = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    base.join(toolchain.name())
}

fn workspace() -> Result<PathBuf> {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(xtask.parent().context("xtask/ has no parent folder")?.to_owned())
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    ensure!(status.success(), "cargo failed ({status})");
    Ok(())
}

/// Writes beside `path` and renames, so that whoever reads it meanwhile sees the old module or the new one.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("the output has no folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    let part = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&part, bytes).with_context(|| format!("writing {}", part.display()))?;
    std::fs::rename(&part, path).with_context(|| format!("writing {}", path.display()))
}
