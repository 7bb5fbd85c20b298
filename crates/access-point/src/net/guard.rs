//! Addresses given by strangers (hooks of customers, SMP and access point addresses of the
//! network) must not reach into the operator's own network. The guard judges the address as
//! written and every address its name resolves to; the connection then goes only to addresses
//! that were judged, so a name that changes its mind in between gains nothing.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use hyper_util::client::legacy::connect::dns::Name;
use tower::Service;
use url::{Host, Url};

/// The longest address that is called, in bytes.
const LONGEST_URL: usize = 2048;

/// Why an address is not called. A refusal: who gave the address can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressRefusal {
    /// It is no absolute address with a host.
    #[error("{0:?} is not an absolute web address")]
    NotAnAddress(String),
    /// Only https is called.
    #[error("the scheme is {0}, only https is called")]
    Scheme(String),
    /// A user name or password in the address ends up in logs and is refused.
    #[error("the address carries a user name or password")]
    UserInfo,
    /// Only the standard port is called.
    #[error("the port is {0}, only 443 is called")]
    Port(u16),
    /// Nothing listens there.
    #[error("the port is 0, expected one from 1 to 65535, or none for the usual one")]
    NoPort,
    /// The address, or one its name resolves to, is not on the public internet.
    #[error("{host} leads to {address}, which is not a public address")]
    Private {
        /// The host as written.
        host: String,
        /// The address found.
        address: IpAddr,
    },
    /// The name has no address.
    #[error("{0} has no address")]
    Unresolved(String),
}

/// What may be called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    /// Every address and port is allowed, still only by https; for a laboratory.
    pub any_address: bool,
    /// Only port 443 is allowed (SMP 1.4 and the AS4 profile ask for it).
    pub standard_port: bool,
    /// Plain HTTP is allowed: CRLs and OCSP answers carry their own signatures and are published
    /// so.
    pub plain: bool,
    /// Hosts for which nothing is asked, plain HTTP included; in lower case.
    pub hosts_allowed: BTreeSet<String>,
}

impl Guard {
    /// Judges an address as written; its name is judged again when it is resolved.
    ///
    /// # Errors
    /// The first [`Refusal`] that applies.
    pub fn check(&self, address: &str) -> Result<Url, AddressRefusal> {
        let refused = || AddressRefusal::NotAnAddress(address.chars().take(80).collect());
        // A reader of the web leaves line ends out, so that another address would be called than
        // the one that is shown.
        if address.len() > LONGEST_URL || address.trim().contains(char::is_control) {
            return Err(refused());
        }
        let url = Url::parse(address).map_err(|_| refused())?;
        // A reader of the web takes what stands behind further slashes for the host.
        let (_, rest) = address.split_once("://").ok_or_else(refused)?;
        if rest.starts_with(['/', '\\']) {
            return Err(refused());
        }
        let host = url.host().ok_or_else(refused)?;
        let allowed = self.allows(&host.to_string());
        let plain = (allowed || self.plain) && url.scheme() == "http";
        if url.scheme() != "https" && !plain {
            return Err(AddressRefusal::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressRefusal::UserInfo);
        }
        if let (true, false, Some(port)) =
            (self.standard_port, self.any_address || allowed, url.port())
        {
            return Err(AddressRefusal::Port(port));
        }
        if url.port() == Some(0) {
            return Err(AddressRefusal::NoPort);
        }
        let literal = match host {
            Host::Ipv4(ip) => Some(IpAddr::V4(ip)),
            Host::Ipv6(ip) => Some(IpAddr::V6(ip)),
            Host::Domain(_) => None,
        };
        let host = host.to_string();
        literal.map_or(Ok(()), |ip| self.judge(&host, ip))?;
        Ok(url)
    }

    /// Judges one address of a host.
    ///
    /// # Errors
    /// [`Refusal::Private`].
    pub fn judge(&self, host: &str, address: IpAddr) -> Result<(), AddressRefusal> {
        if self.any_address || self.allows(host) || is_public(address) {
            return Ok(());
        }
        Err(AddressRefusal::Private { host: host.to_owned(), address })
    }

    /// Judges a host as written, where no address of the web names it; a name is judged again
    /// when it is resolved.
    ///
    /// # Errors
    /// [`AddressRefusal::Private`].
    pub fn check_host(&self, host: &Host) -> Result<(), AddressRefusal> {
        let literal = match host {
            Host::Ipv4(ip) => IpAddr::V4(*ip),
            Host::Ipv6(ip) => IpAddr::V6(*ip),
            Host::Domain(_) => return Ok(()),
        };
        self.judge(&host.to_string(), literal)
    }

    /// The addresses of a host, all of them judged: whoever connects, connects to these, so that a
    /// name is asked for once.
    ///
    /// # Errors
    /// [`AddressRefusal::Private`] and [`AddressRefusal::Unresolved`].
    pub async fn addresses(
        &self,
        host: &Host,
        port: u16,
    ) -> Result<Vec<SocketAddr>, AddressRefusal> {
        let found = match host {
            Host::Ipv4(ip) => vec![(*ip, port).into()],
            Host::Ipv6(ip) => vec![(*ip, port).into()],
            Host::Domain(name) => self.resolved(name, port).await?,
        };
        let name = host.to_string();
        for address in &found {
            self.judge(&name, address.ip())?;
        }
        Ok(found)
    }

    async fn resolved(&self, name: &str, port: u16) -> Result<Vec<SocketAddr>, AddressRefusal> {
        let unresolved = || AddressRefusal::Unresolved(name.to_owned());
        let found = tokio::net::lookup_host((name, port)).await.map_err(|_| unresolved())?;
        let found: Vec<SocketAddr> = found.collect();
        if found.is_empty() { Err(unresolved()) } else { Ok(found) }
    }

    fn allows(&self, host: &str) -> bool {
        self.hosts_allowed.contains(&host.to_ascii_lowercase())
    }
}

/// Whether an address is on the public internet (the special-purpose registries of RFC 6890).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => public_v4(ip),
        IpAddr::V6(ip) => public_v6(ip),
    }
}

fn public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !special
}

fn public_v6(ip: Ipv6Addr) -> bool {
    let segments = ip.segments();
    if let Some(mapped) = ip.to_ipv4_mapped() {
        return public_v4(mapped);
    }
    if let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = segments {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        return public_v4(Ipv4Addr::new(a, b, c, d));
    }
    let special = matches!(
        segments,
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..]
    );
    segments[0] & 0xe000 == 0x2000 && !special
}

/// The resolver handed to the HTTP client: only addresses that pass are connected to.
#[derive(Clone)]
pub(super) struct GuardedResolver(pub Arc<Guard>);

impl Service<Name> for GuardedResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = AddressRefusal;
    type Future = BoxFuture<'static, Result<Self::Response, AddressRefusal>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), AddressRefusal>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let guard = self.0.clone();
        Box::pin(async move {
            let host = Host::Domain(name.as_str().to_owned());
            Ok(guard.addresses(&host, 0).await?.into_iter())
        })
    }
}

#[cfg(test)]
mod tests;
