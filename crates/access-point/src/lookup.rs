//! Finding a receiver: DNS, SMP, signature, certificates — with one time limit over all of it.
//!
//! The steps are pure and live in `peppol`; here is what happens between them: calls, and fetching
//! what is needed to judge a certificate before it is judged.

mod anew;
mod asking;
mod kept;
mod offers;
mod smp_location;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, candidates};
use quoin_peppol::lookup::LookupError;
use quoin_peppol::pki::{Certificate, CertificateRole, Trusted};
use quoin_peppol::sml::{self, UriPolicy};
use quoin_peppol::smp::{
    self, EndpointRefusal, Redirect, ServiceInformation, ServiceMetadata, UsableEndpoint,
    VerificationContext, VerifiedMetadata,
};
use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::enveloped;
use serde::Serialize;

use crate::budget::{Budgets, Purpose};
use crate::clock::Clock;
use crate::net::{self, Dns, HttpCall, HttpClient};
use crate::trust::TrustService;

use asking::SmpAnswer;
use kept::{Questions, ReceiverMemory};

pub use offers::{Offer, OfferFilter, ParticipantOffers};

/// What is read of the answer of an address whose health is asked for, in bytes.
const REACH_BYTES: usize = 64 << 10;
/// Nodes of an SMP answer that are read.
const ANSWER_NODES: usize = 100_000;

/// What was seen on the way to a receiver; kept with the attempt as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LookupReport {
    /// The name that was asked for in DNS.
    pub dns_name: String,
    /// The address of the SMP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smp: Option<String>,
    /// The registration that matched: the document type itself or a pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration: Option<String>,
    /// Where a redirect led to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<String>,
    /// Whether an earlier answer was used.
    pub cached: bool,
    /// Whether the name server's answer may be one that was kept.
    #[serde(skip)]
    pub name_kept: bool,
    /// The signed answers as they came: of the SMP, and of the one that it redirected to.
    #[serde(skip)]
    pub answers: Vec<Bytes>,
}

impl LookupReport {
    /// Whether something that was kept may have led there: who moved meanwhile is elsewhere.
    pub fn is_kept(&self) -> bool {
        self.cached || self.name_kept
    }
}

/// Where a document goes.
#[derive(Debug, Clone)]
pub struct ResolvedReceiver {
    /// The access point.
    pub endpoint: UsableEndpoint,
    /// How it was found.
    pub report: LookupReport,
}

/// Why a receiver was not found, and how far the look-up came.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{error}")]
pub struct LookupFailure {
    /// What is wrong.
    pub error: LookupError,
    /// A sentence on what it takes instead, where that is known.
    pub instead: Option<String>,
    /// How far it came.
    pub report: LookupReport,
}

/// What a participant is registered for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParticipantRegistrations {
    /// The address of its SMP.
    pub smp: String,
    /// The document types, patterns included.
    pub document_types: Vec<DocumentTypeId>,
    /// References that could not be read.
    pub unreadable: usize,
}

/// Looks receivers up.
pub struct Lookup {
    dns: Dns,
    http: HttpClient,
    trust: Arc<TrustService>,
    zone: String,
    uris: UriPolicy,
    limit: Duration,
    budgets: Budgets,
    kept: ReceiverMemory,
    questions: Questions,
}

/// Where receivers are looked up, and within which bounds.
#[derive(Debug, Clone)]
pub struct LookupSettings {
    /// The zone of participants.
    pub zone: String,
    /// Which addresses an SMP may name.
    pub uris: UriPolicy,
    /// The time for one look-up, DNS and SMP together.
    pub limit: Duration,
}

impl Lookup {
    /// Looks up by settings, believing whom `trust` believes.
    pub fn new(
        dns: Dns,
        http: HttpClient,
        trust: Arc<TrustService>,
        settings: LookupSettings,
        budgets: Budgets,
    ) -> Lookup {
        let LookupSettings { zone, uris, limit } = settings;
        let kept = ReceiverMemory::new(kept::MOST);
        let questions = Questions::default();
        Lookup { dns, http, trust, zone, uris, limit, budgets, kept, questions }
    }

