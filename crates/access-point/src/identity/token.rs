//! A private key in a PKCS#11 token: it signs and decrypts there and never leaves it.
//!
//! Sessions are opened when they are needed and kept for the next call; one that fails is thrown
//! away and the call is made once more with a new one, so that a token that was away comes back.
//!
//! Source: PKCS #11 Cryptographic Token Interface 2.40.

mod tls;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Function, Pkcs11};
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

pub(super) use tls::TokenTlsKey;

/// Sessions kept for later calls.
const SESSIONS: usize = 16;
/// How long a library is not initialised again.
const AGAIN: Duration = Duration::from_secs(20);
/// What is signed to see whether a token works.
const PROBE: &[u8] = b"does this key work?";

/// A library of tokens, which is initialised once in a process however many keys are in them, and
/// once more where it finds none of its tokens any more: some do not see that one has come back.
struct TokenLibrary {
    path: PathBuf,
    context: Pkcs11,
    /// Whoever calls it holds this for reading.
    gate: RwLock<()>,
    begun: Mutex<Instant>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The keys of this process that are in tokens.
fn keys() -> &'static Mutex<Vec<Weak<TokenPrivateKey>>> {
    static KEYS: OnceLock<Mutex<Vec<Weak<TokenPrivateKey>>>> = OnceLock::new();
    KEYS.get_or_init(Mutex::default)
}

/// Tries every key that is in a token: how each is called, and what its token says where it cannot
/// be used. It may take as long as a token takes.
pub(super) fn tried() -> Vec<(String, Result<(), String>)> {
    let all: Vec<_> = held(keys()).iter().filter_map(Weak::upgrade).collect();
    all.iter().map(|key| (key.name(), key.works().map_err(|error| error.to_string()))).collect()
}

impl TokenLibrary {
    fn open(path: &Path) -> Result<Arc<TokenLibrary>, Error> {
        static OPEN: OnceLock<Mutex<HashMap<PathBuf, Arc<TokenLibrary>>>> = OnceLock::new();
        let mut open = held(OPEN.get_or_init(Mutex::default));
        if let Some(known) = open.get(path) {
            return Ok(known.clone());
        }
        let context = Pkcs11::new(path)?;
        let (gate, begun) = (RwLock::default(), Mutex::new(Instant::now()));
        let library = Arc::new(TokenLibrary { path: path.to_owned(), context, gate, begun });
        library.initialise()?;
        open.insert(path.to_owned(), library.clone());
        Ok(library)
    }

    fn initialise(&self) -> Result<(), Error> {
        self.context.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK))
    }

    /// Initialises it once more, where nobody is in a call and it was not done a moment ago. The
    /// sessions of all its keys end with it.
    fn begin_again(&self) -> bool {
        let mut begun = held(&self.begun);
        if begun.elapsed() < AGAIN {
            return false;
        }
        let Ok(_alone) = self.gate.try_write() else { return false };
        *begun = Instant::now();
        for key in held(keys()).iter().filter_map(Weak::upgrade) {
            if key.place.module == self.path {
                held(&key.idle).clear();
            }
        }
        // One that is not initialised says so, which is what we want.
        let _ = self.context.clone().finalize();
        let outcome = self.initialise();
        let library = self.path.display();
        tracing::warn!(%library, ?outcome, "the library of tokens was initialised again");
        outcome.is_ok()
    }
}

/// Whether no session with the key in it was to be had.
struct NoSession(bool);

/// A key in a token.
pub(super) struct TokenPrivateKey {
    place: TokenKey,
    library: Arc<TokenLibrary>,
    modulus: Vec<u8>,
    idle: Mutex<Vec<(Session, ObjectHandle)>>,
    /// The token does OAEP with SHA-256 itself; where it does not, the padding is ours.
    pads: AtomicBool,
}

impl std::fmt::Debug for TokenPrivateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenPrivateKey({})", self.name())
    }
}

