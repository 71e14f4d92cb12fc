//! An installed toolchain that has the target, or to which rustup can add it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{TARGET, Toolchain, output};

/// The active toolchain if it has the target, else rustup's, with the target added to it.
pub(super) fn find() -> Result<Toolchain> {
    if let Some(active) = active().filter(has_target) {
        return Ok(active);
    }
    let ours = from_rustup().context("rustup is not here, and the compiler has no wasm32-wasip1")?;
    if !has_target(&ours) {
        add_target()?;
        if !has_target(&ours) {
            bail!("rustup added {TARGET} to some other toolchain");
        }
    }
    Ok(ours)
}

/// The cargo that started this program, and the rustc beside it.
fn active() -> Option<Toolchain> {
    let cargo = PathBuf::from(std::env::var_os("CARGO")?);
    let rustc = cargo.with_file_name("rustc");
    Some(Toolchain::Installed { cargo, rustc })
}

fn from_rustup() -> Option<Toolchain> {
    let which = |name| output(Command::new("rustup").args(["which", name])).map(PathBuf::from);
    Some(Toolchain::Installed { cargo: which("cargo")?, rustc: which("rustc")? })
}

fn has_target(toolchain: &Toolchain) -> bool {
    let Toolchain::Installed { rustc, .. } = toolchain else {
        return false;
    };
    output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]))
        .is_some_and(|folder| Path::new(&folder).is_dir())
}

/// Runs `rustup target add`; on a machine without internet it gives up soon.
fn add_target() -> Result<()> {
    println!("rustup target add {TARGET}");
    let done = Command::new("rustup")
        .args(["target", "add", TARGET])
        .env("RUSTUP_MAX_RETRIES", "0")
        // Seconds without a byte.
        .env("RUSTUP_DOWNLOAD_TIMEOUT", "15")
        .stdin(Stdio::null())
        .output()
        .context("starting rustup")?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let reason = said.lines().rfind(|line| line.starts_with("error")).unwrap_or("no reason given");
    bail!("rustup could not add {TARGET} ({reason})")
}
