//! Describing and starting an Envoy.

use std::collections::HashMap;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::port::ReservedPort;
use super::process::{Process, StartFailure};
use super::{Envoy, Listener, WallClock, bootstrap};
use crate::client::{Client, Req};
use crate::upstream::Upstream;

/// A loaded machine starts one within a second or two.
const START: Duration = Duration::from_secs(30);
/// What Envoy tells where nobody asks for more.
pub(super) const LOG_LEVEL: &str = "warning";
pub(super) const POLL: Duration = Duration::from_millis(5);

/// Says what an [`Envoy`] shall be.
pub struct Builder {
    workers: usize,
    listeners: Vec<Listener>,
    clusters: Vec<Value>,
    watched: bool,
    http2_upstream: bool,
    overlay: Option<String>,
    log_level: &'static str,
    environment: Vec<(&'static str, OsString)>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            workers: 2,
            listeners: Vec::new(),
            clusters: Vec::new(),
            watched: false,
            http2_upstream: false,
            overlay: None,
            log_level: LOG_LEVEL,
            environment: Vec::new(),
        }
    }
}

impl Builder {
    /// Worker threads (`--concurrency`).
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// One more listener.
    pub fn listener(mut self, listener: Listener) -> Self {
        self.listeners.push(listener);
        self
    }

    /// One more cluster, besides `upstream`.
    pub fn cluster(mut self, cluster: Value) -> Self {
        self.clusters.push(cluster);
        self
    }

    /// Speaks HTTP/2 to the upstream, which so can answer with trailers.
    pub fn http2_upstream(mut self) -> Self {
        self.http2_upstream = true;
        self
    }

    /// Takes the listeners from a watched file, so that [`Envoy::update`] can replace them. A listener that is
    /// refused at the start is then no reason for Envoy to end.
    pub fn watched(mut self) -> Self {
        self.watched = true;
        self
    }

    /// More of the bootstrap, as YAML, which Envoy merges with the harness' own.
    pub fn overlay(mut self, yaml: &str) -> Self {
        self.overlay = Some(yaml.to_owned());
        self
    }

    /// Another log level than `warning`, at which only a few components tell more.
    pub fn log_level(mut self, level: &'static str) -> Self {
        self.log_level = level;
        self
    }

    /// Takes the wall clock from the test, which may step it.
    pub fn wall_clock(mut self, clock: &WallClock) -> Self {
        self.environment.extend(clock.environment());
        self
    }

    /// Starts it; a refusal to start fails the test.
    pub async fn start(self) -> Envoy {
        self.try_start().await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Starts it, and comes back when its workers accept connections.
    ///
    /// # Errors
    /// Envoy ended by itself instead.
    pub async fn try_start(self) -> Result<Envoy, StartFailure> {
        let upstream = Upstream::start().await;
        let dir = TempDir::with_prefix("weir-").expect("a directory");
        let ports = self.write(dir.path(), upstream.addr());
        let mut command = envoy_command(dir.path(), self.log_level);
        command.envs(self.environment.iter().map(|(variable, value)| (variable, value)));
        command.args(self.overlay.iter().flat_map(|yaml| ["--config-yaml", yaml]));
        let first = self.listeners.first().map(|listener| listener.name.as_str()).unwrap_or_default();
        launch(command, dir, upstream, ports, first, self.workers).await
    }

    /// Writes the files that Envoy reads, and reserves the listeners' ports.
    fn write(&self, dir: &Path, upstream: SocketAddr) -> HashMap<String, ReservedPort> {
        let mut ports = HashMap::new();
        let mut listeners = Vec::new();
        for listener in &self.listeners {
            let port = ReservedPort::new().expect("a free port");
            listeners.push(listener.to_json(port.addr(), dir, 1, self.watched));
            ports.insert(listener.name.clone(), port);
        }
        let (inline, watched) = if self.watched { (None, listeners) } else { (Some(listeners), Vec::new()) };
        let bootstrap = bootstrap::bootstrap(dir, upstream, inline, &self.clusters, self.http2_upstream);
        std::fs::write(dir.join(bootstrap::LISTENERS), bootstrap::discovery(&watched, 1).to_string())
            .expect("listeners");
        std::fs::write(dir.join(bootstrap::BOOTSTRAP), bootstrap.to_string()).expect("a bootstrap");
        ports
    }
}

/// `envoy --mode validate` on a listener.
///
/// # Errors
/// The configuration is refused; the log is what Envoy says about it.
pub async fn validate(listener: Listener) -> Result<(), StartFailure> {
    let dir = TempDir::with_prefix("weir-").expect("a directory");
    Builder::default().listener(listener).write(dir.path(), SocketAddr::from(([127, 0, 0, 1], 9)));
    run_validation(envoy_command(dir.path(), LOG_LEVEL), dir.path()).await.map(drop)
}

/// Runs the command as `envoy --mode validate`; comes back with the log.
pub(super) async fn run_validation(mut command: Command, dir: &Path) -> Result<String, StartFailure> {
    command.args(["--mode", "validate"]);
    let mut process = Process::spawn(command, dir);
    process.expect_end();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = process.ended() {
            break status;
        }
        assert!(started.elapsed() < START, "validation takes longer than {START:?}");
        tokio::time::sleep(POLL).await;
    };
    let failure = StartFailure { log: process.log(), status };
    if failure.status == "exit status: 0" { Ok(failure.log) } else { Err(failure) }
}

