//! One request, from its headers to the end of its response.

use std::cell::{LazyCell, OnceCell};
use std::rc::Rc;

use weir_core::answer::fields::Fields;
use weir_core::answer::format::Format;
use weir_core::answer::grpc;
use weir_core::answer::refusal::{Failure, Refusal};
use weir_core::answer::style::Overrides;
use weir_core::answer::verdict;
use weir_core::engine::Engine;
use weir_core::engine::decision::{Decision, Verdict};
use weir_core::engine::pending::{Pending, Settle};
use weir_core::engine::report::Report;
use weir_core::engine::request::{AttributePath, Request};
use weir_core::engine::response;
use weir_core::http::Pairs;
use weir_core::time::{Clock, Nanos};

use crate::host::Call;
use crate::root::Root;
use crate::vm::Shared;

/// A stream under way.
pub(crate) struct Stream {
    root: Rc<Root>,
    /// What the response will carry.
    fields: Fields,
    /// What may have to be given back.
    pending: Pending,
    /// Whether it waits for its turn.
    held: bool,
}

/// What becomes of a request.
#[derive(Clone, Copy)]
pub(crate) enum Next {
    /// It goes on.
    Continue,
    /// It goes on at this time.
    HoldUntil(Nanos),
    /// It was answered.
    Answered,
}

impl Stream {
    pub(crate) fn new(root: Rc<Root>) -> Self {
        Self { root, fields: Fields::default(), pending: Pending::default(), held: false }
    }

    /// Decides.
    pub(crate) fn request(&mut self, call: &Call, shared: &mut Shared) -> Next {
        let root = Rc::clone(&self.root);
        let Some(engine) = root.engine(call, shared) else {
            busy(call);
            return Next::Answered;
        };
        let mut request = HostRequest { call, pairs: OnceCell::new() };
        let decision = engine.decide(&mut request, &mut { call }, call, &mut shared.scratch);
        if decision.verdict == Verdict::Asks {
            return report(engine, request, call, shared);
        }
        if decision.forwarded {
            self.root.warn_forwarded(call);
        }
        shared.metrics.count(call, &decision.effects);
        self.root.metrics.count(call, &decision);
        call.set_verdict(&verdict::line(&decision));
        match decision.verdict {
            Verdict::Unlimited | Verdict::Exempt | Verdict::Asks => Next::Continue,
            Verdict::Allowed => {
                self.fields = Fields::of(&decision, &engine.policy().headers, call);
                let delay = decision.delay;
                self.pending = Pending::of(decision);
                match delay {
                    Nanos(0) => Next::Continue,
                    delay => {
                        self.held = true;
                        Next::HoldUntil(Nanos(call.monotonic().0.saturating_add(delay.0)))
                    }
                }
            }
            Verdict::Busy if engine.is_shadow() => Next::Continue,
            Verdict::Limited | Verdict::Busy => {
                self.fields = refuse(engine, &decision, &request, call);
                Next::Answered
            }
        }
    }

    /// Whether there is anything left to do for it.
    pub(crate) fn is_over(&self) -> bool {
        self.fields.is_empty() && self.pending.is_empty() && !self.held
    }

    /// The context of its configuration.
    pub(crate) fn root_id(&self) -> u32 {
        self.root.id
    }

    /// Whether it waits for its turn; if it has gone meanwhile, that is still to be given back.
    pub(crate) const fn is_held(&self) -> bool {
        self.held
    }

    /// Its turn has come: what was charged stands, but for what the response decides.
    pub(crate) fn resume(&mut self) {
        self.held = false;
        if let Some(engine) = self.root.ready() {
            self.pending.resume(engine);
        }
    }

