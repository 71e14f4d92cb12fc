use std::time::Duration;

use super::Manner;

const TOLD: Duration = Duration::from_secs(12);
const START: Duration = Duration::ZERO;

#[test]
fn what_was_told_is_kept_to() {
    assert_eq!(Manner::polite().wait(1, Some(TOLD), START), Some(TOLD));
    assert_eq!(Manner::polite().wait(7, Some(START), START), Some(START));
}

#[test]
fn where_nothing_was_told_the_wait_grows_within_its_bounds() {
    let polite = Manner::polite();
    for tries in 1..8 {
        let bound = polite.backoff.as_ref().expect("a backoff").bound(tries - 1);
        let longest = (0..200).filter_map(|_| polite.wait(tries, None, START)).max().expect("a wait");
        assert!(longest <= bound && longest > bound / 2, "{longest:?} of {bound:?}");
    }
}

#[test]
fn tries_come_to_an_end() {
    assert_eq!(Manner::polite().wait(8, Some(TOLD), START), None);
    assert_eq!(Manner::polite().wait(8, None, START), None);
}

#[test]
fn so_does_time_before_it_is_wasted() {
    let polite = Manner::polite();
    assert_eq!(polite.wait(1, Some(TOLD), polite.total - TOLD), Some(TOLD));
    assert_eq!(polite.wait(1, Some(TOLD), polite.total - TOLD + Duration::from_nanos(1)), None);
    assert_eq!(polite.wait(1, Some(Duration::MAX), Duration::from_secs(1)), None);
    assert_eq!(Manner::naive().wait(1, None, Manner::naive().total + Duration::from_secs(1)), None);
}

#[test]
fn the_naive_never_waits() {
    assert_eq!(Manner::naive().wait(1000, Some(TOLD), Duration::from_secs(1)), Some(Duration::ZERO));
}
