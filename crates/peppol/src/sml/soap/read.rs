//! Reading messages: exactly what the schema of the SML has, in its order. What comes from outside
//! is read within limits, and without anything that leads out of the message.

use jiff::civil::Date;
use quoin_xml::tree::{Document, Element, Limits, ParseError};

use super::{
    BDMSL_NAMESPACE, CertificateChange, Entries, FaultKind, LOCATOR_NAMESPACE, MESSAGE_LIMIT, Move,
    ParticipantPage, Publisher, SOAP_NAMESPACE, SmlAnswer, SmlFault, SmlOperation, SmlRequest,
};
use crate::identifiers::{IDENTIFIERS_NAMESPACE, IdentifierError, META_SCHEME, ParticipantId};

/// Elements inside one another: envelope, body, message, endpoint, address, and some room.
const DEPTH: usize = 16;
/// Characters of what a fault says that are told on.
const WORDS: usize = 1_000;
/// Characters of a value that are repeated in a refusal.
const SHOWN: usize = 120;

/// A message that is not what the schema has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SoapRefusal {
    /// Not XML, or over a limit.
    #[error("the message cannot be read: {0}")]
    Xml(#[from] ParseError),
    /// Another element than the one that belongs there.
    #[error("in {place}: expected {expected}, found {found}")]
    Unexpected {
        /// The element around it.
        place: String,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A header that must be understood, and is not.
    #[error("the header {0} must be understood, and is not")]
    NotUnderstood(String),
    /// A participant that is none.
    #[error("the participant {found:?} is not acceptable: {why}")]
    Participant {
        /// What was found.
        found: String,
        /// Why.
        why: String,
    },
    /// A day that is none.
    #[error("{0:?} is no date, such as 2027-01-15")]
    Date(String),
    /// A value that may not be empty.
    #[error("{0} is empty")]
    Empty(&'static str),
}

/// What a fault says, in one line of [`WORDS`] characters at most.
fn words(text: &str) -> String {
    let plain = |one: char| if one.is_control() { ' ' } else { one };
    text.chars().map(plain).take(WORDS).collect()
}

fn cut(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

fn named(element: Option<Element<'_>>) -> String {
    element
        .map_or("nothing".to_owned(), |e| format!("{{{}}}{}", cut(e.namespace()), cut(e.local())))
}

fn parse(bytes: &[u8]) -> Result<Document, SoapRefusal> {
    let limits = Limits { bytes: MESSAGE_LIMIT, depth: DEPTH, ..Limits::default() };
    Ok(Document::parse(bytes, &limits)?)
}

/// The elements of a sequence, taken from the left.
struct ElementSequence<'d> {
    place: Element<'d>,
    rest: std::iter::Peekable<std::vec::IntoIter<Element<'d>>>,
}

impl<'d> ElementSequence<'d> {
    fn of(place: Element<'d>) -> ElementSequence<'d> {
        let all: Vec<Element<'d>> = place.elements().collect();
        ElementSequence { place, rest: all.into_iter().peekable() }
    }

    fn unexpected(&self, expected: &'static str, found: Option<Element<'d>>) -> SoapRefusal {
        SoapRefusal::Unexpected { place: self.place.path(), expected, found: named(found) }
    }

    fn take_if(&mut self, namespace: &str, local: &str) -> Option<Element<'d>> {
        self.rest.next_if(|next| next.is(namespace, local))
    }

    fn take(&mut self, namespace: &str, local: &'static str) -> Result<Element<'d>, SoapRefusal> {
        match self.take_if(namespace, local) {
            Some(found) => Ok(found),
            None => {
                let found = self.rest.peek().copied();
                Err(self.unexpected(local, found))
            }
        }
    }

    fn end(mut self) -> Result<(), SoapRefusal> {
        match self.rest.next() {
            None => Ok(()),
            more => Err(self.unexpected("nothing more", more)),
        }
    }

    fn text(&mut self, local: &'static str) -> Result<String, SoapRefusal> {
        let text = self.take(LOCATOR_NAMESPACE, local)?.text().trim().to_owned();
        if text.is_empty() { Err(SoapRefusal::Empty(local)) } else { Ok(text) }
    }

    fn text_if(&mut self, local: &'static str) -> Option<String> {
        let text = self.take_if(LOCATOR_NAMESPACE, local)?.text().trim().to_owned();
        Some(text).filter(|text| !text.is_empty())
    }

    fn publisher(&mut self) -> Result<String, SoapRefusal> {
        self.text("ServiceMetadataPublisherID")
    }

    fn participant(&mut self) -> Result<ParticipantId, SoapRefusal> {
        participant(self.take(IDENTIFIERS_NAMESPACE, "ParticipantIdentifier")?)
    }

    fn participants(&mut self) -> Result<Vec<ParticipantId>, SoapRefusal> {
        let mut all = Vec::new();
        while let Some(next) = self.take_if(IDENTIFIERS_NAMESPACE, "ParticipantIdentifier") {
            all.push(participant(next)?);
        }
        Ok(all)
    }

    /// Whoever asks for an SMP may leave its addresses out.
    fn read_publisher(&mut self) -> Result<Publisher, SoapRefusal> {
        let next = self.take_if(LOCATOR_NAMESPACE, "PublisherEndpoint");
        let (logical_address, physical_address) = match next {
            Some(endpoint) => {
                let mut addresses = ElementSequence::of(endpoint);
                let logical = addresses.text_if("LogicalAddress").unwrap_or_default();
                let physical = addresses.text_if("PhysicalAddress").unwrap_or_default();
                addresses.end()?;
                (logical, physical)
            }
            None => Default::default(),
        };
        Ok(Publisher { id: self.publisher()?, logical_address, physical_address })
    }

    fn endpoint(&mut self) -> Result<Publisher, SoapRefusal> {
        let mut addresses = ElementSequence::of(self.take(LOCATOR_NAMESPACE, "PublisherEndpoint")?);
        let logical_address = addresses.text("LogicalAddress")?;
        let physical_address =
            addresses.take(LOCATOR_NAMESPACE, "PhysicalAddress")?.text().trim().to_owned();
        addresses.end()?;
        Ok(Publisher { id: self.publisher()?, logical_address, physical_address })
    }
}

/// The name of an SMP in messages.
const PUBLISHER_ID: &str = "ServiceMetadataPublisherID";

fn participant(element: Element<'_>) -> Result<ParticipantId, SoapRefusal> {
    let text = element.text();
    let value = text.trim();
    let refuse = |why: String| SoapRefusal::Participant { found: cut(value), why };
    let scheme = element.attribute("scheme").unwrap_or_default();
    if scheme != META_SCHEME {
        return Err(refuse(format!("its scheme is {:?}, expected {META_SCHEME}", cut(scheme))));
    }
    let (icd, rest) = value.split_once(':').unwrap_or((value, ""));
    ParticipantId::new(icd, rest).map_err(|error: IdentifierError| refuse(error.to_string()))
}

/// What the body of an envelope holds.
fn content(document: &Document) -> Result<Vec<Element<'_>>, SoapRefusal> {
    let root = document.root();
    if !root.is(SOAP_NAMESPACE, "Envelope") {
        let (place, found) = ("the message".to_owned(), named(Some(root)));
        return Err(SoapRefusal::Unexpected { place, expected: "a SOAP 1.1 Envelope", found });
    }
    let mut parts = ElementSequence::of(root);
    if let Some(header) = parts.take_if(SOAP_NAMESPACE, "Header") {
        let must = |block: &Element<'_>| {
            matches!(block.attribute_ns(SOAP_NAMESPACE, "mustUnderstand"), Some("1" | "true"))
        };
        if let Some(block) = header.elements().find(must) {
            return Err(SoapRefusal::NotUnderstood(named(Some(block))));
        }
    }
    let body = parts.take(SOAP_NAMESPACE, "Body")?;
    parts.end()?;
    Ok(body.elements().collect())
}

fn only<'d>(all: &[Element<'d>], expected: &'static str) -> Result<Element<'d>, SoapRefusal> {
    match all {
        [one] => Ok(*one),
        other => Err(SoapRefusal::Unexpected {
            place: "the SOAP body".to_owned(),
            expected,
            found: format!("{} elements", other.len()),
        }),
    }
}

