//! The document type of a document, by the code list of the network.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use quoin_formats::Detection;
use quoin_formats::Syntax;
use quoin_formats::header::UBL_VERSION;
use quoin_peppol::codelists::{self, CodeState, DOCUMENT_TYPES, DocumentType};
use quoin_peppol::identifiers::DocumentTypeId;

use crate::disagreement::Disagreement;
use crate::near;

/// The version in the types of CII documents that name none.
const CII_VERSION: &str = "D16B";
/// The version in the types of tax data documents, of which each regime has one.
const TAX_DATA_VERSION: &str = "1.0";
/// What the types of hybrid PDF files begin with.
const HYBRID: &str = "urn:peppol:doctype:pdf+xml";
/// What the types of EDIFACT interchanges begin with.
const EDIFACT: &str = "urn:peppol:doctype:edifact:";
/// What the types of X12 interchanges begin with.
const X12: &str = "urn:peppol:doctype:x12:";

/// Whether a document type may be exchanged on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentTypeState {
    /// It is in use.
    Active,
    /// It is exchanged where it is registered already, and registered no more.
    Deprecated,
    /// It is gone from the network.
    Removed,
    /// The code list does not have it.
    Unlisted,
}

/// The standing of a document type, or of a pattern of one, on a day.
pub fn standing(id: &DocumentTypeId, on: Date) -> DocumentTypeState {
    let plain = id.plain();
    let rows = DOCUMENT_TYPES.iter().filter(|row| row.value == plain && row.scheme == id.scheme());
    match rows.map(|row| row.state_on(on)).min_by_key(|state| *state as u8) {
        Some(CodeState::Active) => DocumentTypeState::Active,
        Some(CodeState::Deprecated) => DocumentTypeState::Deprecated,
        Some(CodeState::Removed) => DocumentTypeState::Removed,
        None => DocumentTypeState::Unlisted,
    }
}

/// Whether documents of a type are still sent, taken and published on a day: not where the network
/// has removed it. What the list does not have is not ours to forbid.
pub fn is_exchanged(id: &DocumentTypeId, on: Date) -> bool {
    standing(id, on) != DocumentTypeState::Removed
}

/// The last day up to `on` from which the list has a type as removed.
pub fn list_changed(on: Date) -> Option<Date> {
    DOCUMENT_TYPES.iter().filter_map(|row| row.removal).filter(|day| *day <= on).max()
}

/// The type as the words of a document spell it.
pub(crate) fn spelled(detection: &Detection) -> Option<DocumentTypeId> {
    let (root, customization) = detection.root.as_ref().zip(detection.customization_id.as_ref())?;
    let listed = listed(&root.namespace, &root.local, customization).first();
    let version = match detection.syntax? {
        Syntax::Cii | Syntax::Cdar => CII_VERSION,
        Syntax::TaxData => TAX_DATA_VERSION,
        _ => UBL_VERSION,
    };
    listed.and_then(|row| row.id().ok()).or_else(|| {
        DocumentTypeId::of_document(&root.namespace, &root.local, customization, version).ok()
    })
}

/// What a document says of itself, where an announced type says something else; `None` where they
/// are the same, or the syntax has no place to say it.
pub(crate) fn differs<'d>(detection: &'d Detection, announced: &DocumentTypeId) -> Option<&'d str> {
    let says = detection.syntax.is_some_and(Syntax::has_identifiers);
    let own = detection.customization_id.as_deref().unwrap_or_default();
    let parts = announced.parts();
    (says && parts.local_name.is_some() && own != parts.customization).then_some(own)
}

/// The row of a document's type on a day.
pub(crate) fn row(
    detection: &Detection,
    asked: Option<&DocumentTypeId>,
    on: Date,
) -> Result<&'static DocumentType, Disagreement> {
    if let Some(asked) = asked {
        fits(detection, asked)?;
    }
    let says = detection.syntax.is_some_and(Syntax::has_identifiers);
    let row = match (says, asked) {
        (true, _) => own(detection, asked, on)?,
        (false, Some(asked)) => announced(asked)?,
        (false, None) => only(detection)?,
    };
    match row.state_on(on) {
        CodeState::Removed => {
            Err(Disagreement::Removed { name: row.name, on: row.removal.filter(|day| *day <= on) })
        }
        _ if row.is_abstract => Err(Disagreement::Abstract { name: row.name }),
        _ => Ok(row),
    }
}

