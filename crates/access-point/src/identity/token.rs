//! A private key in a PKCS#11 token: it signs and decrypts there and never leaves it.
//!
//! Sessions are opened when they are needed and kept for the next call; one that fails is thrown
//! away and the call is made once more with a new one, so that a token that was away comes back.
//!
//! Source: PKCS #11 Cryptographic Token Interface 2.40.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::rsa::{PkcsMgfType, PkcsOaepParams, PkcsOaepSource};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::object::{Attribute, AttributeType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use cryptoki::types::AuthPin;
use quoin_peppol::pki::Certificate;
use quoin_xmldsig::keys::{Decrypter, KeyError, Signer, unpad_oaep};

use super::IdentityError;
use crate::config::TokenKey;

/// Sessions kept for later calls.
const SESSIONS: usize = 16;

/// A key in a token.
pub(super) struct TokenPrivateKey {
    place: TokenKey,
    module: Pkcs11,
    slot: Slot,
    modulus: Vec<u8>,
    idle: Mutex<Vec<(Session, ObjectHandle)>>,
    /// The token does OAEP with SHA-256 itself; where it does not, the padding is ours.
    pads: AtomicBool,
}

impl std::fmt::Debug for TokenPrivateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenPrivateKey({} in {})", self.place.key, self.place.label)
    }
}

/// A library is initialised once in a process, however many keys are in its tokens.
fn module(path: &PathBuf) -> Result<Pkcs11, Error> {
    static OPEN: OnceLock<Mutex<HashMap<PathBuf, Pkcs11>>> = OnceLock::new();
    let mut open = OPEN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = open.get(path) {
        return Ok(known.clone());
    }
    let module = Pkcs11::new(path)?;
    module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK))?;
    open.insert(path.clone(), module.clone());
    Ok(module)
}

impl TokenPrivateKey {
    /// Finds the token and the key by their labels.
    ///
    /// # Errors
    /// [`IdentityError::Token`] with what the token said.
    pub(super) fn open(place: &TokenKey) -> Result<TokenPrivateKey, IdentityError> {
        let wrong = |why: String| IdentityError::Token {
            module: place.module.clone(),
            label: place.label.clone(),
            why,
        };
        let said = |error: Error| wrong(error.to_string());
        let module = module(&place.module).map_err(said)?;
        let mut slots = module.get_slots_with_token().map_err(said)?.into_iter();
        let named = |slot: &Slot| {
            module.get_token_info(*slot).is_ok_and(|info| info.label().trim() == place.label)
        };
        let slot = slots.find(named).ok_or_else(|| wrong("there is no such token".to_owned()))?;
        let key = TokenPrivateKey {
            place: place.clone(),
            module,
            slot,
            modulus: Vec::new(),
            idle: Mutex::default(),
            pads: AtomicBool::new(true),
        };
        let (session, handle) = key.session().map_err(said)?;
        let found = session.get_attributes(handle, &[AttributeType::Modulus]).map_err(said)?;
        let Some(Attribute::Modulus(modulus)) = found.into_iter().next() else {
            return Err(wrong("the key is no RSA key".to_owned()));
        };
        key.keep((session, handle));
        Ok(TokenPrivateKey { modulus, ..key })
    }

    /// Whether it is the key of a certificate: by its modulus.
    pub(super) fn belongs_to(&self, certificate: &Certificate) -> bool {
        let spki = certificate.spki();
        !self.modulus.is_empty() && spki.windows(self.modulus.len()).any(|w| w == self.modulus)
    }

    /// A session that is logged in, with the key in it.
    fn session(&self) -> Result<(Session, ObjectHandle), Error> {
        let session = self.module.open_ro_session(self.slot)?;
        let pin = self.place.pin.as_ref().map_or("", |pin| pin.expose());
        let pin = AuthPin::new(pin.to_owned().into());
        match session.login(UserType::User, Some(&pin)) {
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {}
            Err(error) => return Err(error),
        }
        let wanted = [
            Attribute::Class(ObjectClass::PRIVATE_KEY),
            Attribute::Label(self.place.key.clone().into_bytes()),
        ];
        let found = session.find_objects(&wanted)?.into_iter().next();
        let missing =
            Error::Pkcs11(RvError::KeyHandleInvalid, cryptoki::context::Function::FindObjects);
        Ok((session, found.ok_or(missing)?))
    }

    fn keep(&self, session: (Session, ObjectHandle)) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < SESSIONS {
            idle.push(session);
        }
    }

    /// Makes a call in a session; once more in a new one where an old one fails.
    fn call<T>(
        &self,
        work: impl Fn(&Session, ObjectHandle) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some((session, handle)) = idle
            && let Ok(done) = work(&session, handle)
        {
            self.keep((session, handle));
            return Ok(done);
        }
        let (session, handle) = self.session()?;
        let done = work(&session, handle)?;
        self.keep((session, handle));
        Ok(done)
    }

    fn decrypt_padded(&self, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        let oaep = PkcsOaepParams::new(
            MechanismType::SHA256,
            PkcsMgfType::MGF1_SHA256,
            PkcsOaepSource::empty(),
        );
        let mechanism = Mechanism::RsaPkcsOaep(oaep);
        self.call(|session, key| session.decrypt(&mechanism, key, ciphertext))
    }

    fn decrypt_raw(&self, ciphertext: &[u8]) -> Result<Vec<u8>, KeyError> {
        let block = self.call(|session, key| session.decrypt(&Mechanism::RsaX509, key, ciphertext));
        let block = block.map_err(|error| {
            tracing::error!(%error, key = ?self, "the token could not decrypt");
            KeyError::Decryption
        })?;
        // A token may leave leading zeros away.
        let mut whole = vec![0; self.modulus.len().saturating_sub(block.len())];
        whole.extend_from_slice(&block);
        unpad_oaep(&whole)
    }
}

impl Signer for TokenPrivateKey {
    fn sign_rsa_sha256(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        let signed =
            self.call(|session, key| session.sign(&Mechanism::Sha256RsaPkcs, key, message));
        signed.map_err(|error| {
            tracing::error!(%error, key = ?self, "the token could not sign");
            KeyError::Operation
        })
    }

    fn is_slow(&self) -> bool {
        true
    }
}

impl Decrypter for TokenPrivateKey {
    fn decrypt_oaep(&self, ciphertext: &[u8]) -> Result<Vec<u8>, KeyError> {
        if self.pads.load(Ordering::Relaxed) {
            match self.decrypt_padded(ciphertext) {
                Ok(key) => return Ok(key),
                // What it says of the parameters is no word on the text.
                Err(Error::Pkcs11(
                    RvError::ArgumentsBad
                    | RvError::MechanismParamInvalid
                    | RvError::MechanismInvalid,
                    _,
                )) => self.pads.store(false, Ordering::Relaxed),
                Err(_) => return Err(KeyError::Decryption),
            }
        }
        self.decrypt_raw(ciphertext)
    }

    fn is_slow(&self) -> bool {
        true
    }
}
