//! Documents embedded in a PDF: Factur-X, ZUGFeRD, XRechnung, Order-X.
//!
//! Only what leads to embedded files is read: the cross-reference, the catalogue, the name tree,
//! the files of pages and of their annotations, the file specifications and the metadata. Nothing
//! is rendered, no script is looked at.
//!
//! Sources: ISO 32000-1 sections 7 (syntax), 7.11 (file specifications), 14.13 (associated files);
//! Factur-X 1.0 section 6 (XMP).

mod file;
mod object;
mod places;
mod predictor;
mod scan;
mod xmp;

use std::collections::HashSet;

use super::{ContainerItem, UnopenedReason, UnwrapBudget, Wrapper};
use file::PdfFile;
use object::{Dict, Object};
use quoin_model::text::cut;

/// Characters of a file name, and of a relationship, that are kept.
const MAX_NAME: usize = 255;

/// File names that the standards give to the embedded document.
const KNOWN: &[&str] =
    &["factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml", "order-x.xml", "cida.xml"];

/// Whether a file has the name that a standard gives to the document of a PDF.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// A file specification dictionary, as far as it matters.
struct Embedded {
    name: String,
    relationship: Option<String>,
    stream: u32,
}

/// The XML files in a PDF, those with the name of a standard first.
///
/// # Errors
/// [`Reason::Encrypted`] where the file is encrypted, [`Reason::Damaged`] where it has no
/// catalogue.
pub(super) fn embedded<'c>(
    bytes: &'c [u8],
    budget: &mut UnwrapBudget,
) -> Result<Vec<Result<ContainerItem<'c>, UnopenedReason>>, UnopenedReason> {
    let mut file = PdfFile::open(bytes, budget)?;
    let (mut catalogue, mut found) = named(&mut file, budget)?;
    if found.is_empty() && file.mend(budget) {
        (catalogue, found) = named(&mut file, budget)?;
    }
    found.retain(|embedded| embedded.name.to_ascii_lowercase().ends_with(".xml"));
    found.sort_by_key(|embedded| !is_known(&embedded.name));
    let level = metadata(&mut file, &catalogue, budget);
    let mut children = Vec::new();
    for embedded in found.into_iter().take(budget.limits.documents) {
        let level = level.clone().filter(|_| is_known(&embedded.name));
        children.push(file.stream(embedded.stream, budget).map(|content| ContainerItem {
            name: Some(embedded.name.clone()),
            bytes: content.into(),
            wrapper: Wrapper::HybridPdf {
                file_name: embedded.name,
                relationship: embedded.relationship,
                level,
                mismatch: None,
            },
        }));
    }
    Ok(children)
}

/// The catalogue, and the embedded files that it leads to.
fn named(
    file: &mut PdfFile<'_>,
    budget: &mut UnwrapBudget,
) -> Result<(Dict, Vec<Embedded>), UnopenedReason> {
    if file.trailer().get("Encrypt").is_some_and(|object| *object != Object::Null) {
        return Err(UnopenedReason::Encrypted);
    }
    let catalogue =
        file.catalogue(budget).ok_or(UnopenedReason::Damaged("the PDF has no catalogue"))?;
    let found = specifications(file, &catalogue, budget);
    Ok((catalogue, found))
}

fn metadata(file: &mut PdfFile<'_>, catalogue: &Dict, budget: &mut UnwrapBudget) -> Option<String> {
    let stream = catalogue.get("Metadata")?.reference()?;
    xmp::level(&file.stream(stream, budget).ok()?)
}

/// The embedded files that the catalogue leads to, each once. What it does not lead to is not in
/// the document: an earlier revision of the file may still have it (ISO 32000-1, 7.5.6).
fn specifications(
    file: &mut PdfFile<'_>,
    catalogue: &Dict,
    budget: &mut UnwrapBudget,
) -> Vec<Embedded> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for (object, key) in places::of(file, catalogue, budget) {
        let object = file.resolve(Some(&object), budget);
        if let Some(embedded) =
            object.dict().and_then(|dict| specification(file, dict, &key, budget))
            && seen.insert(embedded.stream)
        {
            found.push(embedded);
        }
    }
    found
}

fn specification(
    file: &mut PdfFile<'_>,
    dict: &Dict,
    key: &Object,
    budget: &mut UnwrapBudget,
) -> Option<Embedded> {
    let streams = file.resolve(dict.get("EF"), budget);
    let streams = streams.dict()?;
    let stream = ["F", "UF"].iter().find_map(|name| streams.get(name)?.reference())?;
    let named = ["UF", "F"].iter().find_map(|name| file.resolve(dict.get(name), budget).text());
    let name = named.filter(|name| !name.is_empty()).or_else(|| key.text()).unwrap_or_default();
    // A path is a label here: only its last part is kept.
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let relationship = dict.get("AFRelationship").and_then(Object::name);
    Some(Embedded {
        name: cut(name, MAX_NAME).into_owned(),
        // It goes with everything that is in the file, as its name does.
        relationship: relationship.map(|text| cut(text, MAX_NAME).into_owned()),
        stream,
    })
}
