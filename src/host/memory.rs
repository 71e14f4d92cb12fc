//! Memory that the host fills with what it returns.
//!
//! All of it is dead when a callback ends, so it is handed out from one region that starts afresh with each callback;
//! only what does not fit there is allocated, and freed then.

use core::cell::UnsafeCell;
use core::ptr;

/// Holds the header maps and records of any ordinary request.
const REGION: usize = 64 * 1024;

struct Arena(UnsafeCell<Inner>);

struct Inner {
    region: [u8; REGION],
    used: usize,
    large: Vec<Vec<u8>>,
}

// SAFETY: a wasm module has one thread.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new(Inner { region: [0; REGION], used: 0, large: Vec::new() }));

/// Where the host puts `size` bytes that it is about to return.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_memory_allocate(size: usize) -> *mut u8 {
    // SAFETY: one thread, and no reference into the arena's fields is held across a call to the host.
    let arena = unsafe { &mut *ARENA.0.get() };
    let start = arena.used;
    match start.checked_add(size) {
        Some(end) if end <= REGION => {
            arena.used = end;
            // SAFETY: start ≤ end ≤ REGION.
            unsafe { arena.region.as_mut_ptr().add(start) }
        }
        _ => {
            let mut large = Vec::new();
            if large.try_reserve_exact(size).is_err() {
                return ptr::null_mut();
            }
            // Owned until the next callback; moving the Vec does not move its bytes.
            arena.large.push(large);
            arena.large.last_mut().map_or(ptr::null_mut(), Vec::as_mut_ptr)
        }
    }
}

/// Forgets everything that was handed out.
///
/// # Safety
/// No reference into it may be left.
pub(super) unsafe fn reset() {
    // SAFETY: one thread; the caller vouches for the rest.
    let arena = unsafe { &mut *ARENA.0.get() };
    arena.used = 0;
    arena.large.clear();
}
