use super::{MethodSet, PatternError, is_preflight};

#[test]
fn get_brings_head_and_nothing_else_is_guessed() -> Result<(), PatternError> {
    let set = MethodSet::parse(["GET", "PROPFIND", "GET"])?;
    for method in ["GET", "HEAD", "PROPFIND"] {
        assert!(set.contains(method.as_bytes()), "{method}");
    }
    for method in ["get", "Get", "POST", "OPTIONS", "", " GET", "GETX", "GE"] {
        assert!(!set.contains(method.as_bytes()), "{method}");
    }
    assert!(!MethodSet::parse(["HEAD"])?.contains(b"GET"));
    assert_eq!(MethodSet::parse(["GET"])?, MethodSet::parse(["GET", "HEAD"])?);
    Ok(())
}

#[test]
fn options_is_known_by_name() -> Result<(), PatternError> {
    assert!(MethodSet::parse(["POST", "OPTIONS"])?.names_options());
    assert!(!MethodSet::parse(["GET"])?.names_options());
    assert!(!MethodSet::default().names_options());
    Ok(())
}

#[test]
fn what_is_no_method_in_upper_case_is_refused() -> Result<(), PatternError> {
    for name in ["", "get", "Get", "GET ", "GET,POST", "G\u{c4}T", "A/B", "\"GET\"", "A(B)", "A=B"] {
        assert!(MethodSet::parse([name]).is_err(), "{name}");
    }
    MethodSet::parse(["VERSION-CONTROL", "M-SEARCH", "X_1", "A!#$%&'*+.^`|~"])?;
    Ok(())
}

#[test]
fn every_token_character_but_lower_case_is_a_method_character() {
    for byte in 0..=u8::MAX {
        let token = byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"!#$%&'*+-.^_`|~".contains(&byte);
        assert_eq!(super::is_method_byte(byte), token, "{byte:#x}");
    }
}

#[test]
fn a_preflight_has_all_three_marks() {
    let (origin, method) = (Some(b"https://app.test".as_slice()), Some(b"POST".as_slice()));
    assert!(is_preflight(b"OPTIONS", origin, method));
    assert!(!is_preflight(b"OPTIONS", origin, None));
    assert!(!is_preflight(b"OPTIONS", None, method));
    assert!(!is_preflight(b"GET", origin, method));
    assert!(!is_preflight(b"options", origin, method));
    assert!(!is_preflight(b"OPTIONS", Some(b" "), method));
    assert!(!is_preflight(b"OPTIONS", origin, Some(b"")));
}
