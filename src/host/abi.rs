//! Imports, as the host defines them. Every function returns a status; sizes and addresses are 32 bits in the host.

/// The one status that is good everywhere.
pub(super) const OK: u32 = 0;
/// Another version is in place.
pub(super) const CAS_MISMATCH: u32 = 8;

pub(super) const MAP_REQUEST_HEADERS: u32 = 0;
pub(super) const MAP_RESPONSE_HEADERS: u32 = 2;
pub(super) const MAP_RESPONSE_TRAILERS: u32 = 3;
pub(super) const STREAM_REQUEST: u32 = 0;
pub(super) const BUFFER_PLUGIN_CONFIGURATION: u32 = 7;
pub(super) const CLOCK_MONOTONIC: u32 = 1;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    pub(super) fn proxy_log(level: u32, text: *const u8, size: usize) -> u32;
    pub(super) fn proxy_get_current_time_nanoseconds(time: *mut u64) -> u32;
    pub(super) fn proxy_get_buffer_bytes(
        buffer: u32,
        start: usize,
        length: usize,
        data: *mut *mut u8,
        size: *mut usize,
    ) -> u32;
    pub(super) fn proxy_get_header_map_pairs(map: u32, data: *mut *mut u8, size: *mut usize) -> u32;
    pub(super) fn proxy_replace_header_map_value(
        map: u32,
        name: *const u8,
        name_size: usize,
        value: *const u8,
        value_size: usize,
    ) -> u32;
    pub(super) fn proxy_get_header_map_value(
        map: u32,
        name: *const u8,
        name_size: usize,
        data: *mut *mut u8,
        size: *mut usize,
    ) -> u32;
    pub(super) fn proxy_set_property(path: *const u8, path_size: usize, value: *const u8, value_size: usize) -> u32;
    pub(super) fn proxy_continue_stream(stream: u32) -> u32;
    pub(super) fn proxy_set_tick_period_milliseconds(period: u32) -> u32;
    pub(super) fn proxy_get_property(path: *const u8, path_size: usize, data: *mut *mut u8, size: *mut usize) -> u32;
    pub(super) fn proxy_get_shared_data(
        key: *const u8,
        key_size: usize,
        data: *mut *mut u8,
        size: *mut usize,
        cas: *mut u32,
    ) -> u32;
    pub(super) fn proxy_set_shared_data(
        key: *const u8,
        key_size: usize,
        value: *const u8,
        value_size: usize,
        cas: u32,
    ) -> u32;
    pub(super) fn proxy_send_local_response(
        status: u32,
        details: *const u8,
        details_size: usize,
        body: *const u8,
        body_size: usize,
        headers: *const u8,
        headers_size: usize,
        grpc_status: i32,
    ) -> u32;
    pub(super) fn proxy_define_metric(kind: u32, name: *const u8, name_size: usize, id: *mut u32) -> u32;
    pub(super) fn proxy_increment_metric(id: u32, offset: i64) -> u32;
    pub(super) fn proxy_set_effective_context(context: u32) -> u32;
}

#[link(wasm_import_module = "wasi_snapshot_preview1")]
unsafe extern "C" {
    pub(super) fn clock_time_get(clock: u32, precision: u64, time: *mut u64) -> u32;
    pub(super) fn random_get(buffer: *mut u8, size: usize) -> u32;
}
