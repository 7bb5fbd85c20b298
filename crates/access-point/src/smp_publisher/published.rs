//! The installation that the SMP's answers are made of.

use std::collections::BTreeMap;
use std::sync::Arc;

use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::SmpBase;
use quoin_xmldsig::keys::sha256;

use crate::clock::Clock;
use crate::endpoints::Endpoints;
use crate::identity::{Credentials, Rollover};

/// The access point that our participants are reached at.
#[derive(Debug, Clone)]
pub struct Published {
    /// Its AS4 address.
    pub address: String,
    /// Its certificate, as it is at the time of each answer.
    pub certificate: Rollover<Certificate>,
    /// The time.
    pub clock: Clock,
    /// Whom to ask when it does not work: an address or a mail address.
    pub contact: String,
    /// Addresses for single participants, where they differ.
    pub exceptions: BTreeMap<ParticipantId, String>,
    /// Endpoints that parties were moved to, by name.
    pub named: Endpoints,
}

/// Everything of the installation that answers are made of.
pub(super) fn fingerprint(
    credentials: &Rollover<Arc<Credentials>>,
    base: &SmpBase,
    published: &Published,
) -> [u8; 32] {
    let mut all = Vec::new();
    let mut add = |bytes: &[u8]| all.extend(sha256(bytes));
    let mut certificates = credentials.all();
    certificates.by_ref().take(1).for_each(|present| add(present.certificate.der()));
    for certificate in published.certificate.all() {
        add(certificate.der());
    }
    add(published.certificate.next_from().map(|at| at.to_string()).unwrap_or_default().as_bytes());
    add(base.as_str().as_bytes());
    add(published.address.as_bytes());
    add(published.contact.as_bytes());
    for (participant, address) in &published.exceptions {
        add(participant.folded().as_bytes());
        add(address.as_bytes());
    }
    for (name, endpoint) in published.named.iter() {
        add(name.as_bytes());
        add(endpoint.address.as_deref().unwrap_or_default().as_bytes());
        add(endpoint.certificate.as_ref().map_or(&[][..], Certificate::der));
    }
    // Where nothing follows, the fingerprint is that of a publisher that could not be followed.
    for next in certificates {
        add(next.certificate.der());
        let from = credentials.next_from().map(|at| at.to_string()).unwrap_or_default();
        add(from.as_bytes());
    }
    sha256(&all)
}
