//! What the filter promises, seen from outside: each test runs its own Envoy.

mod addresses;
mod arbitrary_bytes;
mod clock_steps;
mod counting;
mod credentials;
mod first_touch;
mod harness;
mod headers;
mod hosts_and_methods;
mod listeners;
mod local_reply;
mod memory;
mod numbers;
mod paths;
mod refusal;
mod refused_configuration;
mod several_limits;
mod suite;
mod support;
mod updates;
mod vm_failure;
mod waiting;
