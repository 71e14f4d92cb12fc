//! The secret that all workers share.

use std::sync::Barrier;
use std::thread;

use super::*;
use crate::store::model::SharedData;

#[test]
fn workers_that_start_together_agree() {
    for round in 0..50_u8 {
        let (store, start) = (SharedData::default(), Barrier::new(8));
        let agreed: Vec<Secret> = thread::scope(|scope| {
            let workers: Vec<_> = (0..8)
                .map(|worker| {
                    let (mut store, start) = (store.clone(), &start);
                    scope.spawn(move || {
                        start.wait();
                        Secret::agree(&mut store, Secret::new([worker + round; 16])).unwrap()
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert!(agreed.iter().all(|secret| *secret == agreed[0]));
    }
}

#[test]
fn a_strangers_value_is_replaced() {
    let mut store = SharedData::default();
    Secret::agree(&mut store, Secret::new([1; 16])).unwrap();
    store.corrupt(|value| *value = b"something else".to_vec());
    assert_eq!(Secret::agree(&mut store, Secret::new([2; 16])), Ok(Secret::new([2; 16])));
    assert_eq!(Secret::agree(&mut store, Secret::new([3; 16])), Ok(Secret::new([2; 16])));
}

#[test]
fn a_secret_is_not_printed() {
    assert_eq!(format!("{:?}", Secret::new([1; 16])), "Secret(..)");
}
