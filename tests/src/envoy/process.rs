//! The child process and its log.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What Envoy logs when a VM traps, or when the filter breaks the host's rules.
const VM_FAILURES: [&str; 5] = ["RuntimeError", "in-VM backtrace", "VM failed", "wasm fault", "panicked at"];

/// What it logs besides where the filter refuses a configuration, which is in order.
const REFUSAL: &str = "Failed to configure base Wasm plugin";

/// Envoy did not come up.
#[derive(Debug)]
pub struct StartFailure {
    /// Its exit status.
    pub status: String,
    /// Everything it logged.
    pub log: String,
}

impl fmt::Display for StartFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Envoy ended with {}:\n{}", self.status, self.log)
    }
}

pub(super) struct Process {
    child: Child,
    log: PathBuf,
    may_end: bool,
    vms_may_fail: bool,
}

impl Process {
    /// Starts the command with its log in `dir`.
    pub(super) fn spawn(mut command: Command, dir: &Path) -> Self {
        let log = dir.join("envoy.log");
        let file = File::create(&log).expect("a log file");
        let child =
            command.stdin(Stdio::null()).stderr(file).spawn().unwrap_or_else(|fault| panic!("{command:?}: {fault}"));
        Self { child, log, may_end: false, vms_may_fail: false }
    }

    pub(super) fn log(&self) -> String {
        let bytes = std::fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The exit status in words, once it has one.
    pub(super) fn ended(&mut self) -> Option<String> {
        self.child.try_wait().expect("the state of a child").map(|status| status.to_string())
    }

    /// Its end is what the test is about, and so no fault.
    pub(super) fn expect_end(&mut self) {
        self.may_end = true;
    }

    pub(super) fn expect_vm_failures(&mut self) {
        self.vms_may_fail = true;
    }

    pub(super) fn vm_failures(&self) -> usize {
        failures(&self.log()).count()
    }

    /// What is wrong with it by now.
    pub(super) fn fault(&mut self) -> Option<String> {
        if let Some(status) = self.ended() {
            return Some(format!("Envoy ended by itself with {status}"));
        }
        let log = self.log();
        let line = failures(&log).next().filter(|_| !self.vms_may_fail)?;
        Some(format!("a VM failed: {line}"))
    }

    pub(super) fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the child's status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("kB");
        kib * 1024
    }
}

fn failures(log: &str) -> impl Iterator<Item = &str> {
    let lines = log.lines().filter(|line| !line.contains(REFUSAL));
    lines.filter(|line| VM_FAILURES.iter().any(|sign| line.contains(sign)))
}

impl Drop for Process {
    fn drop(&mut self) {
        let fault = if self.may_end { None } else { self.fault() };
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- Envoy's log\n{}---", self.log());
        } else if let Some(fault) = fault {
            panic!("{fault}\n--- Envoy's log\n{}---", self.log());
        }
    }
}
