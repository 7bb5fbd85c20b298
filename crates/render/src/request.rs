//! The one door of the room: a document and what is asked, to what is shown.

use quoin_formats::convert::{
    ConversionRefusal, ConversionRequest, ConversionTarget, Loss, convert_at,
};
use quoin_formats::readers::{read_invoice_at, read_invoices_at};
use quoin_formats::{ParsedDocument, Syntax};
use quoin_model::{Finding, Language};
use quoin_xml::tree::Element;

use crate::draft::PageDraft;
use crate::facturx::FacturXLevel;
use crate::page::{PagePart, PageSection, PageTree};
use crate::pdf::{self, EmbeddedInvoice};
use crate::supplements::{self, Supplement};
use crate::{appendix, findings, general, html, invoice, kinds, markup};

/// What a document becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RenderForm {
    /// One HTML page that needs nothing else.
    Html,
    /// A PDF that keeps (PDF/A-3u) and that everybody can read (PDF/UA-1).
    Pdf,
    /// The same PDF with the invoice as data inside: Factur-X, which is ZUGFeRD.
    FacturX,
}

impl RenderForm {
    /// Every form.
    pub const ALL: &[RenderForm] = &[RenderForm::Html, RenderForm::Pdf, RenderForm::FacturX];

    /// Its name: `html`.
    pub fn as_str(self) -> &'static str {
        match self {
            RenderForm::Html => "html",
            RenderForm::Pdf => "pdf",
            RenderForm::FacturX => "factur-x",
        }
    }

    /// The form of a name.
    pub fn named(name: &str) -> Option<RenderForm> {
        RenderForm::ALL.iter().copied().find(|form| form.as_str() == name)
    }

    /// How its files end: `html`.
    pub fn extension(self) -> &'static str {
        match self {
            RenderForm::Html => "html",
            RenderForm::Pdf | RenderForm::FacturX => "pdf",
        }
    }

    /// The media type of its bytes.
    pub fn media_type(self) -> &'static str {
        match self {
            RenderForm::Html => "text/html; charset=utf-8",
            RenderForm::Pdf | RenderForm::FacturX => "application/pdf",
        }
    }
}

/// What is asked of a page.
#[derive(Debug, Clone, Copy)]
pub struct RenderRequest<'a> {
    /// The language of its words.
    pub language: Language,
    /// The form.
    pub form: RenderForm,
    /// The profile of the data in a hybrid; none: the one that the document itself names.
    pub level: Option<FacturXLevel>,
    /// Findings of validation to show in their places; none shows no list.
    pub findings: &'a [Finding],
}

/// A document that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The page.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: &'static str,
    /// What the data inside a hybrid do not have as the document has it; the page has all of it.
    pub losses: Vec<Loss>,
}

/// Why a document cannot be shown so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderRefusal {
    /// It is no XML, and there is nothing to show.
    #[error("it is no XML that can be read: {0}")]
    NotReadable(String),
    /// A hybrid PDF has an invoice inside, and this is none.
    #[error("a hybrid PDF has an invoice or a credit note inside, and this document is neither")]
    NoInvoice,
    /// The invoice has no form in CII.
    #[error("the data inside a hybrid PDF are CII, and it cannot be converted: {0}")]
    NotConverted(#[from] ConversionRefusal),
    /// The guideline of the invoice is of no profile of Factur-X.
    #[error(
        "its specification (BT-24) '{0}' is no profile of Factur-X; ask for a profile, such as \
         en16931"
    )]
    NoProfile(String),
}

/// Shows a document.
///
/// # Errors
/// [`RenderRefusal`], which names what is missing.
pub fn render(
    document: &ParsedDocument,
    request: &RenderRequest<'_>,
) -> Result<Rendered, RenderRefusal> {
    render_with(document, request, Vec::new())
}

/// Shows a document with sections behind it that it does not say itself: what an authority asks for
/// on its page.
///
/// # Errors
/// As [`render`].
pub fn render_with(
    document: &ParsedDocument,
    request: &RenderRequest<'_>,
    added: Vec<PageSection>,
) -> Result<Rendered, RenderRefusal> {
    let root = readable(document)?;
    // The data of a hybrid are written first, so that what the conversion held is given back before
    // there is a page.
    let data = match request.form {
        RenderForm::FacturX => Some(hybrid_data(root, request.level)?),
        RenderForm::Html | RenderForm::Pdf => None,
    };
    let mut page = page(document, request)?;
    page.sections.extend(added);
    let bytes = match (request.form, &data) {
        (RenderForm::Html, _) => html::write(&page).into_bytes(),
        (_, None) => pdf::write(&page, None),
        (_, Some(HybridData { xml, level, version, files, .. })) => {
            pdf::write(&page, Some(&EmbeddedInvoice { xml, level: *level, version, files }))
        }
    };
    let losses = data.map(|data| data.losses).unwrap_or_default();
    Ok(Rendered { bytes, media_type: request.form.media_type(), losses })
}

