//! The process of a document: BT-23 (ProfileID), or where its syntax has no place for it, what was
//! announced.

use quoin_formats::Detection;
use quoin_formats::Syntax;
use quoin_peppol::codelists::{self, DocumentType};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};

use crate::disagreement::Disagreement;

/// What the rules of a transaction ask for as ProfileID where the code list has another process for
/// its type: document element, ProfileID, process.
const OTHERWISE_LISTED: &[(&str, &str, &str)] = &[
    (
        "Waybill",
        "urn:fdc:peppol.eu:logistics:bis:waybill_only:1",
        "urn:fdc:peppol.eu:logistics:bis:waybill:1",
    ),
    (
        "TransportExecutionPlan",
        "urn:fdc:peppol.eu:logistics:bis:transport_execution_plan_w_request:1",
        "urn:fdc:peppol.eu:logistics:bis:transport_execution_plan_only:1",
    ),
    (
        "TransportationStatus",
        "urn:fdc:peppol.eu:logistics:bis:transportation_status_w_request:1",
        "urn:fdc:peppol.eu:logistics:bis:transportation_status_only:1",
    ),
];

/// BT-23 as the document has it; `None` where its syntax has no place for it, it is empty, or the
/// profile has something else there.
fn written(detection: &Detection) -> Option<&str> {
    let says = detection.syntax.is_some_and(Syntax::has_identifiers);
    let elsewhere = detection.profile().is_some_and(|profile| profile.process_elsewhere);
    detection.profile_id.as_deref().filter(|_| says && !elsewhere)
}

/// The process of the code list that a ProfileID stands for.
fn listed<'t>(local: &str, written: &'t str) -> &'t str {
    let is_it = |(root, own, _): &&(&str, &str, &str)| *root == local && *own == written;
    OTHERWISE_LISTED.iter().find(is_it).map_or(written, |(_, _, process)| process)
}

fn local(detection: &Detection) -> &str {
    detection.root.as_ref().map_or("", |root| &root.local)
}

/// The process of a document of a type.
pub(crate) fn of(
    detection: &Detection,
    row: &'static DocumentType,
    asked: Option<&ProcessId>,
) -> Result<ProcessId, Disagreement> {
    let own = written(detection);
    let process = own.map(|own| listed(local(detection), own));
    let read = |text: &str| text.parse::<ProcessId>().map_err(Disagreement::Unreadable);
    let process = match (process, asked) {
        (Some(process), Some(asked)) if read(process)? != *asked => {
            return Err(Disagreement::OtherProcess {
                announced: asked.to_string(),
                found: own.unwrap_or_default().to_owned(),
            });
        }
        (Some(process), _) => read(process)?,
        (None, Some(asked)) => asked.clone(),
        (None, None) => {
            let elsewhere = detection.profile().is_some_and(|own| own.process_elsewhere);
            match row.processes {
                [_, _, ..] if elsewhere => {
                    return Err(Disagreement::ProcessNeeded { allowed: row.processes });
                }
                [first, ..] => read(first)?,
                [] => return Err(Disagreement::ProcessNeeded { allowed: row.processes }),
            }
        }
    };
    row.demand_process(&process).map_err(|_| Disagreement::Process {
        found: own.map_or_else(|| process.value().to_owned(), str::to_owned),
        allowed: row.processes,
    })?;
    Ok(process)
}

/// What a document says of its process, where the envelope announces another one.
pub(crate) fn differs<'d>(
    detection: &'d Detection,
    announced: Option<&DocumentTypeId>,
    asked: &ProcessId,
) -> Option<&'d str> {
    let own = written(detection)?;
    let listed = listed(local(detection), own).parse::<ProcessId>().ok();
    // A type whose list has none of what its documents say has its processes elsewhere.
    let row = announced.and_then(codelists::document_type);
    let known = listed
        .as_ref()
        .is_some_and(|process| row.is_none_or(|row| row.demand_process(process).is_ok()));
    (listed.as_ref() != Some(asked) || !known && row.is_some()).then_some(own)
}
