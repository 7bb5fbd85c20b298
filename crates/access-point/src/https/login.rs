//! What a hook shows to its server: nothing, a password, a token, or one that is fetched; and a
//! client certificate beside it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256, digest};
use data_encoding::{BASE64, HEXLOWER};
use quoin_store::Secret;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

use super::action::{HttpsAction, HttpsError};
use crate::oauth::{ShownLogin, TokenRequest, TokenSecrets};

/// Bytes of a password, a token or the secret of a client.
const SECRET: usize = 4_096;
/// Bytes of a private key.
const KEY: usize = 16 << 10;
/// Bytes of a secret that is hidden in answers; fewer are in any text.
const SHOWN: usize = 4;
/// Certificates in one field.
const CHAIN: usize = 16;

/// What a hook shows to its server.
#[derive(Clone)]
pub struct HttpsLogin {
    /// How it authenticates.
    pub(super) method: Authorisation,
    /// The client certificate with its key.
    pub(super) identity: Option<Arc<CertifiedKey>>,
    /// The SHA-256 of that certificate, in hexadecimal.
    pub(super) fingerprint: Option<String>,
    /// Authorities that are believed besides the public ones.
    pub(super) authorities: Vec<CertificateDer<'static>>,
    /// Tells certificate, key and authorities from others, without holding them; none where there
    /// are none.
    pub(super) tls_mark: Option<[u8; 32]>,
}

/// How somebody authenticates, without the certificate.
#[derive(Clone)]
pub(super) enum Authorisation {
    /// Not at all.
    Nothing,
    /// RFC 7617.
    Basic(String, Secret),
    /// RFC 6750.
    Bearer(Secret),
    /// A token that is fetched.
    Client(TokenRequest, TokenSecrets),
}

impl HttpsLogin {
    /// Reads what a hook has.
    ///
    /// # Errors
    /// What is wrong with it; secrets are not repeated.
    pub fn parse(
        action: &HttpsAction,
        sealed: &BTreeMap<String, Secret>,
    ) -> Result<HttpsLogin, HttpsError> {
        let method = authorisation(action, sealed)?;
        let authorities = match &action.server_authorities {
            Some(pem) => authorities(pem)?,
            None => Vec::new(),
        };
        let key = secret(sealed, "clientKey", KEY)?;
        let chain = match (&action.client_certificate, &key) {
            (None, None) => Vec::new(),
            (Some(pem), Some(_)) => certificates("clientCertificate", pem)?,
            (Some(_), None) => return Err(HttpsError::Lacks("clientCertificate", "clientKey")),
            (None, Some(_)) => return Err(HttpsError::Lacks("clientKey", "clientCertificate")),
        };
        let fingerprint = chain.first().map(|leaf| HEXLOWER.encode(sha256(leaf).as_ref()));
        let mut mark = Context::new(&SHA256);
        for part in chain.iter().chain(&authorities) {
            mark.update(sha256(part).as_ref());
        }
        let has_tls = key.is_some() || !authorities.is_empty();
        let identity = match key {
            None => None,
            Some(key) => {
                mark.update(key.reveal().as_bytes());
                Some(Arc::new(certified(chain, key.reveal())?))
            }
        };
        let mut tls_mark = [0; 32];
        for (to, from) in tls_mark.iter_mut().zip(mark.finish().as_ref()) {
            *to = *from;
        }
        let tls_mark = has_tls.then_some(tls_mark);
        Ok(HttpsLogin { method, identity, fingerprint, authorities, tls_mark })
    }

    /// Which way it is, for reports.
    pub fn kind(&self) -> &'static str {
        match self.method {
            Authorisation::Nothing => "none",
            Authorisation::Basic(..) => "basic",
            Authorisation::Bearer(_) => "bearer",
            Authorisation::Client(..) => "oauth2",
        }
    }

    /// What is shown, by name and never by value.
    pub fn shown(&self, action: &HttpsAction) -> Vec<String> {
        let user = action.user.as_deref().unwrap_or_default();
        let method = match &self.method {
            Authorisation::Nothing => None,
            Authorisation::Basic(..) => Some(format!("password of {user} (basic authentication)")),
            Authorisation::Bearer(_) => Some("bearer token".to_owned()),
            Authorisation::Client(request, _) => {
                Some(format!("token that the client {} fetches (OAuth 2.0)", request.client_id))
            }
        };
        let certificate = self.fingerprint.as_ref();
        let certificate = certificate.map(|print| format!("client certificate, SHA-256 {print}"));
        method.into_iter().chain(certificate).collect()
    }

    /// What hides in an answer what we showed: some answer with what they were asked.
    pub(super) fn secrets_shown(&self) -> ShownLogin {
        let basic = |user: &str, password: &Secret| basic(user, password.reveal());
        let shown = match &self.method {
            Authorisation::Nothing => Vec::new(),
            Authorisation::Basic(user, password) => {
                vec![password.reveal().to_owned(), basic(user, password)]
            }
            Authorisation::Bearer(secret) => vec![secret.reveal().to_owned()],
            Authorisation::Client(request, secrets) => {
                let own = |secret: &Secret| {
                    [secret.reveal().to_owned(), basic(&request.client_id, secret)]
                };
                secrets.client.iter().flat_map(own).collect()
            }
        };
        let shown = shown.iter().filter(|secret| secret.len() >= SHOWN);
        let hide = |all: ShownLogin, secret: &String| all.and(&ShownLogin::secret(secret));
        shown.fold(ShownLogin::default(), hide)
    }
}

