use std::net::{AddrParseError, IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::{PrefixLengths, Source, unembed};

#[test]
fn addresses_are_read_with_port_or_without() -> Result<(), AddrParseError> {
    for (text, ip, forwarded) in [
        ("1.2.3.4:5678", "1.2.3.4", false),
        ("1.2.3.4:0", "1.2.3.4", true),
        ("1.2.3.4", "1.2.3.4", true),
        ("[2001:db8::1]:443", "2001:db8::1", false),
        ("[2001:db8::1]:0", "2001:db8::1", true),
        ("[2001:db8::1]", "2001:db8::1", true),
        ("2001:0DB8:0:0:0:0:0:1", "2001:db8::1", true),
        ("[fe80::1%eth0]:99", "fe80::1", false),
        ("fe80::1%eth0.5", "fe80::1", true),
        ("::ffff:1.2.3.4", "1.2.3.4", true),
        ("[::ffff:102:304]:7", "1.2.3.4", false),
        ("[64:ff9b::1.2.3.4]:7", "1.2.3.4", false),
        ("[::1]:7", "::1", false),
        ("1.2.3.4:65535", "1.2.3.4", false),
    ] {
        let expected = Source { ip: ip.parse()?, forwarded };
        assert_eq!(Source::parse(text.as_bytes()), Some(expected), "{text}");
    }
    Ok(())
}

#[test]
fn what_is_no_address_is_none() {
    for text in [
        "",
        " ",
        "not-an-ip",
        "unix:/tmp/x",
        "@internal",
        "/tmp/x.sock",
        "envoy://internal/x",
        "1.2.3",
        "1.2.3.4:",
        "1.2.3.4:+5",
        "1.2.3.4:65536",
        "1.2.3.4:x",
        " 1.2.3.4",
        "01.2.3.4",
        "1.2.3.4:5:6",
        "[1.2.3.4]:5",
        "[::1",
        "[::1]5",
        "[::1]:",
        "[::1]:-1",
        "::1]",
        "[fe80::1%]:1",
        "%eth0",
        "1.2.3.4%eth0",
        "example.com:80",
        ":80",
        "::g",
    ] {
        assert_eq!(Source::parse(text.as_bytes()), None, "{text}");
    }
    assert_eq!(Source::parse(b"\xff\xfe"), None);
}

#[test]
fn only_translators_addresses_hold_an_ipv4_address() -> Result<(), AddrParseError> {
    for (v6, v4) in [("::ffff:10.0.0.1", "10.0.0.1"), ("64:ff9b::8.8.8.8", "8.8.8.8")] {
        assert_eq!(unembed(v6.parse()?), v4.parse::<IpAddr>()?);
    }
    for v6 in
        ["::1", "::", "::1.2.3.4", "64:ff9b:1::1.2.3.4", "64:ff9b::1:1.2.3.4", "2002:102:304::1", "::fffe:1.2.3.4"]
    {
        let ip: IpAddr = v6.parse()?;
        assert_eq!(unembed(ip), ip);
    }
    Ok(())
}

#[test]
fn a_client_is_a_network() -> Result<(), AddrParseError> {
    let net = |ip: &str, v4, v6| Ok::<_, AddrParseError>(PrefixLengths { v4, v6 }.client(ip.parse()?));
    let standard = PrefixLengths::default();
    assert_eq!(standard, PrefixLengths { v4: 32, v6: 64 });
    assert_eq!(standard.client("2001:db8:0:1::1".parse()?), standard.client("2001:0DB8:0:1:ffff:0:0:5".parse()?));
    assert_ne!(standard.client("2001:db8:0:1::1".parse()?), standard.client("2001:db8:0:2::1".parse()?));
    assert_ne!(standard.client("192.0.2.1".parse()?), standard.client("192.0.2.2".parse()?));
    assert_eq!(standard.client("::ffff:192.0.2.1".parse()?), standard.client("192.0.2.1".parse()?));
    assert_eq!(net("192.0.2.77", 24, 64)?.network(), "192.0.2.0".parse::<IpAddr>()?);
    assert_eq!(net("2001:db8:ffff::1", 32, 33)?.network(), "2001:db8:8000::".parse::<IpAddr>()?);
    for lengths in [0, 32, 128, 255] {
        let bytes = net("255.255.255.255", lengths, 64)?.to_bytes();
        assert_eq!(bytes.iter().map(|b| b.count_ones()).sum::<u32>(), 1 + u32::from(lengths.min(32)));
        let bytes = net("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 32, lengths)?.to_bytes();
        assert_eq!(bytes.iter().map(|b| b.count_ones()).sum::<u32>(), 2 + u32::from(lengths.min(128)));
    }
    assert_eq!(net("1.2.3.4", 32, 64)?.to_bytes(), [4, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_ne!(net("1.2.3.4", 32, 128)?.to_bytes(), net("102:304::", 32, 128)?.to_bytes());
    Ok(())
}

/// Bit by bit, where the code masks.
fn same_network(a: &[u8], b: &[u8], length: u8) -> bool {
    let bits = |bytes: &[u8]| -> Vec<u8> {
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1)).take(length.into()).collect()
    };
    bits(a) == bits(b)
}

proptest! {
    #[test]
    fn every_socket_address_is_read(bits: u128, v4: u32, port: u16) {
        for ip in [IpAddr::V6(Ipv6Addr::from_bits(bits)), IpAddr::V4(Ipv4Addr::from_bits(v4))] {
            let text = std::net::SocketAddr::new(ip, port).to_string();
            prop_assert_eq!(Source::parse(text.as_bytes()), Some(Source { ip: unembed(ip), forwarded: port == 0 }));
            prop_assert_eq!(Source::parse(ip.to_string().as_bytes()), Some(Source { ip: unembed(ip), forwarded: true }));
        }
    }

    #[test]
    fn never_panics(text in prop_oneof![any::<Vec<u8>>(), "[\\[\\]:%.0-9a-f]{0,20}".prop_map(String::into_bytes)]) {
        let _ = Source::parse(&text);
    }

    #[test]
    fn networks_agree_bit_by_bit(a: u128, flip in 0_u32..128, v6 in 0_u8..=128, a4: u32, flip4 in 0_u32..32, v4 in 0_u8..=32) {
        let lengths = PrefixLengths { v4, v6 };
        let b = a ^ 1_u128 << flip;
        let same = lengths.client(IpAddr::V6(a.into())).to_bytes() == lengths.client(IpAddr::V6(b.into())).to_bytes();
        prop_assert_eq!(same, same_network(&a.to_be_bytes(), &b.to_be_bytes(), v6));
        let b4 = a4 ^ 1_u32 << flip4;
        let same = lengths.client(IpAddr::V4(a4.into())).to_bytes() == lengths.client(IpAddr::V4(b4.into())).to_bytes();
        prop_assert_eq!(same, same_network(&a4.to_be_bytes(), &b4.to_be_bytes(), v4));
    }
}
