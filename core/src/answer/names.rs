//! A limit's name and policy as members of structured fields (RFC 9651 §3.3.3, §4.1.6).

use crate::answer::verdict;
use crate::policy::Limit;

/// The parts of answers that only the configuration decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitText {
    /// The limit's name, quoted: a structured String, and a JSON string too.
    pub name: String,
    /// Its rule's name, quoted likewise; that of no rule is `all`.
    pub rule: String,
    /// Its rule's name as it is.
    pub rule_name: String,
    /// The member of `RateLimit-Policy`: `"auth";q=5;w=60`.
    pub policy: String,
    /// The members of the access log's line: `rule=auth limit=auth`.
    pub log: String,
}

impl LimitText {
    /// The text of `limit`, one of the rule's named `rule`.
    #[must_use]
    pub fn new(limit: &Limit, rule: &str) -> Self {
        let (name, rate, burst) = (quoted(&limit.name), limit.quota.rate(), limit.quota.burst());
        let mut policy = format!("{name};q={};w={}", rate.tokens(), rate.window_seconds());
        if burst != rate.tokens() {
            policy.push_str(&format!(";weir-burst={burst}"));
        }
        let log = verdict::limit(rule, &limit.name);
        Self { name, rule: quoted(rule), rule_name: rule.to_owned(), policy, log }
    }
}

/// Printable ASCII between quotes. Names hold nothing else, and within it a structured String and a JSON string
/// (RFC 8259 §7) escape the same two characters in the same way.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::from('"');
    for char in name.chars() {
        if matches!(char, '"' | '\\') {
            text.push('\\');
        }
        text.push(char);
    }
    text.push('"');
    text
}
