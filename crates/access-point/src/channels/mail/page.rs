//! The page of a document in a mail: as the body, and as a PDF beside the document. Where there is
//! none, the mail goes without it and says why.

use bytes::Bytes;
use quoin_delivery::OrganisationId;
use quoin_model::Language;
use quoin_render::{RenderForm, RenderRequest, render};

use crate::budget::Purpose;
use crate::channels::ChannelContext;
use crate::mail::{MAIL_BYTES, MailedPage};

/// The largest page that is a body, in bytes: many programs show no more of a mail than a part of
/// this. A document with a larger one has its page in the PDF alone.
const BODY_BYTES: usize = 512 << 10;

impl ChannelContext<'_> {
    /// The page of a document, on a thread of the pool; none where none is wanted. A page that
    /// cannot be made keeps no document: the error is the reason, for the timeline.
    pub(super) async fn page(
        &self,
        organisation: &OrganisationId,
        document: Option<Bytes>,
        language: Language,
    ) -> Result<Option<MailedPage>, String> {
        let Some(document) = document else { return Ok(None) };
        let pool = &self.budgets.pool;
        let work = move || made(&document, language);
        let done = pool.run(Purpose::Validate, organisation.as_str(), work).await;
        done.map_err(|busy| busy.to_string())?.map(Some)
    }
}

/// Both forms of a page, as far as a mail has room for them.
fn made(document: &[u8], language: Language) -> Result<MailedPage, String> {
    // The document goes along, and what is embedded in it, which is less than the document.
    let size = document.len().saturating_mul(2);
    fits(size)?;
    let parsed = quoin_formats::opened(document);
    let form = |form| {
        let request = RenderRequest { language, form, level: None, findings: &[] };
        let shown = render(&parsed, &request);
        shown.map(|shown| shown.bytes).map_err(|refusal| refusal.to_string())
    };
    let html = Some(form(RenderForm::Html)?).filter(|html| html.len() <= BODY_BYTES);
    let html = html.map(String::from_utf8).transpose().map_err(|error| error.to_string())?;
    let pdf = form(RenderForm::Pdf)?;
    fits(size.saturating_add(html.as_ref().map_or(0, String::len) + pdf.len()))?;
    Ok(MailedPage { html, pdf })
}

fn fits(size: usize) -> Result<(), String> {
    match size <= MAIL_BYTES {
        true => Ok(()),
        false => Err(format!("with it the mail could have {size} bytes, over {MAIL_BYTES}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_both_forms_or_a_reason() {
        let page = made(quoin_formats::samples::INVOICE.as_bytes(), Language::Nl).unwrap();
        assert!(page.html.unwrap().contains("<html lang=\"nl\">"));
        assert!(page.pdf.starts_with(b"%PDF-1.7"));
        let why = made(b"no XML", Language::En).unwrap_err();
        assert!(why.contains("no XML"), "{why}");
        let why = made(&vec![b' '; MAIL_BYTES / 2 + 1], Language::En).unwrap_err();
        assert!(why.contains("over 25165824"), "{why}");
    }

    #[test]
    fn a_page_that_is_no_body_is_in_the_pdf_alone() {
        let line = format!("<x>{}</x>", "A long line that stands here ".repeat(500));
        let page = made(format!("<a>{}</a>", line.repeat(40)).as_bytes(), Language::En).unwrap();
        assert!(page.html.is_none() && page.pdf.starts_with(b"%PDF-1.7"));
    }
}
