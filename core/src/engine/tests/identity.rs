use super::*;
use crate::engine::caller::CallerKind;

const BY_KEY: &str =
    r#"{"client": [{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}], "limits": ["5/h"]}"#;

fn with(fields: &[(&'static str, &str)]) -> Written {
    request("GET /", fields)
}

#[test]
fn the_first_source_that_yields_a_value_names_the_caller() {
    let mut service = Service::new(BY_KEY);
    for (fields, kind) in [
        (&[("authorization", "Bearer K"), ("x-api-key", "K")][..], CallerKind::Bearer),
        (&[("authorization", "Basic K"), ("x-api-key", "K")], CallerKind::Header),
        (&[("x-api-key", " \t"), ("cookie", "a=b; session=K")], CallerKind::Cookie),
        (&[("cookie", "sessions=K")], CallerKind::Ip),
        (&[], CallerKind::Ip),
    ] {
        assert_eq!(service.decide(&with(fields)).client, Some(kind), "{fields:?}");
    }
}

#[test]
fn equal_values_of_different_sources_are_different_callers() {
    let mut service = Service::new(BY_KEY);
    for fields in [
        &[("authorization", "Bearer 192.0.2.1")][..],
        &[("x-api-key", "192.0.2.1")],
        &[("cookie", "session=192.0.2.1")],
        &[],
    ] {
        assert_eq!(service.allowed(&with(fields), 9), 5, "{fields:?}");
    }
}

#[test]
fn a_credential_given_twice_names_nobody() {
    let mut service = Service::new(BY_KEY);
    let mut allowed = 0;
    for n in 0..12 {
        let rotating = n.to_string();
        allowed += service.allowed(&with(&[("x-api-key", &rotating), ("x-api-key", "fixed")]), 1);
        allowed += service.allowed(&with(&[("x-api-key", "fixed"), ("x-api-key", &rotating)]), 1);
        allowed += service.allowed(&with(&[("cookie", &format!("session={n}")), ("cookie", "session=x")]), 1);
        allowed += service.allowed(&with(&[("authorization", &format!("Bearer {n}, Bearer x"))]), 1);
    }
    assert_eq!(allowed, 5, "all of them share the address's bucket");
}

/// The upstream may well read the repeated one; so no later source, which the caller may vary, takes its place.
#[test]
fn what_is_given_twice_is_not_made_up_for_by_a_later_source() {
    let twice: [&[(&str, &str)]; 4] = [
        &[("authorization", "Bearer K"), ("authorization", "Bearer K")],
        &[("authorization", "Bearer K,Bearer K")],
        &[("x-api-key", "K"), ("x-api-key", "K")],
        &[("authorization", "Basic eA==,Bearer K")],
    ];
    let mut service = Service::new(BY_KEY);
    let mut allowed = 0;
    for n in 0..12 {
        let (key, cookie) = (format!("key-{n}"), format!("session={n}"));
        for fields in twice {
            allowed += service.allowed(&with(&[fields, &[("cookie", &cookie)]].concat()), 1);
        }
        allowed += service.allowed(&with(&[twice[1], &[("x-api-key", &key)]].concat()), 1);
    }
    assert_eq!(allowed, 5);
    assert_eq!(
        service.allowed(&with(&[("authorization", "Basic QTpC"), ("x-api-key", "K")]), 9),
        5,
        "no bearer at all"
    );
    assert_eq!(service.allowed(&with(&[&[("x-api-key", "first")], twice[2]].concat()), 1), 0);
}

#[test]
fn spellings_of_one_token_are_one_caller() {
    let mut service = Service::new(BY_KEY);
    let spellings = ["Bearer K", "bearer K", "BEARER K", "Bearer   K", "\tBearer K\t"];
    let allowed: usize = spellings.iter().map(|text| service.allowed(&with(&[("authorization", text)]), 4)).sum();
    assert_eq!(allowed, 5);
    assert_eq!(service.allowed(&with(&[("authorization", "Bearer k")]), 1), 1, "a token's case counts");
}

#[test]
fn an_address_is_a_network_without_a_port() {
    let mut service = Service::new(r#"{"limits": [{"rate": "5/h", "per": ["ip"]}]}"#);
    for group in [
        &["192.0.2.1:1", "192.0.2.1:65535", "192.0.2.1", "[::ffff:192.0.2.1]:80", "[64:ff9b::c000:201]:9"][..],
        &["[2001:db8:0:1::1]:1", "[2001:0DB8:0:1:ffff::5]:2"],
        &["[2001:db8:0:2::1]:1"],
        &["192.0.2.2:1"],
        // No address at all (a Unix socket, or nonsense): one bucket, not none.
        &["", "/run/socket", "not-an-ip"],
    ] {
        let allowed: usize = group.iter().map(|address| service.allowed(&get("/").from(address), 9)).sum();
        assert_eq!(allowed, 5, "{group:?}");
    }
}

#[test]
fn an_address_from_a_header_is_counted_and_reported() {
    let config = |trust| format!(r#"{{"limits": ["5/h"], "ip": {{"trust_forwarded": {trust}}}}}"#);
    for (trust, address, reported) in
        [(false, "192.0.2.1:0", true), (true, "192.0.2.1:0", false), (false, "192.0.2.1:7", false)]
    {
        let mut service = Service::new(&config(trust));
        assert_eq!(service.decide(&get("/").from(address)).forwarded, reported);
    }
}

#[test]
fn a_missing_part_is_counted_by_address_apart_from_every_value() {
    let mut service = Service::new(r#"{"limits": [{"rate": "2/h", "per": ["header:x-tenant"]}]}"#);
    let tenant = |value: &str| with(&[("x-tenant", value)]);
    assert_eq!(service.allowed(&with(&[]), 5), 2);
    assert_eq!(
        service.allowed(&tenant(""), 5) + service.allowed(&tenant("  "), 5),
        0,
        "absent, empty and blank are one"
    );
    assert_eq!(service.allowed(&with(&[("x-tenant", "a"), ("x-tenant", "b")]), 5), 0);
    assert_eq!(service.allowed(&with(&[]).from("192.0.2.9:1"), 5), 2);
    assert_eq!(service.allowed(&tenant("192.0.2.1"), 5), 2);
}

#[test]
fn any_bytes_are_a_value() {
    let mut service = Service::new(r#"{"client": [{"header": "x-api-key"}], "limits": ["2/h"]}"#);
    let bytes = |value: &[u8]| {
        let mut request = with(&[("x-api-key", "")]);
        request.fields.last_mut().unwrap().1 = value.to_vec();
        request
    };
    assert_eq!(service.allowed(&bytes(b"\xff\xfe\xc0\xa7"), 5), 2);
    assert_eq!(service.allowed(&bytes(b"\xff\xfe\xc0\xa8"), 5), 2);
    assert_eq!(service.allowed(&bytes(&[b'k'; 60 * 1024]), 5), 2);
}
