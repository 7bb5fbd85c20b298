//! The two ways in. Bytes, row, timeline and first task are one commit; the caller is answered when
//! it is on the disk, and only then may the door say yes (ARCHITECTURE, What must stay true, 2).

mod known;
mod prepared;
mod recorded;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::repeats::{Repeat, RepeatedIdentifier};
use quoin_delivery::{
    DeliveryRoute, Direction, DocumentId, Event, Family, OrganisationId, RetryPolicy, Status,
    Transaction, TransactionId, decide,
};
use uuid::Uuid;

use crate::answers::{self, NewAnswer};
use crate::blobs::{self, Ready, StoredBlob};
use crate::consequences;
use crate::error::Error;
use crate::evidence::{self, Evidence, EvidenceKind};
use crate::exchanges::{self, Exchange};
use crate::open::Store;
use crate::statuses::{self, NewStatus};
use crate::transactions::{self, SubmitOptions, TransactionFacts};
use crate::usage;
use crate::writer::Tx;

use known::{bearer, known};
use recorded::{add, add_incoming};

pub use known::ArrivalIdentifiers;
pub(crate) use prepared::{add_outgoing, outgoing};

/// A document a customer uploads.
#[derive(Debug, Clone)]
pub struct NewOutgoing {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the sending party.
    pub party: String,
    /// The caller's id for the document, or a new one.
    pub document_id: DocumentId,
    /// The kind of business: what the endpoint says, until detection knows better.
    pub family: Family,
    /// What is known already.
    pub facts: TransactionFacts,
    /// The channel the caller forces, if any.
    pub channel: Option<String>,
    /// The AS4 message id every attempt will carry.
    pub message_id: String,
    /// The SBDH instance identifier every attempt will carry.
    pub instance_id: String,
    /// Whether the caller made the envelope, and its identifier: no other one of its organisation
    /// may have used it.
    pub is_own_envelope: bool,
    /// The document as it came.
    pub content: Bytes,
    /// When it came.
    pub now: Timestamp,
}

/// What became of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored.
    Accepted {
        /// Its transaction.
        transaction: TransactionId,
        /// Whether its first step is in hand already: it waits for nothing.
        is_in_hand: bool,
    },
    /// The organisation has sent a document under this id before, or one that came has it; nothing
    /// was stored.
    Duplicate {
        /// That document's transaction.
        existing: TransactionId,
        /// Whether it was sent, with the same bytes.
        same_content: bool,
    },
    /// The identifier of the envelope that the caller made is that of another one of its
    /// organisation, which was sent or may be; nothing was stored.
    EnvelopeTaken {
        /// The transaction of that one.
        existing: TransactionId,
        /// Whether its bytes were the same.
        same_content: bool,
    },
}

/// A document the network brings.
#[derive(Debug, Clone)]
pub struct NewIncoming {
    /// The tenant of the receiver.
    pub organisation: OrganisationId,
    /// The key of the receiving party.
    pub party: String,
    /// Our id for the document.
    pub document_id: DocumentId,
    /// The kind of business, by its document type.
    pub family: Family,
    /// What the envelope says.
    pub facts: TransactionFacts,
    /// The sender in the envelope (SBDH `Sender`).
    pub envelope_sender: String,
    /// The AS4 message id.
    pub message_id: String,
    /// The SBDH instance identifier.
    pub instance_id: String,
    /// The common name of corner 2's certificate.
    pub access_point: String,
    /// The document without its envelope.
    pub content: Bytes,
    /// When it came.
    pub now: Timestamp,
}

/// What is recorded about the exchange in which a document arrived.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// For the statistics reports.
    pub exchange: Option<Exchange>,
    /// The status that may be owed about it.
    pub status: Option<NewStatus>,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordOutcome {
    /// It is stored.
    Accepted(TransactionId),
    /// One of its identifiers was seen before: the AS4 message id from this access point, the SBDH
    /// instance identifier from this sender, or our id for the document. Nothing was stored now.
    /// Only [`Repeat::Same`] is with us, and may have its receipt again.
    Known {
        /// The transaction that bears the identifier.
        existing: TransactionId,
        /// Which identifier it is.
        by: RepeatedIdentifier,
        /// What the message is beside that transaction.
        repeat: Repeat,
    },
}

const WISH: &str = "UPDATE transactions SET wish_sender = ?2, wish_receiver = ?3,
    wish_document_type = ?4, wish_process = ?5, meta_attributes = ?6,
    wish_target_format = ?7, wish_allowed_losses = ?8 WHERE id = ?1";

