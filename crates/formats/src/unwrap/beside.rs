//! What stands beside the documents of a file: attachments, which are nobody's to judge and hide no
//! document from those who look for the one in a file.
//!
//! Sources: Factur-X 1.0 section 6.2 and Order-X (names of the document in a PDF, and its
//! relationship); RFC 2046 section 5.1.3 (covering texts).

use super::{InnerDocument, UnopenedReason, Unwrapped, pdf};
use crate::detection::Wrapper;
use crate::{DocumentKind, Syntax};

/// Relationships that the standards give to the document of a PDF.
const OF_DOCUMENTS: &[&str] = &["Alternative", "Data", "Source"];

/// The XML files of a PDF that are its document, and those beside it: one with the name of a
/// standard is the document, else what is known; where that is several, those that the PDF calls
/// another form of itself. `depth` is how many wrappers stand around the PDF.
pub(super) fn of_pdf(
    files: Vec<InnerDocument<'_>>,
    depth: usize,
) -> (Vec<InnerDocument<'_>>, Vec<InnerDocument<'_>>) {
    let told = |file: &InnerDocument<'_>| match file.detection.wrappers.get(depth) {
        Some(Wrapper::HybridPdf { file_name, relationship, .. }) => {
            (pdf::is_known(file_name), relationship.clone())
        }
        _ => (false, None),
    };
    let is_named = |file: &InnerDocument<'_>| told(file).0;
    let is_told = |file: &InnerDocument<'_>| {
        told(file).1.is_some_and(|relationship| OF_DOCUMENTS.contains(&&*relationship))
    };
    let first: &dyn Fn(&InnerDocument<'_>) -> bool =
        if files.iter().any(is_named) { &is_named } else { &is_document };
    let (documents, mut beside) = chosen(files, first);
    let (documents, others) = chosen(documents, &is_told);
    beside.extend(others);
    (documents, beside)
}

/// Those that something holds of, and the others; all, where it holds of none.
fn chosen<'b>(
    files: Vec<InnerDocument<'b>>,
    holds: &dyn Fn(&InnerDocument<'b>) -> bool,
) -> (Vec<InnerDocument<'b>>, Vec<InnerDocument<'b>>) {
    match files.iter().any(holds) {
        true => files.into_iter().partition(holds),
        false => (files, Vec::new()),
    }
}

/// Puts aside what is no document, where one was found.
pub(super) fn put_aside(out: &mut Unwrapped<'_>) {
    if !out.documents.iter().any(is_document) {
        return;
    }
    let (beside, documents): (Vec<_>, Vec<_>) = std::mem::take(&mut out.documents)
        .into_iter()
        .partition(|inner| !is_document(inner) && !means_one(inner) && can_be_passed(inner, out));
    out.documents = documents;
    out.closed.retain(|closed| {
        let is_it = |inner: &InnerDocument<'_>| inner.detection.wrappers == closed.wrappers;
        !(closed.syntax.is_some_and(|syntax| is_empty(syntax, &closed.reason))
            && beside.iter().any(is_it))
    });
    out.attachments.extend(beside);
}

/// Whether it is of a known format.
fn is_document(inner: &InnerDocument<'_>) -> bool {
    let detection = &inner.detection;
    match detection.syntax {
        Some(Syntax::Json) => detection.kind == Some(DocumentKind::Invoice),
        Some(syntax) => !syntax.is_container(),
        None => false,
    }
}

/// Whether it is XML, or is said to be: a document that is broken, or of an unknown format.
fn means_one(inner: &InnerDocument<'_>) -> bool {
    let detection = &inner.detection;
    if let Some(root) = &detection.root {
        return !root.local.eq_ignore_ascii_case("html");
    }
    if detection.syntax.is_some() {
        return false;
    }
    let ends = |name: &String| name.to_ascii_lowercase().ends_with(".xml");
    let is_said = |wrapper: &Wrapper| match wrapper {
        Wrapper::Multipart { content_type: Some(media), .. } => {
            media.to_ascii_lowercase().ends_with("xml")
        }
        _ => false,
    };
    inner.name.as_ref().is_some_and(ends) || detection.wrappers.last().is_some_and(is_said)
}

/// Whether nothing that somebody should know of is wrong with a container in which nothing was
/// found.
fn can_be_passed(inner: &InnerDocument<'_>, out: &Unwrapped<'_>) -> bool {
    let Some(syntax) = inner.detection.syntax.filter(|syntax| syntax.is_container()) else {
        return true;
    };
    let mut closed = out.closed.iter().filter(|closed| {
        closed.wrappers == inner.detection.wrappers && closed.syntax == Some(syntax)
    });
    closed.all(|closed| is_empty(syntax, &closed.reason))
}

/// Whether a container that did not open for a reason is an attachment like another: a picture, an
/// office file, a signature of what stands beside it.
fn is_empty(syntax: Syntax, reason: &UnopenedReason) -> bool {
    match reason {
        UnopenedReason::Nothing => true,
        UnopenedReason::Encrypted => syntax == Syntax::Pdf,
        UnopenedReason::Detached => syntax == Syntax::Cms,
        _ => false,
    }
}
