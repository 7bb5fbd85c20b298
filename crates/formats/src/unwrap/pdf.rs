//! Documents embedded in a PDF: Factur-X, ZUGFeRD, XRechnung, Order-X.
//!
//! Only what leads to embedded files is read: the cross-reference, the catalogue, the name tree,
//! the file specifications and the metadata. Nothing is rendered, no script or page is looked at.
//!
//! Sources: ISO 32000-1 sections 7 (syntax), 7.11 (file specifications), 14.13 (associated files);
//! Factur-X 1.0 section 6 (XMP).

mod file;
mod object;
mod predictor;
mod scan;
mod xmp;

use std::collections::HashSet;
use std::rc::Rc;

use super::{ContainerItem, UnopenedReason, UnwrapBudget, Wrapper};
use file::PdfFile;
use object::{Dict, Object};
use quoin_model::text::cut;

/// Nodes of the name tree, and file specifications, that are followed.
const MAX_NODES: usize = 1_000;
/// Characters of a file name, and of a relationship, that are kept.
const MAX_NAME: usize = 255;

/// File names that the standards give to the embedded document.
const KNOWN: &[&str] =
    &["factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml", "order-x.xml", "cida.xml"];

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
    if file.trailer().get("Encrypt").is_some_and(|object| *object != Object::Null) {
        return Err(UnopenedReason::Encrypted);
    }
    let catalogue =
        file.catalogue(budget).ok_or(UnopenedReason::Damaged("the PDF has no catalogue"))?;
    let mut found = specifications(&mut file, &catalogue, budget);
    found.retain(|embedded| embedded.name.to_ascii_lowercase().ends_with(".xml"));
    let is_known = |name: &str| KNOWN.iter().any(|known| name.eq_ignore_ascii_case(known));
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

fn metadata(file: &mut PdfFile<'_>, catalogue: &Dict, budget: &mut UnwrapBudget) -> Option<String> {
    let stream = catalogue.get("Metadata")?.reference()?;
    xmp::level(&file.stream(stream, budget).ok()?)
}

/// The embedded files by `/AF` and by the name tree, each once; where the catalogue has neither, by
/// every file specification in the file.
fn specifications(
    file: &mut PdfFile<'_>,
    catalogue: &Dict,
    budget: &mut UnwrapBudget,
) -> Vec<Embedded> {
    let mut queue: Vec<(Object, Object)> = Vec::new();
    let associated = file.resolve(catalogue.get("AF"), budget);
    let members = associated.array().iter().take(MAX_NODES);
    queue.extend(members.map(|object| (object.clone(), Object::Null)));
    let has_tree = name_tree(file, catalogue, budget, &mut queue);
    let has_place = has_tree || *associated != Object::Null;
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for (object, key) in queue {
        let object = file.resolve(Some(&object), budget);
        if let Some(embedded) =
            object.dict().and_then(|dict| specification(file, dict, &key, budget))
            && seen.insert(embedded.stream)
        {
            found.push(embedded);
        }
    }
    if !has_place {
        for number in file.numbers().into_iter().take(MAX_NODES) {
            let object = file.object(number, budget);
            let Some(dict) = object.dict().filter(|dict| dict.get("EF").is_some()) else {
                continue;
            };
            let embedded = specification(file, dict, &Object::Null, budget);
            found.extend(embedded.filter(|embedded| seen.insert(embedded.stream)));
        }
    }
    found
}

/// `/Names /EmbeddedFiles` (ISO 32000-1, 7.7.4): a tree of `Kids`, with pairs of name and file
/// specification in `Names`. Whether there is one.
fn name_tree(
    file: &mut PdfFile<'_>,
    catalogue: &Dict,
    budget: &mut UnwrapBudget,
    queue: &mut Vec<(Object, Object)>,
) -> bool {
    let names = file.resolve(catalogue.get("Names"), budget);
    let root = names.dict().and_then(|names| names.get("EmbeddedFiles")).cloned();
    let has_tree = root.is_some();
    // For each node whose kids are followed, these and how many of them are left, the last first.
    let mut open: Vec<(Rc<[Object]>, usize)> = Vec::new();
    let mut next = root;
    let (mut nodes, mut visited) = (0, HashSet::new());
    while let Some(node) = next.or_else(|| last_of(&mut open))
        && nodes < MAX_NODES
        && queue.len() < MAX_NODES
    {
        next = None;
        nodes += 1;
        // What was visited leads nowhere new; in a hostile file it leads round in a circle. That
        // holds of the arrays of nodes, too: a thousand nodes may have one.
        let mut is_new = |object: Option<&Object>| {
            object.and_then(Object::reference).is_none_or(|number| visited.insert(number))
        };
        if !is_new(Some(&node)) {
            continue;
        }
        let node = file.resolve(Some(&node), budget);
        let Some(node) = node.dict() else { continue };
        if let Some(kids) = node.get("Kids").filter(|kids| is_new(Some(kids)))
            && let Object::Array(kids) = &*file.resolve(Some(kids), budget)
        {
            open.push((kids.clone(), kids.len().min(MAX_NODES)));
        }
        if let Some(pairs) = node.get("Names").filter(|pairs| is_new(Some(pairs))) {
            let pairs = file.resolve(Some(pairs), budget);
            let room = MAX_NODES.saturating_sub(queue.len());
            for pair in pairs.array().chunks_exact(2).take(room) {
                if let [name, specification] = pair {
                    queue.push((specification.clone(), name.clone()));
                }
            }
        }
    }
    has_tree
}

/// The next of the kids that are left.
fn last_of(open: &mut Vec<(Rc<[Object]>, usize)>) -> Option<Object> {
    loop {
        let (kids, left) = open.last_mut()?;
        if let Some(before) = left.checked_sub(1) {
            *left = before;
            return kids.get(before).cloned();
        }
        open.pop();
    }
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