/// The document element.
fn readable(document: &ParsedDocument) -> Result<Element<'_>, RenderRefusal> {
    if let Some(why) = document.why_unread() {
        return Err(RenderRefusal::NotReadable(why));
    }
    let no_root = || RenderRefusal::NotReadable("it has no document element".to_owned());
    document.root().ok_or_else(no_root)
}

/// The invoice inside a hybrid PDF, and what stands beside it.
struct HybridData {
    xml: Vec<u8>,
    level: FacturXLevel,
    version: String,
    /// Files of the invoice that are not in the data.
    files: Vec<Supplement>,
    losses: Vec<Loss>,
}

/// The invoice as data: in the profile that is asked for; else as it is where it is CII, and
/// converted where it is not.
fn hybrid_data(
    root: Element<'_>,
    asked: Option<FacturXLevel>,
) -> Result<HybridData, RenderRefusal> {
    let reading = read_invoice_at(root).ok_or(RenderRefusal::NoInvoice)?;
    let own = reading.invoice.process.customization.text().unwrap_or_default().into_owned();
    let is_cii = reading.syntax == Syntax::Cii;
    drop(reading);
    let level = asked
        .or_else(|| FacturXLevel::of_guideline(&own))
        .ok_or_else(|| RenderRefusal::NoProfile(own.clone()))?;
    let profile = asked.and_then(FacturXLevel::profile);
    let (xml, losses) = match profile.map(ConversionRequest::from) {
        None if is_cii => {
            // The document element in canonical form: an envelope is no part of the invoice.
            let mut xml = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec();
            quoin_xml::c14n::inclusive(root, &[], &mut xml);
            (xml, Vec::new())
        }
        request => {
            let request = request.unwrap_or_else(|| ConversionTarget::CII.into());
            let converted = convert_at(root, request)?;
            (converted.document.into_bytes(), converted.losses)
        }
    };
    let guideline = profile.and_then(|profile| profile.specification()).unwrap_or(&own);
    let version = level.version(guideline).to_owned();
    let files = supplements::of(root, &xml);
    Ok(HybridData { xml, level, version, files, losses })
}

/// What a page of a document says, before it is drawn.
///
/// # Errors
/// [`RenderRefusal::NotReadable`], where it is no XML.
pub fn page(
    document: &ParsedDocument,
    request: &RenderRequest<'_>,
) -> Result<PageTree, RenderRefusal> {
    let root = readable(document)?;
    let mut draft = PageDraft::new(root, request.language, request.findings);
    let (head, mut sections) = body(&mut draft, document, root);
    sections.push(appendix::section(&draft, root));
    sections.extend(findings::section(request.findings, request.language));
    sections.retain(|section| !section.parts.is_empty());
    for part in sections.iter_mut().flat_map(|section| &mut section.parts) {
        if let PagePart::Table(table) = part {
            table.leave_out_empty_columns();
        }
    }
    Ok(PageTree {
        language: request.language,
        title: head.title,
        number: head.number,
        issued: head.issued,
        sections,
    })
}

/// Head and sections by what the document is.
fn body<'d>(
    draft: &mut PageDraft<'d>,
    document: &'d ParsedDocument,
    root: Element<'d>,
) -> (invoice::DocumentHead, Vec<PageSection>) {
    let detection = document.detection();
    let language = draft.language;
    if let Some(readings) = read_invoices_at(root) {
        let mut all = Vec::new();
        let mut head = None;
        for reading in &readings {
            let own = invoice::head(draft, &reading.invoice, detection.self_billing);
            let mut sections = invoice::sections(draft, reading);
            if readings.len() > 1
                && let Some(first) = sections.first_mut()
            {
                first.heading = format!("{} {}", own.title, own.number);
            }
            all.extend(sections);
            head.get_or_insert(own);
        }
        if let Some(head) = head {
            return (head, all);
        }
    }
    match detection.kind.and_then(|kind| kinds::title(kind, language)) {
        Some(title) => (general::head(draft, root, title), general::sections(draft, root)),
        None => {
            let title = crate::PageWord::DocumentOne.text(language);
            (general::head(draft, root, title), vec![markup::section(draft, root)])
        }
    }
}
