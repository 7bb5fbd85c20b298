//! The doors of the lab on loopback: over TLS, for SMPs only, and plain.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;

use super::super::pki::LabPki;
use super::LabError;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, mutual_tls, server_tls};

/// A door over TLS, open to everybody.
pub(super) async fn encrypted(
    name: &'static str,
    pki: &LabPki,
    routes: Router,
    shutdown: &Shutdown,
) -> Result<OpenDoor, LabError> {
    let leaf = pki.server(&["127.0.0.1", "localhost"])?;
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes())?;
    let limits = DoorLimits::default();
    let door = Door { name, address: loopback(0), tls: Some(tls), limits };
    Ok(door.open(routes, shutdown.clone()).await?)
}

/// A door of a register: it opens to SMPs only.
pub(super) async fn smp_only(
    name: &'static str,
    pki: &LabPki,
    routes: Router,
    shutdown: &Shutdown,
) -> Result<OpenDoor, LabError> {
    let leaf = pki.server(&["127.0.0.1", "localhost"])?;
    let (certificate, key) = (leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes());
    let tls = Some(mutual_tls(certificate, key, &[pki.smp.der()])?);
    let door = Door { name, address: loopback(0), tls, limits: DoorLimits::default() };
    Ok(door.open(routes, shutdown.clone()).await?)
}

/// A door without TLS.
pub(super) async fn plain(
    name: &'static str,
    routes: Router,
    shutdown: &Shutdown,
) -> std::io::Result<OpenDoor> {
    let door = Door { name, address: loopback(0), tls: None, limits: DoorLimits::default() };
    door.open(routes, shutdown.clone()).await
}

/// An address of this machine.
pub(super) fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}
