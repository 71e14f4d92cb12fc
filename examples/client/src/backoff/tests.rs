use std::time::Duration;

use super::Backoff;

const BACKOFF: Backoff = Backoff { first: Duration::from_millis(100), longest: Duration::from_secs(5) };

#[test]
fn the_bound_doubles_up_to_the_longest() {
    let bounds: Vec<u128> = (0..8).map(|retry| BACKOFF.bound(retry).as_millis()).collect();
    assert_eq!(bounds, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    for retry in [31, 32, 1000, u32::MAX] {
        assert_eq!(BACKOFF.bound(retry), BACKOFF.longest);
    }
}

#[test]
fn pauses_fill_the_whole_range_below_the_bound() {
    for retry in [0, 3, 40] {
        let bound = BACKOFF.bound(retry);
        let pauses: Vec<Duration> = (0..1000).map(|_| BACKOFF.pause(retry)).collect();
        assert!(pauses.iter().all(|pause| *pause <= bound));
        // Each of these fails once in 10^45 runs.
        assert!(pauses.iter().any(|pause| *pause < bound / 10), "none in the lowest tenth");
        assert!(pauses.iter().any(|pause| *pause > bound * 9 / 10), "none in the highest tenth");
    }
}
