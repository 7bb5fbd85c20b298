//! The certificate of our SMP as the registers outside see it: the present one, and from its time
//! on the next one, without a new client.

use std::sync::Arc;

use rustls::SignatureScheme;
use rustls::client::ResolvesClientCert;
use rustls::sign::CertifiedKey;

use crate::clock::Clock;
use crate::config::Smp;
use crate::identity::{IdentityError, Rollover, smp_over_time};

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

/// What is shown to the registers, wherever the key is; `None` where the SMP has none.
///
/// # Errors
/// [`IdentityError`].
pub(super) fn shown(
    smp: &Smp,
    clock: &Clock,
) -> Result<Option<Arc<dyn ResolvesClientCert>>, IdentityError> {
    let place = smp.key_place();
    if place.is_empty() {
        return Ok(None);
    }
    let own = smp_over_time(&place, smp.next.as_ref())?;
    let certificates = own.made(|own| own.shown())?;
    Ok(Some(Arc::new(Shown { certificates, clock: clock.clone() })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigSecret;

    #[test]
    fn a_certificate_in_a_pkcs12_file_is_shown() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sample.p12");
        let password = Some(ConfigSecret::new("quoin"));
        let smp =
            Smp { pkcs12_file: Some(sample.into()), pkcs12_password: password, ..Smp::default() };
        let own = shown(&smp, &Clock::default()).unwrap().unwrap();
        let offered = [SignatureScheme::RSA_PSS_SHA256];
        let shown_now = own.resolve(&[], &offered).unwrap();
        let leaf = smp_over_time(&smp.key_place(), None).unwrap();
        let leaf = leaf.all().next().unwrap().certificate.der().to_vec();
        assert_eq!(shown_now.cert.first().map(|der| der.to_vec()), Some(leaf));
        assert!(shown_now.keys_match().is_ok());
        assert!(shown_now.key.choose_scheme(&offered).is_some());
        assert!(shown(&Smp::default(), &Clock::default()).unwrap().is_none());
    }
}
