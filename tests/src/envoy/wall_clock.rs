//! A wall clock that the test steps, under a running Envoy.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// A clock for [`Builder::wall_clock`](super::Builder::wall_clock); at first it tells the real time.
pub struct WallClock {
    dir: TempDir,
}

impl Default for WallClock {
    fn default() -> Self {
        Self::new()
    }
}

impl WallClock {
    /// A clock of its own. Needs the C compiler that links Rust programs, too.
    pub fn new() -> Self {
        let clock = Self { dir: TempDir::with_prefix("weir-").expect("a directory") };
        let source = clock.dir.path().join("wall_clock.c");
        std::fs::write(&source, include_str!("wall_clock.c")).expect("a file");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(clock.library()).arg(&source);
        let outcome = compiler.output().expect("a C compiler");
        assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
        clock.set(0);
        clock
    }

    /// Sets it to so many seconds ahead of the real time.
    pub fn set(&self, ahead: i64) {
        use std::os::unix::fs::FileExt;
        let file = std::fs::OpenOptions::new().create(true).truncate(false).write(true).open(self.offset());
        file.expect("the offset").write_all_at(&ahead.to_ne_bytes(), 0).expect("the offset");
    }

    /// What a process needs to follow it.
    pub(super) fn environment(&self) -> [(&'static str, OsString); 2] {
        [("LD_PRELOAD", self.library().into()), ("WEIR_WALL_CLOCK", self.offset().into())]
    }

    fn library(&self) -> PathBuf {
        self.dir.path().join("wall_clock.so")
    }

    fn offset(&self) -> PathBuf {
        self.dir.path().join("offset")
    }
}
