//! From an uploaded document to what will be sent: checked, addressed and enveloped.
//!
//! Everything here is derived from the document and what was asked beside it, so that every
//! attempt, today or after a crash, builds the same envelope with the same identifiers. Which kind
//! of document names its two ends where is a table ([`quoin_document::routing::ADDRESSES`]), and so
//! is which type and process it has (the code lists of the network).

#[cfg(test)]
mod tests;
mod typing;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::{Event, Family, FindingLine};
use quoin_document::routing::{InjectError, Routing, with_receiver};
use quoin_document::{Endpoint, Flag, Parsed, Report};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{self, CountryC1, MlsType, Sbdh};
use quoin_store::Wishes;

use crate::rules::RuleDesk;

/// Findings that go into an event at most.
const FINDINGS: usize = 20;
/// Findings that say that a document is not judged, which does not keep a type of the network from
/// travelling.
pub(super) const NOT_JUDGED: &[&str] = &["QUOIN-FORMAT-UNSUPPORTED", "QUOIN-FORMAT-UNKNOWN"];

/// What there is to plan.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The document as it was uploaded.
    pub document: &'a [u8],
    /// The identifiers of the party that it was uploaded for.
    pub own: &'a [ParticipantId],
    /// The country of that party, where the document has none.
    pub country: Option<&'a str>,
    /// What was asked beside it.
    pub wishes: &'a Wishes,
    /// What it was uploaded as; [`Family::Document`] for anything.
    pub family: Family,
    /// The day whose rules apply.
    pub on: Timestamp,
}

/// An outgoing document that can be routed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Corner 1.
    pub sender: ParticipantId,
    /// Corner 4.
    pub receiver: ParticipantId,
    /// What it is.
    pub document_type: DocumentTypeId,
    /// The kind of business.
    pub family: Family,
    /// In which process it is exchanged.
    pub process: ProcessId,
    /// The country of corner 1.
    pub country: CountryC1,
    /// The document's own number.
    pub number: Option<String>,
    /// One line for the timeline: what was checked.
    pub summary: String,
    /// The document with another receiver in it, where one was asked for.
    pub rewritten: Option<Vec<u8>>,
    /// Which statuses are asked for, and where they are wanted.
    pub statuses: (Option<MlsType>, Option<ParticipantId>),
}

impl Plan {
    /// What the filters of channels look at.
    pub fn facts(&self, family: Family) -> BTreeMap<String, String> {
        let facts = [
            ("id", self.number.clone()),
            ("sender", Some(self.sender.to_string())),
            ("recipient", Some(self.receiver.to_string())),
            ("documentTypeId", Some(self.document_type.to_string())),
            ("topic", family.commands().map(|commands| commands.send.to_string())),
        ];
        facts.into_iter().filter_map(|(name, fact)| Some((name.to_owned(), fact?))).collect()
    }
}

/// Checks a document and derives where it goes.
///
/// # Errors
/// [`Event::Rejected`] with the findings: the document is wrong, or addressed wrongly.
pub fn plan(ask: &Ask<'_>, rules: &RuleDesk) -> Result<Plan, Box<Event>> {
    judged(ask, rules).1
}

/// As [`plan`], with the report on which it stands.
pub fn judged(ask: &Ask<'_>, rules: &RuleDesk) -> (Report, Result<Plan, Box<Event>>) {
    let mut parsed = quoin_document::read(ask.document);
    let rewritten = rewritten(&parsed, ask.wishes);
    if let Ok(Some(bytes)) = &rewritten {
        parsed = quoin_document::read(bytes);
    }
    let report = rules.validate(&parsed, ask.on.to_zoned(TimeZone::UTC).date());
    let planned = rewritten.and_then(|rewritten| {
        let mut plan = planned(ask, &parsed, &report)?;
        plan.rewritten = rewritten;
        Ok(plan)
    });
    (report, planned)
}

fn planned(ask: &Ask<'_>, parsed: &Parsed, report: &Report) -> Result<Plan, Box<Event>> {
    let fatal = report.fatal().any(|finding| !NOT_JUDGED.contains(&&*finding.rule));
    let Some(routing) = parsed.routing().filter(|_| !fatal) else {
        return Err(rejected(report));
    };
    let typed = typing::document_type(&routing, ask.wishes);
    if !report.is_valid() && !matches!(typed, Ok((_, true))) {
        return Err(rejected(report));
    }
    let (document_type, _) = typed?;
    address(ask, &routing, document_type, summary(report))
}

