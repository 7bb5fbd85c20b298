//! From an uploaded document to what will be sent: checked, addressed and enveloped.
//!
//! Everything here is derived from the document alone, so that every attempt, today or after a
//! crash, builds the same envelope with the same identifiers.

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::{Event, FindingLine};
use quoin_document::{Flag, Header, Report};
use quoin_peppol::codelists;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{self, CountryC1, Sbdh};

use crate::rules::RuleDesk;

/// Findings that go into an event at most.
const FINDINGS: usize = 20;

/// An outgoing document that can be routed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Corner 1.
    pub sender: ParticipantId,
    /// Corner 4.
    pub receiver: ParticipantId,
    /// What it is.
    pub document_type: DocumentTypeId,
    /// In which process it is exchanged.
    pub process: ProcessId,
    /// The country of corner 1.
    pub country: CountryC1,
    /// The document's own number.
    pub number: Option<String>,
    /// One line for the timeline: what was checked.
    pub summary: String,
}

/// Checks a document and derives where it goes.
///
/// # Errors
/// [`Event::Rejected`] with the findings: the document is wrong, or addressed wrongly.
pub fn plan(
    document: &[u8],
    own: &[ParticipantId],
    rules: &RuleDesk,
    now: Timestamp,
) -> Result<Plan, Box<Event>> {
    let parsed = quoin_document::read(document);
    let report = rules.validate(&parsed, now.to_zoned(TimeZone::UTC).date());
    if !report.is_valid() {
        return Err(rejected(&report));
    }
    let Some(header) = parsed.header() else {
        let text = "It is neither a UBL invoice nor a UBL credit note.";
        return Err(rejection("QUOIN-FORMAT", text.to_owned()));
    };
    address(&header, own, summary(&report))
}

fn summary(report: &Report) -> String {
    let sets: Vec<&str> = report.rule_sets.iter().map(AsRef::as_ref).collect();
    let warnings = report.findings.iter().filter(|f| f.flag == Flag::Warning).count();
    let profile = report.detection.profile.as_deref().unwrap_or("document");
    format!("Valid {profile}; rules {}; {warnings} warnings.", sets.join(", "))
}

fn address(header: &Header, own: &[ParticipantId], summary: String) -> Result<Plan, Box<Event>> {
    let sender = participant(header.sender(), "sender")?;
    let receiver = participant(header.receiver(), "receiver")?;
    if !own.contains(&sender) {
        let known: Vec<String> = own.iter().map(ToString::to_string).collect();
        let text = format!(
            "The sender's EndpointID is {sender}, but the document was uploaded for {}.",
            known.join(", ")
        );
        return Err(rejection("QUOIN-ENDPOINT-SENDER", text));
    }
    let document_type = document_type(header)?;
    let process = process(header, &document_type)?;
    let country = header.sender_country().and_then(CountryC1::new).ok_or_else(|| {
        let text = "The sender's address has no two-letter country code, which the envelope needs.";
        rejection("QUOIN-COUNTRY-C1", text.to_owned())
    })?;
    let number = header.number.clone();
    Ok(Plan { sender, receiver, document_type, process, country, number, summary })
}

fn participant(
    endpoint: Option<&quoin_document::Endpoint>,
    role: &str,
) -> Result<ParticipantId, Box<Event>> {
    let Some(endpoint) = endpoint else {
        let text = format!("The {role} has no single EndpointID with a scheme and a value.");
        return Err(rejection("QUOIN-ENDPOINT", text));
    };
    ParticipantId::new(&endpoint.scheme, &endpoint.value)
        .map_err(|error| rejection("QUOIN-ENDPOINT", format!("EndpointID of the {role}: {error}")))
}

/// The type in the code list (network digest 4.2), else the type as the document spells it.
fn document_type(header: &Header) -> Result<DocumentTypeId, Box<Event>> {
    let customization = header.customization_id.as_deref().unwrap_or_default();
    let (namespace, local) = (&header.root_namespace, &header.root_local);
    let listed = codelists::document_type_for(namespace, local, customization);
    let id = match listed {
        Some(row) => row.id(),
        None => DocumentTypeId::of_document(
            namespace,
            local,
            customization,
            quoin_document::header::UBL_VERSION,
        ),
    };
    id.map_err(|error| rejection("QUOIN-DOCUMENT-TYPE", error.to_string()))
}

/// `ProfileID` must be a process that the code list allows for the type.
fn process(header: &Header, document_type: &DocumentTypeId) -> Result<ProcessId, Box<Event>> {
    let written = header.profile_id.as_deref().unwrap_or_default();
    let allowed = codelists::document_type(document_type).map(|row| row.processes);
    let text = match allowed {
        Some(processes) if written.is_empty() => processes.first().copied().unwrap_or_default(),
        Some(processes) if !processes.contains(&written) => {
            let text = format!(
                "ProfileID is {written:?}; this type of document is exchanged in {}.",
                processes.join(" or ")
            );
            return Err(rejection("QUOIN-PROCESS", text));
        }
        _ => written,
    };
    text.parse().map_err(|error: quoin_peppol::identifiers::IdentifierError| {
        rejection("QUOIN-PROCESS", error.to_string())
    })
}

fn rejected(report: &Report) -> Box<Event> {
    let findings: Vec<FindingLine> = report
        .fatal()
        .take(FINDINGS)
        .map(|finding| FindingLine {
            rule: finding.rule.clone().into_owned(),
            path: finding.location.as_ref().map(|l| l.xpath.clone()).unwrap_or_default(),
            text: finding.message.clone(),
        })
        .collect();
    let summary = match findings.as_slice() {
        [] => "The document is not valid.".to_owned(),
        [only] => format!("{}: {}", only.rule, only.text),
        [first, rest @ ..] => format!("{}: {} (and {} more)", first.rule, first.text, rest.len()),
    };
    Box::new(Event::Rejected { summary, findings })
}

/// A finding about the document as a whole.
fn rejection(rule: &str, text: String) -> Box<Event> {
    let path = String::new();
    let finding = FindingLine { rule: rule.to_owned(), path, text: text.clone() };
    Box::new(Event::Rejected { summary: text, findings: vec![finding] })
}

impl Plan {
    /// The header of the envelope.
    pub fn sbdh(&self, instance: String, created: Timestamp) -> Sbdh {
        Sbdh {
            sender: self.sender.clone(),
            receiver: self.receiver.clone(),
            document_type: self.document_type.clone(),
            process: self.process.clone(),
            instance,
            created,
            country: self.country,
            mls_to: None,
            mls_type: None,
            others: Vec::new(),
        }
    }

    /// The header and the whole envelope around a document.
    ///
    /// # Errors
    /// [`sbdh::WrapRefusal`] where the document cannot be enveloped.
    pub fn envelope(
        &self,
        document: &[u8],
        instance: String,
        created: Timestamp,
    ) -> Result<(Sbdh, Vec<u8>), sbdh::WrapRefusal> {
        let sbdh = self.sbdh(instance, created);
        let envelope = sbdh::wrap(&sbdh, document)?;
        Ok((sbdh, envelope))
    }
}
