//! From trusted service metadata to the one endpoint a document is sent to.

use jiff::Timestamp;

use super::{Endpoint, EndpointRefusal, ServiceInformation};
use crate::identifiers::{ProcessId, TransportProfile};
use crate::pki::{Certificate, PkiRefusal, Trusted};
use crate::sml::{UriPolicy, check_endpoint};

/// An endpoint that passed every check: where to send, and whose key to encrypt for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsableEndpoint {
    /// Address of the receiving access point.
    pub address: String,
    /// Its certificate; the seat id in it is the AS4 party id of corner 3.
    pub certificate: Trusted,
    /// Technical contact, for people who look for help.
    pub technical_contact: String,
}

/// Selects the AS4 endpoint of a process that is active at `now`.
///
/// The process must match exactly, and only one endpoint may be active: a list has each transport
/// once. Endpoints of removed transports, not yet active and expired ones
/// are ignored, as SMP 1.4.0 demands of senders.
///
/// # Errors
/// [`EndpointRefusal`] says why there is none, nearest miss first.
pub fn select<'i>(
    information: &'i ServiceInformation,
    process: &ProcessId,
    now: Timestamp,
) -> Result<&'i Endpoint, EndpointRefusal> {
    let mut endpoints = Vec::new();
    let mut registered = false;
    for found in information.processes.iter().filter(|found| found.id == *process) {
        registered = true;
        endpoints.extend(&found.endpoints);
    }
    if !registered {
        return Err(EndpointRefusal::OtherProcesses {
            asked: process.to_string(),
            found: information.processes.iter().map(|found| found.id.to_string()).collect(),
        });
    }
    let mut miss = EndpointRefusal::NoEndpoint;
    if !endpoints.is_empty() {
        let found = endpoints.iter().map(|endpoint| endpoint.transport_profile.clone()).collect();
        miss = EndpointRefusal::OtherTransports { found };
    }
    let mut active = Vec::new();
    for endpoint in endpoints {
        if endpoint.transport_profile != TransportProfile::AS4 {
            continue;
        }
        match (endpoint.activation, endpoint.expiration) {
            (_, Some(since)) if since <= now => miss = EndpointRefusal::Expired { since },
            (Some(from), _) if from > now => miss = EndpointRefusal::NotYetActive { from },
            _ => active.push(endpoint),
        }
    }
    match active[..] {
        [] => Err(miss),
        [endpoint] => Ok(endpoint),
        // Registered twice is registered: nobody asks which one is meant.
        [endpoint, ref others @ ..] if others.iter().all(|other| is_same(endpoint, other)) => {
            Ok(endpoint)
        }
        _ => Err(EndpointRefusal::SeveralActive {
            profile: TransportProfile::AS4,
            count: active.len(),
        }),
    }
}

/// Whether two endpoints lead to the same access point.
fn is_same(one: &Endpoint, other: &Endpoint) -> bool {
    let bare = |text: &str| text.split_ascii_whitespace().collect::<String>();
    one.address == other.address && bare(&one.certificate) == bare(&other.certificate)
}

/// Selects the endpoint of a process and checks its address and its access point certificate, whose
/// bytes (DER) are shown to `judge`: one certificate serves many participants, and a judge may
/// remember it.
///
/// # Errors
/// [`EndpointRefusal`].
pub fn usable(
    information: &ServiceInformation,
    process: &ProcessId,
    (uris, now): (UriPolicy, Timestamp),
    judge: impl FnOnce(&[u8]) -> Result<Trusted, PkiRefusal>,
) -> Result<UsableEndpoint, EndpointRefusal> {
    let endpoint = select(information, process, now)?;
    check_endpoint(&endpoint.address, uris)?;
    let der = Certificate::der_of(&endpoint.certificate).map_err(PkiRefusal::from)?;
    Ok(UsableEndpoint {
        address: endpoint.address.clone(),
        certificate: judge(&der)?,
        technical_contact: endpoint.technical_contact.clone(),
    })
}
