use proptest::prelude::*;

use super::bearer_token;

#[test]
fn every_spelling_of_the_scheme_yields_the_token() {
    for value in ["Bearer K", "bearer K", "BEARER K", "bEaReR  K", "Bearer\tK", "Bearer K\t", "  Bearer \t K  "] {
        assert_eq!(bearer_token(value.as_bytes()), Some(b"K".as_slice()), "{value}");
    }
    assert_eq!(bearer_token(b"Bearer aA0-._~+/=="), Some(b"aA0-._~+/==".as_slice()));
}

#[test]
fn anything_else_yields_none() {
    for value in [
        "",
        " ",
        "Bearer",
        "Bearer ",
        "BearerK",
        "xBearer K",
        "Bearer a,Bearer b",
        "Bearer a, Bearer b",
        "Bearer a b",
        "Bearer =",
        "Bearer a=b",
        "Bearer \"a\"",
        "Basic QTpC",
        "Bear K",
        "Bearer: K",
        "Bearer a\u{e9}",
        "Bearer a\0",
    ] {
        assert_eq!(bearer_token(value.as_bytes()), None, "{value}");
    }
    assert_eq!(bearer_token(b"Bearer \xff\xfe"), None);
}

proptest! {
    #[test]
    fn a_token_is_found_as_it_is(token in "[A-Za-z0-9._~+/-]{1,40}={0,2}", scheme in "[bB][eE][aA][rR][eE][rR]", blanks in "[ \t]{1,4}", end in "[ \t]{0,2}") {
        let value = format!("{end}{scheme}{blanks}{token}{end}");
        prop_assert_eq!(bearer_token(value.as_bytes()), Some(token.as_bytes()));
    }

    #[test]
    fn never_panics(value: Vec<u8>) {
        let with_scheme = [b"Bearer ".as_slice(), &value].concat();
        for value in [&value, &with_scheme] {
            prop_assert!(bearer_token(value).is_none_or(|token| token.is_ascii() && !token.is_empty()));
        }
    }
}
