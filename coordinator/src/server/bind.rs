//! Taking the address, and which addresses may be taken.

use std::net::{SocketAddr, TcpListener as StdListener};

use tokio::net::TcpListener;

/// An address that is taken and not yet served: peers can connect, and wait.
#[derive(Debug)]
pub struct Bound {
    pub(super) listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// The address, with the port that was chosen when port 0 was asked for.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as a URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Why an address cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Others could reach it, and nothing would ask them who they are.
    #[error(
        "{0} can be reached from other machines, and there is no access control yet: \
         listen on a loopback address such as 127.0.0.1, or pass --allow-insecure inside a network you trust"
    )]
    Open(SocketAddr),
    /// Another program has it.
    #[error("{0} is in use by another program: stop that one, or choose another port with --listen")]
    InUse(SocketAddr),
    /// The port needs rights that this user does not have.
    #[error("this user may not listen on {0}: choose a port from 1024 upwards with --listen")]
    Denied(SocketAddr),
    /// Anything else the system says.
    #[error("cannot listen on {address}: {source}")]
    Io {
        /// The address asked for.
        address: SocketAddr,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// Takes an address. Port 0 lets the system choose. Every loopback address (127.0.0.0/8 and ::1) is
/// fine; others only with `allow_insecure`, and with a warning.
///
/// # Errors
/// When the address is open to others without leave, in use, or not this machine's.
pub fn bind(address: SocketAddr, allow_insecure: bool) -> Result<Bound, BindError> {
    let loopback = address.ip().to_canonical().is_loopback();
    if !loopback && !allow_insecure {
        return Err(BindError::Open(address));
    }
    let listener = listen(address).map_err(|source| match source.kind() {
        std::io::ErrorKind::AddrInUse => BindError::InUse(address),
        std::io::ErrorKind::PermissionDenied => BindError::Denied(address),
        _ => BindError::Io { address, source },
    })?;
    let address = listener.local_addr().map_err(|source| BindError::Io { address, source })?;
    if !loopback {
        tracing::warn!(%address, "anybody who can reach this address can launch runs and report games");
    }
    Ok(Bound { listener, address })
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    // The standard library sets SO_REUSEADDR on Unix, so a restart need not wait for old sockets.
    let listener = StdListener::bind(address)?;
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn port_0_gets_a_real_port() {
        let bound = bind(at("127.0.0.1:0"), false).unwrap();
        assert_ne!(bound.address().port(), 0);
        assert_eq!(bound.url(), format!("http://127.0.0.1:{}", bound.address().port()));
    }

    #[tokio::test]
    async fn every_loopback_address_is_fine_and_others_need_leave() {
        bind(at("127.3.2.1:0"), false).unwrap();
        for open in ["0.0.0.0:0", "10.1.2.3:0", "[::]:0", "[::ffff:10.0.0.1]:0"] {
            let said = bind(at(open), false).unwrap_err().to_string();
            assert!(said.contains("--allow-insecure"), "{said}");
        }
        bind(at("0.0.0.0:0"), true).unwrap();
    }

    #[tokio::test]
    async fn a_port_in_use_is_one_line() {
        let first = bind(at("127.0.0.1:0"), false).unwrap();
        let said = bind(first.address(), false).unwrap_err().to_string();
        assert!(said.contains("is in use by another program") && !said.contains('\n'), "{said}");
    }

    #[tokio::test]
    async fn an_address_of_another_machine_is_refused_by_the_system() {
        let said = bind(at("192.0.2.1:0"), true).unwrap_err().to_string();
        assert!(said.starts_with("cannot listen on 192.0.2.1:0"), "{said}");
    }
}