pub(super) fn request(bytes: &[u8]) -> Result<SmlRequest, SoapRefusal> {
    let document = parse(bytes)?;
    let asked = only(&content(&document)?, "one message of the SML")?;
    let operation = SmlOperation::of_element(asked.namespace(), asked.local());
    let Some(operation) = operation else {
        let (place, expected) = ("the SOAP body".to_owned(), "a message of the SML");
        return Err(SoapRefusal::Unexpected { place, expected, found: named(Some(asked)) });
    };
    if operation == SmlOperation::DeletePublisher {
        ElementSequence::of(asked).end()?;
        let id = Some(asked.text().trim().to_owned()).filter(|id| !id.is_empty());
        let id = id.ok_or(SoapRefusal::Empty("ServiceMetadataPublisherID"))?;
        return Ok(SmlRequest::DeletePublisher(id));
    }
    let mut parts = ElementSequence::of(asked);
    let request = of_parts(operation, &mut parts)?;
    parts.end()?;
    Ok(request)
}

fn of_parts(
    operation: SmlOperation,
    parts: &mut ElementSequence<'_>,
) -> Result<SmlRequest, SoapRefusal> {
    Ok(match operation {
        SmlOperation::CreatePublisher => SmlRequest::CreatePublisher(parts.endpoint()?),
        SmlOperation::ReadPublisher => SmlRequest::ReadPublisher(parts.read_publisher()?),
        SmlOperation::UpdatePublisher => SmlRequest::UpdatePublisher(parts.endpoint()?),
        SmlOperation::DeletePublisher => SmlRequest::DeletePublisher(parts.publisher()?),
        SmlOperation::Create => SmlRequest::Create(single(parts)?),
        SmlOperation::Delete => SmlRequest::Delete(single(parts)?),
        SmlOperation::CreateList => SmlRequest::CreateList(list(parts)?),
        SmlOperation::DeleteList => SmlRequest::DeleteList(list(parts)?),
        SmlOperation::List => SmlRequest::List {
            publisher: parts.publisher()?,
            page: parts.text_if("NextPageIdentifier"),
        },
        SmlOperation::PrepareToMigrate => SmlRequest::PrepareToMigrate(moved(parts)?),
        SmlOperation::Migrate => SmlRequest::Migrate(moved(parts)?),
        SmlOperation::ChangeCertificate => SmlRequest::ChangeCertificate(change(parts)?),
        SmlOperation::CreateAs => {
            let mut inner =
                ElementSequence::of(parts.take(BDMSL_NAMESPACE, "CreateParticipantIdentifier")?);
            let entries = single(&mut inner)?;
            inner.end()?;
            let service = parts.take(BDMSL_NAMESPACE, "serviceName")?.text().trim().to_owned();
            SmlRequest::CreateAs(entries, service)
        }
        SmlOperation::IsAlive => SmlRequest::IsAlive,
    })
}

