//! What the SMP answers: made from the store, signed once, and kept until the data changes or the
//! next certificate of the access point or of the SMP takes over. Other certificates are those of
//! the process, so a change of them begins with an empty memory.

mod types;

use std::sync::Arc;

use axum::http::HeaderValue;
use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, TransportProfile};
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::{SmpBase, UriPolicy};
use quoin_peppol::smp::{
    self, BusinessCard, Endpoint, ProcessEndpoints, PublishRefusal, Redirect, Resource,
    ServiceInformation, ServiceMetadata, SmpForm, bdxr,
};
use quoin_store::{Publication, PublishedService, ServiceEndpoint, Store};
use quoin_xmldsig::keys::sha256;
use tokio::sync::Semaphore;

use super::byte_lru::{ByteLru, ByteSize};
use super::card::shown;
use super::published::{Published, fingerprint};
use crate::identity::{Credentials, Rollover};

use types::{by_type, day, types_since};

/// What a published endpoint of ours is called.
const DESCRIPTION: &str = "Peppol access point";

/// What the publisher needs to answer.
pub struct SmpPublisher {
    store: Store,
    credentials: Rollover<Arc<Credentials>>,
    base: SmpBase,
    access_point: Published,
    uris: UriPolicy,
    since: Timestamp,
    answers: ByteLru<AnswerKey, ServedAnswer>,
    signing: Semaphore,
}

/// What was asked for, and since when the answer is that of the moment: a next certificate, or a
/// type that the network removes, makes another key.
type AnswerKey = (SmpForm, Resource, Epoch);

/// Since when the access point's certificate is the one that is published, since when the SMP's is
/// the one that signs, and since when the types of the code list are as they are.
type Epoch = [Option<Timestamp>; 3];

/// How a publisher is set up.
pub struct PublisherSetup {
    /// What is published.
    pub store: Store,
    /// The SMP's certificate and key over time.
    pub credentials: Rollover<Arc<Credentials>>,
    /// Its base address.
    pub base: SmpBase,
    /// The access point of its participants.
    pub access_point: Published,
    /// Which addresses are acceptable.
    pub uris: UriPolicy,
    /// Bytes of answers that are kept, at most.
    pub memory: usize,
}

/// An answer as it is served.
#[derive(Debug, Clone)]
pub struct ServedAnswer {
    /// The document.
    pub body: Bytes,
    /// Its strong validator: the same body has the same one, also after a restart.
    pub etag: HeaderValue,
    /// Since when it is as it is, where that is known.
    pub modified: Option<Timestamp>,
}

impl ByteSize for ServedAnswer {
    fn bytes(&self) -> usize {
        self.body.len() + self.etag.len()
    }
}

/// Why an answer cannot be given. A fault of ours.
#[derive(Debug, thiserror::Error)]
pub enum PublisherFault {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] quoin_store::Error),
    /// A record cannot be published.
    #[error("a registration on record cannot be published: {0}")]
    Publish(#[from] PublishRefusal),
    /// The thread that signs ended.
    #[error("the signature was given up: {0}")]
    Signing(String),
}

/// A document before it is signed, and how it is signed.
enum UnsignedDocument {
    /// It is not.
    Plain(String),
    /// As Peppol SMP and BDXR SMP 1.0 have it.
    Enveloped(String),
    /// As BDXR SMP 2.0 has it.
    Enveloped11(String),
}

