use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::table::geometry::{SET_PLACES, SetIndex};

proptest! {
    /// All sets together hold exactly what was configured, none more than a set's places.
    #[test]
    fn capacities_add_up(max_entries in 1..200_000_u32) {
        let geometry = Geometry::new(max_entries);
        let capacities = (0..geometry.sets()).map(|set| geometry.capacity(SetIndex::Home(set)));
        prop_assert!(capacities.clone().all(|places| (1..=SET_PLACES as usize).contains(&places)));
        prop_assert_eq!(capacities.sum::<usize>(), max_entries as usize);
    }

    /// Every place has a home among the sets.
    #[test]
    fn homes_are_in_range(max_entries in 1..=10_000_000_u32, place: u64) {
        let geometry = Geometry::new(max_entries);
        let SetIndex::Home(set) = geometry.home(place) else { panic!() };
        prop_assert!(set < geometry.sets());
    }

    /// Keys with other parts, or the same bytes cut or typed otherwise, are other keys.
    #[test]
    fn parts_are_unambiguous(
        one in prop::collection::vec((0..4_u8, "[ab]{0,3}"), 0..4),
        two in prop::collection::vec((0..4_u8, "[ab]{0,3}"), 0..4),
    ) {
        let key = |parts: &[(u8, String)]| {
            let mut key = PartitionBuilder::new(&SECRET);
            parts.iter().for_each(|(kind, bytes)| key.part(*kind, bytes.as_bytes()));
            key.finish()
        };
        prop_assert_eq!(key(&one) == key(&two), one == two);
    }

    /// Names cut otherwise are other limits.
    #[test]
    fn names_are_unambiguous(one in prop::collection::vec("[ab]{0,3}", 0..4), two in prop::collection::vec("[ab]{0,3}", 0..4)) {
        let salt = |names: &[String]| Salt::new(&SECRET, &names.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(salt(&one) == salt(&two), one == two);
    }
}

#[test]
fn every_set_of_every_table_has_its_own_name() {
    let keys: HashSet<_> = [1, 64, 65, 1_000, 100_000]
        .into_iter()
        .map(Geometry::new)
        .flat_map(|geometry| (0..geometry.sets()).map(move |set| geometry.key(SetIndex::Home(set))))
        .collect();
    assert_eq!(keys.len(), 1 + 1 + 1 + 8 + 782);
    assert!(keys.iter().all(|key| key.len() <= 22 && key.starts_with(b"weir\x01")));
}

#[test]
fn clients_spread_evenly() {
    let geometry = Geometry::new(12_800);
    let mut homes = vec![0; 100];
    for client in 0..100_000 {
        let SetIndex::Home(set) = geometry.home(partition(&client.to_string()).place) else { panic!() };
        homes[set as usize] += 1;
    }
    // A thousand each, give or take five standard deviations.
    assert!(homes.iter().all(|clients| (840..1_160).contains(clients)), "{homes:?}");
}
