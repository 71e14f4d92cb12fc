use super::{Attribute, ClientPlans, CredentialDigest, Mode};

#[test]
fn shadow_overrules() {
    for (own, top, meant) in [
        (Mode::Enforce, Mode::Enforce, Mode::Enforce),
        (Mode::Shadow, Mode::Enforce, Mode::Shadow),
        (Mode::Enforce, Mode::Shadow, Mode::Shadow),
        (Mode::Shadow, Mode::Shadow, Mode::Shadow),
    ] {
        assert_eq!(own.under(top), meant);
    }
}

#[test]
fn metadata_is_below_the_filters_metadata() {
    let path = || vec!["a.b".to_owned(), "sub".to_owned()];
    let segments = |attribute: Attribute| attribute.segments().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(segments(Attribute::Metadata(path())), ["metadata", "filter_metadata", "a.b", "sub"]);
    assert_eq!(segments(Attribute::Property(path())), ["a.b", "sub"]);
}

/// The digest of `abc` is an example of FIPS 180-4.
#[test]
fn credentials_are_found_by_digest() {
    let abc = CredentialDigest([
        0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03,
        0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
    ]);
    assert_eq!(CredentialDigest::of(b"abc"), abc);
    let clients = ClientPlans::new(vec![(CredentialDigest::of(b"x"), 0), (abc, 2), (CredentialDigest::of(b"y"), 1)]);
    let found = [&b"abc"[..], b"x", b"y", b"z", b""].map(|credential| clients.plan_of(credential));
    assert_eq!(found, [Some(2), Some(0), Some(1), None, None]);
}
