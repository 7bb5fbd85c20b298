//! Notes (BG-1) for a specification that has one place for them: they become one text, each in its
//! own line, and nothing of what they say is left out.
//!
//! Source: PEPPOL-EN16931-R002 of BIS Billing 3 and BIS Self-Billing 3, which in UBL leaves
//! invoices between German parties alone, and in CII allows no subject code; and ibr-sr-51 of PINT
//! of Europe, which has no exception.

use std::collections::HashSet;

use quoin_model::en16931::{Invoice, Note, ValueSource};
use quoin_model::text::cut;
use quoin_xml::tree::Element;
use quoin_xml::write::{escape_attribute, escape_text};

use super::{ConversionRequest, Converted};
use crate::profiles::Profile;
use crate::reading::Reading;
use crate::routing::span;
use crate::syntax::Syntax;
use crate::ubl::CBC;
use crate::writing::{Loss, LossKind};

/// The packages whose rules have one place for notes.
const PACKAGES: &[&str] = &["peppol-bis3", "peppol-bis3-cii", "peppol-bis3-selfbilling", "pint-eu"];
/// Those of them whose rule leaves invoices between German parties alone in UBL.
const EXCEPTING: &[&str] = &["peppol-bis3", "peppol-bis3-selfbilling"];
const GERMANY: &str = "DE";
/// Notes that are joined, at most: each costs the way to its place. Of more the rules say what is
/// wrong.
const MOST: usize = 200;

const TOGETHER: &str = "the target has one place for notes: they are one text (R002 of Peppol, \
    ibr-sr-51 of PINT)";
const SUBJECT: &str =
    "the target has no place for the subject of a note: it stands before the text";
const LEFT_OUT: &str =
    "the target has one place for notes, and none for what stands beside their text";

/// What is told of a leaf: where it is, its term, its value, and what became of it.
type NoteRow = (String, Option<&'static str>, String, LossKind);

/// The document with its notes in one place, where the specification that is asked for has only
/// one, and a row for everything of them that is not as it was.
pub(super) fn together(
    mut converted: Converted,
    reading: &Reading<'_>,
    request: &ConversionRequest<'_>,
) -> Converted {
    if !request.specification.is_some_and(|wanted| has_one_place(wanted, reading)) {
        return converted;
    }
    let stays = request.specification.is_some_and(is_excepting) && is_german(&reading.invoice);
    let Some(joined) = joined(&converted.document, stays) else { return converted };
    let JoinedNotes { document, path, has_attributes } = joined;
    converted.document = document;
    let filled = reading.invoice.notes.iter().filter(|note| note.text.is_filled());
    let is_alone = filled.count() < 2;
    let notes = reading.invoice.notes.iter();
    let leaves = notes.flat_map(|note| of_note(note, is_alone, has_attributes));
    let row = |(own, term, value, kind): NoteRow| {
        let source_path = match reading.syntax == Syntax::InvoiceJson {
            true => crate::json::of_path(&own),
            false => own,
        };
        let (target_path, reason) = match kind {
            LossKind::Lost => (None, LEFT_OUT),
            LossKind::CarriedAsText => (Some(path.clone()), SUBJECT),
            _ => (Some(path.clone()), TOGETHER),
        };
        let value = cut(&value, Loss::MAX_VALUE).into_owned();
        Loss { source_path, term, value, kind, target_path, reason }
    };
    let rows = leaves.map(row).collect();
    tell(&mut converted, rows);
    converted
}

/// Puts the rows behind those of the specification, in place of what was told of the same leaves.
fn tell(converted: &mut Converted, rows: Vec<Loss>) {
    let mut fresh: HashSet<&str> = rows.iter().map(|row| row.source_path.as_str()).collect();
    let paths = fresh.clone();
    converted.losses.retain(|own| {
        fresh.remove(own.source_path.as_str());
        !paths.contains(own.source_path.as_str())
    });
    let tally = &mut converted.tally;
    tally.carried = tally.carried.saturating_sub(fresh.len());
    tally.listed += fresh.len();
    let is_head = |own: &&Loss| matches!(own.term, Some("BT-24" | "BT-23"));
    let at = converted.losses.iter().take_while(is_head).count();
    converted.losses.splice(at..at, rows);
}

/// Whether a specification has one place for notes, and the document is not of it already: what
/// breaks its own rules is not mended.
fn has_one_place(specification: &str, reading: &Reading<'_>) -> bool {
    let packages = Profile::of_chain(specification).map(|(profile, _)| profile.packages);
    let is_own = reading.invoice.process.customization.text().as_deref() == Some(specification);
    !is_own && packages.is_some_and(|own| own.iter().any(|package| PACKAGES.contains(package)))
}

/// Whether notes between German parties stay as they are in UBL.
fn is_excepting(specification: &str) -> bool {
    let packages = Profile::of_chain(specification).map(|(profile, _)| profile.packages);
    packages.is_some_and(|own| own.iter().any(|package| EXCEPTING.contains(package)))
}

/// What of a note is told, and how.
fn of_note(note: &Note<'_>, is_alone: bool, has_attributes: bool) -> Vec<NoteRow> {
    let of = |source: ValueSource<'_>, term, kind| {
        (source.path(), Some(term), source.trimmed().into_owned(), kind)
    };
    let (of_text, of_subject) = match is_alone {
        true => (None, LossKind::CarriedAsText),
        false => (Some(LossKind::Merged), LossKind::Merged),
    };
    let text = note.text.filled();
    let merged = text.zip(of_text).map(|(text, kind)| of(*text, "BT-22", kind));
    let subject = note.subject_code.filled().map(|code| of(*code, "BT-21", of_subject));
    let code = note.content_code.filled().map(|code| {
        let (path, _, value, kind) = of(*code, "BT-22", LossKind::Lost);
        (path, None, value, kind)
    });
    let around = text.map(|text| text.element()).filter(|_| !has_attributes);
    let attributes = around.into_iter().flat_map(|element| {
        let path = element.path();
        let said = element.attributes().filter(|own| !own.value.trim().is_empty());
        said.map(move |own| {
            let place = format!("{path}/@{}", own.local);
            (place, None, own.value.to_owned(), LossKind::Lost)
        })
    });
    merged.into_iter().chain(attributes).chain(subject).chain(code).collect()
}

