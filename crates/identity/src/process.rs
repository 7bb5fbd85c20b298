//! The process of a document: BT-23 (ProfileID), or where its syntax has no place for it, what was
//! announced.

use quoin_formats::Detection;
use quoin_formats::Syntax;
use quoin_model::text::cut;
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

/// Characters of a BT-23 that are repeated.
const TOLD: usize = 200;

/// The process of a document of a type. BT-23 of EN 16931 is free text: what is no identifier is
/// none of the processes.
pub(crate) fn of(
    detection: &Detection,
    row: &'static DocumentType,
    asked: Option<&ProcessId>,
) -> Result<ProcessId, Disagreement> {
    let own = written(detection);
    let process = own.map(|own| listed(local(detection), own));
    let read = |text: &str| text.parse::<ProcessId>().map_err(Disagreement::Unreadable);
    let none_of_them = |found: &str| Disagreement::Process {
        found: cut(found, TOLD).into_owned(),
        allowed: row.processes,
    };
    let process = match (process, asked) {
        (Some(process), Some(asked)) if read(process).as_ref() != Ok(asked) => {
            return Err(Disagreement::OtherProcess {
                announced: asked.to_string(),
                found: cut(own.unwrap_or_default(), TOLD).into_owned(),
            });
        }
        (Some(process), _) => read(process).map_err(|_| none_of_them(own.unwrap_or(process)))?,
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
    row.demand_process(&process).map_err(|_| none_of_them(own.unwrap_or(process.value())))?;
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use quoin_formats::detect;
    use quoin_formats::ubl::UBL_PREFIX;

    use super::*;
    use crate::decide::{Announced, decide};

    /// A text that could never be the identifier of a process is one more that is not of the type.
    #[test]
    fn a_process_in_any_words_is_none_of_the_types() {
        let cbc = format!("{UBL_PREFIX}CommonBasicComponents-2");
        for (process, told) in [
            ("Baurechnung", "\"Baurechnung\""),
            ("Gesch\u{e4}ftsprozess", "\"Gesch\u{e4}ftsprozess\""),
            (&"x".repeat(300), "x…\""),
            ("a::b", "\"a::b\""),
            ("::", "\"::\""),
        ] {
            let text = format!(
                "<Invoice xmlns='{UBL_PREFIX}Invoice-2' xmlns:cbc='{cbc}'>\
                 <cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>\
                 <cbc:ProfileID>{process}</cbc:ProfileID></Invoice>"
            );
            let found = detect(text.as_bytes());
            let day = date(2026, 11, 23);
            let reasons = decide(&found, &Announced::default(), day).exchange.unwrap_err();
            assert!(matches!(reasons[..], [Disagreement::Process { .. }]), "{reasons:?}");
            let text = reasons[0].to_string();
            assert!(text.contains(told) && text.contains("is exchanged in"), "{text}");
            // And it is not what was asked for beside it.
            let asked = "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:en16931:any".parse().unwrap();
            let beside = Announced { document_type: None, process: Some(asked) };
            let reasons = decide(&found, &beside, day).exchange.unwrap_err();
            assert!(matches!(reasons[..], [Disagreement::OtherProcess { .. }]), "{reasons:?}");
        }
    }
}