/// The announced type is of such a document: its root element, or its kind of file.
fn fits(detection: &Detection, asked: &DocumentTypeId) -> Result<(), Disagreement> {
    let parts = asked.parts();
    let other =
        |found: String| Err(Disagreement::OtherRoot { announced: asked.value().to_owned(), found });
    if let Some(local) = parts.local_name {
        return match &detection.root {
            Some(root) if root.namespace == parts.root_namespace && root.local == local => {
                match differs(detection, asked) {
                    Some(own) => Err(Disagreement::OtherType {
                        announced: asked.value().to_owned(),
                        found: own.to_owned(),
                    }),
                    None => Ok(()),
                }
            }
            Some(root) => other(format!("{}::{}", root.namespace, root.local)),
            None => other(detection.syntax.map_or("no XML", Syntax::title).to_owned()),
        };
    }
    let expected = match parts.root_namespace {
        start if start.starts_with(HYBRID) => Syntax::Pdf,
        start if start.starts_with(EDIFACT) => Syntax::Edifact,
        start if start.starts_with(X12) => Syntax::X12,
        _ => return Ok(()),
    };
    match detection.syntax {
        Some(found) if found == expected => Ok(()),
        found => other(found.map_or("an unknown file", Syntax::title).to_owned()),
    }
}

/// The rows of the list by all of their value but its version, those in use first.
static LISTED: LazyLock<HashMap<&str, Vec<&DocumentType>>> = LazyLock::new(|| {
    let mut rows: HashMap<&str, Vec<&DocumentType>> = HashMap::new();
    let unversioned =
        DOCUMENT_TYPES.iter().filter_map(|row| Some((row.value.rsplit_once("::")?.0, row)));
    for (start, row) in unversioned {
        rows.entry(start).or_default().push(row);
    }
    for of_one in rows.values_mut() {
        of_one.sort_by_key(|row| row.state as u8);
    }
    rows
});

/// The rows with a document element and a customization, those in use first.
fn listed(namespace: &str, local: &str, customization: &str) -> &'static [&'static DocumentType] {
    let start = format!("{namespace}::{local}##{customization}");
    LISTED.get(start.as_str()).map_or(&[], Vec::as_slice)
}

/// The type that the document itself names.
fn own(
    detection: &Detection,
    asked: Option<&DocumentTypeId>,
    on: Date,
) -> Result<&'static DocumentType, Disagreement> {
    let Some(root) = &detection.root else { return Err(Disagreement::NoIdentifier) };
    let Some(customization) = &detection.customization_id else {
        return Err(Disagreement::NoIdentifier);
    };
    let rows = listed(&root.namespace, &root.local, customization);
    let versioned = asked.and_then(|asked| rows.iter().find(|row| row.value == asked.value()));
    if asked.is_some() && versioned.is_none() && !rows.is_empty() {
        let announced = asked.map(|asked| asked.value().to_owned()).unwrap_or_default();
        let found = rows.iter().map(|row| row.value).collect::<Vec<_>>().join(" or ");
        return Err(Disagreement::OtherType { announced, found });
    }
    let in_use = || rows.iter().min_by_key(|row| row.state_on(on) as u8);
    versioned.or_else(in_use).copied().ok_or_else(|| Disagreement::Unknown {
        customization: customization.clone(),
        near: near::customization(&root.namespace, &root.local, customization, on),
    })
}

/// The row of a type that stands for documents without identifiers.
fn announced(asked: &DocumentTypeId) -> Result<&'static DocumentType, Disagreement> {
    codelists::document_type(asked).ok_or_else(|| Disagreement::Unlisted(asked.value().to_owned()))
}

/// The type of a document element that only one type in use has, in a syntax that has no place for
/// an identifier: reports, time sheets.
fn only(detection: &Detection) -> Result<&'static DocumentType, Disagreement> {
    let Some(root) = &detection.root else { return Err(Disagreement::NoRoot) };
    let start = format!("{}::{}##", root.namespace, root.local);
    let in_use = |row: &&DocumentType| row.state == CodeState::Active && !row.is_abstract;
    let mut rows = DOCUMENT_TYPES.iter().filter(|row| row.value.starts_with(&start)).filter(in_use);
    match (rows.next(), rows.next()) {
        (Some(row), None) => Ok(row),
        (Some(_), Some(_)) => Err(Disagreement::Ambiguous { root: root.local.clone() }),
        (None, _) => Err(Disagreement::NoType { root: root.local.clone() }),
    }
}
