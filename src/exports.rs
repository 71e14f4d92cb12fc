//! What Envoy calls. Nothing else is exported: each callback that exists is entered for every request, at about a
//! microsecond, whether or not it does anything.

use crate::host::enter;
use crate::stream::Next;
use crate::vm;

/// Go on with the next filter.
const CONTINUE: u32 = 0;
/// The response is on its way; go no further.
const STOP: u32 = 1;
/// Keep the request whole, its body too, until it is resumed.
const HOLD: u32 = 4;

#[unsafe(no_mangle)]
extern "C" fn proxy_abi_version_0_2_1() {}

#[unsafe(no_mangle)]
extern "C" fn _initialize() {
    #[cfg(target_os = "wasi")]
    {
        unsafe extern "C" {
            fn __wasm_call_ctors();
        }
        // SAFETY: the host calls this once, before anything else.
        unsafe { __wasm_call_ctors() };
    }
}

/// A configuration arrives: once in the main thread, once for each worker, and again at each update.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_configure(root: u32, _size: usize) -> u32 {
    u32::from(enter(|call| vm::with(|vm| vm.configure(call, root))).flatten().unwrap_or(false))
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_context_create(context: u32, root: u32) {
    enter(|call| vm::with(|vm| vm.open(call, context, root)));
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_request_headers(context: u32, _fields: usize, _end: u32) -> u32 {
    match enter(|call| vm::with(|vm| vm.request(call, context))).flatten() {
        Some(Next::Answered) => STOP,
        Some(Next::HoldUntil(_)) => HOLD,
        Some(Next::Continue) | None => CONTINUE,
    }
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_response_headers(context: u32, _fields: usize, end: u32) -> u32 {
    enter(|call| vm::with(|vm| vm.response(call, context, end != 0)));
    CONTINUE
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_response_trailers(context: u32, _fields: usize) -> u32 {
    enter(|call| vm::with(|vm| vm.trailers(call, context)));
    CONTINUE
}

/// Time to look after the requests that are held.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_tick(root: u32) {
    enter(|call| vm::with(|vm| vm.tick(call, root)));
}
