use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::algorithm::testing::{quota, quotas, steps};

const DAY: u64 = 86_400 * SECOND;

fn at(mono: u64, wall: u64) -> Now {
    Now { mono: Nanos(mono), wall: UnixNanos(wall) }
}

fn later(now: Now, passed: u64) -> Now {
    at(now.mono.0 + passed, now.wall.0 + passed)
}

/// Fills the window at `now`.
fn fill(window: &FixedWindow, mut state: Option<Window>, now: Now) -> Option<Window> {
    let left = window.level(state, now).remaining;
    if let Verdict::Fits(next) = window.check(state, now, left) {
        state = Some(next);
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The same requests are admitted as by one plain counter for each window, with the same number left, also where
    /// charges are taken back at any later time.
    #[test]
    fn agrees_with_the_reference(quota in quotas(), steps in steps(), start in 1 << 40..1_u64 << 62) {
        let (window, period) = (FixedWindow::new(&quota), quota.rate().period().0);
        let (mut state, mut counts, mut charges) = (None, HashMap::<u64, u64>::new(), Vec::new());
        let mut now = at(5, start);
        for step in steps {
            now = later(now, step.pause(&quota, now.wall.0));
            if let Some(index) = step.refund && !charges.is_empty() {
                let charge: Charged<Window> = charges.swap_remove(index.index(charges.len()));
                state = state.map(|current| window.refund(&charge, current));
                *counts.get_mut(&(charge.charged.last.wall.0 / period)).unwrap() -= charge.cost;
            }
            let count = counts.entry(now.wall.0 / period).or_default();
            let cost = step.cost(&quota);
            match window.check(state, now, cost) {
                Verdict::Fits(charged) => {
                    *count += cost;
                    charges.push(Charged { prior: state, charged, at: now.mono, cost });
                    state = Some(charged);
                }
                Verdict::Waits(_) => prop_assert!(*count + cost > quota.burst()),
            }
            prop_assert!(*count <= quota.burst());
            prop_assert_eq!(window.level(state, now).remaining, quota.burst() - *count);
        }
    }

    /// However the wall clock was set meanwhile: nobody is locked out for longer than one window, what is announced
    /// is true to the nanosecond, and a full window can be forgotten.
    #[test]
    fn the_wait_is_exact_and_bounded(
        quota in quotas(), steps in steps(), sets in prop::collection::vec(-3 * DAY as i64..3 * DAY as i64, 150),
    ) {
        let window = FixedWindow::new(&quota);
        let (mut state, mut now) = (None, at(DAY, 1 << 60));
        for (step, set) in steps.into_iter().zip(sets) {
            now = later(now, step.pause(&quota, now.wall.0));
            // Some of them small, as by a leap second.
            let set = [0, 0, set, set / 86_400, set / 1_000_000][step.cost(&quota) as usize % 5];
            now.wall.0 = now.wall.0.saturating_add_signed(set);
            let (verdict, level) = (window.check(state, now, step.cost(&quota)), window.level(state, now));
            if let Some(wait) = verdict.wait() {
                let seen = state.map_or(0, |state| window.index(state.last.wall));
                let unseen = if seen > window.index(now.wall) { SKEW } else { 0 };
                prop_assert!((1..=window.refill().0 + unseen).contains(&wait.0), "{:?} {}", state, wait.0);
                let verdict = |passed| window.check(state, later(now, passed), step.cost(&quota));
                prop_assert!(verdict(wait.0 - 1).wait().is_some());
                prop_assert!(verdict(wait.0).wait().is_none());
            }
            let remaining = |passed| window.level(state, later(now, passed)).remaining;
            if level.grows_in.0 > 0 {
                prop_assert_eq!(remaining(level.grows_in.0 - 1), level.remaining);
                prop_assert!(remaining(level.grows_in.0) > level.remaining);
            } else {
                prop_assert_eq!(level.remaining, quota.burst());
                let forgotten = state.is_none_or(|state| window.is_full(state, now));
                prop_assert!(forgotten);
            }
            if let Verdict::Fits(next) = verdict {
                state = Some(next);
            }
        }
    }

    /// Workers read their clocks at slightly different moments: each window still holds no more than it may.
    #[test]
    fn readings_need_not_agree(
        burst in 1..9_u64, steps in steps(), late in prop::collection::vec((0..SKEW / 2, 0..SKEW / 2), 150),
    ) {
        let quota = quota("8/second", Some(burst));
        let window = FixedWindow::new(&quota);
        let (mut state, mut now, mut counts) = (None, at(DAY, 1 << 60), HashMap::<u64, u64>::new());
        for (step, (mono, wall)) in steps.into_iter().zip(late) {
            now = later(now, step.pause(&quota, now.wall.0) / 2);
            let read = at(now.mono.0 - mono, now.wall.0 - wall);
            if let Verdict::Fits(next) = window.check(state, read, 1) {
                let count = counts.entry(window.index(next.last.wall)).or_default();
                *count += 1;
                prop_assert!(*count <= burst);
                prop_assert!(window.index(next.last.wall) <= window.index(now.wall));
                state = Some(next);
            }
        }
    }

    /// Any state, at any time: no panic, no wait beyond a window.
    #[test]
    fn survives_any_state(quota in quotas(), mono: u64, wall: u64, count: u64, times: Vec<(u64, u64)>) {
        let (window, state) = (FixedWindow::new(&quota), Window { last: at(mono, wall), count });
        for (mono, wall) in times {
            let now = at(mono, wall);
            let wait = window.check(Some(state), now, 1).wait().unwrap_or_default();
            prop_assert!(wait.0 <= window.refill().0 + SKEW);
            prop_assert!(window.level(Some(state), now).remaining <= quota.burst());
            prop_assert!(window.used(window.pile(state, now, 3), now) <= quota.burst());
        }
    }
}

#[test]
fn a_day_ends_at_midnight_utc() {
    let window = FixedWindow::new(&quota("3/day", None));
    // 2026-01-15T23:59:58Z
    let now = at(7, 20_468 * DAY + DAY - 2 * SECOND);
    let state = fill(&window, None, now);
    assert_eq!(window.level(state, now), Level { remaining: 0, grows_in: Nanos(2 * SECOND) });
    assert_eq!(window.check(state, now, 1), Verdict::Waits(Nanos(2 * SECOND)));
    // The known error: as much again, two seconds later.
    assert_eq!(window.level(state, later(now, 2 * SECOND)), Level { remaining: 3, grows_in: Nanos(0) });
}

#[test]
fn a_step_back_changes_nothing_for_who_is_at_the_limit() {
    let window = FixedWindow::new(&quota("3/minute", None));
    let now = at(DAY, 20_468 * DAY + 20 * SECOND);
    let state = fill(&window, None, now);
    let back = at(now.mono.0, now.wall.0 - 3_600 * SECOND);
    assert_eq!(window.check(state, back, 1), Verdict::Waits(Nanos(40 * SECOND)));
    assert!(!window.is_full(state.unwrap(), later(back, 40 * SECOND - 1)));
    assert!(window.is_full(state.unwrap(), later(back, 40 * SECOND)));
    // It is over for good: an hour later, the clock comes through that minute again.
    assert!(window.is_full(state.unwrap(), later(back, 3_600 * SECOND)));
}

#[test]
fn a_counter_from_the_future_counts_as_the_current_one() {
    let window = FixedWindow::new(&quota("3/minute", None));
    let now = at(DAY, 20_468 * DAY + 20 * SECOND);
    let Verdict::Fits(two) = window.check(None, now, 2) else { panic!() };
    let back = at(now.mono.0, now.wall.0 - 3_610 * SECOND);
    let Verdict::Fits(three) = window.check(Some(two), back, 1) else { panic!() };
    assert_eq!(three, Window { last: back, count: 3 });
    assert_eq!(window.check(Some(three), back, 1), Verdict::Waits(Nanos(50 * SECOND)));
}

#[test]
fn what_its_window_does_not_hold_counts_in_the_next() {
    let window = FixedWindow::new(&quota("5/minute", None));
    let now = at(DAY, 20_468 * DAY + 20 * SECOND);
    let state = window.pile(window.with_used(4, now), now, 3);
    assert_eq!(window.check(Some(state), now, 3), Verdict::Waits(Nanos(40 * SECOND)));
    assert_eq!(window.check(Some(state), now, 4), Verdict::Waits(Nanos(100 * SECOND)));
    let next = later(now, 40 * SECOND);
    assert_eq!(window.level(Some(state), next), Level { remaining: 3, grows_in: Nanos(60 * SECOND) });
    // What comes along there is told from what came before, though the last charge is still in the first.
    let state = window.pile(state, next, 2);
    assert_eq!((state.last, window.level(Some(state), next).remaining), (now, 1));
    assert!(!window.is_paid(state, next) && window.is_paid(state, later(next, 60 * SECOND)));
}

#[test]
fn what_came_along_does_not_count_as_a_charge_of_its_own() {
    let window = FixedWindow::new(&quota("5/minute", None));
    let now = at(DAY, 20_468 * DAY + 20 * SECOND);
    let own = window.with_used(2, now);
    let piled = window.pile(own, later(now, SECOND), 9);
    assert_eq!(piled, Window { last: now, count: 5 });
    let unknown = Charged { prior: None, charged: Window::default(), at: later(now, SECOND).mono, cost: 1 };
    assert_eq!(window.refund(&unknown, piled).count, 4);
    let before = Charged { at: Nanos(now.mono.0 - 21 * SECOND), ..unknown };
    assert_eq!(window.refund(&before, piled).count, 5);
}
