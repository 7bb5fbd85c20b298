//! The interface of the access point under test, where it is of our family: how it is asked to
//! send, and how it is seen what it delivered.

use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::Value;

use super::setup::ApiSetup;
use quoin_access_point::net::{HttpCall, HttpClient};

/// Time for one call.
const CALL_TIME: Duration = Duration::from_secs(60);
/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 4 << 20;

/// A client with a token.
pub struct Interface {
    base: String,
    token: HeaderValue,
    document_id: HeaderName,
    status: HeaderName,
    http: HttpClient,
}

/// An answer of the interface.
struct InterfaceReply {
    json: Value,
    status: Option<String>,
}

impl Interface {
    /// Fetches a token.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    pub async fn open(api: &ApiSetup, http: HttpClient) -> Result<Interface, String> {
        let header = |name: &str| {
            let text = format!("{}{name}", api.header_prefix).to_ascii_lowercase();
            let wrong = |_| format!("api.header_prefix: {:?} is none", api.header_prefix);
            HeaderName::from_bytes(text.as_bytes()).map_err(wrong)
        };
        let mut interface = Interface {
            base: api.url.trim_end_matches('/').to_owned(),
            token: HeaderValue::from_static(""),
            document_id: header("DocumentId")?,
            status: header("Status")?,
            http,
        };
        let pair = format!("{}:{}", api.client, api.secret.expose());
        interface.token =
            value(&format!("Basic {}", data_encoding::BASE64.encode(pair.as_bytes())))?;
        let kind = (CONTENT_TYPE, value("application/x-www-form-urlencoded")?);
        let form = Bytes::from_static(b"grant_type=client_credentials&scope=ap");
        let answer = interface.call(Method::POST, "/connect/token", vec![kind], Some(form)).await?;
        let token = answer.json.get("access_token").and_then(Value::as_str);
        let token = token.ok_or("the interface under test issued no token")?;
        interface.token = value(&format!("Bearer {token}"))?;
        Ok(interface)
    }

    /// Asks for a document to be sent.
    ///
    /// # Errors
    /// Why it was not taken, in a sentence.
    pub async fn send(&self, path: &str, id: &str, document: Bytes) -> Result<(), String> {
        let headers =
            vec![(CONTENT_TYPE, value("application/xml")?), (self.document_id.clone(), value(id)?)];
        self.call(Method::POST, path, headers, Some(document)).await.map(|_| ())
    }

    /// The status of a document, and the last thing that its timeline says.
    ///
    /// # Errors
    /// Why it cannot be had, in a sentence.
    pub async fn status(&self, path: &str) -> Result<(String, String), String> {
        let reply = self.call(Method::GET, path, Vec::new(), None).await?;
        let last = reply.json.as_array().and_then(|lines| lines.last());
        let text = last.and_then(|line| line.get("description")).and_then(Value::as_str);
        Ok((reply.status.unwrap_or_default(), text.unwrap_or_default().to_owned()))
    }

    /// How many documents of this number were received for a party.
    ///
    /// # Errors
    /// Why that cannot be told, in a sentence.
    pub async fn received(&self, party: &str, number: &str) -> Result<usize, String> {
        let path = format!("/api/v1/{party}/purchaseInvoice?number={number}");
        let page = self.call(Method::GET, &path, Vec::new(), None).await?;
        Ok(page.json.get("items").and_then(Value::as_array).map_or(0, Vec::len))
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        mut headers: Vec<(HeaderName, HeaderValue)>,
        body: Option<Bytes>,
    ) -> Result<InterfaceReply, String> {
        let url = format!("{}{path}", self.base);
        headers.push((AUTHORIZATION, self.token.clone()));
        let call =
            HttpCall { method, headers, body, ..HttpCall::get(&url, CALL_TIME, LARGEST_ANSWER) };
        let answer = self.http.call(call).await.map_err(|error| format!("{url}: {error}"))?;
        let json: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if (200..300).contains(&answer.status) {
            let status = answer.headers.get(&self.status).and_then(|value| value.to_str().ok());
            return Ok(InterfaceReply { json, status: status.map(str::to_owned) });
        }
        Err(format!("{url} answered {}: {json}", answer.status))
    }
}

fn value(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(text).map_err(|error| error.to_string())
}
