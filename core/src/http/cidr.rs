//! Networks in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::address::unembed;
use crate::order::sorted;

/// A network: an address, host bits zero, and how many leading bits its members share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cidr {
    network: IpAddr,
    prefix: u8,
}

/// Why a network is refused. Shown as `expected …, got "…"`, to follow the field's own path in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CidrError {
    /// What would have been accepted: where that is plain, the network that must have been meant.
    pub expected: String,
    /// What was not, as configured.
    pub got: String,
}

/// Many networks, searched in one go. IPv4 and IPv6 are apart: `::/0` holds no IPv4 address, however it is spelt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CidrSet {
    // First and last members, in order, without overlap.
    v4: Vec<(u32, u32)>,
    v6: Vec<(u128, u128)>,
}

impl Cidr {
    /// Reads `10.0.0.0/8`, `2001:db8::/32`, or an address alone, which is a network of one.
    ///
    /// # Errors
    /// What is not of this form; an address with bits beyond the prefix (`10.1.2.3/8` is one host to some readers and
    /// sixteen million to others); and an IPv4 network written inside an IPv6 one: addresses in there count as IPv4, so
    /// that `64:ff9b::/96` would be every IPv4 address there is.
    pub fn parse(text: &str) -> Result<Self, CidrError> {
        let refuse = |expected: String| CidrError { expected, got: text.to_owned() };
        let form = || refuse("a network such as 10.0.0.0/8 or 2001:db8::/32".to_owned());
        let (address, prefix) = text.split_once('/').map_or((text, None), |(ip, prefix)| (ip, Some(prefix)));
        let ip: IpAddr = address.parse().map_err(|_| form())?;
        let bits = if ip.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => bits,
            Some(digits) => parse_prefix(digits).ok_or_else(form)?,
        };
        if prefix > bits {
            return Err(refuse(format!("a prefix of 0 to {bits} bits")));
        }
        let given = Self { network: ip, prefix };
        let meant = given.masked();
        if let Some(inner) = meant.unembedded() {
            return Err(refuse(format!("{inner} (an IPv4 address inside an IPv6 one counts as IPv4)")));
        }
        if given != meant {
            return Err(refuse(format!("{meant} (no bits beyond the prefix)")));
        }
        Ok(meant)
    }

    /// Whether `ip` is in it; an IPv4 address inside an IPv6 one is IPv4.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        Self { network: unembed(ip), prefix: self.prefix }.masked().network == self.network
    }

    fn masked(self) -> Self {
        let network = match self.network {
            IpAddr::V4(ip) => IpAddr::V4(Ipv4Addr::from_bits(ip.to_bits() & !self.v4_hosts())),
            IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & !self.v6_hosts())),
        };
        Self { network, ..self }
    }

    /// The IPv4 network that this IPv6 one stands for.
    fn unembedded(self) -> Option<Self> {
        let prefix = self.prefix.checked_sub(96)?;
        let network = unembed(self.network);
        (network != self.network).then_some(Self { network, prefix })
    }

    const fn v4_hosts(self) -> u32 {
        match u32::MAX.checked_shr(self.prefix as u32) {
            Some(hosts) => hosts,
            None => 0,
        }
    }

    const fn v6_hosts(self) -> u128 {
        match u128::MAX.checked_shr(self.prefix as u32) {
            Some(hosts) => hosts,
            None => 0,
        }
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.prefix)
    }
}

impl fmt::Display for CidrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {:?}", self.expected, self.got)
    }
}

impl std::error::Error for CidrError {}

impl CidrSet {
    /// Whether `ip` is in one of them, in a time that grows with the logarithm of their number.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        match unembed(ip) {
            IpAddr::V4(ip) => covers(&self.v4, ip.to_bits()),
            IpAddr::V6(ip) => covers(&self.v6, ip.to_bits()),
        }
    }
}

impl<'c> FromIterator<&'c Cidr> for CidrSet {
    fn from_iter<I: IntoIterator<Item = &'c Cidr>>(networks: I) -> Self {
        let mut set = Self::default();
        for cidr in networks {
            match cidr.network {
                IpAddr::V4(ip) => set.v4.push((ip.to_bits(), ip.to_bits() | cidr.v4_hosts())),
                IpAddr::V6(ip) => set.v6.push((ip.to_bits(), ip.to_bits() | cidr.v6_hosts())),
            }
        }
        disjoint(&mut set.v4);
        disjoint(&mut set.v6);
        set
    }
}

/// Networks overlap only where one is in the other: the inner ones go.
fn disjoint<T: Ord + Copy>(ranges: &mut Vec<(T, T)>) {
    let by_first = sorted(ranges.drain(..).map(|(first, last)| (first, Reverse(last))));
    ranges.extend(by_first.into_iter().map(|(first, Reverse(last))| (first, last)));
    ranges.dedup_by(|(_, inner), (_, outer)| *inner <= *outer);
}

fn covers<T: Ord + Copy>(ranges: &[(T, T)], ip: T) -> bool {
    let after = ranges.partition_point(|(first, _)| *first <= ip);
    let at = after.checked_sub(1).and_then(|before| ranges.get(before));
    at.is_some_and(|(_, last)| ip <= *last)
}

/// Digits only, as the library's own reading admits a sign, and no leading zero.
fn parse_prefix(digits: &str) -> Option<u8> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    is_plain.then(|| digits.parse().ok())?
}
