use proptest::prelude::*;

use super::*;
use crate::algorithm::State;
use crate::algorithm::span::Span;
use crate::algorithm::token_bucket::Tat;
use crate::table::meter::Slot;
use crate::table::record::{Foreign, Record};

fn record(entries: &[(u64, u8, u64)]) -> (Record, Vec<Shape>) {
    let shapes: Vec<_> = (1..=4).map(|n| Limit::new("", &format!("{n}/s"), None).shape).collect();
    let mut record = Record::default();
    for &(tag, shape, ns) in entries {
        record.insert(tag, &shapes[usize::from(shape % 4)], tat(ns));
    }
    (record, shapes)
}

fn tat(ns: u64) -> Slot {
    Slot::State(State::Tat { tat: Tat(Span::whole(ns)), touched: Nanos(0) })
}

fn encoded(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    record.encode(&SECRET, b"set", &mut bytes);
    bytes
}

proptest! {
    #[test]
    fn reads_what_it_wrote(entries in prop::collection::vec((any::<u64>(), any::<u8>(), any::<u64>()), 0..64)) {
        let (written, shapes) = record(&entries);
        let mut read = Record::default();
        prop_assert_eq!(read.decode(&encoded(&written), &SECRET, b"set"), Ok(()));
        prop_assert_eq!(read.len(), entries.len());
        for (tag, shape, ns) in entries {
            let shape = &shapes[usize::from(shape % 4)];
            prop_assert_eq!(read.find(tag, shape, Nanos(0), Now::default()), written.find(tag, shape, Nanos(0), Now::default()));
            let _ = ns;
        }
    }

    /// Whatever happened to its bytes, a record is recognised as damaged, and is empty.
    #[test]
    fn trusts_nothing_damaged(
        entries in prop::collection::vec((any::<u64>(), any::<u8>(), any::<u64>()), 0..8),
        at: prop::sample::Index, flip in 1..=255_u8, cut: prop::sample::Index,
    ) {
        let bytes = encoded(&record(&entries).0);
        let mut read = Record::default();
        let mut flipped = bytes.clone();
        flipped[at.index(bytes.len())] ^= flip;
        let lengthened = [&bytes[..], &[0]].concat();
        for damaged in [&flipped[..], &bytes[..cut.index(bytes.len())], &lengthened] {
            prop_assert_eq!(read.decode(damaged, &SECRET, b"set"), Err(Foreign));
            prop_assert!(read.is_empty());
        }
        prop_assert_eq!(read.decode(&bytes, &SECRET, b"another set"), Err(Foreign));
        prop_assert_eq!(read.decode(&bytes, &Secret::new([8; 16]), b"set"), Err(Foreign));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), shapes in 0..4_u8, entries in 0..4_u8) {
        let mut read = Record::default();
        let _ = read.decode(&bytes, &SECRET, b"set");
        let _ = read.decode(&[b"W\x01", &[shapes, 0, entries, 0][..], &bytes].concat(), &SECRET, b"set");
    }
}

#[test]
fn shapes_no_longer_used_make_room_for_new_ones() {
    let (mut record, _) = record(&[(1, 0, 5), (2, 1, 5)]);
    for n in 1..1_000 {
        let shape = Limit::new("", &format!("{n}/m"), None).shape;
        record.remove(1);
        record.insert(1, &shape, tat(5));
        assert!(record.shapes().len() <= 3, "{n}");
    }
    let size = encoded(&record).len();
    assert_eq!(size, 238);
}

/// Room for the host's string header and the allocator's rounding is left in each: 256 and 4,096.
#[test]
fn values_come_in_two_sizes() {
    let sizes =
        [1, 6, 7, 128].map(|count| encoded(&record(&(0..count).map(|tag| (tag, 0, 5)).collect::<Vec<_>>()).0).len());
    assert_eq!(sizes, [238, 238, 4_078, 4_078]);
    let per_entry = 4_096 / 128;
    assert_eq!(per_entry, 32);
}
