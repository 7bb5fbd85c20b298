//! The certificate of our SMP as the registers outside see it: the present one, and from its time
//! on the next one, without a new client.

use std::sync::Arc;

use rustls::SignatureScheme;
use rustls::client::ResolvesClientCert;
use rustls::sign::CertifiedKey;

use crate::clock::Clock;
use crate::config::{KeyPlace, Smp};
use crate::identity::Rollover;
use crate::net::{RootsError, client_identity};

/// Shows the certificate of the moment.
#[derive(Debug)]
struct Shown {
    certificates: Rollover<Arc<CertifiedKey>>,
    clock: Clock,
}

impl ResolvesClientCert for Shown {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        Some(self.certificates.at(self.clock.now()).clone())
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// What is shown to the registers; `None` where the key of the SMP is in no PEM file.
///
/// # Errors
/// [`RootsError`].
pub(super) fn shown(
    smp: &Smp,
    clock: &Clock,
) -> Result<Option<Arc<dyn ResolvesClientCert>>, RootsError> {
    let Some(present) = read(&smp.key_place())? else { return Ok(None) };
    let mut certificates = Rollover::of(present);
    let next = smp.next.as_ref().and_then(|next| next.from.map(|from| (from, &next.key)));
    if let Some((from, place)) = next
        && let Some(next) = read(place)?
    {
        certificates = certificates.then(from, next);
    }
    Ok(Some(Arc::new(Shown { certificates, clock: clock.clone() })))
}

fn read(place: &KeyPlace) -> Result<Option<Arc<CertifiedKey>>, RootsError> {
    match (&place.certificate_file, &place.key_file) {
        (Some(certificate), Some(key)) => client_identity(certificate, key).map(Some),
        _ => Ok(None),
    }
}
