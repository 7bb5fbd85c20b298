//! Opening a message on a thread of its own: nothing that a stranger wrote is read on a thread that
//! serves connections.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quoin_delivery::Family;
use quoin_peppol::as4::{As4Refusal, EbmsCode, Incoming, ReceivedMessage};
use quoin_peppol::pki::CertificateRole;
use quoin_peppol::sbdh::{self, Envelope};
use quoin_xml::tree::Limits;

use super::intake::ArrivedMessage;
use super::{As4Door, InboundFault, RejectReason, check_consistency};
use crate::budget::{Busy, Purpose};

/// How long a message waits for a thread: its sender waits no longer than a minute.
const PATIENCE: Duration = Duration::from_secs(30);

/// A message that was verified, decrypted and read.
pub(super) struct OpenedMessage {
    pub(super) received: ReceivedMessage,
    /// What is in it; nothing is in a test of the connection.
    pub(super) letter: Option<EnvelopedDocument>,
}

/// The business document of a message with its envelope.
pub(super) struct EnvelopedDocument {
    pub(super) envelope: Envelope,
    pub(super) content: Bytes,
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
        let purpose = if message.is_large() { Purpose::As4Large } else { Purpose::As4Open };
        let place =
            self.budgets.pool.enter(purpose, address, PATIENCE).await.map_err(Busy::from)?;
        let (door, own_kind) = (self.clone(), kind.to_owned());
        let first = self.budgets.pool.run_in(place, move || {
            let body = message.load().map_err(|error| error.to_string())?;
            let looked = door.look(&own_kind, &body, false);
            Ok::<_, String>((body, looked))
        });
        let (body, looked) = first.await?.map_err(|fault| unreadable(&fault))?;
        let (signer, message_id) = match looked? {
            OpeningOutcome::Opened(opened) => return Ok(*opened),
            OpeningOutcome::Unjudged { signer, message_id } => (signer, message_id),
        };
        self.judgeable(&signer).await.map_err(|no| match message_id {
            Some(id) => no.of(&id),
            None => no,
        })?;
        let (door, kind) = (self.clone(), kind.to_owned());
        let again = self
            .budgets
            .pool
            .run(purpose, address, PATIENCE, move || door.look(&kind, &body, true));
        match again.await?? {
            OpeningOutcome::Opened(opened) => Ok(*opened),
            OpeningOutcome::Unjudged { .. } => {
                let detail = "the signer could not be judged";
                Err(As4Refusal::new(EbmsCode::FailedAuthentication, detail).into())
            }
        }
    }

    /// A piece of work on a thread for messages.
    pub(super) async fn apart<T: Send + 'static>(
        &self,
        purpose: Purpose,
        address: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RejectReason> {
        Ok(self.budgets.pool.run(purpose, address, PATIENCE, work).await?)
    }

    /// Whether there is a fresh verdict on a certificate (DER), so that nobody has to be asked.
    pub(super) fn is_judged(&self, certificate: &[u8]) -> bool {
        self.trust.has_verdict(certificate, CertificateRole::AccessPoint)
    }

    fn look(
        &self,
        kind: &str,
        body: &[u8],
        prepared: bool,
    ) -> Result<OpeningOutcome, RejectReason> {
        let incoming = Incoming::read(kind, body)?;
        let signer = incoming.claimed_signer().filter(|_| !prepared);
        if let Some(signer) = signer.filter(|signer| !self.is_judged(signer)) {
            return Ok(OpeningOutcome::Unjudged { signer, message_id: incoming.claimed_id() });
        }
        let own = self.own.at(self.trust.clock().now());
        let received = incoming.open(own, self.trust.as_ref())?;
        received.check_time(self.trust.clock().now())?;
        if received.message.is_ping() {
            return Ok(OpeningOutcome::Opened(Box::new(OpenedMessage { received, letter: None })));
        }
        let letter = letter(&received).map_err(|no| no.of(&received.message.message_id))?;
        Ok(OpeningOutcome::Opened(Box::new(OpenedMessage { received, letter: Some(letter) })))
    }
}

/// Reads the envelope and what is in it.
fn letter(received: &ReceivedMessage) -> Result<EnvelopedDocument, RejectReason> {
    let refuse = |refusal: &dyn std::fmt::Display| {
        RejectReason::Refused(As4Refusal::new(EbmsCode::Other, refusal.to_string()))
    };
    let envelope = sbdh::read_checked(&received.payload, &Limits::default())
        .map_err(|refusal| refuse(&refusal))?;
    check_consistency(received, &envelope)?;
    let content = envelope.content(&received.payload).map_err(|refusal| refuse(&refusal))?;
    let content = Bytes::from(content.into_owned());
    let is_status = Family::of(&envelope.sbdh.document_type) == Family::MessageLevelStatus;
    let references = match is_status {
        true => quoin_formats::read(&content).message_status().unwrap_or_default().references,
        false => Vec::new(),
    };
    Ok(EnvelopedDocument { envelope, content, references })
}

fn unreadable(fault: &str) -> RejectReason {
    let detail = "the message could not be read back; send it again later";
    RejectReason::Failed(InboundFault { fault: fault.to_owned(), detail, message_id: None })
}

pub(super) fn busy(busy: &Busy) -> RejectReason {
    let detail = "the access point is busy; send the message again later";
    RejectReason::Failed(InboundFault { fault: busy.to_string(), detail, message_id: None })
}
