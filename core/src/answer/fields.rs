//! The rate limit header fields: the de-facto `X-RateLimit-*` and those of draft-ietf-httpapi-ratelimit-headers.

use crate::answer::tightest;
use crate::engine::decision::Decision;
use crate::policy::{Draft, HeaderPolicy, ResetUnit};
use crate::time::Clock;

/// The fields of an answer that is no refusal.
const FEW: usize = 5;

/// Header fields in one buffer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    text: String,
    ends: Vec<(&'static str, usize)>,
}

impl Fields {
    /// The fields of a response to a request that `decision` was about; none where no limit applied.
    #[must_use]
    pub fn of(decision: &Decision<'_>, policy: &HeaderPolicy, clock: &impl Clock) -> Self {
        let Some(tightest) = tightest(&decision.applied) else { return Self::default() };
        // Room enough for most, so that neither grows bit by bit.
        let text = String::with_capacity(48 + 96 * decision.applied.len());
        let mut fields = Self { text, ends: Vec::with_capacity(FEW) };
        if policy.x_ratelimit {
            let (quota, level) = (&tightest.limit.shape.quota, tightest.ruling.level);
            fields.number("x-ratelimit-limit", quota.shown_limit());
            fields.number("x-ratelimit-remaining", level.remaining);
            fields.number(
                "x-ratelimit-reset",
                match policy.reset {
                    ResetUnit::Epoch => decision.wall(clock).ceil_seconds_after(level.grows_in),
                    ResetUnit::Delta => level.grows_in.ceil_seconds(),
                },
            );
        }
        if let Some(draft) = policy.ratelimit {
            fields.list("ratelimit-policy", decision, |text, applied| text.push_str(&applied.limit.text.policy));
            let (left, until) = match draft {
                Draft::Draft11 => (";r=", ";t="),
                Draft::Draft12 => (";a=", ";w="),
            };
            fields.list("ratelimit", decision, |text, applied| {
                let level = applied.ruling.level;
                text.push_str(&applied.limit.text.name);
                text.push_str(left);
                push_number(text, level.remaining);
                text.push_str(until);
                push_number(text, level.grows_in.ceil_seconds());
            });
        }
        fields
    }

    /// Each field: its name in lower case, and its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |&(name, end)| {
            let value = self.text.get(start..end).unwrap_or_default();
            start = end;
            (name, value)
        })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a field whose value is a number.
    pub fn number(&mut self, name: &'static str, value: u64) {
        push_number(&mut self.text, value);
        self.ends.push((name, self.text.len()));
    }

    /// Adds a field.
    pub fn text(&mut self, name: &'static str, value: &str) {
        self.text.push_str(value);
        self.ends.push((name, self.text.len()));
    }

    /// Adds a list with one member for each limit that applied.
    fn list<'e>(
        &mut self,
        name: &'static str,
        decision: &Decision<'e>,
        member: impl Fn(&mut String, &crate::engine::decision::Applied<'e>),
    ) {
        for (place, applied) in decision.applied.iter().enumerate() {
            if place > 0 {
                self.text.push_str(", ");
            }
            member(&mut self.text, applied);
        }
        self.ends.push((name, self.text.len()));
    }
}

fn push_number(text: &mut String, value: u64) {
    text.push_str(itoa::Buffer::new().format(value));
}
