//! What a file is that is not XML, or XML that is not read: by its first bytes, its document type
//! declaration, and its first start tags.
//!
//! The scanner looks at [`LOOK`] bytes, goes forward only, expands nothing and fetches nothing.

use std::borrow::Cow;

use quoin_xml::tree::{ParseError, ParseErrorKind};

use super::{identify, interchange, json};
use crate::detection::{Certainty, Detection, Doctype, RootName};
use crate::ubl::ubl_kind;
use crate::unwrap::cms;
use crate::{DocumentKind, Format, Syntax};
use quoin_model::text::shortened;

/// Bytes that are looked at.
pub(super) const LOOK: usize = 64 << 10;
/// Start tags that are looked at.
const MAX_TAGS: usize = 400;
/// Attributes of the document element that are looked at.
const MAX_ATTRIBUTES: usize = 64;

/// What the payload of a cXML document is, by the element inside `Request`, `Response` or
/// `Message` (cXML 1.2 user's guide).
const CXML: &[(&str, DocumentKind)] = &[
    ("CatalogUploadRequest", DocumentKind::Catalogue),
    ("ConfirmationRequest", DocumentKind::OrderResponse),
    ("InvoiceDetailRequest", DocumentKind::Invoice),
    ("OrderChangeRequest", DocumentKind::OrderChange),
    ("OrderRequest", DocumentKind::Order),
    ("PaymentRemittanceRequest", DocumentKind::RemittanceAdvice),
    ("ProductActivityMessage", DocumentKind::Planning),
    ("ProfileRequest", DocumentKind::Profile),
    ("ProfileResponse", DocumentKind::Profile),
    ("PunchOutOrderMessage", DocumentKind::PunchOut),
    ("PunchOutSetupRequest", DocumentKind::PunchOut),
    ("PunchOutSetupResponse", DocumentKind::PunchOut),
    ("PurchaseOrderRequest", DocumentKind::Order),
    ("QuoteMessage", DocumentKind::Quotation),
    ("QuoteRequest", DocumentKind::RequestForQuotation),
    ("ReceiptRequest", DocumentKind::ReceiptAdvice),
    ("ShipNoticeRequest", DocumentKind::DespatchAdvice),
];

/// What the first of these element names, in document order, says about a cXML document.
pub(super) fn cxml_kind(names: &[&str]) -> Option<DocumentKind> {
    names.iter().find_map(|name| CXML.iter().find(|(known, _)| known == name)).map(|(_, k)| *k)
}

pub(super) fn of_unreadable(bytes: &[u8], error: &ParseError) -> Detection {
    let mut found = Detection::default();
    found.because(format!("It could not be read as XML: {error}."));
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if matches!(error.kind, ParseErrorKind::Empty) && start.is_empty() {
        return found;
    }
    if let Some(format) = by_bytes(start) {
        found.take(format);
        found.because(format!("It begins like {}.", format.title));
        match format.syntax {
            Syntax::Json => {
                json::look(start, &mut found);
                // What its own reader says of it is the reason.
                if found.syntax == Some(Syntax::InvoiceJson) {
                    found.reasons.remove(0);
                }
            }
            Syntax::Edifact | Syntax::X12 => interchange::look(start, &mut found),
            _ => {}
        }
        return found;
    }
    if let Some(sniffed) = sniff(&text(bytes)) {
        apply(sniffed, &mut found);
    }
    found
}

/// The first kilobyte.
fn head(start: &[u8]) -> &[u8] {
    start.get(..start.len().min(1024)).unwrap_or_default()
}

/// Whether a file that begins like this is a PDF: there may be up to a kilobyte before its header.
pub fn is_pdf(start: &[u8]) -> bool {
    !start.starts_with(b"<") && memchr::memmem::find(head(start), b"%PDF-").is_some()
}

/// What a file is by the way in which it begins, where that is not XML: its first kilobytes are
/// looked at, and nothing of it is read.
pub fn begins_like(bytes: &[u8]) -> Option<Syntax> {
    let head = bytes.get(..bytes.len().min(LOOK)).unwrap_or_default();
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    by_bytes(start).map(|format| format.syntax)
}

/// The format by the first bytes.
fn by_bytes(start: &[u8]) -> Option<&'static Format> {
    let by_start = Format::of_bytes(start);
    if by_start.is_some_and(|format| format.syntax != Syntax::Mime) {
        return by_start;
    }
    if cms::looks_like(start) {
        return Format::by_id("cms");
    }
    let head = head(start);
    if is_pdf(start) {
        return Format::by_id("pdf");
    }
    // Other texts begin with two hyphens too; a part of a multipart body has a header.
    let is_part = || {
        let lines = || head.split(|byte| *byte == b'\n').skip(1);
        lines().any(|line| line.get(..8).is_some_and(|l| l.eq_ignore_ascii_case(b"content-")))
            || lines().next().is_some_and(|line| line.trim_ascii().is_empty())
    };
    let by_start = by_start.filter(|_| !start.starts_with(b"--") || is_part());
    by_start.or_else(|| Format::by_id("mime").filter(|_| is_mail(start)))
}

