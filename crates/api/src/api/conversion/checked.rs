//! Whether a document that was converted is what was asked for: the document element, the
//! specification and the process of the type.

use jiff::civil::Date;
use quoin_access_point::rules::RuleLibrary;
use quoin_delivery::FindingLine;
use quoin_formats::profiles::{Profile, SelfBilling, has_other_taxes, is_pint};
use quoin_formats::{Detection, DocumentKind, ParsedDocument};
use quoin_identity::{Announced, becomes, decide, processes};
use quoin_peppol::identifiers::DocumentTypeId;
use quoin_rules::Verdict;

/// The process that has to stand in a document of a specification, where the one of its source is
/// none of those in which the code list has it.
///
/// # Errors
/// Why documents of it are of another course of business, in a sentence.
pub(super) fn process(specification: &str, source: &Detection) -> Result<Option<String>, String> {
    let self_billing = Profile::of_chain(specification).map(|(profile, _)| profile.self_billing);
    match self_billing {
        Some(SelfBilling::Always) if !source.self_billing => {
            return Err(format!("{specification} is for invoices that the buyer writes"));
        }
        Some(SelfBilling::Never) if source.self_billing => {
            return Err(format!("{specification} is not for invoices that the buyer writes"));
        }
        _ => (),
    }
    let kept = processes(specification, source)
        .map_err(|reason| format!("{specification} is of another process: {reason}"))?;
    let own = source.profile_id.as_deref();
    let is_known = kept.iter().any(|process| own == Some(process.value()));
    Ok(kept.first().filter(|_| !is_known).map(|process| process.value().to_owned()))
}

/// Whether a document is of a specification, and of the type, on a day. Which end wrote it was
/// asked by [`process`].
///
/// # Errors
/// Why it is not, in a sentence.
pub(super) fn is_asked(
    document: &ParsedDocument,
    (specification, wanted): (&str, Option<&DocumentTypeId>),
    on: Date,
) -> Result<(), String> {
    let found = document.detection();
    let root = found.root.as_ref();
    let local = root.map_or("", |root| root.local.as_str());
    let Some(wanted) = wanted else {
        let is_other = found.other_profile.is_some();
        let names = found.customization_id.as_deref() == Some(specification);
        if !names || is_other {
            return Err(format!("{specification} is not for documents with the element {local}"));
        }
        // Of others there are more than the network exchanges.
        return match is_pint(specification) {
            true => is_exchanged(found, &Announced::default(), (specification, on)),
            false => Ok(()),
        };
    };
    let parts = wanted.parts();
    let is_root = root.is_some_and(|root| root.namespace == parts.root_namespace);
    if !is_root || parts.local_name != Some(local) {
        let expected = parts.local_name.unwrap_or("no element");
        return Err(format!("{wanted} is for {expected}, and the document becomes {local}"));
    }
    let announced = Announced { document_type: Some(wanted.clone()), process: None };
    is_exchanged(found, &announced, (&wanted.to_string(), on))
}

/// Whether a document that was converted is for what its source is for: an agreement and an answer
/// to an order have one document element, and are not each other.
///
/// # Errors
/// What the two are for, in a sentence.
pub(super) fn is_alike(
    document: &ParsedDocument,
    source: &Detection,
    specification: &str,
) -> Result<(), String> {
    let [own, found] = [source.kind, document.detection().kind];
    if becomes(own, found) {
        return Ok(());
    }
    let title = |kind: Option<DocumentKind>| kind.map_or("another document", DocumentKind::title);
    Err(format!("{specification} is for {}, and the document is {}", title(found), title(own)))
}

/// Whether a document has a type of the network on a day.
fn is_exchanged(
    document: &Detection,
    announced: &Announced,
    (asked, on): (&str, Date),
) -> Result<(), String> {
    let reason = match decide(document, announced, on).exchange {
        Ok(_) => return Ok(()),
        Err(reasons) => reasons.first().map(ToString::to_string).unwrap_or_default(),
    };
    Err(format!("it would be no document of {asked}: {reason}"))
}

/// Whether a document that goes from the rules and taxes of one jurisdiction to those of another
/// keeps the rules there: one that does not is another document under its name.
///
/// # Errors
/// Which rules it breaks, in a sentence.
pub(super) fn keeps_rules(
    document: &ParsedDocument,
    (source, specification): (&Detection, &str),
    (on, rules): (Date, &RuleLibrary),
) -> Result<(), String> {
    let own = source.customization_id.as_deref().unwrap_or_default();
    if own == specification || !(has_other_taxes(own) || has_other_taxes(specification)) {
        return Ok(());
    }
    let identity = decide(document.detection(), &Announced::default(), on);
    let report = rules.validate(document, &identity, on);
    if report.verdict() != Verdict::NotValid {
        return Ok(());
    }
    let broken: Vec<FindingLine> = report.fatal().map(FindingLine::from).collect();
    let more = match broken.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let first = broken.first().map(|own| format!("{}: {}", own.rule, own.text));
    let first = first.unwrap_or_default();
    Err(format!("converted to {specification}, it would not be valid: {first}{more}"))
}
