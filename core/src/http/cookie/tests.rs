use proptest::prelude::*;

use super::{Single, cookie};

fn session<'a>(headers: &[&'a str]) -> Single<'a> {
    cookie(headers.iter().map(|header| header.as_bytes()), b"session")
}

#[test]
fn a_cookie_is_found_among_others() {
    for headers in [
        ["session=K"].as_slice(),
        &["a=1; session=K; b=2"],
        &["a=1;session=K"],
        &[" session = K "],
        &["a=1", "session=K", "b=2"],
        &["session=\"K\""],
        &["session; session=K"],
        &["xsession=no; Session=no; session=K; sessions=no"],
    ] {
        assert_eq!(session(headers), Single::One(b"K"), "{headers:?}");
    }
    assert_eq!(session(&["session=a=b=="]), Single::One(b"a=b=="));
    assert_eq!(session(&["session=\"\"K\"\""]), Single::One(b"\"K\""));
    assert_eq!(session(&["session=\"K"]), Single::One(b"\"K"));
    assert_eq!(session(&["session=\""]), Single::One(b"\""));
}

#[test]
fn none_or_a_blank_one_is_no_value() {
    for headers in [
        [].as_slice(),
        &[""],
        &["a=1"],
        &["session"],
        &["session="],
        &["session=\"\""],
        &["session=\" \""],
        &["session=; a=1"],
        &["=session"],
    ] {
        assert_eq!(session(headers).value(), None, "{headers:?}");
        assert_ne!(session(headers), Single::Repeated, "{headers:?}");
    }
}

#[test]
fn given_twice_it_names_nobody() {
    for headers in [
        ["session=a; session=b"].as_slice(),
        &["session=a; session=a"],
        &["session=a", "session=b"],
        &["session=a; session="],
        &["session=", "session=a"],
    ] {
        assert_eq!(session(headers), Single::Repeated, "{headers:?}");
    }
}

proptest! {
    #[test]
    fn never_panics(headers: Vec<Vec<u8>>, name: Vec<u8>) {
        if let Single::One(value) = cookie(headers.iter().map(Vec::as_slice), &name) {
            prop_assert!(!value.is_empty());
        }
    }

    #[test]
    fn finds_what_was_put_in(value in "[!#-+./0-:<-\\[\\]-~-]{1,20}", before in "([a-m]=[a-z]{0,3}; ){0,3}", after in "(; [a-m]=[a-z]{0,3}){0,3}") {
        let header = format!("{before}session={value}{after}");
        prop_assert_eq!(session(&[&header]), Single::One(value.as_bytes()));
    }
}