/// Whether it begins with the header of a mail (RFC 5322 section 2.2), in whatever order: lines
/// with a name before a colon, one of which says that it is MIME, and an empty line behind them.
fn is_mail(start: &[u8]) -> bool {
    let head = start.get(..start.len().min(LOOK)).unwrap_or_default();
    let (mut is_first, mut is_mime) = (true, false);
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            return is_mime;
        }
        if !matches!(line, [b' ' | b'\t', ..]) || is_first {
            let Some(colon) = line.iter().position(|byte| *byte == b':') else { return false };
            let name = line.get(..colon).unwrap_or_default();
            if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
                return false;
            }
            is_mime |= [&b"mime-version"[..], b"content-type"]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known));
        }
        is_first = false;
    }
    false
}

/// The beginning as text, whatever its encoding: names and namespaces are ASCII in all of them.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    let head = bytes.get(..bytes.len().min(LOOK)).unwrap_or_default();
    let units = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = rest.chunks_exact(2).filter_map(|pair| Some(unit(pair.try_into().ok()?)));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match head {
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(units(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(units(rest, u16::from_be_bytes)),
        _ => String::from_utf8_lossy(head),
    }
}

fn apply(sniffed: Sniffed<'_>, found: &mut Detection) {
    let (namespace, local) = (shortened(sniffed.namespace), shortened(sniffed.local));
    let format = Format::of_root(sniffed.namespace, sniffed.local)
        .or_else(|| {
            let has = |name: &str| sniffed.tags.contains(&name);
            let bare = sniffed.namespace.is_empty();
            bare.then(|| Format::of_bare_root(sniffed.local, sniffed.schema, has))?
        })
        .or_else(|| {
            let doctype = sniffed.doctype.as_ref()?;
            Format::of_doctype(&doctype.name, doctype.system_id.as_deref().unwrap_or_default())
        });
    if let Some(format) = format {
        found.take(format);
        found.because(format!(
            "The first start tag, {local} in namespace \"{namespace}\", is that of {}.",
            format.title
        ));
        match format.syntax {
            Syntax::UblOther => found.kind = ubl_kind(sniffed.local).or(found.kind),
            Syntax::Cxml => {
                let kind = cxml_kind(&sniffed.tags);
                let credit = sniffed.credit_memo && kind == Some(DocumentKind::Invoice);
                found.kind =
                    if credit { Some(DocumentKind::CreditNote) } else { kind.or(found.kind) };
            }
            _ => {}
        }
        let [customization, profile] = sniffed.identifiers;
        found.customization_id = customization.and_then(identify::plain);
        found.profile_id = profile.and_then(identify::plain);
        identify::profile(format.syntax, sniffed.local, found);
        found.certainty = found.certainty.min(Certainty::Likely);
    }
    if let Some(doctype) = sniffed.doctype {
        let (name, system) = (&doctype.name, doctype.system_id.as_deref().unwrap_or("nothing"));
        found.because(format!(
            "Its document type declaration names {name} and {system}; it is not followed."
        ));
        if found.syntax == Some(Syntax::Cxml) {
            found.version = cxml_version(doctype.system_id.as_deref().unwrap_or_default());
        }
        found.doctype = Some(doctype);
    }
    found.root = Some(RootName {
        namespace: namespace.into_owned(),
        local: local.into_owned(),
        prefix: shortened(sniffed.prefix).into_owned(),
    });
}

/// `1.2.050` of `http://xml.cxml.org/schemas/cXML/1.2.050/InvoiceDetail.dtd`.
fn cxml_version(system_id: &str) -> Option<String> {
    let is_version = |part: &&str| {
        part.len() > 2 && part.chars().all(|c| c.is_ascii_digit() || c == '.') && part.contains('.')
    };
    system_id.split('/').find(is_version).map(|part| shortened(part).into_owned())
}

/// What the scanner saw.
struct Sniffed<'t> {
    doctype: Option<Doctype>,
    namespace: &'t str,
    local: &'t str,
    prefix: &'t str,
    schema: &'t str,
    /// Local names of the first start tags after the document element.
    tags: Vec<&'t str>,
    credit_memo: bool,
    /// The text after the first `CustomizationID` or guideline, and that after the first
    /// `ProfileID` or business process.
    identifiers: [Option<&'t str>; 2],
}

/// Elements that identifiers stand in, or whose first child they stand in.
const IDENTIFIERS: [[&str; 2]; 2] = [
    ["CustomizationID", "GuidelineSpecifiedDocumentContextParameter"],
    ["ProfileID", "BusinessProcessSpecifiedDocumentContextParameter"],
];

/// Reads forward from one `<` to the next. `None` where there is text before the first tag, or no
/// start tag at all.
fn sniff(text: &str) -> Option<Sniffed<'_>> {
    let mut rest = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let mut doctype = None;
    let mut seen: Option<Sniffed<'_>> = None;
    while let Some(tag) = next_tag(&mut rest, seen.is_none()) {
        if let Some(declaration) = tag.strip_prefix("!DOCTYPE") {
            doctype = doctype.or_else(|| Some(declared(declaration)));
        } else if let Some(sniffed) = &mut seen {
            let (_, local) = name(tag);
            sniffed.credit_memo |= local == "InvoiceDetailRequestHeader"
                && (tag.contains("creditMemo") || tag.contains("lineLevelCreditMemo"));
            let before = sniffed.tags.last().copied().unwrap_or_default();
            for (names, found) in IDENTIFIERS.iter().zip(&mut sniffed.identifiers) {
                let stands = names[0] == local || (local == "ID" && names[1] == before);
                if let (true, None, Some((text, _))) = (stands, &found, rest.split_once('<')) {
                    *found = Some(text);
                }
            }
            sniffed.tags.push(local);
            if sniffed.tags.len() >= MAX_TAGS {
                break;
            }
        } else {
            seen = Some(document_element(tag)?);
        }
    }
    let seen = seen?;
    Some(Sniffed { doctype, ..seen })
}

