//! The SMP's door: what our participants can receive, published from the store.
//!
//! Answers are built on every request, which costs microseconds; their signatures, which cost much
//! more, are kept by what they sign, so that a change of the data or of the certificate is served
//! at
//! once and nothing has to be invalidated.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, TransportProfile};
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::SmpBase;
use quoin_peppol::smp::{
    self, BusinessEntity, Endpoint, Process, PublishRefusal, Resource, ServiceInformation,
    ServiceMetadata,
};
use quoin_store::{Service, Store};
use quoin_xml::keys::sha256;

use crate::clock::Clock;
use crate::identity::{Credentials, Succession};

/// Signed answers kept.
const SIGNED_ANSWERS: usize = 50_000;
/// What the published endpoint is called.
const DESCRIPTION: &str = "Peppol access point";

/// What the publisher needs to answer.
pub struct Publisher {
    store: Store,
    credentials: Credentials,
    base: SmpBase,
    access_point: Published,
    signed: Mutex<HashMap<[u8; 32], Bytes>>,
}

/// The access point that our participants are reached at.
#[derive(Debug, Clone)]
pub struct Published {
    /// Its AS4 address.
    pub address: String,
    /// Its certificate, as it is at the time of each answer.
    pub certificate: Succession<Certificate>,
    /// The time.
    pub clock: Clock,
    /// Whom to ask when it does not work: an address or a mail address.
    pub contact: String,
    /// Addresses for single participants, where they differ.
    pub exceptions: BTreeMap<ParticipantId, String>,
}

impl Published {
    fn certificate_now(&self) -> &Certificate {
        self.certificate.at(self.clock.now())
    }
}

/// Why an answer cannot be given. A fault of ours.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Store(#[from] quoin_store::Error),
    #[error("a registration on record cannot be published: {0}")]
    Publish(#[from] PublishRefusal),
}

impl Publisher {
    /// A publisher at `base`, signing with these credentials.
    pub fn new(
        store: Store,
        credentials: Credentials,
        base: SmpBase,
        access_point: Published,
    ) -> Publisher {
        Publisher { store, credentials, base, access_point, signed: Mutex::default() }
    }

    /// The routes of the door.
    pub fn router(self: Arc<Self>) -> Router {
        Router::new().fallback(get(answer)).with_state(self)
    }

    async fn resource(&self, resource: Resource) -> Result<Option<Bytes>, Fault> {
        match resource {
            Resource::ServiceGroup(participant) => self.service_group(&participant).await,
            Resource::ServiceMetadata(participant, document_type) => {
                self.service_metadata(participant, document_type).await
            }
            Resource::BusinessCard(participant) => self.business_card(&participant).await,
        }
    }

    /// Unsigned, as the specification has it (SMP 1.4.0, section 5.3).
    async fn service_group(&self, participant: &ParticipantId) -> Result<Option<Bytes>, Fault> {
        let services = self.store.services_of(&participant.folded()).await?;
        if services.is_empty() {
            return Ok(None);
        }
        let mut types: Vec<DocumentTypeId> =
            services.iter().filter_map(|service| service.document_type.parse().ok()).collect();
        types.dedup();
        Ok(Some(Bytes::from(smp::service_group(&self.base, participant, &types))))
    }

    /// What the Directory fetches; nothing for a participant that is not to be found there.
    async fn business_card(&self, participant: &ParticipantId) -> Result<Option<Bytes>, Fault> {
        let found = self.store.published_card(&participant.folded()).await?;
        let Some((card, contact)) = found else { return Ok(None) };
        let [_, address, email] = card.shown;
        let entity = BusinessEntity {
            geographical_information: (address && !card.address.is_empty())
                .then(|| card.address.join(", ")),
            email: card.email.or(contact).filter(|_| email),
            names: card.names,
            country: card.country,
        };
        Ok(Some(Bytes::from(smp::business_card(participant, &entity))))
    }

    /// Literally what was asked for: matching patterns is the sender's work (SMP 1.4.0).
    async fn service_metadata(
        &self,
        participant: ParticipantId,
        document_type: DocumentTypeId,
    ) -> Result<Option<Bytes>, Fault> {
        let wanted = document_type.to_string();
        let services = self.store.services_of(&participant.folded()).await?;
        let processes: Vec<Process> = services
            .iter()
            .filter(|service| service.document_type == wanted)
            .filter_map(|service| self.process(service, &participant))
            .collect();
        if processes.is_empty() {
            return Ok(None);
        }
        let information = ServiceInformation { participant, document_type, processes };
        let unsigned = smp::service_metadata(&ServiceMetadata::Information(information))?;
        Ok(Some(self.sign(&unsigned)?))
    }

    fn process(&self, service: &Service, participant: &ParticipantId) -> Option<Process> {
        let id: ProcessId = service.process.parse().ok()?;
        let exception = self.access_point.exceptions.get(participant);
        let endpoint = Endpoint {
            transport_profile: TransportProfile::AS4.to_owned(),
            address: exception.unwrap_or(&self.access_point.address).clone(),
            activation: None,
            expiration: None,
            certificate: self.access_point.certificate_now().base64(),
            description: DESCRIPTION.to_owned(),
            technical_contact: self.access_point.contact.clone(),
            technical_information: None,
        };
        Some(Process { id, endpoints: vec![endpoint] })
    }

    fn sign(&self, unsigned: &str) -> Result<Bytes, PublishRefusal> {
        let key = sha256(unsigned.as_bytes());
        let known = self.signed.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(signed) = known {
            return Ok(signed);
        }
        let Credentials { certificate, key: signer, .. } = &self.credentials;
        let sign = || smp::sign(unsigned, signer.as_ref(), certificate);
        let signed = match signer.is_slow() {
            true => tokio::task::block_in_place(sign)?,
            false => sign()?,
        };
        let signed = Bytes::from(signed);
        let mut kept = self.signed.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= SIGNED_ANSWERS {
            kept.clear();
        }
        kept.insert(key, signed.clone());
        Ok(signed)
    }
}

/// The path is taken as it was sent: an encoded slash belongs to a document type.
async fn answer(State(publisher): State<Arc<Publisher>>, uri: OriginalUri) -> Response {
    let Some(path) = below(&publisher.base, uri.path()) else {
        return not_found("nothing is published under this address");
    };
    let Some(resource) = smp::request(path) else {
        return not_found("expected /{participant} or /{participant}/services/{document type}");
    };
    match publisher.resource(resource).await {
        Ok(Some(xml)) => {
            let headers = [(header::CONTENT_TYPE, "text/xml; charset=utf-8")];
            (headers, Body::from(xml)).into_response()
        }
        Ok(None) => not_found("this participant or document type is not registered here"),
        Err(fault) => {
            tracing::error!(%fault, "the SMP could not answer");
            (StatusCode::INTERNAL_SERVER_ERROR, "the publisher failed; try again").into_response()
        }
    }
}

fn not_found(why: &'static str) -> Response {
    (StatusCode::NOT_FOUND, why).into_response()
}

/// What follows the path of the base address.
fn below<'p>(base: &SmpBase, path: &'p str) -> Option<&'p str> {
    let url = url::Url::parse(base.as_str()).ok()?;
    let prefix = url.path().trim_end_matches('/');
    path.strip_prefix(prefix).filter(|rest| rest.starts_with('/'))
}
