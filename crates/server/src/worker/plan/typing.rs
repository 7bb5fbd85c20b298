//! What a document is on the network: its type and its process, by the code lists.

use quoin_delivery::{Event, Family};
use quoin_document::routing::Routing;
use quoin_peppol::codelists::{self, DOCUMENT_TYPES, DocumentType, State};
use quoin_peppol::identifiers::{DocumentTypeId, IdentifierError, ProcessId};
use quoin_store::Wishes;

use super::rejection;

#[cfg(test)]
mod tests;

/// The type that was asked for, else the one in the code list (network digest 4.2), else the type
/// as the document spells it; and whether the list has it.
pub(super) fn document_type(
    routing: &Routing,
    wishes: &Wishes,
) -> Result<(DocumentTypeId, bool), Box<Event>> {
    let wrong = |error: IdentifierError| rejection("QUOIN-DOCUMENT-TYPE", error.to_string());
    if let Some(asked) = &wishes.document_type {
        let id: DocumentTypeId = asked.parse().map_err(wrong)?;
        let listed = codelists::document_type(&id).is_some();
        return Ok((id, listed));
    }
    let (namespace, local) = (&routing.root_namespace, &routing.root_local);
    let customization = routing.customization_id.as_deref().unwrap_or_default();
    let listed = codelists::document_type_for(namespace, local, customization);
    if let Some(row) = listed.or_else(|| only_type_of(namespace, local)) {
        return Ok((row.id().map_err(wrong)?, true));
    }
    if customization.is_empty() {
        let text = format!(
            "The document element {local} alone does not tell the document type, and the document \
             has no CustomizationID; give sourceFormat with a document type of the network."
        );
        return Err(rejection("QUOIN-DOCUMENT-TYPE", text));
    }
    let version = quoin_document::header::UBL_VERSION;
    let id = DocumentTypeId::of_document(namespace, local, customization, version);
    Ok((id.map_err(wrong)?, false))
}

/// The type of a document element that only one type in use has: documents without identifiers of
/// their own, such as reports.
fn only_type_of(namespace: &str, local: &str) -> Option<&'static DocumentType> {
    let start = format!("{namespace}::{local}##");
    let fits = |row: &&DocumentType| {
        row.value.starts_with(&start) && row.state == State::Active && !row.is_abstract
    };
    let mut rows = DOCUMENT_TYPES.iter().filter(fits);
    let row = rows.next()?;
    rows.next().is_none().then_some(row)
}

/// The kind of business, which must be the one that the document was uploaded as.
pub(super) fn family(
    document_type: &DocumentTypeId,
    uploaded_as: Family,
) -> Result<Family, Box<Event>> {
    let family = Family::of(document_type);
    if uploaded_as == Family::Document || uploaded_as == family {
        return Ok(family);
    }
    let (is, was) = (family.row().name, uploaded_as.row().name);
    let text = format!(
        "The document was uploaded as {was}, and it is {is} by its type {document_type}; upload it \
         at the endpoint of its kind, or at generic/send."
    );
    Err(rejection("QUOIN-KIND", text))
}

/// `ProfileID` must be a process that the code list allows for the type.
pub(super) fn process(
    routing: &Routing,
    document_type: &DocumentTypeId,
    wishes: &Wishes,
) -> Result<ProcessId, Box<Event>> {
    let written = wishes.process.as_deref().or(routing.profile_id.as_deref()).unwrap_or_default();
    let allowed = codelists::document_type(document_type).map(|row| row.processes);
    // Reports and national formats have something else in the place of ProfileID.
    let profiled = routing.root_namespace.starts_with(quoin_document::formats::UBL_PREFIX)
        || wishes.process.is_some();
    let text = match allowed {
        Some(processes) if written.is_empty() => processes.first().copied().unwrap_or_default(),
        Some(processes) if !processes.contains(&written) && profiled => {
            let text = format!(
                "ProfileID is {written:?}; this type of document is exchanged in {}.",
                processes.join(" or ")
            );
            return Err(rejection("QUOIN-PROCESS", text));
        }
        Some(processes) if !processes.contains(&written) => {
            processes.first().copied().unwrap_or_default()
        }
        _ => written,
    };
    text.parse().map_err(|error: IdentifierError| rejection("QUOIN-PROCESS", error.to_string()))
}
