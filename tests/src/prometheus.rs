//! A real Prometheus, and its `promtool`.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::client::{Client, Req};
use crate::envoy::Envoy;
use crate::paths;

const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);

/// `promtool` with these arguments in the repository's `observe/`: its exit status, and all it said.
pub fn promtool(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(paths::promtool());
    command.args(arguments).current_dir(paths::shipped("observe"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.as_mut().unwrap_or_else(|fault| panic!("{command:?}: {fault}"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // Beside the reading, lest both sides wait for a full pipe.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let mut said = String::new();
    for output in [child.stdout.take().map(std::io::read_to_string), child.stderr.take().map(std::io::read_to_string)] {
        said += &output.expect("a pipe").expect("text");
    }
    let _ = writer.join();
    (child.wait().expect("an exit status").code(), said)
}

/// A Prometheus that scrapes an Envoy as `observe/prometheus.yml` has it, but quickly. Dropping it kills it.
pub struct Prometheus {
    child: Child,
    client: Client,
    dir: TempDir,
}

impl Prometheus {
    /// Starts one on a free port, with a store of its own.
    pub async fn start(envoy: &Envoy) -> Self {
        let dir = TempDir::with_prefix("weir-").expect("a directory");
        let mut config = paths::shipped_text("observe/prometheus.yml");
        let target = envoy.admin_addr().to_string();
        for (from, to) in [("envoy:9901", target.as_str()), ("interval: 5s", "interval: 200ms"), ("15s", "200ms")] {
            assert!(config.contains(from), "no {from} in observe/prometheus.yml");
            config = config.replace(from, to);
        }
        std::fs::write(dir.path().join("prometheus.yml"), config).expect("a configuration");
        std::fs::copy(paths::shipped("observe/alerts.yml"), dir.path().join("alerts.yml")).expect("alerts");
        let log = File::create(log_of(dir.path())).expect("a log file");
        let mut command = Command::new(paths::prometheus());
        command.args(["--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.listen-address=127.0.0.1:0"]);
        command.current_dir(dir.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let mut child = command.spawn().unwrap_or_else(|fault| panic!("{command:?}: {fault}"));
        let started = Instant::now();
        let address = loop {
            let log = std::fs::read_to_string(log_of(dir.path())).unwrap_or_default();
            // It listens before it answers.
            let ready = log.contains("Server is ready to receive web requests");
            let line = log.lines().find(|line| ready && line.contains("\"Listening on\""));
            if let Some(address) = line.and_then(|line| line.rsplit_once("address=")?.1.parse().ok()) {
                break address;
            }
            let ended = child.try_wait().expect("the state of a child");
            assert!(ended.is_none() && started.elapsed() < PATIENCE, "Prometheus does not start: {ended:?}\n{log}");
            tokio::time::sleep(POLL).await;
        };
        Self { child, client: Client::new(address), dir }
    }

    /// What its interface answers under `/api/v1/`.
    pub async fn api(&self, path: &str, parameters: &[(&str, &str)]) -> Value {
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        let reply = self.client.send(&Req::get(&format!("/api/v1/{path}?{}", parameters.join("&")))).await;
        let mut answer = reply.json();
        assert_eq!(answer["status"], "success", "{path} {parameters:?}: {answer}");
        answer["data"].take()
    }

    /// The series that a query yields now, each with its labels and its value.
    pub async fn query(&self, query: &str) -> Vec<(Value, f64)> {
        let data = self.api("query", &[("query", query)]).await;
        let series = data["result"].as_array().unwrap_or_else(|| panic!("{query}: {data}"));
        let value = |one: &Value| one["value"][1].as_str().and_then(|text| text.parse().ok()).expect("a number");
        series.iter().map(|one| (one["metric"].clone(), value(one))).collect()
    }

    /// Waits until a query yields something, and gives that.
    pub async fn await_query(&self, query: &str) -> Vec<(Value, f64)> {
        let started = Instant::now();
        loop {
            let found = self.query(query).await;
            if !found.is_empty() {
                return found;
            }
            assert!(started.elapsed() < PATIENCE, "{query} yields nothing");
            tokio::time::sleep(POLL).await;
        }
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let log = std::fs::read_to_string(log_of(self.dir.path())).unwrap_or_default();
            eprintln!("--- Prometheus' log\n{log}---");
        }
    }
}

fn log_of(dir: &Path) -> std::path::PathBuf {
    dir.join("prometheus.log")
}

/// As the value of a parameter.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