    /// The response's headers: adds the fields, in place of any that the upstream sent under these names, and gives back
    /// what the status says does not count. True where its trailers are awaited.
    pub(crate) fn response(&mut self, call: &Call, shared: &mut Shared, end: bool) -> bool {
        if !self.pending.is_empty() {
            let status = call.response_header(":status").and_then(number::<u16>).unwrap_or(0);
            let grpc = call.response_header("grpc-status").and_then(number::<u8>);
            let content_type = call.response_header("content-type");
            // Asked for once, and only where a charge would be given back.
            let from_the_front =
                LazyCell::new(|| call.property(b"response\0code_details").is_some_and(response::is_from_the_front));
            let later = !end && grpc.is_none() && Format::negotiate(content_type, []) == Format::Grpc;
            let settle = |status_list: &[u16], grpc_list: &[u8]| {
                let counts = status_list.contains(&status) || grpc.is_some_and(|grpc| grpc_list.contains(&grpc));
                if counts || *from_the_front {
                    Settle::Keep
                } else if later && !grpc_list.is_empty() {
                    Settle::Wait
                } else {
                    Settle::GiveBack
                }
            };
            if let (true, Some(engine)) = (self.settle(call, shared, settle), self.root.ready()) {
                self.fields = Fields::of(&self.pending.decision(engine), &engine.policy().headers, call);
            }
        }
        for (name, value) in self.fields.iter() {
            call.set_response_header(name, value);
        }
        !self.pending.is_empty()
    }

    /// The response's trailers, which have a gRPC status.
    pub(crate) fn trailers(&mut self, call: &Call, shared: &mut Shared) {
        let grpc = call.response_trailer("grpc-status").and_then(number::<u8>);
        self.settle(call, shared, |_, grpc_list| {
            if grpc.is_some_and(|grpc| grpc_list.contains(&grpc)) { Settle::Keep } else { Settle::GiveBack }
        });
    }

    /// The client left before the request went on: everything is given back.
    pub(crate) fn abandon(&mut self, call: &Call, shared: &mut Shared) {
        self.settle(call, shared, |_, _| Settle::GiveBack);
    }

    /// Whether anything was given back.
    fn settle(&mut self, call: &Call, shared: &mut Shared, decide: impl Fn(&[u16], &[u8]) -> Settle) -> bool {
        let Some(engine) = self.root.ready() else { return false };
        let Shared { scratch, metrics, .. } = shared;
        self.pending.settle(engine, &mut { call }, call, scratch, decide, |effects| metrics.count(call, effects))
    }
}

/// Answers that nothing could be decided, where not even the configuration is known.
pub(crate) fn busy(call: &Call) {
    respond(call, &Refusal::failed(Failure::Busy, Overrides::NONE, Format::Json));
}

/// Refuses; comes back with what has to be said again when the answer passes here.
fn refuse(engine: &Engine, decision: &Decision<'_>, request: &HostRequest<'_>, call: &Call) -> Fields {
    let style = engine.style(decision);
    let all = |name: &'static [u8]| request.fields().filter(move |(own, _)| *own == name).map(|(_, value)| value);
    let format = Format::negotiate(all(b"content-type").next(), all(b"accept"));
    let refusal = Refusal::of(decision, &style, call, format).filter(|_| decision.verdict == Verdict::Limited);
    let refusal = refusal.unwrap_or_else(|| Refusal::failed(Failure::Busy, style.overrides, format));
    respond(call, &refusal);
    // The host takes the type off an answer without a body, unless it has recognised the request as gRPC itself.
    let mut again = Fields::default();
    if format == Format::Grpc {
        again.text("content-type", grpc::MEDIA_TYPE);
    }
    again
}

fn report(engine: &Engine, mut request: HostRequest<'_>, call: &Call, shared: &mut Shared) -> Next {
    match engine.report(&mut request, &mut { call }, call, &mut shared.scratch) {
        Report::Left(body) => {
            let headers = [("cache-control", "no-store"), ("content-type", "application/json")];
            call.respond(200, "weir_status", headers.into_iter(), &body, -1);
        }
        Report::Refused(decision) => {
            shared.metrics.count(call, &decision.effects);
            call.set_verdict(&verdict::line(&decision));
            refuse(engine, &decision, &request, call);
        }
    }
    Next::Answered
}

fn respond(call: &Call, refusal: &Refusal<'_>) {
    call.respond(refusal.status, &refusal.details, refusal.headers(), &refusal.body, refusal.grpc_status);
}

fn number<N: core::str::FromStr>(digits: &[u8]) -> Option<N> {
    core::str::from_utf8(digits).ok()?.parse().ok()
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

    fn attribute(&mut self, path: &AttributePath) -> Option<&'c [u8]> {
        self.call.property(path.as_bytes())
    }
}
