//! Calls of the SML's interface: SOAP over mutual TLS, with the certificate of our SMP (Peppol SML
//! 1.3.0, section 4).

use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use quoin_peppol::sml::soap::{MESSAGE_LIMIT, SmlAnswer, SmlRequest, SoapRefusal};

use crate::budget::in_place;
use crate::net::{CallError, HttpCall, HttpClient};

/// The header that names the operation.
const SOAP_ACTION: HeaderName = HeaderName::from_static("soapaction");

/// Why there is no answer of the SML. Whether the request was carried out is not known then.
#[derive(Debug, thiserror::Error)]
pub enum SmlTrouble {
    /// No whole HTTP answer.
    #[error("the SML gave no answer: {0}")]
    Call(#[from] CallError),
    /// An HTTP answer that is none of the SML.
    #[error("the SML answered with HTTP status {0} and no message")]
    Status(u16),
    /// The list of our participants could not be read to its end.
    #[error("the list of our participants could not be read to its end: {0}")]
    Unfinished(String),
    /// A message that cannot be read.
    #[error("the answer of the SML cannot be read: {0}")]
    Unreadable(#[from] SoapRefusal),
}

impl SmlTrouble {
    /// Whether the SML, or what stands before it, does not let us in.
    pub fn is_closed_to_us(&self) -> bool {
        matches!(
            self,
            SmlTrouble::Status(401 | 403)
                | SmlTrouble::Call(CallError::Refused(_) | CallError::Unwelcome(_))
        )
    }
}

/// The SML's interface, as our SMP speaks to it.
#[derive(Debug, Clone)]
pub struct SmlClient {
    http: HttpClient,
    url: String,
    publisher: String,
    timeout: Duration,
}

impl SmlClient {
    /// A client of the interface at `url` for the SMP with the id `publisher`. The HTTP client
    /// shows the SMP's certificate.
    pub fn new(http: HttpClient, url: &str, publisher: &str, timeout: Duration) -> SmlClient {
        let url = url.trim_end_matches('/').to_owned();
        SmlClient { http, url, publisher: publisher.to_owned(), timeout }
    }

    /// The id of our SMP.
    pub fn publisher(&self) -> &str {
        &self.publisher
    }

    /// Asks, and reads the answer; a fault is an answer.
    ///
    /// # Errors
    /// [`SmlTrouble`].
    pub async fn call(&self, request: &SmlRequest) -> Result<SmlAnswer, SmlTrouble> {
        let operation = request.operation();
        let url = format!("{}{}", self.url, operation.service().path());
        let mut headers = vec![(CONTENT_TYPE, HeaderValue::from_static("text/xml; charset=utf-8"))];
        if let Ok(action) = HeaderValue::from_str(&operation.soap_action()) {
            headers.push((SOAP_ACTION, action));
        }
        let call = HttpCall {
            method: Method::POST,
            headers,
            body: Some(Bytes::from(request.to_xml())),
            ..HttpCall::get(&url, self.timeout, MESSAGE_LIMIT)
        };
        let answer = self.http.call(call).await?;
        let read = in_place(|| SmlAnswer::read(&answer.body, operation));
        match (answer.status, read) {
            (200..=299, Ok(said)) => Ok(said),
            // SOAP 1.1 sends faults with status 500.
            (_, Ok(fault @ SmlAnswer::Fault(_))) => Ok(fault),
            (200..=299, Err(refusal)) => Err(refusal.into()),
            (status, _) => Err(SmlTrouble::Status(status)),
        }
    }
}
