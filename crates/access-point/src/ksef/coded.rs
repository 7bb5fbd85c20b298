//! The page of a document with its codes: KOD I with the number of the system, or with OFFLINE and
//! KOD II beside it. It is a picture of the document; the document is the FA(3).

use jiff::civil::Date;
use quoin_formats::read;
use quoin_ksef::codes::{LABEL_CERTIFICATE, LABEL_OFFLINE, qr};
use quoin_ksef::links::{certificate_link, invoice_link};
use quoin_model::Language;
use quoin_render::page::{PagePart, PageSection, PageText, QrPicture, TextStyle};
use quoin_render::{RenderForm, RenderRequest, render_with};
use quoin_xmldsig::keys::sha256;

use super::{KsefAccount, KsefSettings};

/// The codes of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CodedLinks {
    /// KOD I.
    invoice: String,
    /// What stands under it: the number of the system, or OFFLINE.
    label: String,
    /// KOD II.
    certificate: Option<String>,
}

/// The code of a document that is registered.
pub(crate) fn online_links(
    settings: &KsefSettings,
    (seller, issued): (&str, Date),
    xml: &[u8],
    ksef_number: &str,
) -> CodedLinks {
    let invoice = invoice_link(&settings.codes, seller, issued, &sha256(xml));
    CodedLinks { invoice, label: ksef_number.to_owned(), certificate: None }
}

/// The codes of a document that is issued without the system.
///
/// # Errors
/// Why the second cannot be signed.
pub(crate) fn offline_links(
    settings: &KsefSettings,
    account: &KsefAccount,
    (seller, issued): (&str, Date),
    xml: &[u8],
) -> Result<CodedLinks, String> {
    let digest = sha256(xml);
    let invoice = invoice_link(&settings.codes, seller, issued, &digest);
    let context = account.context();
    let certificate = &account.init.offline;
    let link = certificate_link(&settings.codes, &context, seller, certificate, &digest)
        .map_err(|error| error.to_string())?;
    Ok(CodedLinks { invoice, label: LABEL_OFFLINE.to_owned(), certificate: Some(link) })
}

/// The page as a PDF. Work for a thread of the pool.
///
/// # Errors
/// Why there is none.
pub(crate) fn coded_page(xml: &[u8], links: &CodedLinks) -> Result<Vec<u8>, String> {
    let document = read(xml);
    let request =
        RenderRequest { language: Language::Pl, form: RenderForm::Pdf, level: None, findings: &[] };
    let mut sections = vec![section(
        "Sprawdź fakturę w KSeF",
        "Kod prowadzi do weryfikacji faktury w Krajowym Systemie e-Faktur.",
        &links.invoice,
        &links.label,
    )?];
    if let Some(link) = &links.certificate {
        let text = "Kod prowadzi do weryfikacji certyfikatu wystawcy.";
        sections.push(section("Zweryfikuj wystawcę faktury", text, link, LABEL_CERTIFICATE)?);
    }
    let shown = render_with(&document, &request, sections).map_err(|error| error.to_string())?;
    Ok(shown.bytes)
}

fn section(heading: &str, text: &str, link: &str, label: &str) -> Result<PageSection, String> {
    let matrix = qr(link).ok_or("the link is longer than a code can hold")?;
    let line = |text: &str, style| PageText { text: text.to_owned(), style };
    let picture = QrPicture { caption: label.to_owned(), size: matrix.size, dark: matrix.dark };
    Ok(PageSection {
        heading: heading.to_owned(),
        parts: vec![
            PagePart::Paragraphs(vec![line(text, TextStyle::Plain)]),
            PagePart::Qr(picture),
            // For those who cannot scan it.
            PagePart::Paragraphs(vec![line(link, TextStyle::Small)]),
        ],
    })
}
