use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use crate::matching::bits::Bits;
use crate::matching::prefixes::PrefixIndex;

fn places(bits: &Bits) -> Vec<usize> {
    let mut places = Vec::new();
    let none = bits.find(|place| {
        places.push(place);
        false
    });
    assert_eq!(none, None);
    places
}

proptest! {
    #[test]
    fn all_prefixes_of_a_value_are_found(
        prefixes in vec("[ab]{0,5}|[a-c]{0,3}|\u{e9}{0,2}|aa{4,12}b?\0?", 0..80),
        common in "(aaa)?(x/y)?",
        values in vec("[a-c]{0,7}|\u{e9}{0,3}b?|aa{5,14}b?\0?c?", 1..20),
    ) {
        let prefixes: Vec<String> = prefixes.iter().map(|prefix| format!("{common}{prefix}")).collect();
        let alike = values.iter().map(|value| format!("{common}{value}"));
        let values: Vec<String> = alike.chain(values.iter().cloned()).collect();
        let given = prefixes.iter().enumerate().map(|(rule, prefix)| (prefix.clone().into_bytes(), rule)).collect();
        let index = PrefixIndex::new(given, prefixes.len());
        for value in values {
            let mut found = Bits::empty(prefixes.len());
            index.get(value.as_bytes()).inspect(|posting| posting.mark(&mut found));
            let expected = |(rule, prefix): (usize, &String)| value.starts_with(prefix.as_str()).then_some(rule);
            let expected: BTreeSet<usize> = prefixes.iter().enumerate().filter_map(expected).collect();
            prop_assert_eq!(BTreeSet::from_iter(places(&found)), expected, "{} in {:?}", value, prefixes);
        }
    }

    #[test]
    fn sets_are_sets(a in btree_set(0..200_usize, 0..60), b in btree_set(0..200_usize, 0..60)) {
        let bits = |set: &BTreeSet<usize>| {
            let mut bits = Bits::empty(200);
            set.iter().for_each(|rule| bits.insert(*rule));
            bits
        };
        let (own, other) = (bits(&a), bits(&b));
        prop_assert_eq!(places(&own), a.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(own.exceeds(&other), !a.is_subset(&b));
        prop_assert!((0..200).all(|rule| own.contains(rule) == a.contains(&rule)));
        let (mut sum, mut common) = (own.clone(), own.clone());
        sum.add(&other);
        common.retain(&other);
        prop_assert_eq!(BTreeSet::from_iter(places(&sum)), &a | &b);
        prop_assert_eq!(BTreeSet::from_iter(places(&common)), &a & &b);
    }

    #[test]
    fn a_full_set_has_every_rule_and_no_other(rules in 0..300_usize) {
        prop_assert_eq!(places(&Bits::full(rules)), (0..rules).collect::<Vec<_>>());
    }
}
