//! Calls to the host, from within one callback.

use core::cell::Cell;
use core::{ptr, slice};

use weir_core::http::pairs::{self, Pairs};
use weir_core::time::{Clock, Nanos, UnixNanos};

use crate::host::{abi, memory};

/// The right to call the host, for as long as one callback lasts. What the host returns lives as long.
pub(crate) struct Call(());

/// What a metric counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MetricKind {
    Counter,
    Gauge,
}

/// How loud a line in Envoy's log is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Level {
    Warn = 3,
    Error = 4,
}

thread_local! {
    static ENTERED: Cell<bool> = const { Cell::new(false) };
}

/// Runs one callback. None inside another: what the outer one was given would be overwritten.
pub(crate) fn enter<T>(callback: impl FnOnce(&Call) -> T) -> Option<T> {
    if ENTERED.replace(true) {
        return None;
    }
    // SAFETY: what earlier callbacks were given was borrowed from their `Call`, which is gone.
    unsafe { memory::reset() };
    let result = callback(&Call(()));
    ENTERED.set(false);
    Some(result)
}

impl Call {
    /// Writes a line to Envoy's log.
    pub(crate) fn log(&self, level: Level, text: &str) {
        // SAFETY: the host reads the text before it returns.
        unsafe { abi::proxy_log(level as u32, text.as_ptr(), text.len()) };
    }

    /// The configuration of the plugin being configured.
    pub(crate) fn configuration(&self) -> Option<&[u8]> {
        self.bytes(|data, size| {
            // SAFETY: both pointers are valid for writing.
            unsafe { abi::proxy_get_buffer_bytes(abi::BUFFER_PLUGIN_CONFIGURATION, 0, usize::MAX >> 1, data, size) }
        })
    }

