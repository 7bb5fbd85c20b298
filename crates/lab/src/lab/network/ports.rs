//! Ports for doors that are opened, closed and opened again while other processes of the same kind
//! run. The system gives ports of its own range to outgoing connections at any time, so these lie
//! outside of it; and each is claimed with a UDP socket of the same number, so that two networks
//! never choose the same.

use std::io;
use std::net::{TcpListener, UdpSocket};
use std::ops::Range;
use std::sync::Arc;

use super::loopback;

/// Where ports are looked for, as far as outgoing connections do not use it.
const WANTED: Range<u16> = 10_240..32_000;
/// Where the system tells which ports outgoing connections use.
const OUTGOING: &str = "/proc/sys/net/ipv4/ip_local_port_range";
/// Ports that are tried before the system is asked for one.
const TRIES: u16 = 2_000;

/// A port for a server that is a process of its own, claimed for as long as this lives.
#[derive(Debug)]
pub struct ClaimedPort {
    /// Its number.
    pub number: u16,
    _claim: UdpSocket,
}

impl ClaimedPort {
    /// Claims one that is free.
    ///
    /// # Errors
    /// Those of the system, which has no port or no socket left.
    pub fn claim() -> io::Result<ClaimedPort> {
        let claim = one()?;
        Ok(ClaimedPort { number: claim.local_addr()?.port(), _claim: claim })
    }
}

/// Three ports, all different, claimed for as long as this or a clone of it lives.
#[derive(Debug, Clone)]
pub(super) struct Ports {
    /// Their numbers.
    pub numbers: [u16; 3],
    _claims: Arc<[ClaimedPort; 3]>,
}

impl Ports {
    /// Claims three ports that are free.
    pub(super) fn claim() -> io::Result<Ports> {
        let claims = [ClaimedPort::claim()?, ClaimedPort::claim()?, ClaimedPort::claim()?];
        let numbers = claims.each_ref().map(|claim| claim.number);
        Ok(Ports { numbers, _claims: Arc::new(claims) })
    }
}

/// The ports that no outgoing connection is given.
fn quiet() -> Range<u16> {
    let told = std::fs::read_to_string(OUTGOING).unwrap_or_default();
    let first = told.split_whitespace().next().and_then(|first| first.parse().ok());
    WANTED.start..first.unwrap_or(WANTED.end).min(WANTED.end)
}

fn one() -> io::Result<UdpSocket> {
    let quiet = quiet();
    let mut random = [0; 2];
    aws_lc_rs::rand::fill(&mut random).map_err(|_| io::Error::other("no random bytes"))?;
    let start = u16::from_ne_bytes(random);
    let length = quiet.end.saturating_sub(quiet.start);
    for step in 0..TRIES.min(length) {
        let port = quiet.start + start.wrapping_add(step) % length;
        if let Some(claim) = free(port) {
            return Ok(claim);
        }
    }
    // A system whose outgoing connections may have any port.
    loop {
        let port = TcpListener::bind(loopback(0))?.local_addr()?.port();
        if let Some(claim) = free(port) {
            return Ok(claim);
        }
    }
}

fn free(port: u16) -> Option<UdpSocket> {
    let claim = UdpSocket::bind(loopback(port)).ok()?;
    TcpListener::bind(loopback(port)).ok().map(|_| claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_claimed_until_nobody_needs_them() {
        let (one, two) = (Ports::claim().unwrap(), Ports::claim().unwrap());
        let mut all: Vec<u16> = [one.numbers, two.numbers].concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 6);
        let outgoing = std::net::TcpStream::connect(
            TcpListener::bind(loopback(0)).unwrap().local_addr().unwrap(),
        );
        let own = outgoing.unwrap().local_addr().unwrap().port();
        assert!(quiet().is_empty() || !quiet().contains(&own), "{own} is one of ours");
        let clone = one.clone();
        drop(one);
        assert!(free(clone.numbers[0]).is_none(), "a clone holds the claim");
        let doors: Vec<_> =
            clone.numbers.iter().map(|port| TcpListener::bind(loopback(*port)).unwrap()).collect();
        assert_eq!(doors.len(), 3);
    }
}
