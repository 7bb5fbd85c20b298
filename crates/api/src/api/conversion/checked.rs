//! Whether a document that was converted is what was asked for: the document element, the
//! specification and the process of the type.

use jiff::civil::Date;
use quoin_formats::profiles::{Profile, SelfBilling};
use quoin_formats::{Detection, ParsedDocument};
use quoin_identity::{Announced, decide, processes};
use quoin_peppol::identifiers::DocumentTypeId;

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
        return match names && !is_other {
            true => Ok(()),
            false => Err(format!("{specification} is not for documents with the element {local}")),
        };
    };
    let parts = wanted.parts();
    let is_root = root.is_some_and(|root| root.namespace == parts.root_namespace);
    if !is_root || parts.local_name != Some(local) {
        let expected = parts.local_name.unwrap_or("no element");
        return Err(format!("{wanted} is for {expected}, and the document becomes {local}"));
    }
    let announced = Announced { document_type: Some(wanted.clone()), process: None };
    let reason = match decide(found, &announced, on).exchange {
        Ok(_) => return Ok(()),
        Err(reasons) => reasons.first().map(ToString::to_string).unwrap_or_default(),
    };
    Err(format!("it would be no document of {wanted}: {reason}"))
}
