use super::*;

const LIMITED: Expected = Expected { status: 429, fields: &["x-ratelimit-limit", "ratelimit"] };
const WHOLE: &[u8] =
    b"HTTP/1.1 429 Too Many Requests\r\nRateLimit: \"a\";r=0\r\nx-ratelimit-limit: 1\r\ncontent-length: 3\r\n\r\nno\n";

#[test]
fn a_response_is_whole_with_its_body() {
    assert_eq!(Expected::check(Some(&LIMITED), WHOLE).unwrap(), Some(WHOLE.len()));
    for end in 0..WHOLE.len() {
        assert_eq!(Expected::check(Some(&LIMITED), &WHOLE[..end]).unwrap(), None, "{end} bytes");
    }
}

#[test]
fn another_status_is_a_fault() {
    let expected = Expected { status: 200, ..LIMITED };
    assert!(Expected::check(Some(&expected), WHOLE).is_err());
}

#[test]
fn a_field_missing_or_too_many_is_a_fault() {
    for fields in [&["ratelimit"][..], &[], &["x-ratelimit-limit", "ratelimit", "ratelimit-policy"]] {
        assert!(Expected::check(Some(&Expected { fields, ..LIMITED }), WHOLE).is_err(), "{fields:?}");
    }
}

#[test]
fn without_a_length_nothing_can_be_told() {
    let endless = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    assert!(Expected::check(None, endless).is_err());
}

#[test]
fn any_response_will_do_where_none_is_expected() {
    assert_eq!(Expected::check(None, WHOLE).unwrap(), Some(WHOLE.len()));
}