/// A document with its notes as one.
struct JoinedNotes {
    document: String,
    /// Where the note stands.
    path: String,
    /// Whether what stood beside the texts is there still, which was the same in all of them.
    has_attributes: bool,
}

/// The document with its notes as one; `None` where they can stay, as in UBL where it `stays`.
fn joined(document: &str, stays: bool) -> Option<JoinedNotes> {
    let parsed = crate::read(document.as_bytes());
    let root = parsed.root()?;
    let (notes, is_cii) = match root.local() {
        "CrossIndustryInvoice" => {
            let head = root.child(root.namespace(), "ExchangedDocument")?;
            let notes = head.elements().filter(|own| own.local() == "IncludedNote");
            (notes.collect::<Vec<_>>(), true)
        }
        _ => (root.elements().filter(|own| own.is(CBC, "Note")).collect(), false),
    };
    let (first, others) = notes.split_first().filter(|_| notes.len() <= MOST)?;
    let is_free = match is_cii {
        true => others.is_empty() && part(*first, "SubjectCode").is_none(),
        false => others.is_empty() || stays,
    };
    if is_free {
        return None;
    }
    let texts: Vec<String> = notes.iter().filter_map(|note| text(*note, is_cii)).collect();
    let own = attributes(*first, is_cii);
    let has_attributes = others.iter().all(|other| attributes(*other, is_cii) == own);
    let kept = if has_attributes { own } else { String::new() };
    let (from, mut at) = span(*first)?;
    let mut out = String::with_capacity(document.len());
    out.push_str(document.get(..from)?);
    out.push_str(&written(*first, (&kept, &texts.join("\n")), is_cii)?);
    for other in others {
        let (from, to) = span(*other)?;
        out.push_str(document.get(at..from)?.trim_end());
        at = to;
    }
    out.push_str(document.get(at..)?);
    Some(JoinedNotes { document: out, path: first.path(), has_attributes })
}

/// What stands beside the text of a note, as it is written.
fn attributes(note: Element<'_>, is_cii: bool) -> String {
    let holder = match is_cii {
        true => note.elements().find(|own| own.local() == "Content"),
        false => Some(note),
    };
    let mut out = String::new();
    let plain = holder.into_iter().flat_map(Element::attributes);
    for own in plain.filter(|own| own.namespace.is_empty()) {
        out.push_str(&format!(" {}=\"", own.local));
        escape_attribute(own.value, &mut out);
        out.push('"');
    }
    out
}

/// The text of a note in the target, with its subject code before it; `None` of an empty one.
fn text(note: Element<'_>, is_cii: bool) -> Option<String> {
    if !is_cii {
        return Some(note.text().into_owned()).filter(|text| !text.trim().is_empty());
    }
    let content = part(note, "Content")?;
    Some(match part(note, "SubjectCode") {
        Some(subject) => format!("#{}#{content}", subject.trim()),
        None => content,
    })
}

/// What a note of CII has in one of its elements.
fn part(note: Element<'_>, local: &str) -> Option<String> {
    let found = note.elements().find(|own| own.local() == local)?;
    Some(found.text().into_owned()).filter(|text| !text.trim().is_empty())
}

/// A note with a text, by the names of one that is there.
fn written(note: Element<'_>, (beside, text): (&str, &str), is_cii: bool) -> Option<String> {
    let name = note.qualified_name();
    let mut out = String::new();
    match is_cii {
        true => {
            let inner = note.elements().find(|own| own.local() == "Content")?.qualified_name();
            out.push_str(&format!("<{name}><{inner}{beside}>"));
            escape_text(text, &mut out);
            out.push_str(&format!("</{inner}></{name}>"));
        }
        false => {
            out.push_str(&format!("<{name}{beside}>"));
            escape_text(text, &mut out);
            out.push_str(&format!("</{name}>"));
        }
    }
    Some(out)
}

/// Whether both parties are in Germany.
fn is_german(invoice: &Invoice<'_>) -> bool {
    [&invoice.seller, &invoice.buyer].into_iter().all(|party| {
        let country = party.first().and_then(|party| party.country()?.text().into_owned().into());
        country.is_some_and(|code: String| code.trim().eq_ignore_ascii_case(GERMANY))
    })
}
