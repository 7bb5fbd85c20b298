//! Signing in: the document that is signed, and when a token has to be renewed.
//!
//! Source: schema of `AuthTokenRequest` 2.0; documentation of KSeF, "uwierzytelnianie".

#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};
use quoin_xml::write::escape_text;

use crate::api::{AuthTokens, TokenInfo};
use crate::certificate::{CertificateSubject, KsefCertificate};

/// The namespace of the request.
pub const AUTH_NAMESPACE: &str = "http://ksef.mf.gov.pl/auth/token/2.0";
/// The same of its later version, which is read.
pub const AUTH_NAMESPACE_2_1: &str = "http://ksef.mf.gov.pl/auth/token/2.1";
/// How far back the time of signing is set: clocks differ.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(60);
/// A token that ends sooner is renewed.
const RENEW_BEFORE: SignedDuration = SignedDuration::from_secs(60);

/// For whom somebody signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthContext {
    /// A company.
    Nip(String),
    /// A unit of a company.
    InternalId(String),
    /// A company with its VAT number of another state.
    NipVatUe(String),
    /// A provider of Peppol.
    PeppolId(String),
}

impl AuthContext {
    /// The element, and the word in the path of a code.
    pub fn kind(&self) -> &'static str {
        match self {
            AuthContext::Nip(_) => "Nip",
            AuthContext::InternalId(_) => "InternalId",
            AuthContext::NipVatUe(_) => "NipVatUe",
            AuthContext::PeppolId(_) => "PeppolId",
        }
    }

    /// The identifier.
    pub fn value(&self) -> &str {
        match self {
            AuthContext::Nip(value)
            | AuthContext::InternalId(value)
            | AuthContext::NipVatUe(value)
            | AuthContext::PeppolId(value) => value,
        }
    }
}

/// `AuthTokenRequest`, not signed.
pub fn token_request(
    challenge: &str,
    context: &AuthContext,
    subject: &CertificateSubject,
) -> String {
    let subject = match subject {
        CertificateSubject::Nip(_) | CertificateSubject::Pesel(_) => "certificateSubject",
        CertificateSubject::Fingerprint => "certificateFingerprint",
    };
    let (mut value, mut told) = (String::new(), String::new());
    escape_text(context.value(), &mut value);
    escape_text(challenge, &mut told);
    let kind = context.kind();
    format!(
        "<AuthTokenRequest xmlns=\"{AUTH_NAMESPACE}\"><Challenge>{told}</Challenge>\
         <ContextIdentifier><{kind}>{value}</{kind}></ContextIdentifier>\
         <SubjectIdentifierType>{subject}</SubjectIdentifierType></AuthTokenRequest>"
    )
}

/// `AuthTokenRequest`, signed with a certificate: the body of `POST /auth/xades-signature`.
///
/// # Errors
/// Where the key fails.
pub fn signed_token_request(
    challenge: &str,
    context: &AuthContext,
    certificate: &KsefCertificate,
    now: Timestamp,
) -> Result<String, quoin_xmldsig::enveloped::SignError> {
    let request = token_request(challenge, context, certificate.subject());
    certificate.sign_document(&request, now.saturating_sub(CLOCK_SKEW).unwrap_or(now))
}

/// What has to be done before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenNeed<'t> {
    /// The access token is good.
    Good(&'t TokenInfo),
    /// It has to be renewed with the refresh token.
    Renew(&'t TokenInfo),
    /// Somebody has to sign in anew.
    SignIn,
}

/// What tokens are good for at a time.
pub fn token_need(tokens: Option<&AuthTokens>, now: Timestamp) -> TokenNeed<'_> {
    let Some(tokens) = tokens else { return TokenNeed::SignIn };
    let is_good = |token: &TokenInfo| {
        token.valid_until.as_second() - now.as_second() > RENEW_BEFORE.as_secs()
    };
    if is_good(&tokens.access_token) {
        TokenNeed::Good(&tokens.access_token)
    } else if is_good(&tokens.refresh_token) {
        TokenNeed::Renew(&tokens.refresh_token)
    } else {
        TokenNeed::SignIn
    }
}
