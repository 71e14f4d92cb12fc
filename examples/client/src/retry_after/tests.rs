use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::parse;

/// Sun, 06 Nov 1994 08:49:37 GMT.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(784_111_777)
}

#[test]
fn seconds_are_read() {
    for (text, seconds) in [("0", 0), ("1", 1), (" 12\t", 12), ("007", 7), ("18446744073709551616", u64::MAX)] {
        assert_eq!(parse(text, now()), Some(Duration::from_secs(seconds)), "{text}");
    }
}

#[test]
fn a_date_in_each_of_its_three_forms_is_read() {
    for text in ["Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994"] {
        assert_eq!(parse(text, now()), Some(Duration::from_secs(30)), "{text}");
    }
}

#[test]
fn a_date_that_has_passed_is_no_wait() {
    assert_eq!(parse("Sun, 06 Nov 1994 08:49:00 GMT", now()), Some(Duration::ZERO));
}

#[test]
fn anything_else_says_nothing() {
    for text in ["", " ", "-1", "+1", "1.5", "1s", "1, 2", "soon", "0x10", "١", "Sun, 32 Nov 1994 08:49:37 GMT"] {
        assert_eq!(parse(text, now()), None, "{text}");
    }
}