/// User and password as basic authentication writes them, in UTF-8 (RFC 7617, section 2.1).
pub(super) fn basic(user: &str, password: &str) -> String {
    BASE64.encode(format!("{user}:{password}").as_bytes())
}

fn sha256(bytes: &[u8]) -> aws_lc_rs::digest::Digest {
    digest(&SHA256, bytes)
}

fn authorisation(
    action: &HttpsAction,
    sealed: &BTreeMap<String, Secret>,
) -> Result<Authorisation, HttpsError> {
    let of = |name: &'static str| line(sealed, name);
    let (password, token, client) = (of("password")?, of("bearerToken")?, of("clientSecret")?);
    let given = [
        ("user", action.user.is_some() || password.is_some()),
        ("bearerToken", token.is_some()),
        ("tokenUrl", action.token.is_some() || client.is_some()),
    ];
    let mut given = given.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
    if let (Some(one), Some(other)) = (given.next(), given.next()) {
        return Err(HttpsError::Both(one, other));
    }
    match (&action.user, password) {
        (Some(user), Some(_)) if user.contains(':') => {
            return Err(HttpsError::Unusable("user", "it has a colon".to_owned()));
        }
        (Some(user), Some(password)) => return Ok(Authorisation::Basic(user.clone(), password)),
        (Some(_), None) => return Err(HttpsError::Lacks("user", "password")),
        (None, Some(_)) => return Err(HttpsError::Lacks("password", "user")),
        (None, None) => {}
    }
    match (&action.token, client) {
        (Some(request), Some(secret)) => {
            let secrets = TokenSecrets { client: Some(secret), refresh: None };
            return Ok(Authorisation::Client(request.clone(), secrets));
        }
        (Some(_), None) => return Err(HttpsError::Lacks("tokenUrl", "clientSecret")),
        (None, Some(_)) => return Err(HttpsError::Lacks("clientSecret", "tokenUrl")),
        (None, None) => {}
    }
    match token {
        Some(token) if !token.reveal().bytes().all(|byte| byte.is_ascii_graphic()) => {
            let why = "a token is printable ASCII without blanks".to_owned();
            Err(HttpsError::Unusable("bearerToken", why))
        }
        Some(token) => Ok(Authorisation::Bearer(token)),
        None => Ok(Authorisation::Nothing),
    }
}

/// A secret of one line.
fn line(
    sealed: &BTreeMap<String, Secret>,
    name: &'static str,
) -> Result<Option<Secret>, HttpsError> {
    let found = secret(sealed, name, SECRET)?;
    let is_line = |secret: &Secret| !secret.reveal().chars().any(char::is_control);
    match found.as_ref().is_none_or(is_line) {
        true => Ok(found),
        false => Err(HttpsError::Text(name, SECRET)),
    }
}

fn secret(
    sealed: &BTreeMap<String, Secret>,
    name: &'static str,
    limit: usize,
) -> Result<Option<Secret>, HttpsError> {
    let found = sealed.get(name).cloned();
    match found.as_ref().is_none_or(|secret| (1..=limit).contains(&secret.reveal().len())) {
        true => Ok(found),
        false => Err(HttpsError::Text(name, limit)),
    }
}

fn certificates(name: &'static str, pem: &str) -> Result<Vec<CertificateDer<'static>>, HttpsError> {
    let unusable = |why: String| HttpsError::Unusable(name, why);
    let found = CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| unusable(error.to_string()))?;
    match found.len() {
        0 => Err(unusable("it holds no certificate in PEM form".to_owned())),
        1..=CHAIN => Ok(found),
        _ => Err(unusable(format!("it holds more than {CHAIN} certificates"))),
    }
}

fn authorities(pem: &str) -> Result<Vec<CertificateDer<'static>>, HttpsError> {
    let found = certificates("serverAuthorities", pem)?;
    let mut store = RootCertStore::empty();
    for certificate in &found {
        let added = store.add(certificate.clone());
        added.map_err(|error| HttpsError::Unusable("serverAuthorities", error.to_string()))?;
    }
    Ok(found)
}

fn certified(chain: Vec<CertificateDer<'static>>, key: &str) -> Result<CertifiedKey, HttpsError> {
    let unusable = |why: &str| HttpsError::Unusable("clientKey", why.to_owned());
    if key.contains("ENCRYPTED") {
        let why = "it has a passphrase; take it off (openssl pkey), it is kept sealed here";
        return Err(unusable(why));
    }
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
        .map_err(|_| unusable("it holds no private key in PEM form"))?;
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    CertifiedKey::from_der(chain, key, &provider)
        .map_err(|_| unusable("it is of a kind that TLS does not know, or not the certificate's"))
}

impl fmt::Debug for HttpsLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HttpsLogin({} ***)", self.kind())
    }
}

#[cfg(test)]
mod tests;
