use std::collections::HashSet;

use super::*;
use crate::store::Store;
use crate::store::map::Map;
use crate::store::model::SharedData;

fn run_all<S: Store + Default>() {
    let faults: Vec<_> = cases()
        .filter_map(|case| native::run(case, &mut S::default()).err().map(|fault| format!("{}: {fault}", case.name)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn over_the_model_of_shared_data() {
    run_all::<SharedData>();
}

#[test]
fn over_a_plain_map() {
    run_all::<Map>();
}

#[test]
fn names_are_unique_and_waits_short() {
    let mut names = HashSet::new();
    for case in cases() {
        assert!(names.insert(case.name), "{}", case.name);
        assert!(!case.steps.is_empty());
        assert!(case.steps.iter().all(|step| step.wait.as_secs() <= 2 && step.client.is_loopback()));
    }
}

/// A store that forgets, or one that never lets anything be written, passes no case of note.
#[test]
fn a_store_that_does_not_keep_is_found_out() {
    let failed = cases().filter(|case| native::run(case, &mut Forgetful).is_err()).count();
    assert!(failed * 10 > cases().count() * 9, "{failed}");
}

struct Forgetful;

impl Store for Forgetful {
    fn get(
        &mut self,
        _: &[u8],
        value: &mut Vec<u8>,
    ) -> Result<Option<crate::store::Version>, crate::store::StoreError> {
        value.clear();
        Ok(None)
    }

    fn swap(
        &mut self,
        _: &[u8],
        _: &[u8],
        _: Option<crate::store::Version>,
    ) -> Result<crate::store::Swap, crate::store::StoreError> {
        Ok(crate::store::Swap::Done)
    }
}
