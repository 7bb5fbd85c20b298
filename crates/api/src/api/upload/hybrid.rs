//! An invoice in a hybrid PDF (Factur-X, ZUGFeRD): what is sent is the XML in it.

use bytes::Bytes;

use super::form::{FORM, PDF};
use crate::api::Api;
use crate::api::recognize::invoice;
use crate::http::{Caller, Problem, codes};

/// The invoice in an upload of this media type: that in a PDF, or else what was uploaded.
///
/// # Errors
/// API415 for what is said to be a PDF and is none, API400.NoInvoice for one without an invoice.
pub(in crate::api) async fn opened(
    api: &Api,
    caller: &Caller,
    kind: &str,
    upload: Bytes,
) -> Result<Bytes, Problem> {
    let is_pdf = quoin_formats::is_pdf(&upload);
    match kind {
        PDF if !is_pdf => {
            let detail = format!(
                "the Content-Type is {PDF}, and the document is no PDF; XML is sent as \
                 application/xml"
            );
            Err(Problem::new(&codes::MEDIA_TYPE, detail))
        }
        PDF | FORM if is_pdf => invoice(api, caller, upload).await,
        _ => Ok(upload),
    }
}
