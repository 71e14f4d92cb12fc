use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Cidr, CidrSet};

fn cidr(text: &str) -> Cidr {
    Cidr::parse(text).unwrap_or_else(|fault| panic!("{fault}"))
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn networks_and_single_addresses_are_read() {
    for (text, shown) in [
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("192.0.2.7/32", "192.0.2.7/32"),
        ("192.0.2.7", "192.0.2.7/32"),
        ("2001:DB8:0::/32", "2001:db8::/32"),
        ("::/0", "::/0"),
        ("::1", "::1/128"),
        ("fe80::/10", "fe80::/10"),
    ] {
        assert_eq!(cidr(text).to_string(), shown);
    }
}

#[test]
fn a_refusal_names_what_was_meant() {
    let form = "a network such as 10.0.0.0/8 or 2001:db8::/32";
    for (text, expected) in [
        ("", form),
        ("/8", form),
        ("10.0.0.0/", form),
        ("10.0.0.0/+8", form),
        ("10.0.0.0/08", form),
        ("10.0.0.0/8/8", form),
        ("10.0.0.0/255.0.0.0", form),
        ("10.0.0.0/999", form),
        ("10.0.0/8", form),
        ("010.0.0.0/8", form),
        ("10.0.0.0 /8", form),
        ("[::1]/128", form),
        ("fe80::1%eth0/64", form),
        ("localhost", form),
        ("10.0.0.0/33", "a prefix of 0 to 32 bits"),
        ("::/129", "a prefix of 0 to 128 bits"),
        ("10.1.2.3/8", "10.0.0.0/8 (no bits beyond the prefix)"),
        ("1.2.3.4/0", "0.0.0.0/0 (no bits beyond the prefix)"),
        ("2001:db8::1/64", "2001:db8::/64 (no bits beyond the prefix)"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8 (an IPv4 address inside an IPv6 one counts as IPv4)"),
        ("::ffff:10.1.0.0/104", "10.0.0.0/8 (an IPv4 address inside an IPv6 one counts as IPv4)"),
        ("::ffff:1.2.3.4", "1.2.3.4/32 (an IPv4 address inside an IPv6 one counts as IPv4)"),
        ("64:ff9b::/96", "0.0.0.0/0 (an IPv4 address inside an IPv6 one counts as IPv4)"),
    ] {
        let fault = Cidr::parse(text).expect_err(text);
        assert_eq!(fault.to_string(), format!("expected {expected}, got {text:?}"));
    }
}

#[test]
fn borders_belong_to_the_network() {
    let set: CidrSet = [cidr("10.0.0.0/8"), cidr("192.0.2.4/31"), cidr("2001:db8::/33")].iter().collect();
    for (address, inside) in [
        ("9.255.255.255", false),
        ("10.0.0.0", true),
        ("10.255.255.255", true),
        ("11.0.0.0", false),
        ("192.0.2.3", false),
        ("192.0.2.4", true),
        ("192.0.2.5", true),
        ("192.0.2.6", false),
        ("2001:db8::", true),
        ("2001:db8:7fff:ffff:ffff:ffff:ffff:ffff", true),
        ("2001:db8:8000::", false),
        ("::10.0.0.1", false),
    ] {
        assert_eq!(set.contains(ip(address)), inside, "{address}");
    }
}

#[test]
fn an_embedded_address_is_ipv4() {
    for inner in ["::ffff:10.1.2.3", "64:ff9b::10.1.2.3"] {
        assert!(cidr("10.0.0.0/8").contains(ip(inner)), "{inner}");
        assert!(!cidr("::/0").contains(ip(inner)), "{inner}");
        let everything_else: CidrSet = [cidr("::/0")].iter().collect();
        assert!(!everything_else.contains(ip(inner)), "{inner}");
    }
    assert!(!cidr("0.0.0.0/0").contains(ip("2001:db8::1")));
}

#[test]
fn nothing_holds_nobody() {
    assert!(!CidrSet::default().contains(ip("10.0.0.1")));
    assert!(!CidrSet::default().contains(ip("::1")));
}

/// Networks and addresses near each other.
fn near_v4() -> impl Strategy<Value = (u32, u8)> {
    (prop_oneof![0..64_u32, any::<u32>(), (0..64_u32).prop_map(|low| u32::MAX - low)], 0..=32_u8)
}

proptest! {
    #[test]
    fn a_set_holds_what_one_of_its_networks_holds(
        v4 in vec(near_v4(), 0..12),
        v6 in vec((prop_oneof![0..64_u128, any::<u128>()], 0..=128_u8), 0..12),
        ask_v4 in vec(near_v4(), 1..20),
        ask_v6 in vec(prop_oneof![0..64_u128, any::<u128>()], 1..20),
    ) {
        let mut networks: Vec<Cidr> = Vec::new();
        for (bits, prefix) in v4 {
            networks.push(Cidr { network: IpAddr::V4(Ipv4Addr::from_bits(bits)), prefix }.masked());
        }
        for (bits, prefix) in v6 {
            networks.push(Cidr { network: IpAddr::V6(Ipv6Addr::from_bits(bits)), prefix }.masked());
        }
        let set: CidrSet = networks.iter().collect();
        let members = networks.iter().map(|cidr| cidr.network);
        let asked = ask_v4.into_iter().map(|(bits, _)| IpAddr::V4(Ipv4Addr::from_bits(bits)));
        let asked = asked.chain(ask_v6.into_iter().map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits))));
        for ip in asked.chain(members) {
            let one = networks.iter().any(|cidr| cidr.contains(ip));
            prop_assert_eq!(set.contains(ip), one, "{} in {:?}", ip, networks);
        }
    }

    #[test]
    fn what_is_shown_is_read_back(bits: u32, prefix in 0..=32_u8) {
        let cidr = Cidr { network: IpAddr::V4(Ipv4Addr::from_bits(bits)), prefix }.masked();
        prop_assert_eq!(Cidr::parse(&cidr.to_string()), Ok(cidr));
    }

    #[test]
    fn any_text_is_answered(text: String) {
        let _ = Cidr::parse(&text);
    }
}
