//! By method.

use super::bits::Bits;
use super::keyed::Keyed;
use super::posting::Posting;
use crate::policy::RequestMatch;

/// Rules by the methods that they name.
#[derive(Debug)]
pub(super) struct MethodIndex {
    /// Those that name none.
    any: Bits,
    named: Keyed<Posting>,
    nothing: Bits,
}

impl MethodIndex {
    pub(super) fn new(matches: &[&RequestMatch]) -> Self {
        let rules = matches.len();
        let mut index = Self { any: Bits::empty(rules), named: Keyed::default(), nothing: Bits::empty(rules) };
        for (rule, one) in matches.iter().enumerate() {
            match &one.methods {
                None => index.any.insert(rule),
                Some(methods) => {
                    for name in methods.names() {
                        index.named.entry(name.as_bytes(), Posting::default).push(rule, rules);
                    }
                }
            }
        }
        index
    }

    /// Leaves those that `method` meets; `preflight` meets those that name its method.
    pub(super) fn narrow(&self, method: &[u8], preflight: bool, live: &mut Bits, term: &mut Bits) {
        if self.named.is_empty() && !preflight {
            return;
        }
        term.clone_from(if preflight { &self.nothing } else { &self.any });
        if let Some(posting) = self.named.get(method) {
            posting.mark(term);
        }
        live.retain(term);
    }
}
