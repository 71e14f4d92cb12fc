//! A few workers, and the orders in which they can meet in the store.
//!
//! Each scenario runs once for every schedule there is, or, where there are too many, for some hundreds that are drawn.
//! What is asserted is about all the ends that it came to. As in the proxy, one call to the store is one step.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use shuttle::scheduler::{DfsScheduler, RandomScheduler, Scheduler};
use shuttle::thread;
use shuttle::{Config, Runner};

use super::*;
use crate::store::{StoreError, Swap, Version};

/// Shared data before each call to which any worker may be made to wait for any other.
#[derive(Clone, Default)]
struct Contended {
    data: SharedData,
    /// The fault that must not go unseen: swaps that overwrite whatever is there.
    careless: bool,
}

impl Contended {
    fn careless() -> Self {
        Self { careless: true, ..Self::default() }
    }
}

impl Store for Contended {
    fn get(&mut self, key: &[u8], value: &mut Vec<u8>) -> Result<Option<Version>, StoreError> {
        thread::yield_now();
        self.data.get(key, value)
    }

    fn swap(&mut self, key: &[u8], value: &[u8], expected: Option<Version>) -> Result<Swap, StoreError> {
        thread::yield_now();
        self.data.swap(key, value, if self.careless { Some(Version(0)) } else { expected })
    }
}

/// Every end that `run` comes to.
type Ends<T> = BTreeSet<T>;

fn explore<T, F>(scheduler: impl Scheduler + 'static, run: F) -> (Ends<T>, usize)
where
    T: Ord + Send + 'static,
    F: Fn() -> T + Send + Sync + 'static,
{
    let ends = Arc::new(Mutex::new(Ends::new()));
    let seen = ends.clone();
    let mut config = Config::new();
    config.stack_size = 1 << 16;
    let schedules = Runner::new(scheduler, config).run(move || {
        let end = run();
        seen.lock().unwrap().insert(end);
    });
    (core::mem::take(&mut *ends.lock().unwrap()), schedules)
}

/// Over every schedule.
fn every<T: Ord + Send + 'static>(run: impl Fn() -> T + Send + Sync + 'static) -> Ends<T> {
    const MOST: usize = 20_000;
    let (ends, schedules) = explore(DfsScheduler::new(Some(MOST), false), run);
    assert!((2..MOST).contains(&schedules), "{schedules} schedules are one, or not all");
    ends
}

/// Over some schedules, the same ones each time.
fn some<T: Ord + Send + 'static>(run: impl Fn() -> T + Send + Sync + 'static) -> Ends<T> {
    explore(RandomScheduler::new_from_seed(7, 700), run).0
}

type Work<T> = Box<dyn FnOnce(&mut Bench<Contended>) -> T + Send>;

/// Runs each work in a worker of its own, with its own table on `store`.
fn workers<T: Send + 'static>(store: &Contended, max_entries: u32, all: Vec<Work<T>>) -> Vec<T> {
    let spawn = |work: Work<T>| {
        let store = store.clone();
        thread::spawn(move || work(&mut Bench::on(store, max_entries, WhenFull::Displace)))
    };
    let running: Vec<_> = all.into_iter().map(spawn).collect();
    running.into_iter().map(|worker| worker.join().unwrap()).collect()
}

/// Asks `times` times for a token of each of these limits (name, rate) of one key each; how often it was given all.
fn asks(limits: &'static [(&str, &str, &str)], times: usize) -> Work<usize> {
    Box::new(move |bench| {
        let known: Vec<_> = limits.iter().map(|(name, rate, who)| (Limit::new(name, rate, None), *who)).collect();
        let charges: Vec<_> = known.iter().map(|(limit, who)| limit.charge(who)).collect();
        (0..times).filter(|_| bench.decide(&charges) == Outcome::Admitted).count()
    })
}

/// What is left in the end.
fn left(store: &Contended, max_entries: u32, limit: &'static [(&str, &str, &str)]) -> usize {
    asks(limit, 9)(&mut Bench::on(store.clone(), max_entries, WhenFull::Displace))
}

const SIZE: u32 = 10_000;
const TWO: &[(&str, &str, &str)] = &[("l", "2/h", "a")];