/// The next start tag or document type declaration, without its angle brackets; comments,
/// instructions, CDATA sections and end tags are passed over.
fn next_tag<'t>(rest: &mut &'t str, prolog: bool) -> Option<&'t str> {
    loop {
        let (before, after) = rest.split_once('<')?;
        if prolog && !before.trim().is_empty() {
            return None;
        }
        let skip = |end: &str| after.split_once(end).map_or("", |(_, rest)| rest);
        *rest = match after {
            _ if after.starts_with("!--") => skip("-->"),
            _ if after.starts_with("![CDATA[") => skip("]]>"),
            _ if after.starts_with('?') => skip("?>"),
            _ if after.starts_with('/') => skip(">"),
            _ => {
                let (tag, rest_of) = to_end_of_tag(after);
                *rest = rest_of;
                return Some(tag);
            }
        };
    }
}

/// Up to the `>` that ends a tag: not one in quotes, and not one between square brackets.
fn to_end_of_tag(text: &str) -> (&str, &str) {
    let (mut quote, mut brackets) = (None, false);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => brackets = true,
            (None, b']') => brackets = false,
            (None, b'>') if !brackets => {
                let tag = text.get(..at).unwrap_or_default();
                return (tag, text.get(at + 1..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (text, "")
}

fn declared(declaration: &str) -> Doctype {
    let (head, internal) =
        declaration.split_once('[').map_or((declaration, false), |(h, _)| (h, true));
    let name = head.split_whitespace().next().unwrap_or_default();
    let mut quoted = head.split(['"', '\'']).skip(1).step_by(2);
    let system_id = match head.contains("PUBLIC") {
        true => quoted.nth(1),
        false => quoted.next(),
    };
    Doctype {
        name: shortened(name).into_owned(),
        system_id: system_id.map(|id| shortened(id).into_owned()),
        internal_subset: internal,
    }
}

/// Prefix and local name at the start of a tag.
fn name(tag: &str) -> (&str, &str) {
    let end = tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len());
    let name = tag.get(..end).unwrap_or_default();
    name.split_once(':').unwrap_or(("", name))
}

fn document_element(tag: &str) -> Option<Sniffed<'_>> {
    let (prefix, local) = name(tag);
    if !local.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let (mut namespace, mut schema) = ("", "");
    for (attribute, value) in attributes(tag).take(MAX_ATTRIBUTES) {
        match attribute.split_once(':').unwrap_or(("", attribute)) {
            ("", "xmlns") if prefix.is_empty() => namespace = value,
            ("xmlns", declared) if declared == prefix => namespace = value,
            (_, "noNamespaceSchemaLocation") => schema = value,
            _ => {}
        }
    }
    Some(Sniffed {
        doctype: None,
        namespace,
        local,
        prefix,
        schema,
        tags: Vec::new(),
        credit_memo: false,
        identifiers: [None; 2],
    })
}

/// Names and raw values of the attributes in a tag.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag.find(char::is_whitespace).and_then(|at| tag.get(at..)).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after.get(1..)?.split_once(quote)?;
        rest = after;
        Some((name.trim(), value))
    })
}
