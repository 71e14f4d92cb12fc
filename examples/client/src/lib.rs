//! How a client should take a refusal: wait as long as `Retry-After` says; where it says nothing, back off
//! exponentially with full jitter; and give up after so many tries or so much time.

mod backoff;
mod jobs;
mod manner;
mod retry_after;

pub use backoff::Backoff;
pub use jobs::{Summary, run};
pub use manner::Manner;
pub use retry_after::parse as retry_after;