    /// All header fields of the request.
    pub(crate) fn request_headers(&self) -> Pairs<'_> {
        // SAFETY: both pointers are valid for writing.
        let bytes =
            self.bytes(|data, size| unsafe { abi::proxy_get_header_map_pairs(abi::MAP_REQUEST_HEADERS, data, size) });
        Pairs::new(bytes.unwrap_or_default())
    }

    /// Sets a field of the response, in place of all that have its name.
    pub(crate) fn set_response_header(&self, name: &str, value: &str) {
        // SAFETY: the host reads both before it returns.
        unsafe {
            abi::proxy_replace_header_map_value(
                abi::MAP_RESPONSE_HEADERS,
                name.as_ptr(),
                name.len(),
                value.as_ptr(),
                value.len(),
            )
        };
    }

    /// A field of the response.
    pub(crate) fn response_header(&self, name: &str) -> Option<&[u8]> {
        self.field(abi::MAP_RESPONSE_HEADERS, name)
    }

    /// A field of the response's trailers.
    pub(crate) fn response_trailer(&self, name: &str) -> Option<&[u8]> {
        self.field(abi::MAP_RESPONSE_TRAILERS, name)
    }

    fn field(&self, map: u32, name: &str) -> Option<&[u8]> {
        self.bytes(|data, size| {
            // SAFETY: the host reads the name before it returns; both pointers are valid for writing.
            unsafe { abi::proxy_get_header_map_value(map, name.as_ptr(), name.len(), data, size) }
        })
    }

    /// Sets the filter's own attribute of the stream, for access logs: filter state `wasm.weir`.
    pub(crate) fn set_verdict(&self, text: &str) {
        const NAME: &[u8] = b"weir";
        // SAFETY: the host copies both before it returns.
        unsafe { abi::proxy_set_property(NAME.as_ptr(), NAME.len(), text.as_ptr(), text.len()) };
    }

    /// Lets a request go on that was held.
    pub(crate) fn resume_request(&self) {
        // SAFETY: no memory is involved.
        unsafe { abi::proxy_continue_stream(abi::STREAM_REQUEST) };
    }

    /// How often the configuration is woken; 0 is never.
    pub(crate) fn set_tick(&self, milliseconds: u32) {
        // SAFETY: no memory is involved.
        unsafe { abi::proxy_set_tick_period_milliseconds(milliseconds) };
    }

    /// An attribute of the stream; the parts of its path are separated by zero bytes.
    pub(crate) fn property(&self, path: &[u8]) -> Option<&[u8]> {
        // SAFETY: the host reads the path before it returns; both pointers are valid for writing.
        self.bytes(|data, size| unsafe { abi::proxy_get_property(path.as_ptr(), path.len(), data, size) })
    }

    /// The value of a key that all workers share, and its version.
    pub(super) fn shared_data(&self, key: &[u8]) -> Option<(&[u8], u32)> {
        let mut version = 0;
        let bytes = self.bytes(|data, size| {
            // SAFETY: the host reads the key before it returns; all pointers are valid for writing.
            unsafe { abi::proxy_get_shared_data(key.as_ptr(), key.len(), data, size, &raw mut version) }
        });
        // An empty value is returned as a null pointer; version 0 is none.
        (version != 0).then_some((bytes.unwrap_or_default(), version))
    }

    /// Replaces a shared value; the host's status.
    pub(super) fn set_shared_data(&self, key: &[u8], value: &[u8], cas: u32) -> u32 {
        // SAFETY: the host copies both before it returns.
        unsafe { abi::proxy_set_shared_data(key.as_ptr(), key.len(), value.as_ptr(), value.len(), cas) }
    }

    /// Answers the request in place of the upstream.
    pub(crate) fn respond<'h>(
        &self,
        status: u32,
        details: &str,
        headers: impl Iterator<Item = (&'h str, &'h str)> + Clone,
        body: &str,
        grpc_status: i32,
    ) {
        let headers = pairs::encode(headers);
        // SAFETY: the host copies all of it before it returns.
        unsafe {
            abi::proxy_send_local_response(
                status,
                details.as_ptr(),
                details.len(),
                body.as_ptr(),
                body.len(),
                headers.as_ptr(),
                headers.len(),
                grpc_status,
            )
        };
    }

    /// The metric of this name, made if it is new.
    pub(crate) fn define_metric(&self, kind: MetricKind, name: &str) -> Option<u32> {
        let mut id = 0;
        // SAFETY: the host reads the name before it returns; the pointer is valid for writing.
        let status = unsafe { abi::proxy_define_metric(kind as u32, name.as_ptr(), name.len(), &raw mut id) };
        (status == abi::OK).then_some(id)
    }

    /// Adds to a metric.
    pub(crate) fn add_metric(&self, id: u32, offset: i64) {
        // SAFETY: no memory is involved.
        unsafe { abi::proxy_increment_metric(id, offset) };
    }

    /// Whether a context still exists; afterwards the host acts for it until told otherwise.
    pub(crate) fn act_for(&self, context: u32) -> bool {
        // SAFETY: no memory is involved.
        unsafe { abi::proxy_set_effective_context(context) == abi::OK }
    }

    /// Bytes from the host's random source.
    pub(crate) fn random(&self) -> Option<[u8; 16]> {
        let mut bytes = [0; 16];
        // SAFETY: the buffer is as long as it is said to be.
        let status = unsafe { abi::random_get(bytes.as_mut_ptr(), bytes.len()) };
        (status == abi::OK).then_some(bytes)
    }

    /// Bytes that the host puts into the arena.
    fn bytes(&self, get: impl FnOnce(*mut *mut u8, *mut usize) -> u32) -> Option<&[u8]> {
        let (mut data, mut size) = (ptr::null_mut(), 0);
        if get(&raw mut data, &raw mut size) != abi::OK || data.is_null() {
            return None;
        }
        // SAFETY: the host wrote `size` bytes where `proxy_on_memory_allocate` told it to; they stay until the next
        // callback, and this call's lifetime ends before.
        Some(unsafe { slice::from_raw_parts(data, size) })
    }
}

impl Clock for Call {
    fn monotonic(&self) -> Nanos {
        let mut time = 0;
        // SAFETY: the pointer is valid for writing.
        unsafe { abi::clock_time_get(abi::CLOCK_MONOTONIC, 1, &raw mut time) };
        Nanos(time)
    }

    fn wall(&self) -> UnixNanos {
        let mut time = 0;
        // SAFETY: the pointer is valid for writing.
        unsafe { abi::proxy_get_current_time_nanoseconds(&raw mut time) };
        UnixNanos(time)
    }
}