    /// The access point that takes a document type in a process for a participant.
    ///
    /// # Errors
    /// [`LookupFailure`]; [`LookupError::is_temporary`] says whether it may pass.
    pub async fn find(
        &self,
        participant: &ParticipantId,
        document_type: &DocumentTypeId,
        process: &ProcessId,
    ) -> Result<ResolvedReceiver, LookupFailure> {
        let dns_name = sml::dns_name(participant, &self.zone);
        let mut report = LookupReport { dns_name, ..LookupReport::default() };
        let found = self.find_reporting(participant, document_type, process, &mut report);
        let found = tokio::time::timeout(self.limit, found).await.unwrap_or_else(|_| {
            Err(LookupError::SmpTrouble { what: format!("no answer within {:?}", self.limit) })
        });
        match found {
            Ok(endpoint) => Ok(ResolvedReceiver { endpoint, report }),
            Err(error) => Err(LookupFailure { error, instead: None, report }),
        }
    }

    /// The endpoint of a process. What is needed to judge its certificate is fetched first.
    async fn usable(
        &self,
        information: &ServiceInformation,
        process: &ProcessId,
    ) -> Result<UsableEndpoint, EndpointRefusal> {
        let (role, now) = (CertificateRole::AccessPoint, self.clock().now());
        if let Ok(endpoint) = smp::select(information, process, now)
            && let Ok(der) = Certificate::der_of(&endpoint.certificate)
        {
            self.trust.prepare(&der, role).await;
        }
        let judge = |der: &[u8]| Ok(Trusted::clone(&*self.trust.judge(der, role)?));
        smp::usable(information, process, (self.uris, self.clock().now()), judge)
    }

    /// Forgets what is kept about a participant, because a delivery hinted that it is stale.
    pub fn forget(&self, participant: &ParticipantId) {
        self.kept.forget(&participant.folded());
        self.dns.forget(&sml::dns_name(participant, &self.zone));
    }

    /// What a participant is registered for at its SMP.
    ///
    /// # Errors
    /// [`LookupError`].
    pub async fn registrations(
        &self,
        participant: &ParticipantId,
    ) -> Result<ParticipantRegistrations, LookupError> {
        let asked = async {
            let dns_name = sml::dns_name(participant, &self.zone);
            let name_kept = self.dns.may_keep(&dns_name);
            let mut report = LookupReport { dns_name, name_kept, ..LookupReport::default() };
            match self.group_of(participant, &mut report).await {
                Err(no)
                    if name_kept && self.leads_elsewhere(participant, &mut report, &no).await? =>
                {
                    self.group_of(participant, &mut report).await
                }
                found => found,
            }
        };
        tokio::time::timeout(self.limit, asked).await.unwrap_or_else(|_| {
            Err(LookupError::SmpTrouble { what: format!("no answer within {:?}", self.limit) })
        })
    }

    /// Whether an address answers at all, and with which status.
    ///
    /// # Errors
    /// Why there was no answer, in words.
    pub async fn reach(&self, url: &str) -> Result<u16, String> {
        let call = HttpCall::get(url, self.limit, REACH_BYTES);
        self.http.call(call).await.map(|answer| answer.status).map_err(|error| error.to_string())
    }

    fn clock(&self) -> &Clock {
        self.trust.clock()
    }