/// What both ways in have in common.
struct New {
    transaction: Transaction,
    facts: TransactionFacts,
    channel: Option<String>,
    message_id: String,
    instance_id: String,
    access_point: Option<String>,
    envelope_sender: Option<String>,
    blob: Ready,
    now: Timestamp,
}

/// Records what follows for a transaction that was just recorded: its bytes and what the opening
/// event decides. Answers the file to discard after the commit, if any.
fn open(tx: &mut Tx<'_>, new: &New, event: &Event) -> Result<Option<String>, Error> {
    let t = &new.transaction;
    usage::begun(tx, t)?;
    let surplus = blobs::record(tx, &t.organisation, &new.blob)?;
    // The opening needs no schedule, so any policy gives the same decision.
    let decision = decide(t, event, &RetryPolicy::default(), new.now);
    consequences::record(tx, t, &decision, new.now)?;
    Ok(surplus)
}

impl Store {
    /// Stores an upload with its first task. Answers once it is on the disk.
    pub async fn submit(&self, new: NewOutgoing) -> Result<Submitted, Error> {
        self.submit_with(new, SubmitOptions::default(), None, None).await
    }

    /// As [`Store::submit`], with what its sender asks beside it, what it answers, and how many
    /// documents of a month the package of its organisation holds.
    ///
    /// Errors: [`Refusal::OutOfOrder`](crate::Refusal::OutOfOrder) where the state in an answer
    /// may not follow those that were given, [`Refusal::PackageFull`](crate::Refusal::PackageFull);
    /// nothing is stored then.
    pub async fn submit_with(
        &self,
        new: NewOutgoing,
        wishes: SubmitOptions,
        answer: Option<NewAnswer>,
        most: Option<u64>,
    ) -> Result<Submitted, Error> {
        let (owner, content) = (new.organisation.clone(), new.content.clone());
        let blob = self.blobs.ready(&owner, content.clone()).await?;
        let id = blob.id.0;
        let submitted = self.submit_ready(new, blob, wishes, answer, most).await?;
        if matches!(submitted, Submitted::Accepted { .. }) {
            self.recent().keep((owner, id), &content);
        }
        Ok(submitted)
    }

    /// As [`Store::submit_with`], of a document that came to the store while it was read, so that
    /// `content` is empty.
    ///
    /// Errors: as there; the document is gone then.
    pub async fn submit_stored(
        &self,
        new: NewOutgoing,
        document: StoredBlob,
        wishes: SubmitOptions,
        answer: Option<NewAnswer>,
        most: Option<u64>,
    ) -> Result<Submitted, Error> {
        self.submit_ready(new, document.into_ready()?, wishes, answer, most).await
    }

    async fn submit_ready(
        &self,
        new: NewOutgoing,
        blob: Ready,
        wishes: SubmitOptions,
        answer: Option<NewAnswer>,
        most: Option<u64>,
    ) -> Result<Submitted, Error> {
        let is_own_envelope = new.is_own_envelope;
        let file = blob.file().into_iter().collect();
        let prepared = outgoing(&new, blob).with(wishes);
        let (answer, surplus) = self
            .write_files(file, move |tx| {
                let (t, now) = (prepared.new.transaction.clone(), prepared.new.now);
                let db = tx.connection();
                let found =
                    transactions::find_named(db, &t.organisation, t.direction, &t.document_id)?;
                if let Some(found) = found {
                    let same_content = found.transaction.direction == t.direction
                        && found.sha256 == prepared.new.blob.id;
                    let existing = found.transaction.id;
                    let answer = Submitted::Duplicate { existing, same_content };
                    return Ok((answer, prepared.discarded()));
                }
                if let Some(most) = most {
                    usage::check_room(tx, &t, most, now)?;
                }
                let instance = &prepared.new.instance_id;
                if is_own_envelope
                    && let Some((existing, sha256)) =
                        bearer(tx.connection(), &t.organisation, instance)?
                {
                    let same_content = sha256 == prepared.new.blob.id;
                    let answer = Submitted::EnvelopeTaken { existing, same_content };
                    return Ok((answer, prepared.discarded()));
                }
                let surplus = add_outgoing(tx, prepared)?;
                if let Some(answer) = &answer {
                    if answer.cancels {
                        answers::cancelled::demand_open(tx, &answer.subject)?;
                    }
                    answers::add(tx, &t.id, answer, now)?;
                }
                let is_in_hand = tx.hands_a_document_over();
                Ok((Submitted::Accepted { transaction: t.id, is_in_hand }, surplus))
            })
            .await?;
        self.blobs.discard(surplus).await;
        Ok(answer)
    }

