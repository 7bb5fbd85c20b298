//! Messages as the testbed wants them: good ones, ones with a fault that was signed, ones that were
//! changed on the way. Each is built from a good message, so that it has the one fault that its
//! case is about and no other.

pub mod package;
pub mod sign;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use quoin_peppol::as4::{
    self, Entropy, HttpMessage, OwnIdentity, Peer, SealedMessage, UserMessage,
};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{self, CountryC1, Sbdh};
use quoin_xmldsig::keys::{AES_128_KEY_LENGTH, GCM_IV_LENGTH, seal_aes128_gcm};
use uuid::Uuid;

use package::MimePackage;
use sign::Style;

/// The document type of the invoices that the testbed writes.
pub const INVOICE_TYPE: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
    ::2.1";
/// Their process.
pub const INVOICE_PROCESS: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

/// The testbed cannot build a message: its own mistake, or that of its settings.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the testbed cannot build the message: {0}")]
pub struct ForgeError(pub String);

impl ForgeError {
    pub(super) fn of(error: impl std::fmt::Display) -> ForgeError {
        ForgeError(error.to_string())
    }
}

/// What is common to all messages of a run.
pub struct Forge {
    /// The testbed's access point.
    pub own: OwnIdentity,
    /// The access point under test.
    pub receiver: Arc<Peer>,
    /// Corner 1, played by the testbed.
    pub from: ParticipantId,
    /// Corner 4, of the access point under test.
    pub to: ParticipantId,
    /// The document type that it takes.
    pub document_type: DocumentTypeId,
    /// The process of that.
    pub process: ProcessId,
    /// A document to use instead of an invoice of ours.
    pub document: Option<String>,
    /// What the numbers of this run begin with.
    pub run: String,
    /// How many documents were numbered so far.
    pub count: AtomicUsize,
}

/// A message before it is sealed.
#[derive(Clone)]
pub struct MessageDraft {
    /// Its header.
    pub message: UserMessage,
    /// The envelope of the business document.
    pub payload: Vec<u8>,
    /// The number of the document, by which a delivery is recognised.
    pub number: String,
}

/// A sealed message that can still be changed.
#[derive(Clone)]
pub struct ForgedMessage {
    /// What goes over the wire.
    pub package: MimePackage,
    /// What its receipt must repeat.
    pub sent: SealedMessage,
    /// The number of the document in it.
    pub number: String,
    key: [u8; AES_128_KEY_LENGTH],
    octets: Vec<u8>,
}

/// A message that is ready to go.
#[derive(Clone)]
pub struct TestMessage {
    /// Which variant of its case it is.
    pub what: String,
    /// What goes over the wire, and what its receipt must repeat.
    pub sent: SealedMessage,
    /// The number of the document in it; empty where there is none.
    pub number: String,
}

/// One change of a text; in both parts `{from}`, `{to}`, `{type}`, `{own}`, `{peer}` and `{id}`
/// stand for what the message has there.
#[derive(Debug, Clone, Copy)]
pub struct TextEdit {
    /// Which variant this makes.
    pub what: &'static str,
    /// What is replaced, the first time that it occurs.
    pub from: &'static str,
    /// What comes in its place.
    pub to: &'static str,
}

/// A change, in the order of the fields of [`Edit`].
pub const fn edit(what: &'static str, from: &'static str, to: &'static str) -> TextEdit {
    TextEdit { what, from, to }
}

impl Forge {
    /// The testbed as a provider: the participant of its seat (SPIS 1.0).
    pub fn provider(&self) -> Result<ParticipantId, ForgeError> {
        let digits = self.own.seat_id.trim_start_matches(|c: char| c.is_alphabetic());
        format!("0242:{digits}").parse().map_err(ForgeError::of)
    }

    /// A number that no document of any run had before.
    pub fn number(&self) -> String {
        format!("{}-{}", self.run, self.count.fetch_add(1, Ordering::Relaxed))
    }

    /// A good message with a document that was not sent before.
    pub fn draft(&self) -> Result<MessageDraft, ForgeError> {
        let number = self.number();
        let (from, to) = (self.from.to_string(), self.to.to_string());
        let document = match &self.document {
            Some(document) => document.clone(),
            None => quoin_formats::samples::invoice(&from, &to, &number),
        };
        self.draft_of(&self.sbdh(), &document, &number)
    }

