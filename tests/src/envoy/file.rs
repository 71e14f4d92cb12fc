//! The configurations that people copy, started as they stand but for addresses and paths.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::builder::{LOG_LEVEL, envoy_command, launch, run_validation};
use super::port::ReservedPort;
use super::{Envoy, StartFailure, WallClock, bootstrap};
use crate::upstream::Upstream;

/// The listener that each of them has.
const LISTENER: &str = "main";

/// One of the files in `envoy/`.
pub struct EnvoyFile {
    text: String,
    workers: usize,
    environment: Vec<(&'static str, OsString)>,
}

impl Envoy {
    /// The configuration in this file of the checkout, such as `envoy/envoy.yaml`, with two workers.
    pub fn from_file(path: &str) -> EnvoyFile {
        EnvoyFile { text: crate::paths::shipped_text(path), workers: 2, environment: Vec::new() }
    }
}

impl EnvoyFile {
    /// Something else in place of a text, wherever it stands; it must stand there.
    #[track_caller]
    pub fn replace(mut self, text: &str, by: &str) -> Self {
        assert!(self.text.contains(text), "the file does not say {text}");
        self.text = self.text.replace(text, by);
        self
    }

    /// Another number of worker threads.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// Takes the wall clock from the test.
    pub fn wall_clock(mut self, clock: &WallClock) -> Self {
        self.environment.extend(clock.environment());
        self
    }

    /// Starts it before an [`Upstream`]; what it logs to its output is [`Envoy::access_log`].
    pub async fn start(self) -> Envoy {
        let upstream = Upstream::start().await;
        let dir = TempDir::with_prefix("weir-").expect("a directory");
        let port = ReservedPort::new().expect("a free port");
        let (workers, environment) = (self.workers, self.environment.clone());
        self.on_loopback(port.addr(), upstream.addr()).write(dir.path());
        let mut command = envoy_command(dir.path(), LOG_LEVEL);
        command.envs(environment);
        command.stdout(File::create(dir.path().join(bootstrap::ACCESS_LOG)).expect("a file"));
        let ports = HashMap::from([(LISTENER.to_owned(), port)]);
        let started = launch(command, dir, upstream, ports, LISTENER, workers).await;
        started.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// `envoy --mode validate`.
    ///
    /// # Errors
    /// The configuration is refused; the log is what Envoy says about it.
    pub async fn validate(self) -> Result<String, StartFailure> {
        let dir = TempDir::with_prefix("weir-").expect("a directory");
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 9));
        self.on_loopback(nowhere, nowhere).write(dir.path());
        run_validation(envoy_command(dir.path(), LOG_LEVEL), dir.path()).await
    }

    fn on_loopback(self, listener: SocketAddr, upstream: SocketAddr) -> Self {
        let at = |addr: SocketAddr| format!("address: {}, port_value: {}", addr.ip(), addr.port());
        self.replace("address: 0.0.0.0, port_value: 10000", &at(listener))
            .replace("address: 0.0.0.0, port_value: 9901", "address: 127.0.0.1, port_value: 0")
            .replace("address: upstream, port_value: 8080", &at(upstream))
            .replace("/etc/envoy/weir.wasm", &json!(crate::paths::wasm()).to_string())
    }

    fn write(&self, dir: &Path) {
        std::fs::write(dir.join(bootstrap::BOOTSTRAP), &self.text).expect("a file");
    }
}