fn change(parts: &mut ElementSequence<'_>) -> Result<CertificateChange, SoapRefusal> {
    const CERTIFICATE: &str = "newCertificatePublicKey";
    let certificate_pem = parts.take(BDMSL_NAMESPACE, CERTIFICATE)?.text().trim().to_owned();
    if certificate_pem.is_empty() {
        return Err(SoapRefusal::Empty(CERTIFICATE));
    }
    let on = parts.take_if(BDMSL_NAMESPACE, "migrationDate");
    let on = on.map(|on| {
        let text = on.text();
        text.trim().parse::<Date>().map_err(|_| SoapRefusal::Date(cut(text.trim())))
    });
    Ok(CertificateChange { certificate_pem, on: on.transpose()? })
}

fn single(parts: &mut ElementSequence<'_>) -> Result<Entries, SoapRefusal> {
    let publisher = parts.publisher()?;
    Ok(Entries { publisher, participants: vec![parts.participant()?] })
}

/// The schema lets the SMP be left out: it is then empty, and the one of the caller is meant. A
/// request has no next page.
fn list(parts: &mut ElementSequence<'_>) -> Result<Entries, SoapRefusal> {
    let participants = parts.participants()?;
    let publisher = match parts.take_if(LOCATOR_NAMESPACE, PUBLISHER_ID) {
        Some(id) => Some(id.text().trim().to_owned()).filter(|id| !id.is_empty()),
        None => Some(String::new()),
    };
    Ok(Entries { publisher: publisher.ok_or(SoapRefusal::Empty(PUBLISHER_ID))?, participants })
}