/// Starts the command, which has the bootstrap in `dir`, with as many listeners as it has ports.
pub(super) async fn launch(
    mut command: Command,
    dir: TempDir,
    upstream: Upstream,
    ports: HashMap<String, ReservedPort>,
    first: &str,
    workers: usize,
) -> Result<Envoy, StartFailure> {
    command.arg("--concurrency").arg(workers.to_string());
    command.args(["--drain-time-s", "1", "--drain-strategy", "immediate", "--file-flush-interval-msec", "20"]);
    command.arg("--admin-address-path").arg(dir.path().join(bootstrap::ADMIN_ADDRESS));
    let mut process = Process::spawn(command, dir.path());
    let admin = ready(&mut process, dir.path(), ports.len()).await?;
    Ok(Envoy { upstream, process, admin, ports, first: first.to_owned(), workers, generation: 1, dir })
}

/// Envoy on the bootstrap in `dir`; its output goes nowhere, unless somebody wants it.
pub(super) fn envoy_command(dir: &Path, log_level: &str) -> Command {
    let mut command = Command::new(crate::paths::envoy());
    command.arg("-c").arg(dir.join(bootstrap::BOOTSTRAP));
    command.args(["--disable-hot-restart", "--log-level", log_level]);
    command.args(["--component-log-level", "wasm:info,upstream:info"]);
    command.stdout(Stdio::null());
    command
}

/// Waits until the administration interface says that workers run, and all listeners are in place.
async fn ready(process: &mut Process, dir: &Path, listeners: usize) -> Result<SocketAddr, StartFailure> {
    let started = Instant::now();
    loop {
        if let Some(status) = process.ended() {
            process.expect_end();
            return Err(StartFailure { status, log: process.log() });
        }
        let admin = std::fs::read_to_string(dir.join(bootstrap::ADMIN_ADDRESS)).unwrap_or_default();
        if let Ok(admin) = admin.parse() {
            let client = Client::new(admin).one_shot();
            let filter = Req::get("/stats?format=json&type=All&filter=listener_manager");
            let stats = client.try_send(&filter).await.map(|reply| reply.json()).unwrap_or_default();
            let stats = stats["stats"].as_array().cloned().unwrap_or_default();
            let stat =
                |name: &str| stats.iter().find(|stat| stat["name"] == name).and_then(|stat| stat["value"].as_u64());
            let active = stat("listener_manager.total_listeners_active").unwrap_or(0);
            let refused = stat("listener_manager.lds.update_rejected").unwrap_or(0) > 0;
            if stat("listener_manager.workers_started") == Some(1) && (refused || active == listeners as u64) {
                return Ok(admin);
            }
        }
        assert!(started.elapsed() < START, "Envoy is not ready within {START:?}:\n{}", process.log());
        tokio::time::sleep(POLL).await;
    }
}
