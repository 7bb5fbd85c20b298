//! The specification (BT-24) and the process (BT-23) that the recipient takes documents by, written
//! into a document that was converted. Everything else of it stays byte by byte.

use quoin_model::en16931::{Field, Identifier, ProcessControl};
use quoin_model::text::{cut, trimmed};
use quoin_xml::tree::Element;
use quoin_xml::write::escape_text;

use super::{ConversionRequest, Converted};
use crate::routing::{child_name, span};
use crate::ubl::{CBC, UBL_PREFIX};
use crate::writing::{ConversionRefusal, Loss, LossKind};

/// Why another specification or process stands in the target.
const ASKED: &str = "the target is asked for by this specification and process";

/// What the source says of its specification and process, and where.
pub(super) struct TermOrigin<'r, 'd> {
    pub process: &'r ProcessControl<'d>,
    pub element: Element<'d>,
    /// The names of the two terms.
    pub terms: [&'static str; 2],
    /// Whether its paths are those of JSON.
    pub is_json: bool,
}

/// Where a term stands in a syntax.
struct TermPlace {
    /// Local names below the document element; the last one has the text.
    path: &'static [&'static str],
    /// The namespace of the last one, where it is not that of its parent.
    namespace: Option<&'static str>,
    /// What may stand before the first step inside its parent.
    after: &'static [&'static str],
}

/// BT-24 and BT-23 in UBL.
const IN_UBL: [TermPlace; 2] = [
    TermPlace {
        path: &["CustomizationID"],
        namespace: Some(CBC),
        after: &["UBLExtensions", "UBLVersionID"],
    },
    TermPlace {
        path: &["ProfileID"],
        namespace: Some(CBC),
        after: &["UBLExtensions", "UBLVersionID", "CustomizationID"],
    },
];

/// BT-24 and BT-23 in CII, inside `ExchangedDocumentContext`.
const IN_CII: [TermPlace; 2] = [
    TermPlace {
        path: &["GuidelineSpecifiedDocumentContextParameter", "ID"],
        namespace: None,
        after: &[
            "SpecifiedTransactionID",
            "TestIndicator",
            "BusinessProcessSpecifiedDocumentContextParameter",
            "BIMSpecifiedDocumentContextParameter",
            "ScenarioSpecifiedDocumentContextParameter",
            "ApplicationSpecifiedDocumentContextParameter",
        ],
    },
    TermPlace {
        path: &["BusinessProcessSpecifiedDocumentContextParameter", "ID"],
        namespace: None,
        after: &["SpecifiedTransactionID", "TestIndicator"],
    },
];

/// The element that has the terms inside.
fn holder(root: Element<'_>) -> Option<(Element<'_>, &'static [TermPlace; 2])> {
    match root.local() {
        "Invoice" | "CreditNote" => Some((root, &IN_UBL)),
        local if local.starts_with("Order") && root.namespace().starts_with(UBL_PREFIX) => {
            Some((root, &IN_UBL))
        }
        "CrossIndustryInvoice" => {
            Some((root.child(root.namespace(), "ExchangedDocumentContext")?, &IN_CII))
        }
        _ => None,
    }
}

/// The document with what is asked for, and a row for each term that is other than in the source.
///
/// # Errors
/// [`ConversionRefusal::SpecificationWithoutPlace`] where the target has no place for it.
pub(super) fn specified(
    mut converted: Converted,
    origin: &TermOrigin<'_, '_>,
    request: &ConversionRequest<'_>,
) -> Result<Converted, ConversionRefusal> {
    let [specification, process] = origin.terms;
    let terms = [
        (specification, request.specification, &origin.process.customization),
        (process, request.process, &origin.process.profile),
    ];
    let mut rows = Vec::new();
    for (at, (term, wanted, source)) in terms.into_iter().enumerate() {
        let Some(wanted) = wanted else { continue };
        let Some((document, target_path)) = with(&converted.document, at, wanted)? else {
            continue;
        };
        converted.document = document;
        let before = converted.losses.len();
        converted.losses.retain(|loss| loss.term != Some(term));
        let was_listed = converted.losses.len() < before;
        let row = row(origin, source, (term, wanted), target_path);
        if row.kind == LossKind::Changed && !was_listed {
            converted.tally.carried = converted.tally.carried.saturating_sub(1);
            converted.tally.listed += 1;
        }
        rows.push(row);
    }
    rows.append(&mut converted.losses);
    Ok(Converted { losses: rows, ..converted })
}

