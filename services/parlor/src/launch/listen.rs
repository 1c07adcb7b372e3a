//! Where the process listens.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::Context;
use tokio::net::TcpListener;

use super::settings::ListenConfig;
use crate::command::Target;

const GATEWAY_PORT: u16 = 8080;
const TABLE_PORT: u16 = 7001;
const SETTLEMENT_PORT: u16 = 7002;
const MATCHMAKING_PORT: u16 = 7003;
const GATEWAY_ADMIN_PORT: u16 = 7004;
const ADMIN_PORT: u16 = 9090;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const EVERYWHERE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The listener of a single service.
pub async fn service(target: Target, listen: &ListenConfig) -> anyhow::Result<TcpListener> {
    let (chosen, port) = match target {
        Target::All | Target::Gateway => (listen.gateway_listen, GATEWAY_PORT),
        Target::Table => (listen.table_listen, TABLE_PORT),
        Target::Settlement => (listen.settlement_listen, SETTLEMENT_PORT),
        Target::Matchmaking => (listen.matchmaking_listen, MATCHMAKING_PORT),
    };
    bind(chosen.unwrap_or(SocketAddr::new(EVERYWHERE, port))).await
}

/// The administrators' listener of a single gateway.
pub async fn gateway_admin(chosen: Option<SocketAddr>) -> anyhow::Result<TcpListener> {
    bind(chosen.unwrap_or(SocketAddr::new(EVERYWHERE, GATEWAY_ADMIN_PORT))).await
}

/// The admin listener of a single service.
pub async fn admin(chosen: Option<SocketAddr>) -> anyhow::Result<TcpListener> {
    bind(chosen.unwrap_or(SocketAddr::new(EVERYWHERE, ADMIN_PORT))).await
}

/// A listener that only this machine reaches, unless an address was chosen.
pub async fn loopback(chosen: Option<SocketAddr>) -> anyhow::Result<TcpListener> {
    bind(chosen.unwrap_or(SocketAddr::new(LOOPBACK, 0))).await
}

/// The players' listener of `run all`: the usual port, or any that is free, unless one was chosen.
pub async fn gateway(chosen: Option<SocketAddr>) -> anyhow::Result<TcpListener> {
    if let Some(chosen) = chosen {
        return bind(chosen).await;
    }
    match TcpListener::bind(SocketAddr::new(LOOPBACK, GATEWAY_PORT)).await {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bind(SocketAddr::new(LOOPBACK, 0)).await
        }
        bound => bound.with_context(|| format!("port {GATEWAY_PORT} cannot be listened on")),
    }
}

/// How this process calls its own listener.
pub fn url(listener: &TcpListener) -> anyhow::Result<String> {
    Ok(format!("http://{}", reachable(listener.local_addr()?)))
}

/// The address of the web client, for a person.
pub fn page(listener: &TcpListener, tls: bool) -> anyhow::Result<String> {
    let scheme = if tls { "https" } else { "http" };
    Ok(format!("{scheme}://{}/", reachable(listener.local_addr()?)))
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.with_context(|| format!("{address} cannot be listened on"))
}

/// Nobody can connect to "every address": from here, loopback is one of them.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(LOOPBACK);
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_chosen_port_that_is_taken_is_an_error_and_the_usual_one_is_not() {
        let usual = gateway(None).await.unwrap();
        let another = gateway(None).await.unwrap();
        assert_ne!(usual.local_addr().unwrap(), another.local_addr().unwrap());
        assert!(gateway(Some(another.local_addr().unwrap())).await.is_err());
    }

    #[tokio::test]
    async fn an_address_for_people_can_be_opened() {
        let listener = bind(SocketAddr::new(EVERYWHERE, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        assert_eq!(page(&listener, false).unwrap(), format!("http://127.0.0.1:{port}/"));
        assert_eq!(page(&listener, true).unwrap(), format!("https://127.0.0.1:{port}/"));
    }
}
