//! Client addresses.

use std::net::{IpAddr, SocketAddr};

use arbitrary::Unstructured;
use bolero::check;
use weir_core::http::address::unembed;
use weir_core::http::{PrefixLengths, Source};

#[test]
fn address_bytes() {
    check!().for_each(|bytes: &[u8]| {
        let Some(source) = Source::parse(bytes) else { return };
        assert_eq!(unembed(source.ip), source.ip);
        let written = SocketAddr::new(source.ip, u16::from(!source.forwarded)).to_string();
        assert_eq!(Source::parse(written.as_bytes()), Some(source));
    });
}

#[test]
fn address_networks() {
    check!().with_type::<(bool, u128, u16, u8, u8)>().for_each(|&(six, bits, port, v4, v6)| {
        let ip: IpAddr = if six { IpAddr::V6(bits.into()) } else { IpAddr::V4((bits as u32).into()) };
        let text = SocketAddr::new(ip, port).to_string();
        let source = Source::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(source, Source { ip: unembed(ip), forwarded: port == 0 });
        let prefix = PrefixLengths { v4, v6 };
        let net = prefix.client(ip);
        assert_eq!(net, prefix.client(source.ip), "an address inside another is one client");
        let whole = PrefixLengths { v4: 255, v6: 255 };
        assert_eq!(whole.client(ip).network(), source.ip);
        assert_eq!(net.to_bytes()[0] == 4, source.ip.is_ipv4());
    });
}

/// Text that is close to an address.
#[test]
fn address_texts() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let mut text = String::new();
        for _ in 0..source.int_in_range(0..=12).unwrap_or(0) {
            let parts =
                ["1", "25", "6", ".", ":", "::", "[", "]", "%", "eth0", "ffff", "64:ff9b::", "+", "192.0.2.1", "080"];
            text.push_str(source.choose(&parts).unwrap_or(&":"));
        }
        if let Some(source) = Source::parse(text.as_bytes()) {
            let bare = text.split('%').next().unwrap_or_default();
            assert!(text.contains('%') || text.parse::<SocketAddr>().is_ok() || source.forwarded, "{text} {bare}");
        }
    });
}
