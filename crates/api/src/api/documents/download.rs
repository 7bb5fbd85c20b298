//! The bytes of a document as an answer: as it is, in another format, or as a page.

use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use quoin_access_point::budget::bytes::WEIGHT;
use quoin_delivery::{Direction, Transaction};
use quoin_store::TransactionRecord;

use super::Side;
use crate::api::{Api, conversion, shown, usage};
use crate::http::{Problem, body, codes, held, sentences, taken};

/// The media type of a document that begins like no other file, and how its name ends.
const XML: (&str, &str) = ("application/xml", ".xml");

impl Side {
    /// The bytes of a document, as an answer; an arrived one counts as downloaded once they are
    /// taken to their end. A download that breaks off does not count.
    /// `HEAD` is answered in the same way and counts as nothing (RFC 9110 section 9.2.1).
    pub(in crate::api) async fn download(
        self,
        api: &Api,
        found: &TransactionRecord,
        (method, headers): (&Method, &HeaderMap),
        target: Option<&str>,
    ) -> Result<Response, Problem> {
        let wanted = usage::wanted_format(api, found, target).await?;
        let page = shown::wanted(headers);
        if page.is_some() && wanted.is_some() && !shown::takes_data(headers) {
            let detail = "Accept asks for a page, and targetDocumentTypeId for another format; a \
                          page is of the document as it is, so leave one of the two out";
            return Err(Problem::new(&codes::PAGE, detail));
        }
        let page = page.filter(|_| wanted.is_none());
        let transaction = &found.transaction;
        let id = &transaction.document_id;
        let is_looked_at = wanted.is_some() || page.is_some();
        let needed = found.size.saturating_mul(if is_looked_at { WEIGHT as u64 } else { 1 });
        let owner = transaction.organisation.as_str();
        let mut room = body::memory(&api.settings.uploads, owner, needed).await?;
        let Some(bytes) = api.store.document(found).await? else {
            let detail = sentences::EXPIRED.with([("id", id)]);
            return Err(Problem::new(&codes::EXPIRED, detail));
        };
        if is_looked_at {
            body::ask_inside(&mut room, &bytes, &api.settings.uploads).await?;
        }
        if let Some(form) = page {
            let page = shown::download(api, found, (bytes, form), headers).await?;
            return Ok(held::held(page, room));
        }
        let mut ending = XML.1;
        let mut response = match wanted {
            Some(wanted) => conversion::download(api, owner, (bytes, wanted), headers).await?,
            None => {
                let kind = quoin_formats::begins_like(&bytes);
                let (media_type, own) = kind.map_or(XML, |own| (own.media_type(), own.extension()));
                ending = own;
                let kind = HeaderValue::from_static(media_type);
                ([(CONTENT_TYPE, kind)], Body::from(bytes)).into_response()
            }
        };
        let headers = response.headers_mut();
        let is_json = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        let ending = if is_json { ".json" } else { ending };
        let name = HeaderValue::from_str(&format!("attachment; filename=\"{id}{ending}\""));
        headers.extend(name.map(|name| (CONTENT_DISPOSITION, name)));
        // Whoever asks for a page at this address has one.
        headers.append(VARY, HeaderValue::from_static("accept"));
        if self.direction == Direction::Incoming && method != Method::HEAD {
            response = taken::when_taken(response, downloaded(api, transaction));
        }
        Ok(held::held(response, room))
    }
}

/// Notes that a document was downloaded. Its bytes are on their way: what goes wrong is told in the
/// log, and it can be downloaded again.
fn downloaded(api: &Api, found: &Transaction) -> impl Future<Output = ()> + Send + 'static {
    let (store, clock) = (api.store.clone(), api.clock.clone());
    let (owner, id) = (found.organisation.clone(), found.document_id.clone());
    async move {
        if let Err(error) = store.mark_downloaded(&owner, &id, clock.now()).await {
            let (organisation, document) = (owner.as_str(), id.as_str());
            tracing::warn!(organisation, document, %error, "the download could not be noted");
        }
    }
}
