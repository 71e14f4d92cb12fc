//! Ports that stay ours.

use std::net::{Ipv4Addr, SocketAddr};

use socket2::{Domain, Socket, Type};

/// A free loopback port, held by a socket that is bound but never listens. Envoy's listeners set
/// `SO_REUSEPORT` and so may bind it as well, nobody else can, and no connection ever comes here.
pub(super) struct ReservedPort {
    addr: SocketAddr,
    _socket: Socket,
}

impl ReservedPort {
    pub(super) fn new() -> std::io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.set_reuse_port(true)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        let addr = socket.local_addr()?.as_socket().ok_or(std::io::ErrorKind::AddrNotAvailable)?;
        Ok(Self { addr, _socket: socket })
    }

    pub(super) fn addr(&self) -> SocketAddr {
        self.addr
    }
}
