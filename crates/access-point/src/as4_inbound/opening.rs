//! Opening a message on a thread of its own: nothing that a stranger wrote is read on a thread that
//! serves connections.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quoin_delivery::Family;
use quoin_peppol::as4::{As4Refusal, EbmsCode, Incoming, OpenFailure, ReceivedMessage};
use quoin_peppol::pki::CertificateRole;
use quoin_peppol::sbdh::{self, Envelope};
use quoin_xml::tree::Limits;

use super::intake::{ArrivedMessage, LARGE};
use super::{As4Door, InboundFault, RejectReason, check_consistency};
use crate::budget::bytes::WEIGHT;
use crate::budget::{Busy, Holding, LinePlace, Purpose};

/// How a message waits for memory.
const MEMORY: LinePlace = LinePlace { line: 64, patience: Duration::from_secs(20), first: true };

/// A message that was verified, decrypted and read.
pub(super) struct OpenedMessage {
    pub(super) received: ReceivedMessage,
    /// What is in it; nothing is in a test of the connection.
    pub(super) letter: Option<EnvelopedDocument>,
    /// What both hold of the memory.
    pub(super) room: Holding,
}

/// The business document of a message with its envelope.
pub(super) struct EnvelopedDocument {
    pub(super) envelope: Envelope,
    pub(super) content: Bytes,
    /// How long it is with its envelope.
    pub(super) payload_bytes: usize,
    /// What a Message Level Status is about.
    pub(super) references: Vec<String>,
}

/// What came of looking at a message once.
enum OpeningOutcome {
    Opened(Box<OpenedMessage>),
    /// Its signer (DER) has to be asked about first.
    Unjudged {
        signer: Vec<u8>,
        message_id: Option<String>,
        body: Bytes,
        room: Holding,
    },
    /// It is larger than it came.
    Grown {
        body: Bytes,
        room: Holding,
    },
}

impl As4Door {
    /// Opens a message, fetching what is needed to judge its signer.
    pub(super) async fn open(
        self: &Arc<Self>,
        kind: &str,
        message: ArrivedMessage,
        address: &str,
    ) -> Result<OpenedMessage, RejectReason> {
        let mut purpose = if message.is_large() { Purpose::As4Large } else { Purpose::As4Open };
        let mut message = message;
        let place = self.budgets.pool.enter(purpose, address).await.map_err(Busy::from)?;
        // As it came, and once more when it is decrypted.
        let to_load = message.to_load().saturating_mul(2);
        if to_load > 0 {
            let room = message.room.ask(to_load, MEMORY).await;
            room.map_err(|full| busy(&Busy::Full(full)))?;
        }
        let (door, own_kind) = (self.clone(), kind.to_owned());
        let first = self.budgets.pool.run_in(place, move || {
            let (body, room) = message.load().map_err(|error| unreadable(&error.to_string()))?;
            door.look(&own_kind, (body, room), (purpose, false))
        });
        let (mut looked, mut is_prepared) = (first.await??, false);
        loop {
            let (body, room) = match looked {
                OpeningOutcome::Opened(opened) => return Ok(*opened),
                OpeningOutcome::Unjudged { .. } if is_prepared => {
                    let detail = "the signer could not be judged";
                    return Err(As4Refusal::new(EbmsCode::FailedAuthentication, detail).into());
                }
                OpeningOutcome::Unjudged { signer, message_id, body, room } => {
                    self.judgeable(&signer).await.map_err(|no| match message_id {
                        Some(id) => no.of(&id),
                        None => no,
                    })?;
                    is_prepared = true;
                    (body, room)
                }
                OpeningOutcome::Grown { body, room } => {
                    purpose = Purpose::As4Large;
                    (body, room)
                }
            };
            let (door, kind, how) = (self.clone(), kind.to_owned(), (purpose, is_prepared));
            let again = move || door.look(&kind, (body, room), how);
            looked = self.budgets.pool.run(purpose, address, again).await??;
        }
    }

    /// Fetches what is needed to judge a signer. Where its authority does not say whether it is
    /// revoked, or its certificate is valid within minutes by the clock here, the message is
    /// neither taken nor refused: a refusal would be final for the sender (checklist B-11).
    pub(super) async fn judgeable(&self, signer: &[u8]) -> Result<(), RejectReason> {
        self.trust.prepare(signer, CertificateRole::AccessPoint).await;
        let Err(refusal) = self.trust.judge(signer, CertificateRole::AccessPoint) else {
            return Ok(());
        };
        let detail = match (
            refusal.is_temporary(),
            refusal.is_matter_of_clocks(self.trust.clock().now()),
        ) {
            (true, _) => {
                "whether the signing certificate is revoked is not known at the moment; send the \
                 message again later"
            }
            (false, true) => {
                "the signing certificate is not valid yet by the clock here; send the message \
                 again later"
            }
            (false, false) => return Ok(()),
        };
        let fault = refusal.to_string();
        Err(RejectReason::Failed(InboundFault { fault, detail, message_id: None }))
    }

