//! The RSA keys of an authority: of the PKI of a network, of the national system of Poland. To
//! make one takes a tenth of a second, and a PKI has half a dozen: an authority that is gone leaves
//! its keys to the next of the same process. Those that are there at the same time never share one.

use std::sync::{Mutex, PoisonError};

use rcgen::{KeyPair, PKCS_RSA_SHA256, RsaKeySize};
use rustls::pki_types::PrivatePkcs8KeyDer;

/// Keys that nobody uses, PKCS#8.
static FREE: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
/// Keys that are kept for others at most.
const KEPT: usize = 128;

/// The keys that one authority has in use.
#[derive(Default)]
pub(crate) struct RsaKeys {
    drawn: Mutex<Vec<Vec<u8>>>,
}

impl RsaKeys {
    /// A key of 2048 bits that no other authority of this process has in use.
    pub(crate) fn draw(&self) -> Result<KeyPair, rcgen::Error> {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let key = match free {
            Some(der) => {
                let der = PrivatePkcs8KeyDer::from(der);
                KeyPair::from_pkcs8_der_and_sign_algo(&der, &PKCS_RSA_SHA256)?
            }
            None => KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048)?,
        };
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner).push(key.serialize_der());
        Ok(key)
    }
}

impl Drop for RsaKeys {
    fn drop(&mut self) {
        let drawn = self.drawn.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT.saturating_sub(free.len());
        free.extend(drawn.drain(..).take(room));
    }
}

impl std::fmt::Debug for RsaKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RsaKeys").finish_non_exhaustive()
    }
}