/// So many workers ask so many times for one of two tokens: how many they were given, how many are left.
fn one_key(store: &Contended, count: usize, times: usize) -> (usize, usize) {
    let given = workers(store, SIZE, (0..count).map(|_| asks(TWO, times)).collect());
    (given.iter().sum(), left(store, SIZE, TWO))
}

#[test]
fn a_burst_is_given_to_the_last_token_and_no_further() {
    assert_eq!(every(|| one_key(&Contended::default(), 2, 2)), Ends::from([(2, 0)]));
    assert_eq!(some(|| one_key(&Contended::default(), 4, 2)), Ends::from([(2, 0)]));
}

#[test]
fn swaps_that_ignore_versions_are_caught() {
    let ends = every(|| one_key(&Contended::careless(), 2, 2));
    assert!(ends.contains(&(2, 0)) && ends.contains(&(3, 0)), "{ends:?}");
}

/// Three workers, one token, a bucket that nobody has used yet.
#[test]
fn a_bucket_is_created_once() {
    const ONE: &[(&str, &str, &str)] = &[("l", "1/h", "a")];
    let race = |store: Contended| {
        let given: usize = workers(&store, SIZE, (0..3).map(|_| asks(ONE, 1)).collect()).iter().sum();
        (given, left(&store, SIZE, ONE))
    };
    assert_eq!(some(move || race(Contended::default())), Ends::from([(1, 0)]));
    assert!(some(move || race(Contended::careless())).iter().any(|(given, _)| *given > 1));
}

const ONE_THEN_TWO: &[(&str, &str, &str)] = &[("one", "2/h", "a"), ("two", "1/h", "b")];
const TWO_THEN_ONE: &[(&str, &str, &str)] = &[("two", "1/h", "b"), ("one", "2/h", "a")];

/// Requests that charge two sets, of which the second refuses: how many were admitted, and what is left in each.
fn two_keys(store: &Contended, all: Vec<Work<usize>>) -> (usize, usize, usize) {
    let given = workers(store, SIZE, all).iter().sum();
    (given, left(store, SIZE, &ONE_THEN_TWO[..1]), left(store, SIZE, &ONE_THEN_TWO[1..]))
}

/// All or none: what is not given is still there.
fn nothing_is_lost((given, one, two): (usize, usize, usize)) -> bool {
    one + given == 2 && two + given == 1
}

#[test]
fn what_a_refusal_by_the_second_set_had_taken_from_the_first_is_given_back() {
    let same = every(|| two_keys(&Contended::default(), vec![asks(ONE_THEN_TWO, 1), asks(ONE_THEN_TWO, 1)]));
    assert_eq!(same, Ends::from([(1, 1, 0)]));
    let crossing = || two_keys(&Contended::default(), vec![asks(ONE_THEN_TWO, 1), asks(TWO_THEN_ONE, 1)]);
    let ends = every(crossing);
    assert!(ends.iter().copied().all(nothing_is_lost) && ends.contains(&(1, 1, 0)), "{ends:?}");
    let many =
        || two_keys(&Contended::default(), vec![asks(ONE_THEN_TWO, 2), asks(TWO_THEN_ONE, 2), asks(ONE_THEN_TWO, 1)]);
    let ends = some(many);
    assert!(ends.iter().copied().all(nothing_is_lost), "{ends:?}");
    let careless = some(|| two_keys(&Contended::careless(), vec![asks(ONE_THEN_TWO, 2), asks(TWO_THEN_ONE, 2)]));
    assert!(!careless.iter().copied().all(nothing_is_lost), "{careless:?}");
}

/// Two requests for the last token of each of two sets: exactly one is admitted, in whatever order they name them.
#[test]
fn last_tokens_of_two_sets_go_to_one_request() {
    const THERE: &[(&str, &str, &str)] = &[("one", "1/h", "a"), ("two", "1/h", "b")];
    const BACK: &[(&str, &str, &str)] = &[("two", "1/h", "b"), ("one", "1/h", "a")];
    let race = |second| {
        let store = Contended::default();
        let given: usize = workers(&store, SIZE, vec![asks(THERE, 1), asks(second, 1)]).iter().sum();
        (given, left(&store, SIZE, &THERE[..1]), left(&store, SIZE, &BACK[..1]))
    };
    assert_eq!(every(move || race(THERE)), Ends::from([(1, 0, 0)]));
    assert_eq!(every(move || race(BACK)), Ends::from([(1, 0, 0)]));
}

