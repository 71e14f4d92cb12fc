//! What is read back from a store that anybody may write to.

use arbitrary::{Result, Unstructured};
use bolero::check;
use weir_core::algorithm::{Charged, Form, STATE_BYTES, State, Verdict};
use weir_core::policy::AlgorithmKind;
use weir_core::quota::{Quota, Rate};
use weir_core::table::meter::{Kept, Slot};
use weir_core::table::record::{Foreign, Record};
use weir_core::table::secret::Secret;
use weir_core::table::shape::Shape;
use weir_core::time::{Nanos, Now, SECOND, UnixNanos};

const SECRET: Secret = Secret::new([7; 16]);
const KEY: &[u8] = b"set";

/// Bytes are a record or they are not. A guided fuzzer sees what the checksum is compared with and so can forge it:
/// then too the record is one that could have been written.
#[test]
fn record_bytes() {
    check!().for_each(|bytes: &[u8]| {
        let (mut record, mut written) = (Record::default(), Vec::new());
        // The same behind a plausible head.
        let [shapes, entries] = [bytes.len() / 25 % 4, bytes.len() / 30].map(|count| (count as u16).to_le_bytes());
        let headed = [b"W\x01", &shapes[..], &entries[..], bytes].concat();
        for bytes in [bytes, &headed] {
            if record.decode(bytes, &SECRET, KEY).is_ok() {
                record.encode(&SECRET, KEY, &mut written);
                assert_eq!(written, bytes);
            } else {
                assert!(record.is_empty());
            }
        }
    });
}

/// Entries of any state, and the shapes that they may be in.
fn any_record(source: &mut Unstructured<'_>) -> Result<(Record, Vec<(u64, Shape)>)> {
    let mut record = Record::default();
    let mut entries = Vec::new();
    for _ in 0..source.int_in_range(0..=9)? {
        let rate = Rate::new(source.int_in_range(1..=1_000)?, Nanos(source.int_in_range(1..=100)? * SECOND));
        let burst = source.int_in_range(1..=1_000_000)?;
        let Some(quota) = rate.ok().and_then(|rate| Quota::new(rate, Some(burst)).ok()) else { continue };
        let tag = source.int_in_range(0..=3)?;
        let state: [u8; STATE_BYTES] = source.arbitrary()?;
        let (kind, form) = *source.choose(&[
            (AlgorithmKind::TokenBucket, Form::Tat),
            (AlgorithmKind::FixedWindow, Form::Fixed),
            (AlgorithmKind::SlidingWindow, Form::Sliding),
        ])?;
        let shape = Shape::new(kind, quota);
        record.insert(tag, &shape, Slot::State(State::decode(form, &state)));
        entries.push((tag, shape));
    }
    Ok((record, entries))
}

#[test]
fn record_round_trips() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let Ok((record, entries)) = any_record(&mut source) else { return };
        let (mut bytes, mut read) = (Vec::new(), Record::default());
        record.encode(&SECRET, KEY, &mut bytes);
        assert_eq!(read.decode(&bytes, &SECRET, KEY), Ok(()));
        assert_eq!(read.entries().collect::<Vec<_>>(), record.entries().collect::<Vec<_>>());
        let times: [u64; 3] = source.arbitrary().unwrap_or_default();
        let [since, mono, wall] = times;
        let (since, now) = (Nanos(since), Now { mono: Nanos(mono), wall: UnixNanos(wall) });
        for (tag, shape) in &entries {
            assert_eq!(read.find(*tag, shape, since, now), record.find(*tag, shape, since, now));
        }
        // Any change that is one is seen.
        let mut damaged = bytes.clone();
        for _ in 0..source.int_in_range(1..=3).unwrap_or(1) {
            let place = source.choose_index(damaged.len()).unwrap_or(0);
            damaged[place] ^= source.arbitrary::<u8>().unwrap_or(1);
        }
        // Three bytes at most: too few to forge a checksum beside the change.
        if damaged != bytes {
            assert_eq!(read.decode(&damaged, &SECRET, KEY), Err(Foreign));
            assert!(read.is_empty());
        }
    });
}

/// Every operation on any record at any time: none panics, and none loses the bound of a set.
#[test]
fn record_operations() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let Ok((mut record, entries)) = any_record(&mut source) else { return };
        for (tag, shape) in &entries {
            let Ok(times) = source.arbitrary::<[u64; 3]>() else { return };
            // A clock that has run for three centuries is none.
            let [since, now, later] = times.map(|time| Nanos(time >> 1));
            let [now, later] = [now, later].map(|mono| Now { mono, wall: UnixNanos(mono.0) });
            let cost = source.int_in_range(1..=1_000_000).unwrap_or(1);
            let before = record.len();
            let found = record.find(*tag, shape, since, now);
            let level = shape.meter.level(&found, None, now);
            assert!(level.remaining <= shape.quota.burst());
            if let Verdict::Fits(next) = shape.meter.check(&found, now, cost) {
                assert!(cost <= level.remaining);
                record.charge(*tag, shape, next, cost, now);
                let charge = Charged { prior: None, charged: next, at: now.mono, cost };
                record.refund(*tag, shape, &charge, &found, later);
            }
            assert!(found == Kept::Nothing || before > 0);
            record.prune(later);
            assert!(record.len() <= before);
        }
    });
}
