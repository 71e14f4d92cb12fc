//! Envoy's administration interface.

use std::time::Instant;

use serde_json::Value;

use super::Envoy;
use super::builder::POLL;
use crate::client::{Client, PATIENCE, Req};

impl Envoy {
    /// `GET` on the administration interface.
    pub async fn admin(&self, path: &str) -> String {
        let reply = Client::new(self.admin).one_shot().send(&Req::get(path)).await;
        String::from_utf8_lossy(&reply.body).into_owned()
    }

    /// The value of a counter or gauge; 0 where it does not exist, as before its first use.
    pub async fn stat(&self, name: &str) -> u64 {
        self.stats(name).await.into_iter().find_map(|(found, value)| (found == name).then_some(value)).unwrap_or(0)
    }

    /// All counters and gauges whose names contain the text.
    pub async fn stats(&self, containing: &str) -> Vec<(String, u64)> {
        let json: Value = serde_json::from_str(&self.admin("/stats?format=json&type=All").await).expect("statistics");
        let stats = json["stats"].as_array().expect("a list of statistics");
        let of_interest = stats.iter().filter_map(|stat| Some((stat["name"].as_str()?, stat["value"].as_u64()?)));
        of_interest
            .filter(|(name, _)| name.contains(containing))
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Bytes on Envoy's heap in use. The VMs' own memory is not among them: see [`Envoy::resident_bytes`].
    pub async fn heap_bytes(&self) -> u64 {
        let json: Value = serde_json::from_str(&self.admin("/memory").await).expect("memory");
        json["allocated"].as_str().and_then(|text| text.parse().ok()).expect("allocated bytes")
    }
}

impl Envoy {
    /// The access log once it has so many lines.
    pub async fn access_log_lines(&self, count: usize) -> Vec<String> {
        let started = Instant::now();
        loop {
            let lines = self.access_log();
            if lines.len() >= count {
                return lines;
            }
            assert!(started.elapsed() < PATIENCE, "{} lines of {count} in the access log: {lines:?}", lines.len());
            tokio::time::sleep(POLL).await;
        }
    }
}
