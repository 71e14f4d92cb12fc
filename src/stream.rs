//! One request, from its headers to those of its response.

use std::cell::OnceCell;
use std::rc::Rc;

use weir_core::answer::fields::Fields;
use weir_core::answer::refusal::Refusal;
use weir_core::engine::decision::Verdict;
use weir_core::engine::request::Request;
use weir_core::http::Pairs;

use crate::host::Call;
use crate::root::Root;
use crate::vm::Shared;

/// A stream under way.
pub(crate) struct Stream {
    root: Rc<Root>,
    /// What the response will carry.
    fields: Fields,
}

impl Stream {
    pub(crate) fn new(root: Rc<Root>) -> Self {
        Self { root, fields: Fields::default() }
    }

    /// Decides; false where the request was answered.
    pub(crate) fn request(&mut self, call: &Call, shared: &mut Shared) -> bool {
        let Some(engine) = self.root.engine(call, shared) else {
            busy(call);
            return false;
        };
        let mut request = HostRequest { call, pairs: OnceCell::new() };
        let decision = engine.decide(&mut request, &mut { call }, call, &mut shared.scratch);
        if decision.forwarded {
            self.root.warn_forwarded(call);
        }
        shared.metrics.count(call, &decision.effects);
        self.root.metrics.borrow_mut().count(call, &decision);
        let headers = &engine.policy().headers;
        match decision.verdict {
            Verdict::Unlimited => true,
            Verdict::Allowed => {
                self.fields = Fields::of(&decision, headers, call);
                true
            }
            Verdict::Limited => {
                refuse(call, &Refusal::limited(&decision, headers, call).unwrap_or_else(Refusal::busy));
                false
            }
            Verdict::Busy => {
                busy(call);
                false
            }
        }
    }

    /// Whether the response still has to be touched.
    pub(crate) fn awaits_response(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Adds the fields, in place of any that the upstream sent under these names.
    pub(crate) fn response(&self, call: &Call) {
        for (name, value) in self.fields.iter() {
            call.set_response_header(name, value);
        }
    }
}

/// Answers that nothing could be decided.
pub(crate) fn busy(call: &Call) {
    refuse(call, &Refusal::busy());
}

fn refuse(call: &Call, refusal: &Refusal) {
    call.respond(refusal.status, &refusal.details, refusal.fields.iter(), &refusal.body, refusal.grpc_status);
}

/// The request that the host is asking about.
struct HostRequest<'c> {
    call: &'c Call,
    pairs: OnceCell<Pairs<'c>>,
}

impl<'c> Request<'c> for HostRequest<'c> {
    fn fields(&self) -> impl Iterator<Item = (&'c [u8], &'c [u8])> {
        self.pairs.get_or_init(|| self.call.request_headers()).clone()
    }

    fn source_address(&mut self) -> Option<&'c [u8]> {
        self.call.property(b"source\0address")
    }
}
