//! Jobs, one after another: each a request that is sent until it is let through.

use std::fmt;
use std::io::Write;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};
use ureq::Agent;

use crate::{Manner, retry_after};

/// A server that hangs is a fault, not a refusal.
const ANSWER: Duration = Duration::from_secs(10);

/// What came of it all.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Jobs there were.
    pub jobs: u32,
    /// Jobs that were let through.
    pub done: u32,
    /// Requests sent.
    pub sent: u32,
    /// Requests refused.
    pub refused: u32,
    /// From first to last.
    pub time: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { jobs, done, sent, refused, time } = self;
        let seconds = time.as_secs_f64();
        write!(f, "{jobs} jobs: {done} done, {sent} requests, {refused} refused, {seconds:.1} s")
    }
}

/// Gets `url` so many times, and writes a line for each request.
///
/// # Errors
/// A request got no answer at all, or a line could not be written.
pub fn run(url: &str, jobs: u32, manner: &Manner, lines: &mut impl Write) -> Result<Summary> {
    let config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWER));
    let agent = config.build().into();
    let started = Instant::now();
    let mut summary = Summary { jobs, ..Summary::default() };
    for job in 1..=jobs {
        one(&agent, url, job, manner, &mut summary, lines)?;
    }
    summary.time = started.elapsed();
    Ok(summary)
}

fn one(agent: &Agent, url: &str, job: u32, manner: &Manner, sum: &mut Summary, lines: &mut impl Write) -> Result<()> {
    let started = Instant::now();
    for tries in 1.. {
        let mut answer = agent.get(url).call().with_context(|| url.to_owned())?;
        // Read to its end, so that the connection serves again.
        answer.body_mut().read_to_vec()?;
        sum.sent += 1;
        let status = answer.status().as_u16();
        // A refused request was not carried out, so that it may be sent again, whatever its method.
        if status != 429 {
            sum.done += u32::from(answer.status().is_success());
            writeln!(lines, "job {job}: {status}")?;
            break;
        }
        sum.refused += 1;
        let field = answer.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let told = field.and_then(|value| retry_after(value, SystemTime::now()));
        let Some(wait) = manner.wait(tries, told, started.elapsed()) else {
            writeln!(lines, "job {job}: {status}, Retry-After: {}; giving up", field.unwrap_or("-"))?;
            break;
        };
        let seconds = wait.as_secs_f64();
        writeln!(lines, "job {job}: {status}, Retry-After: {}; again in {seconds:.1} s", field.unwrap_or("-"))?;
        sleep(wait);
    }
    Ok(())
}