fn row(
    origin: &TermOrigin<'_, '_>,
    source: &Field<Identifier<'_>>,
    (term, wanted): (&'static str, &str),
    target_path: String,
) -> Loss {
    let (source_path, value, kind) = match source.filled() {
        Some(own) => (own.element().path(), own.trimmed().into_owned(), LossKind::Changed),
        None => (origin.element.path(), wanted.to_owned(), LossKind::Derived),
    };
    let source_path = match origin.is_json {
        true => crate::json::of_path(&source_path),
        false => source_path,
    };
    let value = cut(&value, Loss::MAX_VALUE).into_owned();
    let target_path = Some(target_path);
    Loss { source_path, term: Some(term), value, kind, target_path, reason: ASKED }
}

/// The document with a text in the place of a term, and where that is; `None` where it says so
/// already.
fn with(
    document: &str,
    term: usize,
    wanted: &str,
) -> Result<Option<(String, String)>, ConversionRefusal> {
    let no_place =
        || ConversionRefusal::SpecificationWithoutPlace { specification: wanted.to_owned() };
    let parsed = crate::read(document.as_bytes());
    let (parent, places) = parsed.root().and_then(holder).ok_or_else(no_place)?;
    let place = places.get(term).ok_or_else(no_place)?;
    let (from, to, text, path) = match found(parent, place) {
        Some(element) if trimmed(element) == wanted => return Ok(None),
        Some(element) => {
            let (from, to) = span(element).ok_or_else(no_place)?;
            let around = element.parent().unwrap_or(parent);
            let (name, declared) = child_name(around, element.namespace(), element.local());
            (from, to, leaf((&name, &declared), wanted), element.path())
        }
        None => {
            let at = room(parent, place).ok_or_else(no_place)?;
            let path = format!("{}/{}", parent.path(), place.path.join("/"));
            (at, at, fresh(parent, place, wanted), path)
        }
    };
    let mut out = String::with_capacity(document.len() + text.len());
    out.push_str(document.get(..from).unwrap_or_default());
    out.push_str(&text);
    out.push_str(document.get(to..).unwrap_or_default());
    Ok(Some((out, path)))
}

fn found<'d>(parent: Element<'d>, place: &TermPlace) -> Option<Element<'d>> {
    place.path.iter().try_fold(parent, |at, name| at.elements().find(|own| own.local() == *name))
}

/// Before the first element that does not come before it, or after the last.
fn room(parent: Element<'_>, place: &TermPlace) -> Option<usize> {
    let first = place.path.first()?;
    // A group that is there without what it is for is no place for another one.
    if parent.elements().any(|own| own.local() == *first) {
        return None;
    }
    let next = parent.elements().find(|own| !place.after.contains(&own.local()));
    match next {
        Some(next) => Some(next.offset()),
        None => parent.elements().last().and_then(span).map(|(_, end)| end),
    }
}

fn fresh(parent: Element<'_>, place: &TermPlace, wanted: &str) -> String {
    // Groups of the context are in the namespace of reusable aggregates, which its children have.
    let of_children = parent.elements().next().map_or(parent.namespace(), Element::namespace);
    let namespace = place.namespace.unwrap_or(of_children);
    let Some((name, groups)) = place.path.split_last() else { return String::new() };
    let (name, declared) = child_name(parent, namespace, name);
    // What a group declares, its children need not.
    let own = if groups.is_empty() { declared.as_str() } else { "" };
    let mut text = leaf((&name, own), wanted);
    for group in groups.iter().rev() {
        let (group, declared) = child_name(parent, namespace, group);
        text = format!("<{group}{declared}>{text}</{group}>");
    }
    text.push('\n');
    text
}

/// An element with its namespace declared beside it where no prefix stands for it.
fn leaf((name, declared): (&str, &str), wanted: &str) -> String {
    let mut text = format!("<{name}{declared}>");
    escape_text(wanted, &mut text);
    text.push_str(&format!("</{name}>"));
    text
}