/// While one worker is between its two sets, another is served by the first and a third by the second.
#[test]
fn a_refund_leaves_the_charges_of_others_alone() {
    const BOTH: &[(&str, &str, &str)] = &[("one", "3/h", "a"), ("two", "1/h", "b")];
    let ends = some(|| {
        let store = Contended::default();
        let given = workers(&store, SIZE, vec![asks(BOTH, 1), asks(&BOTH[..1], 2), asks(&BOTH[1..], 1)]);
        (given, left(&store, SIZE, &BOTH[..1]), left(&store, SIZE, &BOTH[1..]))
    });
    assert_eq!(ends, Ends::from([(vec![1, 2, 0], 0, 0), (vec![0, 2, 1], 1, 0)]));
}

#[test]
fn workers_agree_on_one_secret() {
    let agree = |store: Contended| {
        let draw = |n: u8| -> Work<u8> {
            Box::new(move |bench| {
                let agreed = Secret::agree(&mut bench.store, Secret::new([n; 16])).unwrap();
                (0..3).find(|n| Secret::new([*n; 16]) == agreed).unwrap()
            })
        };
        workers(&store, SIZE, (0..3).map(draw).collect())
    };
    let ends = some(move || agree(Contended::default()));
    assert_eq!(ends, (0..3).map(|n| vec![n; 3]).collect(), "anybody's, but everybody the same");
    let careless = some(move || agree(Contended::careless()));
    assert!(careless.iter().any(|agreed| agreed.iter().any(|n| *n != agreed[0])), "{careless:?}");
}

/// A set of three places, one held by a client at its limit; newcomers race for the others.
#[test]
fn displacement_never_frees_a_client_at_its_limit() {
    const ABUSER: &[(&str, &str, &str)] = &[("l", "2/h", "abuser")];
    let ends = some(|| {
        let store = Contended::default();
        for known in [&[("l", "9/h", "known")], &[("l", "9/h", "also known")]] {
            left_of(&store, known);
        }
        assert_eq!(left(&store, 3, ABUSER), 2);
        let all = vec![asks(&[("l", "9/h", "new")], 2), asks(&[("l", "9/h", "also new")], 2), asks(ABUSER, 2)];
        (workers(&store, 3, all), left(&store, 3, ABUSER), places(&store))
    });
    assert_eq!(ends, Ends::from([(vec![2, 2, 0], 0, 3)]));
}

fn left_of(store: &Contended, limit: &'static [(&str, &str, &str)]) {
    assert_eq!(asks(limit, 1)(&mut Bench::on(store.clone(), 3, WhenFull::Displace)), 1);
}

/// Entries in the only set of a table of three.
fn places(store: &Contended) -> usize {
    let table = Bench::on(store.clone(), 3, WhenFull::Displace).table;
    let key = table.geometry.key(table.geometry.home(0));
    let (mut value, mut record) = (Vec::new(), crate::table::record::Record::default());
    store.clone().get(&key, &mut value).unwrap();
    record.decode(&value, &SECRET, &key).unwrap();
    record.len()
}

/// One limit in its old numbers and in its new ones, on one bucket.
#[test]
fn old_and_new_numbers_hold_side_by_side() {
    const OLD: &[(&str, &str, &str)] = &[("l", "1/h", "a")];
    let race = |store: Contended| {
        let given = workers(&store, SIZE, vec![asks(OLD, 1), asks(TWO, 2)]);
        (given[0], given[1], left(&store, SIZE, OLD), left(&store, SIZE, TWO))
    };
    assert_eq!(every(move || race(Contended::default())), Ends::from([(1, 1, 0, 0), (0, 2, 0, 0)]));
    assert!(every(move || race(Contended::careless())).contains(&(1, 2, 0, 0)));
}
