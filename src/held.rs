//! Requests that wait for their turn.

use std::collections::{BTreeSet, HashMap};

use weir_core::time::Nanos;

use crate::host::Call;

/// How often those that wait are looked after, in milliseconds: a turn comes at most so much late.
const TICK: u32 = 2;

/// The streams that are held, by the time of their turns, for each configuration: the host wakes each by itself, and
/// one may end while its streams wait.
#[derive(Default)]
pub(crate) struct Held {
    roots: HashMap<u32, BTreeSet<(Nanos, u32)>>,
}

impl Held {
    /// Holds the stream under way until its turn.
    pub(crate) fn hold(&mut self, call: &Call, root: u32, turn: Nanos, context: u32) {
        let turns = self.roots.entry(root).or_default();
        if turns.is_empty() {
            call.set_tick(TICK);
        }
        turns.insert((turn, context));
    }

    /// Those whose turn it is, and those that have gone meanwhile; neither is held any more. Looks after the
    /// configuration `root`, and after those that have ended.
    pub(crate) fn take(&mut self, call: &Call, now: Nanos, root: u32) -> (Vec<u32>, Vec<u32>) {
        let (mut due, mut gone) = (Vec::new(), Vec::new());
        self.roots.retain(|&own, turns| {
            if own != root && call.act_for(own) {
                return true;
            }
            turns.retain(|&(turn, context)| {
                if !call.act_for(context) {
                    gone.push(context);
                } else if turn <= now {
                    due.push(context);
                } else {
                    return true;
                }
                false
            });
            if turns.is_empty() && call.act_for(own) {
                call.set_tick(0);
            }
            !turns.is_empty()
        });
        call.act_for(root);
        (due, gone)
    }
}
