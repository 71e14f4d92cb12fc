//! Ports that stay ours.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context, Result};
use socket2::{Domain, Socket, Type};

/// A free loopback port, held by a socket that is bound and never listens: Envoy, which sets `SO_REUSEPORT`, may bind
/// it as well, and nobody else can.
pub(crate) struct ReservedPort {
    /// The address.
    pub(crate) address: SocketAddr,
    _socket: Socket,
}

impl ReservedPort {
    /// Takes one.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn new() -> Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.set_reuse_port(true)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        let address = socket.local_addr()?.as_socket().context("a socket without an address")?;
        Ok(Self { address, _socket: socket })
    }
}
