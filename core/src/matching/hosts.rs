//! By host.

use super::bits::Bits;
use super::keyed::Keyed;
use super::posting::Posting;
use crate::http::host::Form;
use crate::policy::RequestMatch;

/// Rules by the hosts that they name.
#[derive(Debug)]
pub(super) struct HostIndex {
    /// Those that name none.
    any: Bits,
    exact: Keyed<Posting>,
    /// By a dot and the parent.
    below: Keyed<Posting>,
}

impl HostIndex {
    pub(super) fn new(matches: &[&RequestMatch]) -> Self {
        let rules = matches.len();
        let mut index = Self { any: Bits::empty(rules), exact: Keyed::default(), below: Keyed::default() };
        for (rule, one) in matches.iter().enumerate() {
            let Some(hosts) = &one.hosts else {
                index.any.insert(rule);
                continue;
            };
            for host in hosts {
                let posting = match host.form() {
                    Form::Exact(host) => index.exact.entry(host, Posting::default),
                    Form::Below(parent) => index.below.entry(parent, Posting::default),
                };
                posting.push(rule, rules);
            }
        }
        index
    }

    /// Leaves those that `host` meets.
    pub(super) fn narrow(&self, host: Option<&[u8]>, live: &mut Bits, term: &mut Bits) {
        if self.exact.is_empty() && self.below.is_empty() {
            return;
        }
        term.clone_from(&self.any);
        if let Some(host) = host {
            if let Some(posting) = self.exact.get(host) {
                posting.mark(term);
            }
            self.parents(host).for_each(|posting| posting.mark(term));
        }
        live.retain(term);
    }

    /// Of every parent of `host`, from the outermost on; a host of any length is read no further than parents are long.
    fn parents<'i>(&'i self, host: &'i [u8]) -> impl Iterator<Item = &'i Posting> {
        let nearest = host.len().saturating_sub(self.below.longest()).max(1);
        let starts = (nearest..host.len()).rev().filter_map(|start| host.get(start..));
        starts.filter(|parent| parent.first() == Some(&b'.')).filter_map(|parent| self.below.get(parent))
    }
}
