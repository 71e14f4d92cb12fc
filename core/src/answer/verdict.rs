//! The verdict as access logs show it: `decision=limited rule=auth limit=auth remaining=0 client=ip`.
//!
//! Always these five members in this order, with a blank between them. A value that is not known is `-`. In names, `%`,
//! `=`, `,`, quotes, backslashes and everything but visible ASCII is percent-encoded (RFC 3986 §2.1), as is a name that
//! is just `-`: so a value ends at the next blank, fits between quotes of either kind, and decodes to one name only.

#[cfg(test)]
mod tests;

use core::fmt::Write as _;

use crate::answer::tightest;
use crate::engine::caller::CallerKind;
use crate::engine::decision::{Decision, Verdict};

const UNKNOWN: &str = "-";

/// The line of one request. `rule`, `limit` and `remaining` are those of the limit that the client should heed first, or
/// of the one in shadow that would have refused, or that there is alone; where no limit applied, `rule` is the rule that
/// matched.
#[must_use]
pub fn line(decision: &Decision<'_>) -> String {
    let mut line = String::with_capacity(96);
    line.push_str("decision=");
    line.push_str(decided(decision));
    line.push(' ');
    let enforced = tightest(&decision.applied).filter(|_| !decision.is_shadow_limited());
    let told = enforced.or_else(|| tightest(&decision.shadow));
    match (told, decision.rule) {
        (Some(told), _) => line.push_str(&told.limit.text.log),
        (None, Some(rule)) => push_limit(&mut line, &escaped(&rule.name), UNKNOWN),
        (None, None) => push_limit(&mut line, UNKNOWN, UNKNOWN),
    }
    line.push_str(" remaining=");
    match told {
        Some(told) => line.push_str(itoa::Buffer::new().format(told.ruling.level.remaining)),
        None => line.push_str(UNKNOWN),
    }
    line.push_str(" client=");
    line.push_str(decision.client.map_or(UNKNOWN, CallerKind::name));
    line
}

/// The two members that name a limit.
pub(super) fn limit(rule: &str, name: &str) -> String {
    let mut text = String::new();
    push_limit(&mut text, &escaped(rule), &escaped(name));
    text
}

fn push_limit(line: &mut String, rule: &str, limit: &str) {
    for part in ["rule=", rule, " limit=", limit] {
        line.push_str(part);
    }
}

fn escaped(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        let plain = byte.is_ascii_graphic() && !b"%=,\"'`\\".contains(&byte);
        if plain && name != UNKNOWN {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn decided(decision: &Decision<'_>) -> &'static str {
    match decision.verdict {
        Verdict::Allowed if decision.is_shadow_limited() => "shadow_limited",
        Verdict::Unlimited | Verdict::Allowed | Verdict::Asks => "allowed",
        Verdict::Exempt => "exempt",
        Verdict::Limited => "limited",
        Verdict::Busy => "error",
    }
}