    /// The verified metadata of the registration that serves a document type.
    async fn metadata(
        &self,
        participant: &ParticipantId,
        document_type: &DocumentTypeId,
        report: &mut LookupReport,
    ) -> Result<ServiceInformation, LookupError> {
        let base = self.smp_of(participant).await?;
        report.smp = Some(base.as_str().to_owned());
        for registration in candidates(document_type) {
            let url = smp::service_metadata_url(&base, participant, &registration);
            let Some(got) = self.get(&url).await? else { continue };
            report.registration = Some(registration.to_string());
            report.answers = vec![got.bytes.clone()];
            let (of, kind) = (participant.clone(), registration.clone());
            let read = move |bytes: &[u8], verification: &VerificationContext<'_>| {
                smp::read_service_metadata(bytes, &of, &kind, verification)
            };
            let answer = self.verified(&url, got, read).await?;
            return self.information(answer, participant, &registration, report).await;
        }
        // 404 for every registration: is it the participant or the document type?
        self.service_group(&base, participant).await?;
        Err(LookupError::UnsupportedDocumentType)
    }

    /// Follows one redirect (SMP 1.4.0, section 5.4).
    async fn information(
        &self,
        answer: VerifiedMetadata,
        participant: &ParticipantId,
        registration: &DocumentTypeId,
        report: &mut LookupReport,
    ) -> Result<ServiceInformation, LookupError> {
        let redirect: Redirect = match answer.metadata {
            ServiceMetadata::Information(information) => return Ok(information),
            ServiceMetadata::Redirect(redirect) => redirect,
        };
        sml::check_endpoint(&redirect.href, self.uris)?;
        report.redirect = Some(redirect.href.clone());
        let got = self.get(&redirect.href).await?.ok_or(LookupError::UnsupportedDocumentType)?;
        report.answers.push(got.bytes.clone());
        let (of, kind, from) = (participant.clone(), registration.clone(), redirect.clone());
        let read = move |bytes: &[u8], verification: &VerificationContext<'_>| {
            smp::read_redirected(bytes, &of, &kind, &from, verification)
        };
        let (information, _) = self.verified(&redirect.href, got, read).await?;
        Ok(information)
    }

    /// Reads an answer on a thread of its own; where its signer could not be judged yet, fetches
    /// what is missing and reads it once more.
    async fn verified<T, R>(&self, url: &str, got: SmpAnswer, read: R) -> Result<T, LookupError>
    where
        T: Send + 'static,
        R: Fn(&[u8], &VerificationContext<'_>) -> Result<T, smp::SmpRefusal>
            + Clone
            + Send
            + 'static,
    {
        let once = |prepared: bool| {
            let (trust, uris) = (self.trust.clone(), self.uris);
            let (bytes, read) = (got.bytes.clone(), read.clone());
            self.apart(url, move || {
                let revocations = trust.revocations();
                let answer = read(&bytes, &verification(&trust, &revocations, uris));
                let unjudged = answer.as_ref().is_err_and(smp::SmpRefusal::is_temporary);
                let signer = (unjudged && !prepared).then(|| claimed_signer(&bytes)).flatten();
                (answer, signer)
            })
        };
        let (first, signer) = once(false).await?;
        let Some(signer) = signer else { return got.judged(first) };
        self.trust.prepare(&signer, CertificateRole::Smp).await;
        let (second, _) = once(true).await?;
        got.judged(second)
    }

    /// Nothing that another machine answered is read on a thread that serves connections.
    async fn apart<T: Send + 'static>(
        &self,
        url: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, LookupError> {
        let host = net::host(url);
        let done = self.budgets.pool.run_within(Purpose::Answer, &host, self.limit, work).await;
        done.map_err(|busy| LookupError::SmpTrouble { what: busy.to_string() })
    }
}

fn verification<'a>(
    trust: &'a TrustService,
    revocations: &'a quoin_peppol::pki::Revocations,
    uris: UriPolicy,
) -> VerificationContext<'a> {
    let (policy, now) = (trust.policy(), trust.clock().now());
    VerificationContext { trust: trust.authorities(), revocations, policy, uris, now }
}

/// The certificate that an answer claims to be signed with, once its signature verifies with it.
fn claimed_signer(bytes: &[u8]) -> Option<Vec<u8>> {
    let limits = Limits {
        bytes: smp::ANSWER_LIMIT,
        nodes: ANSWER_NODES,
        bytes_per_node: 0,
        ..Limits::default()
    };
    enveloped::verify(&Document::parse(bytes, &limits).ok()?).ok()
}
