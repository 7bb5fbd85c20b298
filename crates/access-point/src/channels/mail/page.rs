//! The page of a document in a mail: as the body, and as a PDF beside the document. Where there is
//! none, the mail goes without it and says why.

use bytes::Bytes;
use quoin_delivery::OrganisationId;
use quoin_model::Language;
use quoin_render::{RenderForm, RenderRefusal, RenderRequest, render};

use crate::budget::Purpose;
use crate::channels::ChannelContext;
use crate::channels::context::PATIENCE;
use crate::mail::{MAIL_BYTES, MailedPage};

/// The largest page that is a body, in bytes: many programs show no more of a mail than a part of
/// this. A document with a larger one has its page in the PDF.
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
        let done = pool.run(Purpose::Validate, organisation.as_str(), PATIENCE, work).await;
        done.map_err(|busy| busy.to_string())?.map(Some)
    }
}

/// Both forms of a page, as far as a mail has room for them.
fn made(document: &[u8], language: Language) -> Result<MailedPage, String> {
    let parsed = quoin_formats::inside(document).unwrap_or_else(|| quoin_formats::read(document));
    let form = |form| {
        let request = RenderRequest { language, form, level: None, findings: &[] };
        render(&parsed, &request).map(|shown| shown.bytes)
    };
    let why = |refusal: RenderRefusal| refusal.to_string();
    let html = form(RenderForm::Html).map_err(why)?;
    if html.len() > BODY_BYTES {
        return Err(format!("it has {} bytes, and a mail shows {BODY_BYTES}", html.len()));
    }
    let pdf = form(RenderForm::Pdf).map_err(why)?;
    // The document goes along, and what is embedded in it, which is less than the document.
    let size = document.len().saturating_mul(2).saturating_add(html.len() + pdf.len());
    if size > MAIL_BYTES {
        return Err(format!("with it the mail would have up to {size} bytes, over {MAIL_BYTES}"));
    }
    let html = String::from_utf8(html).map_err(|error| error.to_string())?;
    Ok(MailedPage { html, pdf })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_both_forms_or_a_reason() {
        let page = made(quoin_formats::samples::INVOICE.as_bytes(), Language::Nl).unwrap();
        assert!(page.html.contains("<html lang=\"nl\">") && page.pdf.starts_with(b"%PDF-1.7"));
        let why = made(b"no XML", Language::En).unwrap_err();
        assert!(why.contains("no XML"), "{why}");
        let line = "<x>A long line that stands here again and again</x>".repeat(8_000);
        let why = made(format!("<a>{line}</a>").as_bytes(), Language::En).unwrap_err();
        assert!(why.contains("a mail shows"), "{why}");
    }
}