    /// The header of a fresh envelope.
    pub fn sbdh(&self) -> Sbdh {
        Sbdh {
            sender: self.from.clone(),
            receiver: self.to.clone(),
            document_type: self.document_type.clone(),
            process: self.process.clone(),
            instance: Uuid::new_v4().to_string(),
            created: Timestamp::now(),
            country: CountryC1::new("NL").unwrap_or_else(|| unreachable!("two capitals")),
            mls_to: None,
            mls_type: None,
            others: Vec::new(),
        }
    }

    /// A message with this envelope and document.
    pub fn draft_of(
        &self,
        sbdh: &Sbdh,
        document: &str,
        number: &str,
    ) -> Result<MessageDraft, ForgeError> {
        let payload = sbdh::wrap(sbdh, document.as_bytes()).map_err(ForgeError::of)?;
        Ok(MessageDraft { message: self.header(sbdh), payload, number: number.to_owned() })
    }

    fn header(&self, sbdh: &Sbdh) -> UserMessage {
        let document_type = &sbdh.document_type;
        UserMessage {
            message_id: format!("{}@testbed.quoin.test", Uuid::new_v4()),
            conversation_id: sbdh.instance.clone(),
            timestamp: Timestamp::now(),
            from: self.own.seat_id.clone(),
            to: self.receiver.common_name.clone(),
            service: sbdh.process.value().to_owned(),
            service_type: sbdh.process.scheme().to_owned(),
            action: format!("{}::{}", document_type.scheme(), document_type.value()),
            original_sender: sbdh.sender.to_string(),
            final_recipient: sbdh.receiver.to_string(),
        }
    }

    /// Seals a message as the testbed's access point to the one under test.
    pub fn seal(&self, draft: &MessageDraft) -> Result<ForgedMessage, ForgeError> {
        self.seal_as(draft, &self.own, &self.receiver)
    }

    /// Seals a message as anybody to anybody.
    pub fn seal_as(
        &self,
        draft: &MessageDraft,
        own: &OwnIdentity,
        peer: &Peer,
    ) -> Result<ForgedMessage, ForgeError> {
        let mut random = [0; Entropy::BYTES];
        fill(&mut random)?;
        let mut key = [0; AES_128_KEY_LENGTH];
        key.copy_from_slice(random.get(..AES_128_KEY_LENGTH).unwrap_or_default());
        let entropy = Entropy::from_bytes(&random);
        let sent = as4::seal(&draft.message, &draft.payload, own, peer, &entropy);
        let sent = sent.map_err(ForgeError::of)?;
        let octets = as4::gzip(&draft.payload).map_err(ForgeError::of)?;
        let package = MimePackage::read(&sent.http)?;
        Ok(ForgedMessage { package, sent, number: draft.number.clone(), key, octets })
    }

    /// A good message.
    pub fn good(&self) -> Result<ForgedMessage, ForgeError> {
        self.seal(&self.draft()?)
    }

    /// Messages whose header was changed before it was signed.
    pub fn signed(&self, edits: &[TextEdit]) -> Result<Vec<TestMessage>, ForgeError> {
        edits.iter().map(|edit| self.edited(edit, true)).collect()
    }

    /// Messages whose SOAP envelope was changed on the way.
    pub fn on_the_wire(&self, edits: &[TextEdit]) -> Result<Vec<TestMessage>, ForgeError> {
        edits.iter().map(|edit| self.edited(edit, false)).collect()
    }

    fn edited(&self, edit: &TextEdit, signed: bool) -> Result<TestMessage, ForgeError> {
        let mut forged = self.good()?;
        let (from, to) = (self.fill_in(edit.from, &forged), self.fill_in(edit.to, &forged));
        forged.edit(&from, &to)?;
        if signed {
            forged.resign(&self.own, &Style::default())?;
        }
        Ok(forged.message(edit.what))
    }

    /// Messages whose envelope (SBD) was changed before it was sealed.
    pub fn enveloped(&self, edits: &[TextEdit]) -> Result<Vec<TestMessage>, ForgeError> {
        let one = |edit: &TextEdit| {
            let mut draft = self.draft()?;
            let text = String::from_utf8(draft.payload).map_err(ForgeError::of)?;
            let place = |text: &str| self.place(text, &draft.message.message_id);
            draft.payload = replaced(&text, &place(edit.from), &place(edit.to))?.into_bytes();
            Ok(self.seal(&draft)?.message(edit.what))
        };
        edits.iter().map(one).collect()
    }

