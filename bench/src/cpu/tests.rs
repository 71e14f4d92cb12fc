use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::*;

#[test]
fn an_account_is_nanoseconds_run_and_waited() {
    let time = ThreadTime::parse("1603392 250 17\n");
    assert_eq!(time, Some(ThreadTime { ran: Duration::from_nanos(1_603_392), waited: Duration::from_nanos(250) }));
}

#[test]
fn anything_else_is_none() {
    for text in ["", "\n", "12", "12 x 3", "-1 2 3"] {
        assert_eq!(ThreadTime::parse(text), None, "{text:?}");
    }
}

#[test]
fn workers_are_told_by_their_names() {
    let mut total = CpuTime::default();
    let time = |ran, waited| ThreadTime { ran: Duration::from_nanos(ran), waited: Duration::from_nanos(waited) };
    total.add("envoy\n", time(1, 10));
    total.add("wrk:worker_0\n", time(2, 20));
    total.add("wrk:worker_1\n", time(4, 40));
    assert_eq!(
        (total.process.as_nanos(), total.workers.as_nanos(), total.waited.as_nanos(), total.worker_threads),
        (7, 6, 60, 2)
    );
}

#[test]
fn a_thread_that_ended_is_noticed() {
    let used = |nanos| CpuTime { process: Duration::from_nanos(nanos), ..CpuTime::default() };
    assert_eq!(used(9).since(&used(4)).unwrap().process, Duration::from_nanos(5));
    assert!(used(4).since(&used(9)).is_err());
}

#[test]
fn work_shows_in_the_account_of_a_process() {
    let mut shell = Command::new("sh")
        .args(["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; echo done; read line"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut word = [0; 4];
    shell.stdout.take().unwrap().read_exact(&mut word).unwrap();
    let time = of_process(shell.id()).unwrap();
    // It ends when its input does.
    drop(shell.stdin.take());
    shell.wait().unwrap();
    assert!(time.process > Duration::from_micros(500), "{time:?}");
    assert_eq!(time.worker_threads, 0);
}