impl SmpPublisher {
    /// Sets a publisher up; the store remembers since when its certificates and addresses are so.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open(
        setup: PublisherSetup,
        now: Timestamp,
    ) -> Result<SmpPublisher, quoin_store::Error> {
        let PublisherSetup { store, credentials, base, access_point, uris, memory } = setup;
        let fingerprint = fingerprint(&credentials, &base, &access_point);
        let since = store.publisher_since(fingerprint, now).await?;
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(SmpPublisher {
            store,
            credentials,
            base,
            access_point,
            uris,
            since,
            answers: ByteLru::new(memory),
            signing: Semaphore::new(at_once),
        })
    }

    /// The base address.
    pub fn base(&self) -> &SmpBase {
        &self.base
    }

    /// Which addresses may be published.
    pub fn uri_policy(&self) -> UriPolicy {
        self.uris
    }

    /// Whether a certificate is that of our access point, the present one or the next.
    pub fn is_ours(&self, certificate: &Certificate) -> bool {
        self.access_point.certificate.all().any(|own| own.der() == certificate.der())
    }

    /// Whether an address is that of our access point.
    pub fn is_at(&self, address: &str) -> bool {
        self.access_point.address == address
    }

    /// The answer to a request, if there is something registered.
    ///
    /// # Errors
    /// [`Fault`].
    pub async fn answer(
        &self,
        form: SmpForm,
        asked: Resource,
    ) -> Result<Option<ServedAnswer>, PublisherFault> {
        let participant = asked.participant().folded();
        // Before the reading: a change in between makes another number, and what was made is stale.
        let generation = self.store.generation(&participant);
        let now = self.access_point.clock.now();
        let epoch = [
            self.access_point.certificate.since(now),
            self.credentials.since(now),
            types_since(now),
        ];
        let key = (form, asked, epoch);
        if let Some(known) = self.answers.get(&key, generation) {
            return Ok(Some(known));
        }
        let Some((draft, modified)) = self.draft(&key, &participant, now).await? else {
            return Ok(None);
        };
        let body = match draft {
            UnsignedDocument::Plain(text) => text,
            signed => {
                let _one_of_few = self.signing.acquire().await;
                // Somebody may have asked for the same and have it by now.
                if let Some(known) = self.answers.get(&key, generation) {
                    return Ok(Some(known));
                }
                self.sign(signed, now).await?
            }
        };
        let etag = format!("\"{}\"", BASE64URL_NOPAD.encode(&sha256(body.as_bytes())[..18]));
        let etag = HeaderValue::try_from(etag).unwrap_or(HeaderValue::from_static("\"\""));
        let answer = ServedAnswer { body: Bytes::from(body), etag, modified };
        self.answers.put(key, generation, answer.clone());
        Ok(Some(answer))
    }

    async fn draft(
        &self,
        (form, asked, epoch): &AnswerKey,
        participant: &str,
        now: Timestamp,
    ) -> Result<Option<(UnsignedDocument, Option<Timestamp>)>, PublisherFault> {
        if let Resource::BusinessCard(_) = asked {
            // It also shows what its organisation has changed, so the group does not tell its age.
            let card = self.business_card(participant).await?;
            return Ok(card.map(|card| (UnsignedDocument::Plain(smp::business_card(&card)), None)));
        }
        let Some(publication) = self.store.publication(participant).await? else { return Ok(None) };
        // Identifiers are published in one form, so that there is one answer for all spellings.
        let Ok(id) = participant.parse::<ParticipantId>() else { return Ok(None) };
        let modified = publication.group.changed_on.max(self.since);
        let modified = epoch.iter().flatten().copied().chain([modified]).max();
        let draft = match asked {
            Resource::ServiceMetadata(_, document_type) => {
                let Some(metadata) = self.metadata_at(&publication, &id, document_type, now) else {
                    return Ok(None);
                };
                metadata_draft(*form, &id, document_type, &metadata)?
            }
            _ => self.group_draft(*form, &id, &publication, now),
        };
        Ok(Some((draft, modified)))
    }

    /// Unsigned, but in BDXR SMP 2.0 (SMP 1.4.0, section 5.3).
    fn group_draft(
        &self,
        form: SmpForm,
        id: &ParticipantId,
        publication: &Publication,
        now: Timestamp,
    ) -> UnsignedDocument {
        let services = by_type(publication, now);
        let types: Vec<DocumentTypeId> = services.iter().map(|(id, _)| id.clone()).collect();
        match form {
            SmpForm::Peppol => UnsignedDocument::Plain(smp::service_group(&self.base, id, &types)),
            SmpForm::Bdxr1 => {
                UnsignedDocument::Plain(bdxr::service_group_1(&self.base, id, &types))
            }
            SmpForm::Bdxr2 => UnsignedDocument::Enveloped11(bdxr::service_group_2(id, &services)),
        }
    }

    /// Every record of a participant, as it is before signing.
    pub fn records(&self, publication: &Publication) -> Vec<(DocumentTypeId, ServiceMetadata)> {
        let Ok(id) = publication.group.participant.parse::<ParticipantId>() else {
            return Vec::new();
        };
        let record = |(document_type, _)| {
            let metadata = self.metadata(publication, &id, &document_type)?;
            Some((document_type, metadata))
        };
        let now = self.access_point.clock.now();
        by_type(publication, now).into_iter().filter_map(record).collect()
    }

    /// Literally what was asked for: matching patterns is the sender's work (SMP 1.4.0).
    pub fn metadata(
        &self,
        publication: &Publication,
        participant: &ParticipantId,
        document_type: &DocumentTypeId,
    ) -> Option<ServiceMetadata> {
        self.metadata_at(publication, participant, document_type, self.access_point.clock.now())
    }

    fn metadata_at(
        &self,
        publication: &Publication,
        participant: &ParticipantId,
        document_type: &DocumentTypeId,
        now: Timestamp,
    ) -> Option<ServiceMetadata> {
        // What the network has removed is published no more, whoever registered it when.
        if !quoin_identity::is_exchanged(document_type, day(now)) {
            return None;
        }
        let wanted = document_type.to_string();
        if let Some(to) = publication.redirects.iter().find(|to| to.document_type == wanted) {
            let (href, certificate_uid) = (to.href.clone(), to.certificate_uid.clone());
            return Some(ServiceMetadata::Redirect(Redirect { href, certificate_uid }));
        }
        let own = self.own_endpoint(participant, publication.endpoint.as_deref(), now);
        let processes: Vec<ProcessEndpoints> = publication
            .services
            .iter()
            .filter(|service| service.document_type == wanted)
            .filter_map(|service| self.process(service, &own))
            .collect();
        if processes.is_empty() {
            return None;
        }
        let (participant, document_type) = (participant.clone(), document_type.clone());
        let information = ServiceInformation { participant, document_type, processes };
        Some(ServiceMetadata::Information(information))
    }

    fn process(&self, service: &PublishedService, own: &Endpoint) -> Option<ProcessEndpoints> {
        let id: ProcessId = service.process.parse().ok()?;
        let endpoints = match &service.endpoints {
            None => vec![own.clone()],
            Some(all) => all.iter().map(|one| endpoint(one, own)).collect(),
        };
        Some(ProcessEndpoints { id, endpoints })
    }

    /// Where documents of a participant go; `moved` is the name of the endpoint it was moved to.
    fn own_endpoint(
        &self,
        participant: &ParticipantId,
        moved: Option<&str>,
        now: Timestamp,
    ) -> Endpoint {
        let own = &self.access_point;
        let named = moved.and_then(|name| own.named.get(name));
        let exception = own.exceptions.get(participant);
        let moved = named.and_then(|named| named.address.as_ref());
        let certificate = named.and_then(|named| named.certificate.as_ref());
        Endpoint {
            transport_profile: TransportProfile::AS4.to_owned(),
            address: exception.or(moved).unwrap_or(&own.address).clone(),
            activation: None,
            expiration: None,
            certificate: certificate.unwrap_or(own.certificate.at(now)).base64(),
            description: DESCRIPTION.to_owned(),
            technical_contact: own.contact.clone(),
            technical_information: None,
        }
    }

    /// What the Directory fetches; nothing for a participant that is not to be found there.
    ///
    /// # Errors
    /// The store failed.
    pub async fn business_card(
        &self,
        participant: &str,
    ) -> Result<Option<BusinessCard>, quoin_store::Error> {
        let Ok(id) = participant.parse::<ParticipantId>() else { return Ok(None) };
        let found = self.store.published_card(participant).await?;
        Ok(found.map(|(card, contact)| shown(id, card, contact)))
    }

    async fn sign(
        &self,
        draft: UnsignedDocument,
        now: Timestamp,
    ) -> Result<String, PublisherFault> {
        let credentials = self.credentials.at(now).clone();
        // A signature takes a millisecond of a processor, or waits for a module.
        let signed = tokio::task::spawn_blocking(move || {
            let Credentials { certificate, key, .. } = &*credentials;
            match draft {
                UnsignedDocument::Plain(text) => Ok(text),
                UnsignedDocument::Enveloped(text) => smp::sign(&text, key.as_ref(), certificate),
                UnsignedDocument::Enveloped11(text) => {
                    bdxr::sign_2(&text, key.as_ref(), certificate)
                }
            }
        });
        Ok(signed.await.map_err(|error| PublisherFault::Signing(error.to_string()))??)
    }
}

/// A recorded endpoint; what it leaves open is as it is at our own.
fn endpoint(recorded: &ServiceEndpoint, own: &Endpoint) -> Endpoint {
    Endpoint {
        transport_profile: recorded.transport_profile.clone(),
        address: recorded.address.clone().unwrap_or_else(|| own.address.clone()),
        activation: recorded.activation,
        expiration: recorded.expiration,
        certificate: recorded.certificate.clone().unwrap_or_else(|| own.certificate.clone()),
        description: recorded.description.clone(),
        technical_contact: recorded.technical_contact.clone(),
        technical_information: recorded.technical_information.clone(),
    }
}

fn metadata_draft(
    form: SmpForm,
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
    metadata: &ServiceMetadata,
) -> Result<UnsignedDocument, PublishRefusal> {
    Ok(match form {
        SmpForm::Peppol => UnsignedDocument::Enveloped(smp::service_metadata(metadata)?),
        SmpForm::Bdxr1 => UnsignedDocument::Enveloped(bdxr::service_metadata_1(metadata)?),
        SmpForm::Bdxr2 => {
            let text = bdxr::service_metadata_2(participant, document_type, metadata)?;
            UnsignedDocument::Enveloped11(text)
        }
    })
}
