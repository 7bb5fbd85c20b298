//! Signing in: challenge, the signed document, the tokens.

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::{
    AuthChallenge, AuthMethodInfo, AuthOperation, AuthStarted, AuthTokens, RefreshedToken,
    StatusInfo, TokenInfo,
};
use quoin_ksef::auth::{AUTH_NAMESPACE, AUTH_NAMESPACE_2_1};
use quoin_ksef::certificate::{CertificateSubject, subject_of};
use quoin_ksef::number::is_nip;
use quoin_xml::tree::{Document, Element, Limits};
use quoin_xmldsig::keys::sha256;
use quoin_xmldsig::signature::SignatureError;
use quoin_xmldsig::xades;
use uuid::Uuid;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::answers::{LabAnswer, LabAnswered, LabRefusal, LabRequest};
use super::server::KsefLab;
use super::state::{KsefState, LabOperation, LabToken, LabTokenKind};

/// How long a challenge is good, and a token of each kind.
const CHALLENGE: SignedDuration = SignedDuration::from_mins(10);
const OPERATION: SignedDuration = SignedDuration::from_mins(45);
const REFRESH: SignedDuration = SignedDuration::from_hours(24 * 7);

pub(super) fn challenge(state: &mut KsefState, now: Timestamp) -> LabAnswered {
    let challenge = state.reference("CR", now);
    state.challenges.insert(challenge.clone(), now + CHALLENGE);
    let told = AuthChallenge {
        challenge,
        timestamp: now,
        timestamp_ms: now.as_millisecond(),
        client_ip: "127.0.0.1".to_owned(),
    };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

/// What the document asks for.
struct AuthAsked {
    challenge: String,
    context: (String, String),
    by_subject: bool,
}

pub(super) fn xades_signature(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    if std::str::from_utf8(&request.body).is_err() {
        return Err(LabRefusal::bad(21_217, ""));
    }
    let document = Document::parse(&request.body, &Limits::default())
        .map_err(|error| LabRefusal::bad(21_001, error.to_string()))?;
    let asked = read_request(document.root())?;
    let told = xades::verify(&document).map_err(|error| match error {
        SignatureError::Missing("ds:Signature") => LabRefusal::bad(9102, ""),
        SignatureError::Ambiguous(_) => LabRefusal::bad(9103, error.to_string()),
        error => LabRefusal::bad(9105, error.to_string()),
    })?;
    // A challenge is used once, whatever comes of it.
    match state.challenges.remove(&asked.challenge) {
        Some(until) if now < until => {}
        _ => return Err(LabRefusal::bad(21_111, "")),
    }
    let subject = subject_of(&told.certificate).ok_or_else(|| LabRefusal::bad(21_115, ""))?;
    if asked.by_subject == matches!(subject, CertificateSubject::Fingerprint) {
        return Err(LabRefusal::bad(21_406, "certyfikat nie zawiera NIP ani PESEL"));
    }
    let outcome = if is_ended(&told.certificate, now) {
        status(
            460,
            "Uwierzytelnianie zakończone niepowodzeniem z powodu błędu certyfikatu",
            &["Nieważny certyfikat"],
        )
    } else if is_allowed(state, &subject, &told.certificate, &asked.context) {
        status(200, "Uwierzytelnianie zakończone sukcesem", &[])
    } else {
        status(415, "Uwierzytelnianie zakończone niepowodzeniem", &["Brak przypisanych uprawnień"])
    };
    let reference = state.reference("AU", now);
    let operation = LabOperation {
        started: now,
        context: asked.context,
        proof: data_encoding::BASE64.encode(&sha256(&request.body)),
        outcome,
        pending: lab.settings().auth_polls,
        redeemed: false,
        revoked: false,
    };
    state.operations.insert(reference.clone(), operation);
    let token = grant(state, LabTokenKind::Operation, &reference, now + OPERATION);
    let told = AuthStarted { reference_number: reference, authentication_token: token };
    Ok(LabAnswer::json(StatusCode::ACCEPTED, &told))
}

fn status(code: u16, description: &str, details: &[&str]) -> StatusInfo {
    let details = (!details.is_empty()).then(|| details.iter().map(|one| (*one).into()).collect());
    StatusInfo { code, description: description.to_owned(), details }
}

/// Reads `AuthTokenRequest` as its schema has it.
fn read_request(root: Element<'_>) -> Result<AuthAsked, LabRefusal> {
    let namespace = root.namespace();
    let refused = |detail: &str| LabRefusal::bad(21_401, detail);
    let is_known = [AUTH_NAMESPACE, AUTH_NAMESPACE_2_1].contains(&namespace);
    if !is_known || root.local() != "AuthTokenRequest" {
        return Err(refused("oczekiwano elementu AuthTokenRequest"));
    }
    let mut parts = root.elements().filter(|part| part.namespace() == namespace);
    let mut next = |name: &str| {
        let found = parts.next().filter(|part| part.local() == name);
        found.ok_or_else(|| refused(&format!("oczekiwano elementu {name}")))
    };
    let challenge = next("Challenge")?.text().trim().to_owned();
    let context = next("ContextIdentifier")?;
    let subject = next("SubjectIdentifierType")?.text().trim().to_owned();
    let mut identifiers = context.elements();
    let one = identifiers.next().ok_or_else(|| refused("ContextIdentifier jest pusty"))?;
    let kinds = ["Nip", "InternalId", "NipVatUe", "PeppolId"];
    let value = one.text().trim().to_owned();
    if identifiers.next().is_some() || !kinds.contains(&one.local()) {
        return Err(refused("ContextIdentifier ma mieć jeden identyfikator"));
    }
    if one.local() == "Nip" && !is_nip(&value) {
        return Err(refused("Nip nie odpowiada wzorcowi"));
    }
    let by_subject = match subject.as_str() {
        "certificateSubject" => true,
        "certificateFingerprint" => false,
        _ => return Err(refused("SubjectIdentifierType ma nieznaną wartość")),
    };
    Ok(AuthAsked { challenge, context: (one.local().to_owned(), value), by_subject })
}

fn is_ended(certificate: &[u8], now: Timestamp) -> bool {
    Certificate::from_der(certificate).is_ok_and(|certificate| {
        let end = certificate.tbs_certificate.validity.not_after.to_unix_duration().as_secs();
        i64::try_from(end).is_ok_and(|end| end <= now.as_second())
    })
}

/// A company acts for itself; everybody else as was granted.
fn is_allowed(
    state: &KsefState,
    subject: &CertificateSubject,
    certificate: &[u8],
    context: &(String, String),
) -> bool {
    let nip = context.1.get(..10).unwrap_or(&context.1);
    let own = match subject {
        CertificateSubject::Nip(own) if own == nip => return true,
        CertificateSubject::Nip(own) | CertificateSubject::Pesel(own) => own.clone(),
        CertificateSubject::Fingerprint => data_encoding::HEXUPPER.encode(&sha256(certificate)),
    };
    state.grants.iter().any(|(who, of)| *who == own && of == nip)
}

fn grant(
    state: &mut KsefState,
    kind: LabTokenKind,
    operation: &str,
    until: Timestamp,
) -> TokenInfo {
    let token = format!("lab.{}.{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let row = LabToken { kind, operation: operation.to_owned(), until };
    state.tokens.insert(token.clone(), row);
    TokenInfo { token, valid_until: until }
}

/// Whom a call is of: the operation of its token, which must be of a kind.
pub(super) fn caller(
    state: &KsefState,
    request: &LabRequest,
    kind: LabTokenKind,
    now: Timestamp,
) -> Result<String, LabRefusal> {
    let refused = LabRefusal::Unauthorized;
    let token = request.bearer().ok_or(refused("Brak tokenu."))?;
    let row = state.tokens.get(token).ok_or(refused("Nieznany token."))?;
    if row.kind != kind {
        return Err(refused("Token innego rodzaju."));
    }
    if row.until <= now {
        return Err(refused("Token wygasł."));
    }
    let operation = state.operations.get(&row.operation).ok_or(refused("Nieznany token."))?;
    if operation.revoked && kind != LabTokenKind::Access {
        return Err(refused("Token unieważniony."));
    }
    Ok(row.operation.clone())
}

pub(super) fn operation(
    state: &mut KsefState,
    request: &LabRequest,
    reference: &str,
    now: Timestamp,
) -> LabAnswered {
    let own = caller(state, request, LabTokenKind::Operation, now)?;
    let operation = state.operations.get_mut(reference).filter(|_| own == reference);
    let operation = operation.ok_or_else(|| {
        let detail = format!(
            "Operacja uwierzytelniania o numerze referencyjnym {reference} nie została znaleziona."
        );
        LabRefusal::bad(21_304, detail)
    })?;
    let status = if operation.pending > 0 {
        operation.pending -= 1;
        status(100, "Uwierzytelnianie w toku", &[])
    } else {
        operation.outcome.clone()
    };
    let told = AuthOperation {
        start_date: operation.started,
        authentication_method: Some("InternalCertificate".to_owned()),
        authentication_method_info: Some(AuthMethodInfo {
            category: "XadesSignature".to_owned(),
            code: "xades.internalCertificate".to_owned(),
            display_name: "Certyfikat KSeF".to_owned(),
        }),
        status,
        is_token_redeemed: Some(operation.redeemed),
    };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

pub(super) fn redeem(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    let reference = caller(state, request, LabTokenKind::Operation, now)?;
    let operation = state.operations.get_mut(&reference);
    let operation = operation.ok_or_else(|| LabRefusal::bad(21_304, ""))?;
    if operation.redeemed {
        return Err(LabRefusal::bad(21_301, "Tokeny zostały już pobrane."));
    }
    if operation.outcome.code != 200 || operation.pending > 0 {
        let detail = format!(
            "Status uwierzytelniania ({}) nie pozwala na pobranie tokenów.",
            operation.outcome.code
        );
        return Err(LabRefusal::bad(21_301, detail));
    }
    operation.redeemed = true;
    let access = grant(state, LabTokenKind::Access, &reference, now + lab.settings().access);
    let refresh = grant(state, LabTokenKind::Refresh, &reference, now + REFRESH);
    let told = AuthTokens { access_token: access, refresh_token: refresh };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

pub(super) fn refresh(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    let reference = caller(state, request, LabTokenKind::Refresh, now)?;
    let access = grant(state, LabTokenKind::Access, &reference, now + lab.settings().access);
    Ok(LabAnswer::json(StatusCode::OK, &RefreshedToken { access_token: access }))
}

/// Ends the signing in: its refresh token is good no more.
pub(super) fn end(state: &mut KsefState, request: &LabRequest, now: Timestamp) -> LabAnswered {
    let reference = caller(state, request, LabTokenKind::Access, now)
        .or_else(|_| caller(state, request, LabTokenKind::Refresh, now))?;
    if let Some(operation) = state.operations.get_mut(&reference) {
        operation.revoked = true;
    }
    Ok(LabAnswer::empty(StatusCode::NO_CONTENT))
}