/// The document with the receiver that was asked for.
fn rewritten(parsed: &Parsed, wishes: &Wishes) -> Result<Option<Vec<u8>>, Box<Event>> {
    let Some(receiver) = &wishes.receiver else { return Ok(None) };
    let Ok(receiver) = receiver.parse::<ParticipantId>() else { return Ok(None) };
    let (scheme, value) = (receiver.icd().to_owned(), receiver.value().to_owned());
    match with_receiver(parsed, &Endpoint { scheme, value }) {
        // The envelope names the receiver all the same.
        Err(InjectError::NoPlace) => Ok(None),
        Err(error) => Err(rejection("QUOIN-RECEIVER", format!("receiverId: {error}."))),
        Ok(written) => Ok(written),
    }
}

fn summary(report: &Report) -> String {
    let sets: Vec<&str> = report.rule_sets.iter().map(AsRef::as_ref).collect();
    let warnings = report.findings.iter().filter(|f| f.flag == Flag::Warning).count();
    let named = report.detection.profile.as_deref();
    let local = report.detection.root.as_ref().map(|root| root.local.as_str());
    let profile = named.or(local).unwrap_or("document");
    if !report.is_valid() {
        return format!("Taken as {profile}; no rules are applied to it.");
    }
    format!("Valid {profile}; rules {}; {warnings} warnings.", sets.join(", "))
}

fn address(
    ask: &Ask<'_>,
    routing: &Routing,
    document_type: DocumentTypeId,
    summary: String,
) -> Result<Plan, Box<Event>> {
    let wishes = ask.wishes;
    let sender = participant(wishes.sender.as_deref(), routing.sender.endpoint.as_ref(), "sender")?;
    let receiver = routing.receiver.endpoint.as_ref();
    let receiver = participant(wishes.receiver.as_deref(), receiver, "receiver")?;
    own_sender(ask, routing, &sender)?;
    let family = typing::family(&document_type, ask.family)?;
    let process = typing::process(routing, &document_type, wishes)?;
    let country = routing.sender.country.as_deref().and_then(CountryC1::new);
    let country = country.or_else(|| ask.country.and_then(CountryC1::new)).ok_or_else(|| {
        let text = "The sender's address has no two-letter country code, which the envelope needs.";
        rejection("QUOIN-COUNTRY-C1", text.to_owned())
    })?;
    let number = routing.number.clone();
    Ok(Plan {
        sender,
        receiver,
        document_type,
        family,
        process,
        country,
        number,
        summary,
        rewritten: None,
        statuses: (None, None),
    })
}

/// The sender is the party that uploads, whatever senderId says of a document that names another.
fn own_sender(ask: &Ask<'_>, routing: &Routing, sender: &ParticipantId) -> Result<(), Box<Event>> {
    let named = routing.sender.endpoint.as_ref();
    let named = named.and_then(|named| ParticipantId::new(&named.scheme, &named.value).ok());
    let Some(foreign) = [Some(sender), named.as_ref()]
        .into_iter()
        .flatten()
        .find(|sender| !ask.own.contains(sender))
    else {
        return Ok(());
    };
    let known: Vec<String> = ask.own.iter().map(ToString::to_string).collect();
    let text = format!(
        "The sender's EndpointID is {foreign}, but the document was uploaded for {}.",
        known.join(", ")
    );
    Err(rejection("QUOIN-ENDPOINT-SENDER", text))
}

/// One end of a document: the one that was asked for, or the one that it names.
fn participant(
    asked: Option<&str>,
    endpoint: Option<&Endpoint>,
    role: &str,
) -> Result<ParticipantId, Box<Event>> {
    if let Some(asked) = asked {
        let wrong = |error| rejection("QUOIN-ENDPOINT", format!("{role}Id: {error}"));
        return asked.parse().map_err(wrong);
    }
    let Some(endpoint) = endpoint else {
        let text = format!(
            "The {role} has no single EndpointID with a scheme and a value; where this kind of \
             document has no place for one, give {role}Id."
        );
        return Err(rejection("QUOIN-ENDPOINT", text));
    };
    ParticipantId::new(&endpoint.scheme, &endpoint.value)
        .map_err(|error| rejection("QUOIN-ENDPOINT", format!("EndpointID of the {role}: {error}")))
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
            mls_to: self.statuses.1.clone(),
            mls_type: self.statuses.0,
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
