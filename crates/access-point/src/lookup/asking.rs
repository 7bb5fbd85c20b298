//! One question to an SMP, and what its server did to the answer.

use bytes::Bytes;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use quoin_peppol::lookup::LookupError;
use quoin_peppol::smp;

use super::Lookup;
use crate::net::{self, CutAnswer, HttpAnswer, HttpCall};

/// What an SMP answered with 200.
pub(super) struct SmpAnswer {
    /// Its body.
    pub(super) bytes: Bytes,
    /// Why it may not be whole; where it proves itself it is.
    pub(super) cut: Option<String>,
}

impl SmpAnswer {
    /// What was read of it. One that may not be whole and is refused did not come: it is asked for
    /// again.
    pub(super) fn judged<T>(self, read: Result<T, smp::SmpRefusal>) -> Result<T, LookupError> {
        match (read, self.cut) {
            (Err(_), Some(what)) => Err(LookupError::SmpTrouble { what }),
            (read, _) => Ok(read?),
        }
    }
}

impl Lookup {
    /// An answer with 200, `None` for 404.
    pub(super) async fn get(&self, url: &str) -> Result<Option<SmpAnswer>, LookupError> {
        let host = net::host(url);
        let place = self.budgets.lookups.enter(&host, self.limit).await;
        let _place = place.map_err(|_| LookupError::Crowded { host })?;
        let mut call = HttpCall::get(url, self.limit, smp::ANSWER_LIMIT);
        call.cut_answer = CutAnswer::Signed;
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
    async fn body(&self, url: &str, answer: HttpAnswer) -> Result<SmpAnswer, LookupError> {
        let cut = answer.cut.map(|error| error.to_string());
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
            return Err(trouble(cut.unwrap_or_else(|| "an empty answer".to_owned())));
        }
        match smp::is_page(kind.as_ref().map(HeaderValue::as_bytes), &body) {
            true => Err(trouble("a page for people instead of metadata".to_owned())),
            false => Ok(SmpAnswer { bytes: body, cut }),
        }
    }
}
