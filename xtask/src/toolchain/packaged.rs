//! Debian's compiler. It comes without a standard library for WebAssembly, but with the source of one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::{Toolchain, output};

pub(super) const CARGO: &str = "/usr/bin/cargo";
pub(super) const RUSTC: &str = "/usr/bin/rustc";
/// The source of the standard library.
pub(super) const LIBRARY: &str = "/usr/lib/rustlib/src/rust/library";
/// The C library that the standard library calls.
pub(super) const LIBC: &str = "/usr/lib/wasm32-wasi";

/// A file of each package, by which it is known to be there.
const PACKAGES: &[(&str, &str)] =
    &[("rustc-web", RUSTC), ("cargo-web", CARGO), ("rust-web-src", LIBRARY), ("wasi-libc", LIBC)];

/// Finds it, or where `install` allows that, installs what is missing of it.
pub(super) fn find(install: bool) -> Result<Toolchain> {
    let missing: Vec<&str> =
        PACKAGES.iter().filter(|(_, file)| !Path::new(file).exists()).map(|(name, _)| *name).collect();
    if !missing.is_empty() {
        apt(&missing, install)?;
    }
    if linker().is_none() {
        apt(&[&lld()?], install)?;
    }
    let linker = linker().context("no linker for WebAssembly: neither rust-lld nor wasm-ld is here")?;
    Ok(Toolchain::Packaged { linker })
}

/// The linker of an installed rustup toolchain, or the distribution's newest.
fn linker() -> Option<PathBuf> {
    let in_toolchain = || {
        let rustc = output(Command::new("rustup").args(["which", "rustc"]))?;
        let sysroot = output(Command::new(rustc).args(["--print", "sysroot"]))?;
        let host = output(Command::new(RUSTC).args(["--print", "host-tuple"]))?;
        let linker = PathBuf::from(sysroot).join(format!("lib/rustlib/{host}/bin/rust-lld"));
        linker.exists().then_some(linker)
    };
    let of_distribution = || {
        let versioned = llvm().map(|llvm| format!("/usr/bin/wasm-ld-{llvm}"));
        versioned.into_iter().chain(["/usr/bin/wasm-ld".to_owned()]).map(PathBuf::from).find(|path| path.exists())
    };
    of_distribution().or_else(in_toolchain)
}

/// The package of the linker that belongs to the compiler's LLVM: an older one does not know all of its output.
fn lld() -> Result<String> {
    Ok(format!("lld-{}", llvm().with_context(|| format!("{RUSTC} does not say its LLVM version"))?))
}

fn llvm() -> Option<u32> {
    let version = output(Command::new(RUSTC).arg("-vV"))?;
    version.lines().find_map(|line| line.strip_prefix("LLVM version: "))?.split('.').next()?.parse().ok()
}

fn apt(packages: &[&str], install: bool) -> Result<()> {
    let names = packages.join(" ");
    let root = output(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !install || !root || !Path::new("/usr/bin/apt-get").exists() {
        bail!("packages are missing; on Debian, as root: apt-get install {names}");
    }
    println!("installing {names}");
    let apt = |args: &[&str]| -> Result<()> {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        let done = command.output().context("starting apt-get")?;
        ensure!(done.status.success(), "apt-get failed: {}", String::from_utf8_lossy(&done.stderr).trim());
        Ok(())
    };
    apt(&["update", "-qq"])?;
    let mut args = vec!["install", "-y", "-qq", "--no-install-recommends"];
    args.extend(packages);
    apt(&args)
}
