//! Build steps: `cargo xtask wasm` makes `dist/weir.wasm`, `cargo xtask clippy` lints the filter for its own target.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::toolchain::Toolchain;

mod module;
mod toolchain;
mod wasm;

const USAGE: &str = "usage: cargo xtask <command> [--install]

  wasm [--out FILE]   build the filter, prune it, and put it at FILE (dist/weir.wasm)
  clippy              lint the filter for the WebAssembly target; warnings are errors

  --install           as root on Debian: install a toolchain's missing packages

WEIR_WASM_TOOLCHAIN   rustup: rustup's target wasm32-wasip1
                      packaged: Debian's compiler and library source
                      unset: rustup's where it can be had, else Debian's";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let command = args.next().context(USAGE)?;
    let mut install = false;
    let mut out = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--install" => install = true,
            "--out" => out = Some(PathBuf::from(args.next().context("--out needs a file")?)),
            other => bail!("unknown argument {other}\n{USAGE}"),
        }
    }
    match command.as_str() {
        "wasm" => wasm::build(&Toolchain::choose(install)?, out),
        "clippy" => wasm::clippy(install),
        "help" | "--help" => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("unknown command {other}\n{USAGE}"),
    }
}
