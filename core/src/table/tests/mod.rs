//! Behaviour of the table, over the native model of shared data.

mod agreement;
mod changes;
mod collisions;
mod crowding;
mod interleavings;
mod layout;
mod meters;
mod records;
mod sides;
mod together;

use crate::policy::{AlgorithmKind, WhenFull};
use crate::quota::{Quota, Rate};
use crate::store::Store;
use crate::store::model::SharedData;
use crate::table::geometry::Geometry;
use crate::table::partition::{Partition, PartitionBuilder, Salt};
use crate::table::secret::Secret;
use crate::table::shape::Shape;
use crate::table::transaction::{Charge, Effects, Outcome, Ruling, Scratch, Table};
use crate::time::hand::Hand;
use crate::time::{Clock, Nanos, Now, SECOND};

const SECRET: Secret = Secret::new([7; 16]);

/// A table on a store, with a clock.
struct Bench<S = SharedData> {
    table: Table,
    store: S,
    clock: Hand,
    scratch: Scratch,
    rulings: Vec<Ruling>,
    effects: Vec<Effects>,
}

impl<S: Store> Bench<S> {
    fn on(store: S, max_entries: u32, when_full: WhenFull) -> Self {
        Self {
            table: Table { geometry: Geometry::new(max_entries), when_full, secret: SECRET },
            store,
            // A whole number of days on the wall.
            clock: Hand::new(1_000 * SECOND, 20_000 * 86_400 * SECOND),
            scratch: Scratch::default(),
            rulings: Vec::new(),
            effects: Vec::new(),
        }
    }

    fn decide(&mut self, charges: &[Charge<'_>]) -> Outcome {
        let Self { table, store, clock, scratch, rulings, .. } = self;
        let (outcome, effects) = table.decide(store, charges, clock, scratch, rulings).unwrap();
        self.effects.push(effects);
        outcome
    }

    /// Whether one token of `limit` is had for `who`.
    fn take(&mut self, limit: &Limit, who: &str) -> bool {
        self.decide(&[limit.charge(who)]) == Outcome::Admitted
    }

    fn total(&self, count: impl Fn(&Effects) -> u32) -> u32 {
        self.effects.iter().map(count).sum()
    }

    fn entries(&self) -> i64 {
        self.effects.iter().map(|effects| effects.entries).sum()
    }
}

impl Bench {
    fn new(max_entries: u32) -> Self {
        Self::on(SharedData::default(), max_entries, WhenFull::Displace)
    }
}

/// A limit, ready to charge.
struct Limit {
    shape: Shape,
    salt: Salt,
    since: Nanos,
}

impl Limit {
    fn new(name: &str, rate: &str, burst: Option<u64>) -> Self {
        Self::of(AlgorithmKind::TokenBucket, name, rate, burst)
    }

    fn of(kind: AlgorithmKind, name: &str, rate: &str, burst: Option<u64>) -> Self {
        let quota = Quota::new(Rate::parse(rate).unwrap(), burst).unwrap();
        Self { shape: Shape::new(kind, quota), salt: Salt::new(&SECRET, &[name]), since: Nanos(0) }
    }

    fn charge(&self, who: &str) -> Charge<'_> {
        Charge {
            shape: &self.shape,
            salt: self.salt,
            partition: partition(who),
            since: self.since,
            cost: 1,
            enforce: true,
        }
    }
}

fn partition(who: &str) -> Partition {
    let mut key = PartitionBuilder::new(&SECRET);
    key.part(1, who.as_bytes());
    key.finish()
}
