//! What one worker's VM holds: the configurations that are in use, and the streams that are under way.
//!
//! One VM serves several configurations at once (two listeners, an update in progress), so every stream is bound to
//! its own when it is created.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use weir_core::config;
use weir_core::engine::Scratch;
use weir_core::table::secret::Secret;
use weir_core::time::Clock as _;

use crate::held::Held;
use crate::host::{Call, Level};
use crate::metrics::Metrics;
use crate::root::Root;
use crate::stream::{self, Next, Stream};

/// Below so many streams none is looked for that ended without a response.
const SWEEP_FROM: usize = 1024;

/// One worker's state.
pub(crate) struct Vm {
    roots: HashMap<u32, Rc<Root>>,
    streams: HashMap<u32, Stream>,
    /// At so many streams, those that are gone are swept out.
    sweep_at: usize,
    held: Held,
    shared: Shared,
}

/// What all configurations of a VM have in common.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) secret: Option<Secret>,
    pub(crate) scratch: Scratch,
    pub(crate) metrics: Metrics,
}

thread_local! {
    static VM: RefCell<Vm> = RefCell::new(Vm {
        roots: HashMap::new(),
        streams: HashMap::new(),
        sweep_at: SWEEP_FROM,
        held: Held::default(),
        shared: Shared::default(),
    });
}

/// Runs `action` on the VM's state; `None` where a callback is under way already.
pub(crate) fn with<T>(action: impl FnOnce(&mut Vm) -> T) -> Option<T> {
    VM.with(|vm| vm.try_borrow_mut().ok().map(|mut vm| action(&mut vm)))
}

impl Vm {
    /// Takes a configuration; false where it is refused, and Envoy then refuses it.
    pub(crate) fn configure(&mut self, call: &Call, root: u32) -> bool {
        // The host does not say when a configuration ends; streams that use it keep their own hold on it.
        self.roots.retain(|&id, _| call.act_for(id));
        // Nor of a stream that a filter in front answered: it would keep its configuration for long.
        self.streams.retain(|&id, stream| stream.is_held() || call.act_for(id));
        call.act_for(root);
        match config::parse(call.configuration().unwrap_or_default()) {
            Ok(policy) => {
                let earlier = self.roots.values().map(Rc::downgrade).collect();
                let metrics = self.shared.metrics.define(call, &policy);
                self.roots.insert(root, Rc::new(Root::new(root, policy, metrics, call.monotonic(), earlier)));
                true
            }
            Err(error) => {
                call.log(Level::Error, &format!("weir: configuration refused: {error}"));
                false
            }
        }
    }

    /// A context is created; root contexts belong to none.
    pub(crate) fn open(&mut self, call: &Call, context: u32, root: u32) {
        if root == 0 {
            return;
        }
        if self.streams.len() >= self.sweep_at {
            self.streams.retain(|&id, stream| stream.is_held() || call.act_for(id));
            self.sweep_at = SWEEP_FROM.max(self.streams.len() * 2);
            call.act_for(context);
        }
        if let Some(root) = self.roots.get(&root) {
            self.streams.insert(context, Stream::new(Rc::clone(root)));
        }
    }

    /// A request's headers have arrived.
    pub(crate) fn request(&mut self, call: &Call, context: u32) -> Next {
        let Some(stream) = self.streams.get_mut(&context) else {
            // Without a configuration nothing can be decided, and nothing may pass undecided.
            stream::busy(call);
            return Next::Answered;
        };
        let next = stream.request(call, &mut self.shared);
        if stream.is_over() {
            self.streams.remove(&context);
        }
        if let (Next::HoldUntil(turn), Some(stream)) = (next, self.streams.get(&context)) {
            self.held.hold(call, stream.root_id(), turn, context);
        }
        next
    }

    /// A response's headers are about to be sent, an answer of our own among them.
    pub(crate) fn response(&mut self, call: &Call, context: u32, end: bool) {
        if let Some(mut stream) = self.streams.remove(&context)
            && stream.response(call, &mut self.shared, end)
        {
            self.streams.insert(context, stream);
        }
    }

    /// A response's trailers are about to be sent.
    pub(crate) fn trailers(&mut self, call: &Call, context: u32) {
        if let Some(mut stream) = self.streams.remove(&context) {
            stream.trailers(call, &mut self.shared);
        }
    }

    /// Looks after the requests that are held.
    pub(crate) fn tick(&mut self, call: &Call, root: u32) {
        let (due, gone) = self.held.take(call, call.monotonic(), root);
        for context in gone {
            if let Some(mut stream) = self.streams.remove(&context) {
                stream.abandon(call, &mut self.shared);
            }
        }
        for context in due {
            self.streams.get_mut(&context).into_iter().for_each(Stream::resume);
            if call.act_for(context) {
                call.resume_request();
            }
        }
        call.act_for(root);
    }
}