fn moved(parts: &mut ElementSequence<'_>) -> Result<Move, SoapRefusal> {
    let publisher = parts.publisher()?;
    let participant = parts.participant()?;
    Ok(Move { publisher, participant, key: parts.text("MigrationKey")? })
}

pub(super) fn answer(bytes: &[u8], operation: SmlOperation) -> Result<SmlAnswer, SoapRefusal> {
    let document = parse(bytes)?;
    let content = content(&document)?;
    if let Some(fault) = content.first().filter(|first| first.is(SOAP_NAMESPACE, "Fault")) {
        return Ok(SmlAnswer::Fault(fault_of(*fault)));
    }
    match operation {
        SmlOperation::ReadPublisher => {
            let found = only(&content, "ServiceMetadataPublisherService")?;
            let mut parts = named_parts(found, "ServiceMetadataPublisherService")?;
            let publisher = parts.endpoint()?;
            parts.end()?;
            Ok(SmlAnswer::Publisher(publisher))
        }
        SmlOperation::List => {
            let found = only(&content, "ParticipantIdentifierPage")?;
            let mut parts = named_parts(found, "ParticipantIdentifierPage")?;
            let page = ParticipantPage {
                participants: parts.participants()?,
                publisher: parts.text_if("ServiceMetadataPublisherID"),
                next: parts.text_if("NextPageIdentifier"),
            };
            parts.end()?;
            Ok(SmlAnswer::Page(page))
        }
        // Servers differ in whether an empty answer has an element of its own.
        _ => Ok(SmlAnswer::Done),
    }
}

fn named_parts<'d>(
    found: Element<'d>,
    expected: &'static str,
) -> Result<ElementSequence<'d>, SoapRefusal> {
    if found.is(LOCATOR_NAMESPACE, expected) {
        return Ok(ElementSequence::of(found));
    }
    let place = "the SOAP body".to_owned();
    Err(SoapRefusal::Unexpected { place, expected, found: named(Some(found)) })
}

/// Whatever a fault holds is told; nothing in it is a reason not to.
fn fault_of(fault: Element<'_>) -> SmlFault {
    let detail = fault.elements().find(|part| part.local() == "detail");
    let inside: Vec<Element<'_>> =
        detail.into_iter().flat_map(|detail| detail.elements().collect::<Vec<_>>()).collect();
    let found = inside.iter().find_map(|inner| {
        let own = inner.namespace() == LOCATOR_NAMESPACE;
        let kind = FaultKind::NAMED.into_iter().find(|kind| own && inner.local() == kind.element());
        kind.map(|kind| (kind, *inner))
    });
    let spoken = fault.elements().find(|part| part.local() == "faultstring");
    let spoken = spoken.map(|part| part.text().trim().to_owned()).unwrap_or_default();
    let message = found.and_then(|(_, inner)| inner.child(LOCATOR_NAMESPACE, "FaultMessage"));
    let message = message.map(|part| part.text().trim().to_owned()).unwrap_or_default();
    // The code stands in one or the other.
    let texts = [message, spoken];
    let coded = texts.iter().find(|text| text.starts_with('['));
    let text = coded.or_else(|| texts.iter().find(|text| !text.is_empty()));
    let text = text.map(|text| words(text)).unwrap_or_default();
    SmlFault { kind: found.map_or(FaultKind::Unspecified, |(kind, _)| kind), text }
}
