//! Who wrote a response.

/// Whether the proxy's connection manager wrote it, from its response-code details: a broken or stalled request, or one
/// that took too long. What stands behind the filter never answered such a request, though it may have carried it out.
#[must_use]
pub fn is_from_the_front(details: &[u8]) -> bool {
    const TIMEOUTS: [&[u8]; 4] =
        [b"request_overall_timeout", b"request_header_timeout", b"stream_idle_timeout", b"max_duration_timeout"];
    const CODECS: [&[u8]; 4] = [b"http1.", b"http2.", b"http3.", b"codec_error"];
    TIMEOUTS.contains(&details) || CODECS.iter().any(|codec| details.starts_with(codec))
}

#[cfg(test)]
mod tests {
    use super::is_from_the_front;

    #[test]
    fn only_the_connection_manager_is_in_front() {
        for details in ["http1.codec_error", "http2.remote_reset", "codec_error:a", "stream_idle_timeout"] {
            assert!(is_from_the_front(details.as_bytes()), "{details}");
        }
        for details in
            ["via_upstream", "upstream_response_timeout", "jwt_authn_access_denied{a}", "direct_response", ""]
        {
            assert!(!is_from_the_front(details.as_bytes()), "{details}");
        }
    }
}
