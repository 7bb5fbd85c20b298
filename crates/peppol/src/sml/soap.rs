//! The messages between an SMP and the SML (Peppol SML 1.3.0, sections 3 and 4): SOAP 1.1, document
//! literal. What is asked, what is answered, and what a fault means; the sockets are elsewhere.

mod fault;
mod key;
mod operation;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub use fault::{FAULTS, FaultKind, FaultMeaning, FaultRow, SmlFault};
pub use key::{KeyRefusal, MIGRATION_KEY_LENGTH, MIGRATION_KEY_SIGNS, check_migration_key};
pub use operation::{OPERATIONS, OperationRow, SmlOperation, SmlService};
pub use read::SoapRefusal;

use jiff::civil::Date;

use crate::identifiers::ParticipantId;

/// Namespace of SOAP 1.1 envelopes.
pub const SOAP_NAMESPACE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
/// Namespace of the SML's messages.
pub const LOCATOR_NAMESPACE: &str = "http://busdox.org/serviceMetadata/locator/1.0/";
/// Namespace of the messages of BDMSL.
pub const BDMSL_NAMESPACE: &str = "ec:services:wsdl:BDMSL:data:1.0";
/// Largest message that is read, in bytes: a page of some ten thousand participants.
pub const MESSAGE_LIMIT: usize = 4 << 20;
/// Participants in one CreateList or DeleteList. The specification names no limit; this is what we
/// send at most.
pub const LIST_LIMIT: usize = 99;
/// The service of a participant's record in DNS that leads to an SMP (`serviceName` of BDMSL).
pub const SMP_SERVICE: &str = "Meta:SMP";

/// An SMP as the SML knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// Its id: letters, digits and `-`, chosen once and for all.
    pub id: String,
    /// Its public base address, which goes into the NAPTR records of its participants.
    pub logical_address: String,
    /// An IPv4 address; a relic that nobody reads.
    pub physical_address: String,
}

/// Participants and the SMP they belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// The SMP's id.
    pub publisher: String,
    /// The participants.
    pub participants: Vec<ParticipantId>,
}

/// A participant that moves from one SMP to another.
#[derive(Clone, PartialEq, Eq)]
pub struct Move {
    /// The id of the SMP that asks: the old one to prepare, the new one to complete.
    pub publisher: String,
    /// The participant.
    pub participant: ParticipantId,
    /// The key that the old SMP gives to the new one. A secret.
    pub key: String,
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Move { publisher, participant, .. } = self;
        write!(f, "Move {{ publisher: {publisher:?}, participant: {participant:?}, key: *** }}")
    }
}

/// The certificate that an SMP will have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateChange {
    /// The new certificate in PEM, with the lines that begin and end it.
    pub certificate_pem: String,
    /// The day from which on it is the SMP's, not in the past and within its validity; without one,
    /// the day on which its validity begins.
    pub on: Option<Date>,
}

/// What an SMP asks of the SML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmlRequest {
    /// Make this SMP known.
    CreatePublisher(Publisher),
    /// Say what is known of an SMP; only the id counts.
    ReadPublisher(Publisher),
    /// Change the addresses of an SMP, and with them the records of all its participants.
    UpdatePublisher(Publisher),
    /// Forget an SMP with this id and all its participants.
    DeletePublisher(String),
    /// Lead one participant to the SMP.
    Create(Entries),
    /// Lead several to it, all or none.
    CreateList(Entries),
    /// Forget one participant.
    Delete(Entries),
    /// Forget several, all or none.
    DeleteList(Entries),
    /// List the participants of an SMP, page by page.
    List {
        /// The SMP's id.
        publisher: String,
        /// The page, as the page before named it; none for the first.
        page: Option<String>,
    },
    /// Let a participant go with this key.
    PrepareToMigrate(Move),
    /// Take a participant over with this key.
    Migrate(Move),
    /// Know the SMP by another certificate from a day on; asked with the present one.
    ChangeCertificate(CertificateChange),
    /// Lead one participant to the SMP by a record of this service, as in [`SMP_SERVICE`].
    CreateAs(Entries, String),
    /// Say that the SML is there.
    IsAlive,
}

/// A page of the participants of an SMP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParticipantPage {
    /// The participants.
    pub participants: Vec<ParticipantId>,
    /// The SMP's id, where the SML repeats it.
    pub publisher: Option<String>,
    /// The next page, if there is one.
    pub next: Option<String>,
}

/// What the SML answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmlAnswer {
    /// It is done.
    Done,
    /// The SMP that was asked for.
    Publisher(Publisher),
    /// A page of participants.
    Page(ParticipantPage),
    /// It is not done.
    Fault(SmlFault),
}

impl SmlRequest {
    /// Which operation this is.
    pub fn operation(&self) -> SmlOperation {
        match self {
            SmlRequest::CreatePublisher(_) => SmlOperation::CreatePublisher,
            SmlRequest::ReadPublisher(_) => SmlOperation::ReadPublisher,
            SmlRequest::UpdatePublisher(_) => SmlOperation::UpdatePublisher,
            SmlRequest::DeletePublisher(_) => SmlOperation::DeletePublisher,
            SmlRequest::Create(_) => SmlOperation::Create,
            SmlRequest::CreateList(_) => SmlOperation::CreateList,
            SmlRequest::Delete(_) => SmlOperation::Delete,
            SmlRequest::DeleteList(_) => SmlOperation::DeleteList,
            SmlRequest::List { .. } => SmlOperation::List,
            SmlRequest::PrepareToMigrate(_) => SmlOperation::PrepareToMigrate,
            SmlRequest::Migrate(_) => SmlOperation::Migrate,
            SmlRequest::ChangeCertificate(_) => SmlOperation::ChangeCertificate,
            SmlRequest::CreateAs(..) => SmlOperation::CreateAs,
            SmlRequest::IsAlive => SmlOperation::IsAlive,
        }
    }

    /// The id of the SMP that asks; nothing where its certificate alone says who it is.
    pub fn publisher(&self) -> &str {
        match self {
            SmlRequest::CreatePublisher(publisher)
            | SmlRequest::ReadPublisher(publisher)
            | SmlRequest::UpdatePublisher(publisher) => &publisher.id,
            SmlRequest::DeletePublisher(id) => id,
            SmlRequest::Create(entries)
            | SmlRequest::CreateAs(entries, _)
            | SmlRequest::CreateList(entries)
            | SmlRequest::Delete(entries)
            | SmlRequest::DeleteList(entries) => &entries.publisher,
            SmlRequest::List { publisher, .. } => publisher,
            SmlRequest::PrepareToMigrate(moved) | SmlRequest::Migrate(moved) => &moved.publisher,
            SmlRequest::ChangeCertificate(_) | SmlRequest::IsAlive => "",
        }
    }

    /// The whole message.
    pub fn to_xml(&self) -> String {
        write::request(self)
    }

    /// Reads a message, as the SML does.
    ///
    /// # Errors
    /// [`SoapRefusal`] names the first thing that is not as the schema has it.
    pub fn read(bytes: &[u8]) -> Result<SmlRequest, SoapRefusal> {
        read::request(bytes)
    }
}

impl SmlAnswer {
    /// The whole message.
    pub fn to_xml(&self) -> String {
        write::answer(self)
    }

    /// Reads what came back for an operation.
    ///
    /// # Errors
    /// [`SoapRefusal`] for what is no answer to it.
    pub fn read(bytes: &[u8], operation: SmlOperation) -> Result<SmlAnswer, SoapRefusal> {
        read::answer(bytes, operation)
    }
}
