use super::*;
use crate::time::{Nanos, SECOND};

#[test]
fn reads_every_unit() {
    for (text, tokens, seconds) in [
        ("5/second", 5, 1),
        ("5/s", 5, 1),
        ("5/minute", 5, 60),
        ("5/m", 5, 60),
        ("1000/hour", 1000, 3_600),
        ("1000/h", 1000, 3_600),
        ("7/day", 7, 86_400),
        ("7/d", 7, 86_400),
        ("300/5m", 300, 300),
        ("1/2s", 1, 2),
        ("1/365d", 1, 365 * 86_400),
        ("1000000000000/day", MAX_TOKENS, 86_400),
    ] {
        assert_eq!(Rate::parse(text), Rate::new(tokens, Nanos(seconds * SECOND)), "{text}");
        assert_eq!(Rate::parse(text).unwrap().window_seconds(), seconds);
    }
}

#[test]
fn refuses_everything_else() {
    use RateError::{Period, Syntax, Tokens};
    for (text, error) in [
        ("", Syntax),
        ("5", Syntax),
        ("/s", Syntax),
        ("5/", Syntax),
        ("5 per min", Syntax),
        ("5/min", Syntax),
        ("5/minutes", Syntax),
        ("5/5minute", Syntax),
        ("5/M", Syntax),
        (" 5/s", Syntax),
        ("5 /s", Syntax),
        ("+5/s", Syntax),
        ("-5/s", Syntax),
        ("5.5/s", Syntax),
        ("1e3/s", Syntax),
        ("5/s/s", Syntax),
        ("5/1.5s", Syntax),
        ("٣/s", Syntax),
        ("0/s", Tokens),
        ("1000000000001/s", Tokens),
        ("99999999999999999999/s", Tokens),
        ("5/0s", Period),
        ("5/366d", Period),
        ("5/99999999999999999999s", Period),
        ("5/9999999999999999999s", Period),
        ("5/999999999999999999d", Period),
    ] {
        assert_eq!(Rate::parse(text), Err(error), "{text}");
    }
}

#[test]
fn a_burst_goes_with_its_rate() {
    let rate = |text| Rate::parse(text).unwrap();
    assert_eq!(Quota::new(rate("5/m"), None).unwrap().burst(), 5);
    assert_eq!(Quota::new(rate("5/m"), Some(0)), Err(QuotaError::Burst));
    assert_eq!(Quota::new(rate("5/m"), Some(MAX_TOKENS + 1)), Err(QuotaError::Burst));
    assert_eq!(Quota::new(rate("1/365d"), Some(11)), Err(QuotaError::Refill));
    assert!(Quota::new(rate("1/365d"), Some(10)).is_ok());
    assert_eq!(Quota::new(rate("5/m"), Some(3)).unwrap().shown_limit(), 5);
    assert_eq!(Quota::new(rate("5/m"), Some(10)).unwrap().shown_limit(), 10);
}
