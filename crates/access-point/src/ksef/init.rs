//! What a hook `ksef` is given: two certificates as PKCS#12 files in base64, each with its
//! password.
//! They are checked when they are given, kept sealed as the secret of the hook, and never shown.

use std::sync::Arc;

use data_encoding::BASE64;
use jiff::Timestamp;
use quoin_ksef::certificate::{KsefCertificate, KsefCertificateError, KsefUse};
use quoin_store::Secret;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The four fields, all of them required.
pub const INIT_FIELDS: [&str; 4] = [
    "onlineCertificate",
    "onlineCertificatePassword",
    "offlineCertificate",
    "offlineCertificatePassword",
];

/// Why an `init` cannot be used. A refusal; it never repeats what was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InitError {
    /// A field is missing, or no text.
    #[error(
        "init.{0} is missing; a hook ksef needs onlineCertificate and offlineCertificate, each a \
         PKCS#12 file in base64, with onlineCertificatePassword and offlineCertificatePassword"
    )]
    Missing(&'static str),
    /// A field that there is not.
    #[error("init has a field {0:?}, which a hook ksef does not know")]
    Unknown(String),
    /// A file that is not given inline.
    #[error(
        "init.{0} is no base64: give the content of the .p12 file itself, not the place where it is"
    )]
    NotInline(&'static str),
    /// A certificate that cannot be used.
    #[error("init.{field}: {error}")]
    Certificate {
        /// The field.
        field: &'static str,
        /// Why not.
        error: KsefCertificateError,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitText {
    online_certificate: String,
    online_certificate_password: String,
    offline_certificate: String,
    offline_certificate_password: String,
}

/// Both certificates, opened.
#[derive(Debug, Clone)]
pub struct KsefInit {
    /// What signs in.
    pub online: Arc<KsefCertificate>,
    /// What signs the second code.
    pub offline: Arc<KsefCertificate>,
}

impl KsefInit {
    /// Reads and checks an `init`; the answer is what is kept as the secret of the hook. Work for
    /// a
    /// thread of the pool: the files say how much of it there is, within limits.
    ///
    /// # Errors
    /// [`InitError`].
    pub fn checked(init: &Value, now: Timestamp) -> Result<Secret, InitError> {
        let known = |name: &str| INIT_FIELDS.contains(&name);
        if let Some(name) = init.as_object().and_then(|all| all.keys().find(|name| !known(name))) {
            return Err(InitError::Unknown(name.chars().take(40).collect()));
        }
        let text = |name: &'static str| {
            let value = init.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
            value.map(str::to_owned).ok_or(InitError::Missing(name))
        };
        let [online, online_password, offline, offline_password] = INIT_FIELDS;
        let text = InitText {
            online_certificate: text(online)?,
            online_certificate_password: text(online_password)?,
            offline_certificate: text(offline)?,
            offline_certificate_password: text(offline_password)?,
        };
        let init = KsefInit::read(&text)?;
        let uses = [
            (online, &init.online, KsefUse::Authentication),
            (offline, &init.offline, KsefUse::Offline),
        ];
        for (field, certificate, use_) in uses {
            let checked = certificate.check(use_, now);
            checked.map_err(|error| InitError::Certificate { field, error })?;
        }
        Ok(Secret::new(serde_json::to_string(&text).unwrap_or_default()))
    }

    /// Opens what was kept.
    ///
    /// # Errors
    /// [`InitError`].
    pub fn open(secret: &Secret) -> Result<KsefInit, InitError> {
        let text: InitText = serde_json::from_str(secret.reveal())
            .map_err(|_| InitError::Missing("onlineCertificate"))?;
        KsefInit::read(&text)
    }

    fn read(text: &InitText) -> Result<KsefInit, InitError> {
        let open = |field: &'static str, file: &str, password: &str| {
            let compact: String = file.chars().filter(|c| !c.is_ascii_whitespace()).collect();
            let bytes =
                BASE64.decode(compact.as_bytes()).map_err(|_| InitError::NotInline(field))?;
            let opened = KsefCertificate::open(&bytes, password);
            opened.map(Arc::new).map_err(|error| InitError::Certificate { field, error })
        };
        let [online, _, offline, _] = INIT_FIELDS;
        Ok(KsefInit {
            online: open(online, &text.online_certificate, &text.online_certificate_password)?,
            offline: open(offline, &text.offline_certificate, &text.offline_certificate_password)?,
        })
    }
}
