use super::*;

#[test]
fn grpc_goes_before_what_is_accepted() {
    let problem = [&b"application/problem+json"[..]];
    for (content_type, accept, format) in [
        (None, &[][..], Format::Json),
        (None, &problem[..], Format::Problem),
        (Some("application/json"), &problem, Format::Problem),
        (Some("application/grpc-web"), &[], Format::Json),
        (Some("application/grpc+proto"), &problem, Format::Grpc),
    ] {
        let negotiated = Format::negotiate(content_type.map(str::as_bytes), accept.iter().copied());
        assert_eq!(negotiated, format, "{content_type:?}");
    }
}
