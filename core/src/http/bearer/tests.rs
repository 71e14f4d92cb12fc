use proptest::prelude::*;

use super::{Single, bearer_token, is_joined};

fn token(authorization: &[u8]) -> Single<'_> {
    bearer_token([authorization].into_iter().collect())
}

#[test]
fn every_spelling_of_the_scheme_yields_the_token() {
    for value in ["Bearer K", "bearer K", "BEARER K", "bEaReR  K", "Bearer\tK", "Bearer K\t", "  Bearer \t K  "] {
        assert_eq!(token(value.as_bytes()), Single::One(b"K"), "{value}");
    }
    assert_eq!(token(b"Bearer aA0-._~+/=="), Single::One(b"aA0-._~+/=="));
}

#[test]
fn another_scheme_or_none_is_no_token() {
    for value in ["", " ", "Bearer", "Bearer ", "BearerK", "xBearer K", "Basic QTpC", "Bear K", "Bearer: K"] {
        assert_eq!(token(value.as_bytes()).given(), None, "{value}");
    }
}

#[test]
fn what_may_be_read_in_two_ways_is_no_one_token() {
    for value in [
        "Bearer a,Bearer b",
        "Bearer a, Bearer b",
        "Bearer a b",
        "Bearer =",
        "Bearer a=b",
        "Bearer \"a\"",
        "Bearer a\u{e9}",
        "Bearer a\0",
    ] {
        assert_eq!(token(value.as_bytes()), Single::Repeated, "{value}");
    }
    assert_eq!(token(b"Bearer \xff\xfe"), Single::Repeated);
    assert_eq!(bearer_token([b"Bearer a".as_slice(), b"Bearer a"].into_iter().collect()), Single::Repeated);
}

proptest! {
    #[test]
    fn a_token_is_found_as_it_is(token in "[A-Za-z0-9._~+/-]{1,40}={0,2}", scheme in "[bB][eE][aA][rR][eE][rR]", blanks in "[ \t]{1,4}", end in "[ \t]{0,2}") {
        let value = format!("{end}{scheme}{blanks}{token}{end}");
        prop_assert_eq!(super::tests::token(value.as_bytes()), Single::One(token.as_bytes()));
    }

    #[test]
    fn never_panics(value: Vec<u8>) {
        let with_scheme = [b"Bearer ".as_slice(), &value].concat();
        for value in [&value, &with_scheme] {
            prop_assert!(token(value).value().is_none_or(|token| token.is_ascii() && !token.is_empty()));
        }
    }
}

#[test]
fn fields_that_were_joined_are_told_from_parameters() {
    for value in ["Bearer a,Bearer b", "Basic eA==,Bearer tok", "tok,z", "Bearer, x", ",", "Basic a , Basic b"] {
        assert!(is_joined(value.as_bytes()), "{value}");
    }
    for value in ["Bearer a", "Digest username=\"a\", realm=\"b\"", "AWS4-HMAC-SHA256 Credential=A/b, Signature=c", ""]
    {
        assert!(!is_joined(value.as_bytes()), "{value}");
    }
}
