//! A real Envoy with the filter, as a child process on loopback.

mod admin;
mod bootstrap;
mod builder;
mod file;
mod listener;
mod port;
mod process;
mod update;
mod wall_clock;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;

pub use builder::{Builder, validate};
pub use file::EnvoyFile;
pub use listener::{Listener, Settings, weir_filter};
pub use process::StartFailure;
use tempfile::TempDir;
pub use update::Update;
pub use wall_clock::WallClock;

use crate::client::Client;
use crate::upstream::Upstream;
use port::ReservedPort;
use process::Process;

/// A running Envoy and the upstream behind it. Dropping it kills the child and fails the test if the child
/// had died by itself or one of its VMs had failed; the log is printed if the test fails.
pub struct Envoy {
    /// What answers behind Envoy.
    pub upstream: Upstream,
    process: Process,
    admin: SocketAddr,
    ports: HashMap<String, ReservedPort>,
    first: String,
    workers: usize,
    generation: u64,
    dir: TempDir,
}

impl Envoy {
    /// An Envoy to be described: two workers and no listener yet.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// One listener with this filter configuration, two workers.
    pub async fn with(policy: serde_json::Value) -> Self {
        Self::builder().listener(Listener::new().policy(policy)).start().await
    }

    /// The first listener's address.
    pub fn addr(&self) -> SocketAddr {
        self.addr_of(&self.first)
    }

    /// The address of the listener with this name.
    pub fn addr_of(&self, listener: &str) -> SocketAddr {
        match self.ports.get(listener) {
            Some(port) => port.addr(),
            None => panic!("no listener {listener}"),
        }
    }

    /// A keep-alive HTTP/1.1 client of the first listener.
    pub fn client(&self) -> Client {
        Client::new(self.addr())
    }

    /// The administration interface's address.
    pub fn admin_addr(&self) -> SocketAddr {
        self.admin
    }

    /// Envoy's log so far.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// Lines of the access log so far; see [`Listener::access_log`].
    pub fn access_log(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.access_log_path()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Bytes of memory the process has resident.
    pub fn resident_bytes(&self) -> u64 {
        self.process.resident_bytes()
    }

    /// Fails the test if the process has died or a VM has failed, as dropping does too.
    #[track_caller]
    pub fn assert_no_vm_failure(&mut self) {
        if let Some(fault) = self.process.fault() {
            panic!("{fault}");
        }
    }

    /// The failure of a VM is what the test is about: from now on it is no fault.
    pub fn expect_vm_failures(&mut self) {
        self.process.expect_vm_failures();
    }

    /// Lines of Envoy's log that tell of a failure of a VM.
    pub fn vm_failures(&self) -> usize {
        self.process.vm_failures()
    }

    fn access_log_path(&self) -> PathBuf {
        self.dir.path().join(bootstrap::ACCESS_LOG)
    }
}
