//! The one decision.

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_formats::Detection;
use quoin_peppol::codelists::DocumentType;
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};
use quoin_rules::releases::choice::PackageChoice;
use quoin_rules::{Objection, own};

use crate::disagreement::Disagreement;
use crate::{process, types};

/// What was said about a document beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Announced {
    /// The document type: of the envelope in which it came, or asked for by who sends it.
    pub document_type: Option<DocumentTypeId>,
    /// The process.
    pub process: Option<ProcessId>,
}

/// How a document is exchanged on the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeTerms {
    /// Its type, as the code list has it.
    pub document_type: DocumentTypeId,
    /// The row of the code list.
    pub row: &'static DocumentType,
    /// Its process.
    pub process: ProcessId,
}

/// What a document is on a day.
#[derive(Debug, Clone)]
pub struct Identity<'d> {
    /// What it is judged as: what it says of itself, or what it was announced as where that is
    /// another type.
    pub judged_as: Cow<'d, Detection>,
    /// The profile, its rules and their release.
    pub choice: PackageChoice,
    /// The type that its own words spell, whether the network has it or not; `None` where it does
    /// not say enough.
    pub spelled: Option<DocumentTypeId>,
    /// How it is exchanged on the network, or why it cannot be.
    pub exchange: Result<ExchangeTerms, Vec<Disagreement>>,
    /// What is wrong between the document and what was announced of it, as findings.
    pub objections: Vec<Objection>,
}

/// Decides what a document is on a day: that of sending, or of arrival.
pub fn decide<'d>(detection: &'d Detection, announced: &Announced, on: Date) -> Identity<'d> {
    let judged_as = judged_as(detection, announced);
    let choice = PackageChoice::of(&judged_as, on);
    Identity {
        choice,
        spelled: types::spelled(detection),
        exchange: exchange(detection, announced, on),
        objections: objections(detection, announced),
        judged_as,
    }
}

/// A document that came as another type than it says is judged as that.
fn judged_as<'d>(detection: &'d Detection, announced: &Announced) -> Cow<'d, Detection> {
    let Some(announced) = &announced.document_type else { return Cow::Borrowed(detection) };
    if types::differs(detection, announced).is_none() {
        return Cow::Borrowed(detection);
    }
    Cow::Owned(detection.announced_as(announced.parts().customization))
}

fn exchange(
    detection: &Detection,
    announced: &Announced,
    on: Date,
) -> Result<ExchangeTerms, Vec<Disagreement>> {
    let asked = announced.document_type.as_ref();
    let row = types::row(detection, asked, on).map_err(|reason| vec![reason])?;
    let process = process::of(detection, row, announced.process.as_ref());
    let id = asked.filter(|asked| asked.value() == row.value).cloned().map_or_else(|| row.id(), Ok);
    match (id, process) {
        (Ok(document_type), Ok(process)) => Ok(ExchangeTerms { document_type, row, process }),
        (_, Err(reason)) => Err(vec![reason]),
        (Err(error), Ok(_)) => Err(vec![Disagreement::Unreadable(error)]),
    }
}

/// Where the document differs from what was announced of it.
fn objections(detection: &Detection, announced: &Announced) -> Vec<Objection> {
    let mut found = Vec::new();
    if let Some(asked) = &announced.document_type
        && let Some(own) = types::differs(detection, asked)
    {
        found.push(Objection {
            row: &own::ANNOUNCED_TYPE,
            found: own.to_owned(),
            expected: asked.parts().customization.to_owned(),
        });
    }
    if let Some(asked) = &announced.process
        && let Some(own) = process::differs(detection, announced.document_type.as_ref(), asked)
    {
        found.push(Objection {
            row: &own::ANNOUNCED_PROCESS,
            found: own.to_owned(),
            expected: asked.value().to_owned(),
        });
    }
    found
}
