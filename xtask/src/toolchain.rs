//! Which compiler builds the filter.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

mod packaged;
mod rustup;

/// The target that Envoy's runtime takes: WebAssembly with WASI's clocks and random numbers.
pub(crate) const TARGET: &str = "wasm32-wasip1";

/// A compiler with a standard library for [`TARGET`].
#[derive(Debug)]
pub(crate) enum Toolchain {
    /// An installed toolchain that has the target: its cargo and its rustc.
    Installed {
        /// The path of cargo.
        cargo: PathBuf,
        /// The path of rustc.
        rustc: PathBuf,
    },
    /// Debian's compiler, which builds the standard library from Debian's source: the path of its linker.
    Packaged {
        /// The path of the linker.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// Chooses, and says on one line which it is. `install` allows installing Debian packages as root.
    pub(crate) fn choose(install: bool) -> Result<Self> {
        let chosen = match std::env::var("WEIR_WASM_TOOLCHAIN").as_deref() {
            Err(_) | Ok("") => rustup::find().or_else(|reason| {
                println!("{reason:#}: trying Debian's packaged compiler");
                packaged::find(install)
            }),
            Ok("rustup") => rustup::find(),
            Ok("packaged") => packaged::find(install),
            Ok(other) => bail!("WEIR_WASM_TOOLCHAIN: expected rustup or packaged, got {other:?}"),
        }?;
        println!("toolchain: {}", chosen.describe());
        Ok(chosen)
    }

    /// A word for it, usable as the name of a folder.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Installed { .. } => "wasm",
            Self::Packaged { .. } => "wasm-packaged",
        }
    }

    /// Its cargo, told to use its rustc and to heed no other settings of the caller's.
    pub(crate) fn cargo(&self) -> Command {
        let (cargo, rustc) = match self {
            Self::Installed { cargo, rustc } => (cargo.as_path(), rustc.as_path()),
            Self::Packaged { .. } => (Path::new(packaged::CARGO), Path::new(packaged::RUSTC)),
        };
        let mut command = Command::new(cargo);
        // Set by the cargo that started this program, for the compiler that it uses itself.
        for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
            command.env_remove(name);
        }
        // Clippy, say, is looked for on the path: the one beside this cargo is the one that fits.
        let beside = cargo.parent().map(Path::to_owned);
        let path = std::env::var_os("PATH").unwrap_or_default();
        if let Ok(path) = std::env::join_paths(beside.into_iter().chain(std::env::split_paths(&path))) {
            command.env("PATH", path);
        }
        command.env("RUSTC", rustc);
        if let Self::Packaged { linker } = self {
            // Building the standard library is unstable; this is the distribution's matching pair of the two.
            command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_WASM32_WASIP1_LINKER", linker);
        }
        command
    }

    /// Flags for that cargo.
    pub(crate) fn cargo_flags(&self) -> &'static [&'static str] {
        match self {
            Self::Installed { .. } => &[],
            Self::Packaged { .. } => &["-Zbuild-std=std,panic_abort"],
        }
    }

    /// Flags for that rustc.
    pub(crate) fn rustflags(&self) -> Vec<String> {
        match self {
            Self::Installed { .. } => Vec::new(),
            Self::Packaged { .. } => {
                vec!["-Clink-self-contained=no".to_owned(), format!("-Lnative={}", packaged::LIBC)]
            }
        }
    }

    /// The source of the standard library, where it is compiled along.
    pub(crate) fn library(&self) -> Option<&'static Path> {
        matches!(self, Self::Packaged { .. }).then(|| Path::new(packaged::LIBRARY))
    }

    fn describe(&self) -> String {
        match self {
            Self::Installed { rustc, .. } => {
                format!("{} with {TARGET} ({})", version(rustc), rustc.display())
            }
            Self::Packaged { linker } => format!(
                "{} with Debian's library source ({}, linker {})",
                version(Path::new(packaged::RUSTC)),
                packaged::RUSTC,
                linker.display()
            ),
        }
    }
}

/// What a rustc says it is, up to the commit.
fn version(rustc: &Path) -> String {
    let line = output(Command::new(rustc).arg("--version")).unwrap_or_default();
    line.split(" (").next().unwrap_or_default().to_owned()
}

/// The trimmed standard output of a command; `None` where it cannot be run or fails.
fn output(command: &mut Command) -> Option<String> {
    let done = command.output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}