    /// A piece of work on a thread for messages.
    pub(super) async fn apart<T: Send + 'static>(
        &self,
        purpose: Purpose,
        address: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RejectReason> {
        Ok(self.budgets.pool.run(purpose, address, work).await?)
    }

    /// Whether there is a fresh verdict on a certificate (DER), so that nobody has to be asked.
    pub(super) fn is_judged(&self, certificate: &[u8]) -> bool {
        self.trust.has_verdict(certificate, CertificateRole::AccessPoint)
    }

    fn look(
        &self,
        kind: &str,
        (body, mut room): (Bytes, Holding),
        (purpose, prepared): (Purpose, bool),
    ) -> Result<OpeningOutcome, RejectReason> {
        let incoming = Incoming::read(kind, &body)?;
        let signer = incoming.claimed_signer().filter(|_| !prepared);
        if let Some(signer) = signer.filter(|signer| !self.is_judged(signer)) {
            let message_id = incoming.claimed_id();
            return Ok(OpeningOutcome::Unjudged { signer, message_id, body, room });
        }
        let own = self.own.at(self.trust.clock().now());
        let (mut is_known, as_it_came) = (false, room.bytes());
        let mut has_grown = false;
        let opened = incoming.open_within(own, self.trust.as_ref(), &mut |signer, bytes| {
            if !std::mem::replace(&mut is_known, true) {
                room.hand_over(&signer.common_name);
            }
            // It asks for all of it each time, holding nothing.
            room.shrink_to(as_it_came);
            // However small it came, it takes its turn with the large ones.
            has_grown = purpose == Purpose::As4Open && bytes >= LARGE;
            if has_grown {
                return false;
            }
            // What is in it is there with its tree in a moment.
            has_room(&mut room, bytes.saturating_mul(WEIGHT))
        });
        drop(incoming);
        let mut received = match opened {
            Err(OpenFailure::NoRoom { .. }) if has_grown => {
                return Ok(OpeningOutcome::Grown { body, room });
            }
            opened => opened.map_err(unopened)?,
        };
        drop(body);
        received.check_time(self.trust.clock().now())?;
        let letter = match received.message.is_ping() {
            true => None,
            false => {
                let id = received.message.message_id.clone();
                Some(letter(&mut received).map_err(|no| no.of(&id))?)
            }
        };
        // The tree is gone; the message stays until it is recorded.
        let payload = letter.as_ref().map_or(0, |letter| letter.payload_bytes);
        room.shrink_to(payload + received.travelled.payload.len());
        Ok(OpeningOutcome::Opened(Box::new(OpenedMessage { received, letter, room })))
    }
}

/// Whether there is room for more, which a large message waits for on its thread.
fn has_room(room: &mut Holding, more: usize) -> bool {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return false };
    runtime.block_on(room.ask(more, MEMORY)).is_ok()
}

fn unopened(failure: OpenFailure) -> RejectReason {
    match failure {
        OpenFailure::Refused(refusal) => refusal.into(),
        OpenFailure::NoRoom { message_id } => {
            let detail = "the access point is busy; send the message again later";
            let fault = "there is no memory for what is in a message".to_owned();
            RejectReason::Failed(InboundFault { fault, detail, message_id: Some(message_id) })
        }
        // A refusal would be final for the sender, who has done nothing wrong.
        OpenFailure::KeyFails { message_id } => {
            let detail = "the key of the access point cannot be used now; send the message again \
                          later";
            let fault = "the key that a message was encrypted for cannot be used".to_owned();
            RejectReason::Failed(InboundFault { fault, detail, message_id: Some(message_id) })
        }
    }
}

/// Reads the envelope and what is in it. The document is a part of the payload where it can be, so
/// that it is there once.
fn letter(received: &mut ReceivedMessage) -> Result<EnvelopedDocument, RejectReason> {
    let refuse = |refusal: &dyn std::fmt::Display| {
        RejectReason::Refused(As4Refusal::new(EbmsCode::Other, refusal.to_string()))
    };
    let payload = Bytes::from(std::mem::take(&mut received.payload));
    let envelope =
        sbdh::read_checked(&payload, &Limits::default()).map_err(|refusal| refuse(&refusal))?;
    check_consistency(received, &envelope)?;
    let content = match envelope.content(&payload).map_err(|refusal| refuse(&refusal))? {
        Cow::Borrowed(part) => payload.slice_ref(part),
        Cow::Owned(content) => Bytes::from(content),
    };
    let is_status = Family::of(&envelope.sbdh.document_type) == Family::MessageLevelStatus;
    let references = match is_status {
        true => quoin_formats::read(&content).message_status().unwrap_or_default().references,
        false => Vec::new(),
    };
    Ok(EnvelopedDocument { envelope, content, payload_bytes: payload.len(), references })
}

fn unreadable(fault: &str) -> RejectReason {
    let detail = "the message could not be read back; send it again later";
    RejectReason::Failed(InboundFault { fault: fault.to_owned(), detail, message_id: None })
}

pub(super) fn busy(busy: &Busy) -> RejectReason {
    let detail = "the access point is busy; send the message again later";
    RejectReason::Failed(InboundFault { fault: busy.to_string(), detail, message_id: None })
}
