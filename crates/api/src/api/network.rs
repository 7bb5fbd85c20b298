//! What the interface tells of the network: how the access points do that a party's documents go
//! to, and what is known about certificates.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::BreakerState;
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::pki::RevocationPolicy;
use quoin_store::{EndpointHealth, RevocationSource};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

#[cfg(test)]
use crate::http::refusals::{Called, OfParty, OfRole};
use crate::http::words::CauseView;
use crate::http::{Caller, Problem};
use quoin_access_point::identity::Rollover;
use quoin_access_point::sending::Breakers;
use quoin_access_point::trust::{OwnCertificate, TrustService};

use super::Api;
#[cfg(test)]
use super::paths::PartyPath;
use super::rights::{Right, party};

/// How far back attempts to an address are looked at.
pub(super) const LATELY: SignedDuration = SignedDuration::from_hours(24 * 7);

/// What the interface knows of the network.
#[derive(Clone, Default)]
pub struct NetworkService {
    /// Which access points are left alone.
    pub breakers: Arc<Breakers>,
    /// Which certificates are believed.
    pub trust: Option<Arc<TrustService>>,
    /// The certificates that this installation depends on.
    pub certificates: Arc<Vec<OwnCertificate>>,
    /// Our identity as an access point, which signs dossiers.
    pub own: Option<Rollover<Arc<OwnIdentity>>>,
}

/// How an access point does.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EndpointView {
    /// Its address.
    #[cfg_attr(test, schema(example = "https://ap.example.org/as4"))]
    pub url: String,
    /// `closed`: it takes documents; `open`: it failed for several documents in a row and is left
    /// alone; `half-open`: one document is sent to see whether it takes documents again.
    #[cfg_attr(test, schema(example = "closed"))]
    pub state: String,
    /// Until when it is left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub rests_until: Option<Timestamp>,
    /// Attempts in the last week that were taken, of this party's documents.
    #[cfg_attr(test, schema(example = 17))]
    pub delivered: u64,
    /// The same that failed.
    #[cfg_attr(test, schema(example = 0))]
    pub failed: u64,
    /// When one was last taken.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub last_delivered_on: Option<Timestamp>,
    /// When one last failed.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub last_failed_on: Option<Timestamp>,
    /// In how many milliseconds half of those that were taken had their receipt.
    #[cfg_attr(test, schema(example = 210))]
    pub median_ms: Option<u32>,
    /// Why the last one failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<EndpointError>,
}

/// Why an attempt failed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct EndpointError {
    /// One stable word.
    #[cfg_attr(test, schema(example = "AP-TIMEOUT"))]
    pub code: String,
    /// Where it lies, and who can fix it.
    pub cause: Option<CauseView>,
}

impl EndpointView {
    /// An address as a caller may see it: its state, and what became of documents of its own.
    pub(super) fn of(api: &Api, caller: &Caller, url: String, health: EndpointHealth) -> Self {
        let (state, rests_until) = api.network.breakers.state(&url, api.clock.now());
        let cause =
            |code: String| EndpointError { cause: CauseView::of(&code, caller.language), code };
        EndpointView {
            url,
            state: state.as_str().to_owned(),
            rests_until: rests_until.filter(|_| state == BreakerState::Open),
            delivered: health.delivered,
            failed: health.failed,
            last_delivered_on: health.last_delivered,
            last_failed_on: health.last_failed,
            median_ms: health.median_ms,
            last_error: health.last_code.map(cause),
        }
    }
}

/// What is known about revocation, and how long certificates are valid.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrustView {
    /// What happens when nobody says whether a certificate is revoked: `hard-fail`, `grace` or
    /// `soft-fail`.
    #[cfg_attr(test, schema(example = "hard-fail"))]
    pub revocation: String,
    /// The places where revocation is told.
    pub sources: Vec<SourceView>,
    /// The certificates that this service depends on.
    pub certificates: Vec<CertificateView>,
}

