//! One question to an SMP, and what its server did to the answer.

use bytes::Bytes;
use quoin_peppol::lookup::LookupError;
use quoin_peppol::smp;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};

use super::Lookup;
use crate::net::{self, HttpAnswer, HttpCall};

impl Lookup {
    /// The body of an answer with 200, `None` for 404.
    pub(super) async fn get(&self, url: &str) -> Result<Option<Bytes>, LookupError> {
        let host = net::host(url);
        let place = self.budgets.lookups.enter(&host, self.limit).await;
        let _place = place.map_err(|_| LookupError::Crowded { host })?;
        let mut call = HttpCall::get(url, self.limit, smp::ANSWER_LIMIT);
        call.headers.push((ACCEPT_ENCODING, HeaderValue::from_static("identity")));
        let answer = self.http.call(call).await;
        let trouble = |what: String| LookupError::SmpTrouble { what };
        let answer = answer.map_err(|error| trouble(error.to_string()))?;
        match answer.status {
            200 => self.body(url, answer).await.map(Some),
            404 => Ok(None),
            status => Err(LookupError::of_service_metadata_status(status)),
        }
    }

    /// The metadata in an answer with 200, as it was before a server compressed it. A page or
    /// nothing at all is what a server shows that is not well: it is asked again later.
    async fn body(&self, url: &str, answer: HttpAnswer) -> Result<Bytes, LookupError> {
        let trouble = |what: String| LookupError::SmpTrouble { what };
        let kind = answer.headers.get(CONTENT_TYPE).cloned();
        let coding = answer.headers.get(CONTENT_ENCODING).and_then(|coding| coding.to_str().ok());
        let body = match coding.map(str::trim).unwrap_or_default() {
            "" | "identity" => answer.body,
            "gzip" | "x-gzip" => {
                let packed = answer.body;
                let open = move || smp::inflate(&packed);
                self.apart(url, open).await?.map_err(trouble)?.into()
            }
            other => return Err(trouble(format!("an answer with Content-Encoding {other:.40}"))),
        };
        if body.iter().all(u8::is_ascii_whitespace) {
            return Err(trouble("an empty answer".to_owned()));
        }
        match smp::is_page(kind.as_ref().map(HeaderValue::as_bytes), &body) {
            true => Err(trouble("a page for people instead of metadata".to_owned())),
            false => Ok(body),
        }
    }
}