impl TokenPrivateKey {
    /// Finds the token and the key by their labels. A key that is open already is the same one.
    ///
    /// # Errors
    /// [`IdentityError::Token`] with what the token said.
    pub(super) fn open(place: &TokenKey) -> Result<Arc<TokenPrivateKey>, IdentityError> {
        let mut open = held(keys()).iter().filter_map(Weak::upgrade).collect::<Vec<_>>();
        open.retain(|key| key.place == *place);
        if let Some(known) = open.pop() {
            return Ok(known);
        }
        let wrong = |why: String| IdentityError::Token {
            module: place.module.clone(),
            label: place.label.clone(),
            why,
        };
        let said = |error: Error| match error {
            Error::Pkcs11(RvError::TokenNotPresent, Function::GetSlotList) => {
                wrong("there is no such token".to_owned())
            }
            error => wrong(error.to_string()),
        };
        let library = TokenLibrary::open(&place.module).map_err(said)?;
        let key = TokenPrivateKey {
            place: place.clone(),
            library,
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
        let key = Arc::new(TokenPrivateKey { modulus, ..key });
        let mut all = held(keys());
        all.retain(|key| key.strong_count() > 0);
        all.push(Arc::downgrade(&key));
        Ok(key)
    }

    fn name(&self) -> String {
        format!("{} in {}", self.place.key, self.place.label)
    }

    /// Whether it is the key of a certificate: by its modulus.
    pub(super) fn belongs_to(&self, certificate: &Certificate) -> bool {
        let spki = certificate.spki();
        !self.modulus.is_empty() && spki.windows(self.modulus.len()).any(|w| w == self.modulus)
    }

    /// Where the token is: it may be elsewhere after it was away.
    fn slot(&self) -> Result<Slot, Error> {
        let context = &self.library.context;
        let named = |slot: &Slot| {
            context.get_token_info(*slot).is_ok_and(|info| info.label().trim() == self.place.label)
        };
        let missing = Error::Pkcs11(RvError::TokenNotPresent, Function::GetSlotList);
        context.get_slots_with_token()?.into_iter().find(named).ok_or(missing)
    }

    /// A session that is logged in, with the key in it.
    fn session(&self) -> Result<(Session, ObjectHandle), Error> {
        let session = self.library.context.open_ro_session(self.slot()?)?;
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
        let missing = Error::Pkcs11(RvError::KeyHandleInvalid, Function::FindObjects);
        Ok((session, found.ok_or(missing)?))
    }

    fn keep(&self, session: (Session, ObjectHandle)) {
        let mut idle = held(&self.idle);
        if idle.len() < SESSIONS {
            idle.push(session);
        }
    }

    /// Makes a call in a session; once more in a new one where an old one fails, and once more with
    /// a library that begins anew where there is none to be had.
    fn call<T>(
        &self,
        work: impl Fn(&Session, ObjectHandle) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match self.called(&work) {
            Err((NoSession(true), error)) if !self.library.begin_again() => Err(error),
            Err((NoSession(false), error)) => Err(error),
            Ok(done) => Ok(done),
            Err(_) => self.called(&work).map_err(|(_, error)| error),
        }
    }

    /// The same with the library as it is.
    fn called<T>(
        &self,
        work: &impl Fn(&Session, ObjectHandle) -> Result<T, Error>,
    ) -> Result<T, (NoSession, Error)> {
        let _gate = self.library.gate.read().unwrap_or_else(PoisonError::into_inner);
        let idle = held(&self.idle).pop();
        if let Some((session, handle)) = idle {
            if let Ok(done) = work(&session, handle) {
                self.keep((session, handle));
                return Ok(done);
            }
            // Those beside it are as old.
            held(&self.idle).clear();
        }
        let (session, handle) = self.session().map_err(|error| (NoSession(true), error))?;
        let done = work(&session, handle).map_err(|error| (NoSession(false), error))?;
        self.keep((session, handle));
        Ok(done)
    }

    /// Whether the token can be used, whatever it is asked to decrypt: with a signature. A key that
    /// may not sign was found all the same.
    fn works(&self) -> Result<(), Error> {
        let mechanism = Mechanism::Sha256RsaPkcs;
        match self.call(|session, key| session.sign(&mechanism, key, PROBE)) {
            Err(Error::Pkcs11(
                RvError::KeyFunctionNotPermitted
                | RvError::KeyTypeInconsistent
                | RvError::MechanismInvalid,
                _,
            )) => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// What an error of decrypting says: something about the text, where the token works.
    fn undecrypted(&self, error: &Error) -> KeyError {
        if let Error::Pkcs11(
            RvError::EncryptedDataInvalid
            | RvError::EncryptedDataLenRange
            | RvError::DataInvalid
            | RvError::DataLenRange,
            _,
        ) = error
        {
            return KeyError::Decryption;
        }
        // Many tokens say of a text that was not encrypted for them what they say of a failure.
        match self.works() {
            Ok(()) => KeyError::Decryption,
            Err(fails) => {
                tracing::error!(%error, %fails, key = ?self, "the token could not decrypt");
                KeyError::Operation
            }
        }
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
        let block = block.map_err(|error| self.undecrypted(&error))?;
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
                Err(error) => return Err(self.undecrypted(&error)),
            }
        }
        self.decrypt_raw(ciphertext)
    }

    fn is_slow(&self) -> bool {
        true
    }
}
