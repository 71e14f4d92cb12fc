//! Replacing the listeners of a running Envoy.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::builder::POLL;
use super::port::ReservedPort;
use super::{Envoy, Listener, bootstrap};
use crate::client::{Client, Req};

const PATIENCE: Duration = Duration::from_secs(20);

/// What Envoy made of new listeners.
#[derive(Debug, PartialEq, Eq)]
pub enum Update {
    /// Every worker serves new connections by them. Connections from before end within about a second.
    Accepted,
    /// The listeners from before stay.
    Rejected,
}

impl Envoy {
    /// Hands in new listeners, by a watched file that is renamed into place; those left out are removed.
    /// For an Envoy that was built as [`super::Builder::watched`].
    pub async fn update(&mut self, listeners: &[Listener]) -> Update {
        let generation = self.generation + 1;
        let mut resources = Vec::new();
        for listener in listeners {
            let port = self.ports.entry(listener.name.clone());
            let port = port.or_insert_with(|| ReservedPort::new().expect("a free port"));
            resources.push(listener.to_json(port.addr(), self.dir.path(), generation, true));
        }
        let (accepted, rejected) = self.outcomes().await;
        self.replace(&bootstrap::discovery(&resources, generation));
        let started = Instant::now();
        let outcome = loop {
            let now = self.outcomes().await;
            match (now.0 > accepted, now.1 > rejected) {
                (true, _) => break Update::Accepted,
                (_, true) => break Update::Rejected,
                _ => assert!(started.elapsed() < PATIENCE, "no word on the update: {}", self.log()),
            }
            tokio::time::sleep(POLL).await;
        };
        if outcome == Update::Accepted {
            self.generation = generation;
            for listener in listeners {
                self.await_generation(&listener.name).await;
            }
        }
        outcome
    }

    /// [`Envoy::update`] that must be accepted.
    pub async fn accept(&mut self, listeners: &[Listener]) {
        let outcome = self.update(listeners).await;
        assert_eq!(outcome, Update::Accepted, "{}", self.log());
    }

    /// [`Envoy::update`] that must be rejected.
    pub async fn reject(&mut self, listeners: &[Listener]) {
        let outcome = self.update(listeners).await;
        assert_eq!(outcome, Update::Rejected, "{}", self.log());
    }

    /// Waits until new connections are served by this generation, on every worker.
    async fn await_generation(&self, listener: &str) {
        let expected = bootstrap::generation_name(self.generation);
        let started = Instant::now();
        loop {
            // Held open together, they are spread over all workers.
            let clients: Vec<Client> = (0..2 * self.workers).map(|_| Client::new(self.addr_of(listener))).collect();
            let mut arrived = true;
            for client in &clients {
                let reply = client.try_send(&Req::get("/").header(bootstrap::PROBE_HEADER, "1")).await;
                arrived &=
                    reply.is_ok_and(|reply| reply.header(bootstrap::GENERATION_HEADER) == Some(expected.as_str()));
            }
            if arrived {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{listener} does not come to {expected}: {}", self.log());
            tokio::time::sleep(POLL).await;
        }
    }

    fn replace(&self, content: &Value) {
        let next = self.dir.path().join("next.yaml");
        std::fs::write(&next, content.to_string()).expect("the next listeners");
        std::fs::rename(&next, self.dir.path().join(bootstrap::LISTENERS)).expect("renaming into place");
    }

    async fn outcomes(&self) -> (u64, u64) {
        let accepted = self.stat("listener_manager.lds.update_success").await;
        (accepted, self.stat("listener_manager.lds.update_rejected").await)
    }
}
