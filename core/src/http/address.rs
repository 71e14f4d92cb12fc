//! Client addresses.

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a request came from, as Envoy says in `source.address`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The address; an IPv4 address inside an IPv6 one is IPv4 here.
    pub ip: IpAddr,
    /// Whether it is hearsay: an address without a port was taken from a header, and not from a connection.
    pub forwarded: bool,
}

impl Source {
    /// Reads `192.0.2.1:5678` or `[2001:db8::1]:443`, the port being optional, as are the brackets without one. A scope
    /// (`%eth0`) is dropped. None for anything else, a Unix socket among it.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let (ip, port) = split_port(text)?;
        Some(Self { ip: unembed(ip), forwarded: port == 0 })
    }
}

/// How many leading bits of an address make one client. More than an address has means all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrefixLengths {
    /// Of an IPv4 address, 0 to 32.
    pub v4: u8,
    /// Of an IPv6 address, 0 to 128.
    pub v6: u8,
}

impl Default for PrefixLengths {
    /// One IPv4 address; one IPv6 network of the size a site is given at least.
    fn default() -> Self {
        Self { v4: 32, v6: 64 }
    }
}

impl PrefixLengths {
    /// The network of `ip` that counts as one client.
    #[must_use]
    pub fn client(self, ip: IpAddr) -> ClientNet {
        ClientNet {
            network: match unembed(ip) {
                IpAddr::V4(ip) => {
                    let host_bits = 32_u32.saturating_sub(self.v4.into());
                    let mask = u32::MAX.checked_shl(host_bits).unwrap_or(0);
                    IpAddr::V4(Ipv4Addr::from_bits(ip.to_bits() & mask))
                }
                IpAddr::V6(ip) => {
                    let host_bits = 128_u32.saturating_sub(self.v6.into());
                    let mask = u128::MAX.checked_shl(host_bits).unwrap_or(0);
                    IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & mask))
                }
            },
        }
    }
}

/// The network that counts as one client: equal for all of its addresses, however they were spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientNet {
    network: IpAddr,
}

impl ClientNet {
    /// The network's address, host bits zero.
    #[must_use]
    pub const fn network(self) -> IpAddr {
        self.network
    }

    /// For hashing: the family (4 or 6), then the address in network order, filled up with zeros. Always 17 bytes, so
    /// that no two networks have one form.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 17] {
        let (family, bits) = match self.network {
            IpAddr::V4(ip) => (4, u128::from(ip.to_bits()) << 96),
            IpAddr::V6(ip) => (6, ip.to_bits()),
        };
        let mut bytes = [family; 17];
        let [_, address @ ..] = &mut bytes;
        *address = bits.to_be_bytes();
        bytes
    }
}

/// The IPv4 address inside an IPv6 one, where a translator put it there: mapped, `::ffff:0:0/96` (RFC 4291 §2.5.5.2),
/// or behind NAT64's well-known prefix, `64:ff9b::/96` (RFC 6052 §2.1). Other addresses stay as they are; so do those
/// of `64:ff9b:1::/48` (RFC 8215), where each site chooses how long its prefix is and so where the IPv4 bits lie.
#[must_use]
pub fn unembed(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = ip else {
        return ip;
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            IpAddr::V4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        _ => ip,
    }
}

/// The address and the port, 0 where there is none.
fn split_port(text: &str) -> Option<(IpAddr, u16)> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (ip, rest) = bracketed.split_once(']')?;
        let port = if rest.is_empty() { 0 } else { parse_port(rest.strip_prefix(':')?)? };
        return Some((parse_v6(ip)?, port));
    }
    match text.split_once(':') {
        None => Some((IpAddr::V4(text.parse().ok()?), 0)),
        Some((_, rest)) if rest.contains(':') => Some((parse_v6(text)?, 0)),
        Some((ip, port)) => Some((IpAddr::V4(ip.parse().ok()?), parse_port(port)?)),
    }
}

fn parse_v6(text: &str) -> Option<IpAddr> {
    let ip = match text.split_once('%') {
        Some((_, "")) => return None,
        Some((ip, _scope)) => ip,
        None => text,
    };
    Some(IpAddr::V6(ip.parse().ok()?))
}

fn parse_port(text: &str) -> Option<u16> {
    // The library's own reading admits a sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}
