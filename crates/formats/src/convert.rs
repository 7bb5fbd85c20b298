//! Conversion: a document in one syntax becomes the same document in another, with the list of
//! everything that is not in it as it was.
//!
//! ```text
//! tree ── reader ──► Invoice + residue ── writer ──► markup
//!                         └────── every leaf ──────────► carried | derived | regenerated | a row
//! ```
//! Whatever a writer does not write is found by counting, so nothing is lost without a row. Within
//! a syntax the tree is copied. Amounts and codes are written as the source has them; nothing is
//! calculated again. A document that has no meaning in the target is refused.

use quoin_model::text::SPACE;
use quoin_xml::c14n;
use quoin_xml::tree::{Document, Element};

use crate::orders::read_order_at;
use crate::readers::{Reading, read_invoice_at};
use crate::reading::{LeafKind, leaf};
use crate::syntax::Syntax;
use crate::writing::{InvoiceWriter, LeafLedger, files_of};
use crate::{cii, cxml, dico, ebinterface, fatturapa, json, ksef, setu, svefaktura, ubl};

pub use policy::LossPolicy;
pub use profile::ConversionProfile;
pub use several::InvoiceFile;

pub use crate::writing::{
    ConversionRefusal, ConversionTally, FileBeside, Loss, LossKind, MAX_LIST_BYTES, MAX_LOSSES,
};

mod adapted;
mod mandatory;
mod notes;
mod order;
mod policy;
mod profile;
mod refusals;
mod several;
mod specification;
#[cfg(test)]
mod tests;

/// The targets, in the order in which they are told. One row a syntax that has a writer.
const WRITERS: &[&InvoiceWriter] = &[
    &ubl::WRITER,
    &cii::WRITER,
    &fatturapa::WRITER,
    &ebinterface::WRITER,
    &svefaktura::WRITER,
    &cxml::WRITER,
    &dico::WRITER,
    &setu::WRITER,
    &ksef::WRITER,
    &json::WRITER,
];

/// What a document can be converted to: a syntax that has a writer. Some take orders too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConversionTarget(&'static str);

impl ConversionTarget {
    /// UBL 2.1, `Invoice` or `CreditNote` by BT-3.
    pub const UBL: ConversionTarget = ConversionTarget("ubl");
    /// UN/CEFACT Cross Industry Invoice D16B.
    pub const CII: ConversionTarget = ConversionTarget("cii");
    /// The JSON form of EN 16931, `docs/reference/invoice.schema.json`.
    pub const JSON: ConversionTarget = ConversionTarget("json");
    /// cXML 1.2 `InvoiceDetailRequest`.
    pub const CXML: ConversionTarget = ConversionTarget("cxml");
    /// FatturaPA 1.2.3, the ordinary invoice.
    pub const FATTURAPA: ConversionTarget = ConversionTarget("fatturapa");
    /// ebInterface 6.1.
    pub const EBINTERFACE: ConversionTarget = ConversionTarget("ebinterface");
    /// Svefaktura 1.0.
    pub const SVEFAKTURA: ConversionTarget = ConversionTarget("svefaktura");
    /// DICO: the invoice (SALES005) and the order messages.
    pub const DICO: ConversionTarget = ConversionTarget("dico");
    /// SETU 1.4, which is HR-XML.
    pub const SETU: ConversionTarget = ConversionTarget("setu");
    /// FA(3), the invoice of the Polish system KSeF.
    pub const KSEF: ConversionTarget = ConversionTarget("ksef");

    /// Every target.
    pub fn all() -> impl Iterator<Item = ConversionTarget> {
        WRITERS.iter().map(|writer| ConversionTarget(writer.name))
    }

    /// The target of a name: `ubl`, `cii`, `json`, `cxml`.
    pub fn named(name: &str) -> Option<ConversionTarget> {
        ConversionTarget::all().find(|target| target.as_str() == name)
    }

    /// Its name: `ubl`, `cii`.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Its name for people: `UBL 2.1`.
    pub fn title(self) -> &'static str {
        self.writer().map_or("", |writer| writer.title)
    }

    /// The media type of its documents.
    pub fn media_type(self) -> &'static str {
        if self == ConversionTarget::JSON { "application/json" } else { "application/xml" }
    }

    /// Whether a document of a syntax that is converted to this stays in its own.
    pub fn writes(self, syntax: Syntax) -> bool {
        self.writer().is_some_and(|writer| writer.syntaxes.contains(&syntax))
    }

    fn writer(self) -> Option<&'static InvoiceWriter> {
        WRITERS.iter().copied().find(|writer| writer.name == self.0)
    }
}

/// What is asked of a conversion.
#[derive(Debug, Clone, Copy)]
pub struct ConversionRequest<'a> {
    /// The syntax.
    pub target: ConversionTarget,
    /// The release or profile of the syntax; where it is not given, the one that the specification
    /// means, or the usual one.
    pub profile: Option<ConversionProfile>,
    /// BT-24, the specification that the target is to follow; where it is not given that of the
    /// profile, or what the source says.
    pub specification: Option<&'a str>,
    /// BT-23, the business process; what the source says where it is not given.
    pub process: Option<&'a str>,
    /// The electronic addresses of both ends are written into the document afterwards: it is not
    /// refused for want of them.
    pub ends_follow: bool,
    /// Embedded files travel beside the document ([`embedded_files`]), which names them by `cid:`
    /// where its syntax can.
    pub files_beside: bool,
}

