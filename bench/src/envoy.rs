//! An Envoy process.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::connection::Connection;
use crate::cpu::CpuTime;
use crate::port::ReservedPort;
use crate::variants::Variant;
use crate::{bootstrap, cpu};

/// A loaded machine takes a second or two.
const START: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(10);

/// A running Envoy; dropping it ends it.
pub(crate) struct Envoy {
    child: Child,
    log: PathBuf,
    port: ReservedPort,
    workers: usize,
}

impl Envoy {
    /// Starts the Envoy of `variant`, with its files in `dir` under the name `file`.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn start(binary: &Path, variant: &Variant, dir: &Path, file: &str) -> Result<Self> {
        let port = ReservedPort::new()?;
        // JSON is YAML, without YAML's surprises.
        let config = dir.join(format!("{file}.yaml"));
        std::fs::write(&config, bootstrap::bootstrap(port.address, variant.filter.as_ref()).to_string())?;
        let log = dir.join(format!("{file}.log"));
        let child = Command::new(binary)
            .arg("--config-path")
            .arg(&config)
            .args(["--concurrency", &variant.workers.to_string()])
            .args(["--disable-hot-restart", "--log-level", "warning"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?)
            .spawn()
            .with_context(|| format!("starting {}", binary.display()))?;
        Ok(Self { child, log, port, workers: variant.workers })
    }

    /// Its listener.
    pub(crate) fn address(&self) -> SocketAddr {
        self.port.address
    }

    /// Waits until it accepts connections.
    ///
    /// # Errors
    /// It ended instead, or takes too long.
    pub(crate) fn ready(&mut self) -> Result<()> {
        let start = Instant::now();
        while Connection::open(self.address()).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("Envoy ended with {status}:\n{}", self.log());
            }
            ensure!(start.elapsed() < START, "Envoy does not answer:\n{}", self.log());
            std::thread::sleep(POLL);
        }
        Ok(())
    }

    /// The CPU time it has used.
    ///
    /// # Errors
    /// It is gone, or has not the workers it should have.
    pub(crate) fn cpu(&self) -> Result<CpuTime> {
        let time = cpu::of_process(self.child.id())?;
        ensure!(time.worker_threads == self.workers, "{} workers instead of {}", time.worker_threads, self.workers);
        Ok(time)
    }

    /// What it logged.
    pub(crate) fn log(&self) -> String {
        let bytes = std::fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