    /// Messages with these octets instead of an envelope.
    pub fn containing(&self, payloads: &[(&str, &[u8])]) -> Result<Vec<TestMessage>, ForgeError> {
        let one = |(what, payload): &(&str, &[u8])| {
            let mut draft = self.draft()?;
            draft.payload = payload.to_vec();
            Ok(self.seal(&draft)?.message(*what))
        };
        payloads.iter().map(one).collect()
    }

    fn fill_in(&self, text: &str, forged: &ForgedMessage) -> String {
        self.place(text, &forged.sent.message_id)
    }

    fn place(&self, text: &str, id: &str) -> String {
        let known = [
            ("{from}", self.from.to_string()),
            ("{to}", self.to.to_string()),
            ("{type}", self.document_type.value().to_owned()),
            ("{process}", self.process.value().to_owned()),
            ("{own}", self.own.seat_id.clone()),
            ("{peer}", self.receiver.common_name.clone()),
            ("{id}", id.to_owned()),
        ];
        known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

impl ForgedMessage {
    /// Changes the SOAP envelope; a change of nothing is a mistake of the testbed.
    pub fn edit(&mut self, from: &str, to: &str) -> Result<&mut ForgedMessage, ForgeError> {
        self.package.soap = replaced(&self.package.soap, from, to)?;
        Ok(self)
    }

    /// Cuts out of the SOAP envelope what lies between two texts, these included.
    pub fn cut(&mut self, open: &str, close: &str) -> Result<String, ForgeError> {
        let soap = &self.package.soap;
        let missing = |what: &str| ForgeError(format!("there is no {what:?} in it"));
        let from = soap.find(open).ok_or_else(|| missing(open))?;
        let rest = soap.get(from..).unwrap_or_default();
        let length = rest.find(close).ok_or_else(|| missing(close))? + close.len();
        let cut = rest.get(..length).unwrap_or_default().to_owned();
        self.package.soap = soap.replacen(&cut, "", 1);
        Ok(cut)
    }

    /// Signs the message anew as it stands now.
    pub fn resign(&mut self, own: &OwnIdentity, style: &Style) -> Result<(), ForgeError> {
        let attachments = self.package.parts.iter().filter_map(|part| part.content_id());
        let attachments: Vec<_> = attachments.take(1).map(|id| (id, &*self.octets)).collect();
        let signed = sign::resign(&self.package.soap, &attachments, own, style)?;
        (self.package.soap, self.sent.parts) = signed;
        Ok(())
    }

    /// Puts other octets into the attachment, encrypted as before. The message must be signed anew.
    pub fn refill(&mut self, octets: Vec<u8>) -> Result<(), ForgeError> {
        let mut iv = [0; GCM_IV_LENGTH];
        fill(&mut iv)?;
        let sealed = seal_aes128_gcm(&self.key, iv, &octets).map_err(ForgeError::of)?;
        self.attachment()?.body = sealed;
        self.octets = octets;
        Ok(())
    }

    /// What is signed of the attachment: the compressed envelope.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The attachment.
    pub fn attachment(&mut self) -> Result<&mut package::MessageAttachment, ForgeError> {
        self.package.parts.first_mut().ok_or_else(|| ForgeError("it has no attachment".to_owned()))
    }

    /// What goes over the wire now.
    pub fn message(&self, what: impl Into<String>) -> TestMessage {
        let sent = SealedMessage { http: self.package.http(), ..self.sent.clone() };
        TestMessage { what: what.into(), sent, number: self.number.clone() }
    }
}

impl TestMessage {
    /// What goes over the wire.
    pub fn http(&self) -> &HttpMessage {
        &self.sent.http
    }
}

/// A text with one change; a change of nothing is a mistake.
pub(super) fn replaced(text: &str, from: &str, to: &str) -> Result<String, ForgeError> {
    if !text.contains(from) {
        return Err(ForgeError(format!("there is no {from:?} in it")));
    }
    Ok(text.replacen(from, to, 1))
}

/// Random bytes.
pub(super) fn fill(bytes: &mut [u8]) -> Result<(), ForgeError> {
    aws_lc_rs::rand::fill(bytes).map_err(|_| ForgeError("no random bytes".to_owned()))
}