    /// Stores a message with its first task. Answers once it is on the disk; the receipt may be
    /// sent then.
    pub async fn receive(&self, new: NewIncoming) -> Result<RecordOutcome, Error> {
        self.receive_with(new, Arrival::default(), Vec::new()).await
    }

    /// As [`Store::receive`], with what is on record about its exchange, and with what proves its
    /// passage.
    pub async fn receive_with(
        &self,
        new: NewIncoming,
        arrival: Arrival,
        evidence: Vec<Evidence>,
    ) -> Result<RecordOutcome, Error> {
        self.record_incoming(new, arrival, evidence, false).await
    }

    /// As [`Store::receive`], of a document whose id its caller chose, so that another one of its
    /// organisation may have it, sent or received: it is that one's then.
    pub async fn hand_in(&self, new: NewIncoming) -> Result<RecordOutcome, Error> {
        self.record_incoming(new, Arrival::default(), Vec::new(), true).await
    }

    async fn record_incoming(
        &self,
        new: NewIncoming,
        arrival: Arrival,
        evidence: Vec<Evidence>,
        is_named: bool,
    ) -> Result<RecordOutcome, Error> {
        let event = Event::Received { access_point: new.access_point.clone() };
        let evidence = self.ready_evidence(&new.organisation, evidence).await?;
        let (owner, content) = (new.organisation.clone(), new.content.clone());
        let blob = self.blobs.ready(&owner, new.content).await?;
        let id = blob.id;
        let ids = ArrivalIdentifiers {
            message_id: new.message_id.clone(),
            access_point: new.access_point.clone(),
            instance_id: new.instance_id.clone(),
            sender: new.envelope_sender.clone(),
            receiver: new.facts.receiver.clone().unwrap_or_default(),
        };
        let mut new = New {
            transaction: pending(
                (new.organisation, new.party, new.document_id),
                (Direction::Incoming, new.family),
                &new.facts,
            ),
            facts: new.facts,
            channel: None,
            message_id: new.message_id,
            instance_id: new.instance_id,
            access_point: Some(new.access_point),
            envelope_sender: Some(new.envelope_sender),
            blob,
            now: new.now,
        };
        let (answer, surplus) = self
            .write(move |tx| {
                if let Some(known) = known(tx.connection(), &ids, || id)? {
                    return Ok((known, unused(new, evidence)));
                }
                if let Some(known) = add_incoming(tx, &mut new, is_named)? {
                    return Ok((known, unused(new, evidence)));
                }
                let mut surplus: Vec<String> = open(tx, &new, &event)?.into_iter().collect();
                let whose = (&new.transaction.organisation, &new.transaction.id);
                for (kind, blob) in &evidence {
                    surplus.extend(evidence::add(tx, whose, 0, (*kind, blob))?);
                }
                let id = &new.transaction.id;
                if let Some(exchange) = &arrival.exchange {
                    exchanges::add(tx, id, Direction::Incoming, exchange)?;
                }
                if let Some(status) = &arrival.status {
                    statuses::open(tx, id, status)?;
                }
                Ok((RecordOutcome::Accepted(new.transaction.id), surplus))
            })
            .await?;
        for file in surplus {
            self.blobs.discard(Some(file)).await;
        }
        if matches!(answer, RecordOutcome::Accepted(_)) {
            self.recent().keep((owner, id.0), &content);
        }
        Ok(answer)
    }
}

/// The files of a message that is not stored after all.
fn unused(new: New, evidence: Vec<(EvidenceKind, Ready)>) -> Vec<String> {
    let evidence = evidence.into_iter().map(|(_, blob)| blob);
    std::iter::once(new.blob).chain(evidence).filter_map(Ready::into_file).collect()
}

fn pending(
    (organisation, party, document_id): (OrganisationId, String, DocumentId),
    (direction, family): (Direction, Family),
    facts: &TransactionFacts,
) -> Transaction {
    Transaction {
        id: TransactionId::from_uuid(Uuid::now_v7()),
        organisation,
        party,
        document_id,
        direction,
        family,
        status: Status::Pending,
        attempts: 0,
        version: 0,
        sender: facts.sender.clone(),
        receiver: facts.receiver.clone(),
        number: facts.number.clone(),
        source_document_type: facts.source_document_type.clone(),
        target_document_type: None,
        way: DeliveryRoute::default(),
    }
}