impl From<ConversionTarget> for ConversionRequest<'_> {
    fn from(target: ConversionTarget) -> Self {
        ConversionRequest {
            target,
            profile: None,
            specification: None,
            process: None,
            ends_follow: false,
            files_beside: false,
        }
    }
}

/// A document that was converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// The document in the target syntax, in UTF-8.
    pub document: String,
    /// Everything that is not in it as it was, in the order of the source.
    pub losses: Vec<Loss>,
    /// How many leaves of the source had which fate.
    pub tally: ConversionTally,
}

/// Converts an invoice, a credit note, an order or a message about one, of any syntax that has a
/// reader.
///
/// # Errors
/// [`ConversionRefusal`], where the document or something that it cannot be without has no place
/// in the target.
pub fn convert(
    document: &Document,
    target: ConversionTarget,
) -> Result<Converted, ConversionRefusal> {
    convert_at(document.root(), target)
}

/// As [`convert`], of the document at an element, which may stand in an envelope, by another
/// specification where one is asked for.
///
/// # Errors
/// As [`convert`].
pub fn convert_at<'a>(
    element: Element<'_>,
    request: impl Into<ConversionRequest<'a>>,
) -> Result<Converted, ConversionRefusal> {
    let mut request = request.into();
    if let Some(reading) = read_order_at(element) {
        return order::converted(element, &reading, &request);
    }
    request.profile = request.profile.or_else(|| ConversionProfile::told_by(&request));
    let of_profile = request.profile.and_then(ConversionProfile::specification);
    request.specification = request.specification.or(of_profile);
    let reading = read_invoice_at(element).ok_or_else(|| unreadable(element))?;
    let converted = written(element, &reading, &request)?;
    let origin = specification::TermOrigin {
        process: &reading.invoice.process,
        element: reading.invoice.element,
        terms: ["BT-24", "BT-23"],
        is_json: reading.syntax == Syntax::InvoiceJson,
    };
    let converted = specification::specified(converted, &origin, &request)?;
    let mut converted = notes::together(converted, &reading, &request);
    let missing = mandatory::missing(&reading, &request, &converted.losses);
    converted.losses.extend(missing);
    Ok(converted)
}

/// A document whose document element no reader reads.
fn unreadable(element: Element<'_>) -> ConversionRefusal {
    let found: String = element.local().chars().take(100).collect();
    let namespace: String = element.namespace().chars().take(200).collect();
    ConversionRefusal::NotReadable { found, namespace }
}

/// The files that are embedded in the invoice at an element, as a document that was converted with
/// [`ConversionRequest::files_beside`] names them.
pub fn embedded_files(element: Element<'_>) -> Vec<FileBeside> {
    read_invoice_at(element).map(|reading| files_of(&reading.invoice)).unwrap_or_default()
}

/// The document in a syntax: copied where it is written so, and else written.
fn written(
    element: Element<'_>,
    reading: &Reading<'_>,
    request: &ConversionRequest<'_>,
) -> Result<Converted, ConversionRefusal> {
    let target = request.target;
    let writer = target.writer().ok_or_else(|| unreadable(element))?;
    let profile = request.profile.map(ConversionProfile::row);
    let is_so = |profile: ConversionProfile| profile.is_of(&reading.invoice);
    let is_own = target.writes(reading.syntax) && (writer.is_written_so)(element);
    if is_own && request.profile.is_none_or(is_so) {
        refusals::without_lines(&reading.invoice, request)?;
        return Ok(copied(element));
    }
    let count = several::invoice_count(element);
    if count > 1 {
        return Err(ConversionRefusal::SeveralInvoices { count });
    }
    let mut ledger = LeafLedger::new(element.document());
    let invoice = adapted::adapted(&reading.invoice, target, &mut ledger);
    refusals::refuse(reading.syntax, &invoice, target, profile)?;
    ledger.profile = profile;
    ledger.files_beside = request.files_beside;
    ledger.unread(reading);
    let (document, mut ledger) = (writer.write)(ledger, &invoice)?;
    ledger.without_lines(&document);
    if target != ConversionTarget::FATTURAPA {
        for source in fatturapa::envelope(&reading.invoice) {
            ledger.regenerate(source);
        }
        if let Some(source) = fatturapa::issuer(&reading.invoice) {
            ledger.derive(source);
        }
    }
    let (mut losses, tally) = ledger.finish(&reading.invoice, element)?;
    adapted::place_charges(&mut losses, &document);
    if reading.syntax == Syntax::InvoiceJson {
        json::told(&mut losses);
    }
    Ok(Converted { document, losses, tally })
}

/// The same tree: every element, attribute and text, in canonical form without comments.
fn copied(element: Element<'_>) -> Converted {
    let mut bytes = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec();
    c14n::inclusive(element, &[], &mut bytes);
    bytes.push(b'\n');
    let document = String::from_utf8_lossy(&bytes).into_owned();
    let said = |text: &str| usize::from(!text.trim_matches(SPACE).is_empty());
    let of = |one: Element<'_>| {
        let own = usize::from(matches!(leaf(one), LeafKind::Text));
        own + one.attributes().map(|attribute| said(attribute.value)).sum::<usize>()
    };
    let carried = element.descendants().map(of).sum();
    let tally = ConversionTally { carried, ..ConversionTally::default() };
    Converted { document, losses: Vec::new(), tally }
}
