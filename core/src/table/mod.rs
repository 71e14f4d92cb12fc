//! The bounded table of buckets.
//!
//! A fixed number of sets, each one value of a [`Store`](crate::store::Store), holds all buckets there will ever
//! be. A partition key chooses the set by a keyed hash, so all limits of one client are read and written together.
//!
//! - `secret`: the hash key, agreed once by all workers
//! - `partition`: who is counted: a place in the table and a tag
//! - `geometry`: how many sets, how large, under which names
//! - `meter`: an algorithm over what a record keeps
//! - `shape`: the numbers of the limit under which an entry was written
//! - `record`: what one set holds, and its bytes
//! - `room`: who makes way when a set is full
//! - `transaction`: all limits of a request decided together

pub mod geometry;
pub mod meter;
pub mod partition;
pub mod record;
pub mod room;
pub mod secret;
pub mod shape;
pub mod transaction;

#[cfg(test)]
mod tests;
