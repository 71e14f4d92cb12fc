//! Time on the CPU, from the scheduler's own account of each thread: user and system time in nanoseconds, where
//! `/proc/<pid>/stat` rounds the same to hundredths of a second.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

#[cfg(test)]
mod tests;

/// How Envoy names the threads that serve requests.
const WORKER: &str = "wrk:worker_";

/// CPU time that a process has used since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CpuTime {
    /// All threads.
    pub(crate) process: Duration,
    /// Workers.
    pub(crate) workers: Duration,
    /// How long workers were ready to run and had to wait for a CPU.
    pub(crate) waited: Duration,
    /// How many workers there are.
    pub(crate) worker_threads: usize,
}

impl CpuTime {
    /// What was used from `earlier` until now.
    ///
    /// # Errors
    /// Less was used than before: a thread has ended.
    pub(crate) fn since(&self, earlier: &Self) -> Result<Self> {
        let less = "a thread of Envoy has ended";
        Ok(Self {
            process: self.process.checked_sub(earlier.process).context(less)?,
            workers: self.workers.checked_sub(earlier.workers).context(less)?,
            waited: self.waited.checked_sub(earlier.waited).context(less)?,
            worker_threads: self.worker_threads,
        })
    }

    fn add(&mut self, name: &str, time: ThreadTime) {
        self.process += time.ran;
        if name.starts_with(WORKER) {
            self.workers += time.ran;
            self.waited += time.waited;
            self.worker_threads += 1;
        }
    }
}

/// One thread's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ThreadTime {
    ran: Duration,
    waited: Duration,
}

impl ThreadTime {
    /// Reads a `schedstat` file: nanoseconds run, nanoseconds waited, time slices.
    fn parse(schedstat: &str) -> Option<Self> {
        let mut fields = schedstat.split_ascii_whitespace().map(|field| field.parse().ok());
        let mut next = || fields.next().flatten().map(Duration::from_nanos);
        Some(Self { ran: next()?, waited: next()? })
    }
}

/// The CPU time of a process.
///
/// # Errors
/// There is no such process, or the kernel keeps no such account.
pub(crate) fn of_process(pid: u32) -> Result<CpuTime> {
    let tasks = Path::new("/proc").join(pid.to_string()).join("task");
    let mut total = CpuTime::default();
    for task in std::fs::read_dir(&tasks).with_context(|| format!("reading {}", tasks.display()))? {
        let task = task?.path();
        let read = |file: &str| {
            let path = task.join(file);
            std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
        };
        let time = ThreadTime::parse(&read("schedstat")?).context("a schedstat file of a new kind")?;
        total.add(&read("comm")?, time);
    }
    ensure!(!total.process.is_zero(), "the kernel keeps no account of CPU time (CONFIG_SCHED_INFO)");
    Ok(total)
}