/// A place where revocation is told.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    /// Its address.
    #[cfg_attr(test, schema(example = "http://ocsp.example.org"))]
    pub url: String,
    /// `crl` or `ocsp`.
    #[cfg_attr(test, schema(example = "ocsp"))]
    pub kind: String,
    /// SHA-256 of the certificate that a responder is asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        test,
        schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
    )]
    pub certificate: Option<String>,
    /// When it last answered well.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub last_success: Option<Timestamp>,
    /// Until when that answer counts.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub next_update: Option<Timestamp>,
    /// When it is asked next.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub next_try: Timestamp,
    /// Tries in a row that failed since.
    #[cfg_attr(test, schema(example = 2))]
    pub failures: u32,
    /// What the last one failed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "no answer within 10 s"))]
    pub error: Option<String>,
}

/// A certificate that this service depends on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CertificateView {
    /// What it is used for: `access-point`, `next-access-point`, `smp`, `tls-api`, `tls-as4`,
    /// `tls-smp` or `authority`.
    #[serde(rename = "use")]
    #[cfg_attr(test, schema(example = "access-point"))]
    pub used: String,
    /// Whose it is.
    #[cfg_attr(test, schema(example = "CN=POP000001, OU=PEPPOL PRODUCTION AP, O=Example, C=NL"))]
    pub subject: String,
    /// SHA-256 of it.
    #[cfg_attr(
        test,
        schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
    )]
    pub sha256: String,
    /// Until when it is valid.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub not_after: Timestamp,
    /// Whole days until then.
    #[cfg_attr(test, schema(example = 412))]
    pub days_left: i64,
}

impl From<RevocationSource> for SourceView {
    fn from(source: RevocationSource) -> SourceView {
        SourceView {
            url: source.url,
            kind: if source.subject.is_some() { "ocsp" } else { "crl" }.to_owned(),
            certificate: source.subject.map(|print| data_encoding::HEXLOWER.encode(&print)),
            last_success: source.fetched_on,
            next_update: source.next_update,
            next_try: source.next_on,
            failures: source.failures,
            error: source.problem,
        }
    }
}

impl CertificateView {
    fn of(own: &OwnCertificate, now: Timestamp) -> CertificateView {
        CertificateView {
            used: own.used.name(),
            subject: own.certificate.subject().to_string(),
            sha256: data_encoding::HEXLOWER.encode(own.certificate.fingerprint()),
            not_after: own.certificate.not_after(),
            days_left: own.expiring(now).days_left,
        }
    }
}

/// The routes.
pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/api/v1/{partyId}/endpoint", get(endpoints))
        .route("/api/v1/service/trust", get(trust))
}

/// Lists the access points that documents of a party went to in the last week, the latest first:
/// their state, and how those documents fared.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/endpoint", tag = "network",
    params(PartyPath),
    responses(
        (status = 200, description = "The access points.", body = [EndpointView]),
        Called,
        OfParty,
    ),
    security(("token" = []))
))]
pub(crate) async fn endpoints(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
) -> Result<Json<Vec<EndpointView>>, Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let since = api.clock.now().saturating_sub(LATELY).unwrap_or(Timestamp::MIN);
    let seen = api.store.endpoints_of(&party.organisation, &party.id, since).await?;
    let view =
        |seen: quoin_store::EndpointSeen| EndpointView::of(&api, &caller, seen.url, seen.health);
    Ok(Json(seen.into_iter().map(view).collect()))
}

/// Tells what is known about the revocation of certificates, source by source, and how long the
/// certificates are valid that this service depends on.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/service/trust", tag = "network",
    responses(
        (status = 200, description = "Sources and certificates.", body = TrustView),
        Called,
        OfRole,
    ),
    security(("token" = []))
))]
pub(crate) async fn trust(
    State(api): State<Api>,
    caller: Caller,
) -> Result<Json<TrustView>, Problem> {
    caller.manager()?;
    let (desk, now) = (api.network.trust.as_ref(), api.clock.now());
    let policy = desk.map(|desk| desk.policy()).unwrap_or_default();
    let revocation = match policy {
        RevocationPolicy::HardFail => "hard-fail",
        RevocationPolicy::Grace(_) => "grace",
        RevocationPolicy::SoftFail => "soft-fail",
    };
    let sources = desk.map(|desk| desk.sources()).unwrap_or_default();
    let certificates = api.network.certificates.iter();
    Ok(Json(TrustView {
        revocation: revocation.to_owned(),
        sources: sources.into_iter().map(SourceView::from).collect(),
        certificates: certificates.map(|own| CertificateView::of(own, now)).collect(),
    }))
}
