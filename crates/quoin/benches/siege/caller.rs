//! A client with a token, as soon as the service gives one.

use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_lab::lab::network::Customer;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::Value;

/// How long a service may take to answer for the first time.
const START: Duration = Duration::from_secs(30);

/// A client with a token.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) http: HttpClient,
    pub(super) base: String,
    pub(super) token: HeaderValue,
}

/// A client of the service at an address, as soon as that answers.
pub(super) async fn caller(http: &HttpClient, base: &str, customer: &Customer) -> Caller {
    let begun = Instant::now();
    let (client, secret) = (&customer.client, &customer.secret);
    let form = format!("grant_type=client_credentials&client_id={client}&client_secret={secret}");
    let url = format!("{base}/connect/token");
    while begun.elapsed() < START {
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let call = HttpCall {
            method: Method::POST,
            headers: vec![(CONTENT_TYPE, kind)],
            body: Some(Bytes::from(form.clone())),
            ..HttpCall::get(&url, Duration::from_secs(10), 1 << 20)
        };
        if let Ok(answer) = http.call(call).await
            && let Ok(json) = serde_json::from_slice::<Value>(&answer.body)
            && let Some(token) = json["access_token"].as_str()
        {
            let token = HeaderValue::from_str(&format!("Bearer {token}")).expect("a token");
            return Caller { http: http.clone(), base: base.to_owned(), token };
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("{base} gave no token");
}

impl Caller {
    /// Uploads an invoice; the status, or why there is none.
    pub(super) async fn upload(
        &self,
        sender: &str,
        id: &str,
        document: impl Into<Bytes>,
        patience: Duration,
    ) -> Result<u16, String> {
        let url = format!("{}/api/v1/{sender}/salesInvoice/send", self.base);
        let name = HeaderName::from_static("x-service-documentid");
        let call = HttpCall {
            method: Method::POST,
            headers: vec![
                (AUTHORIZATION, self.token.clone()),
                (CONTENT_TYPE, HeaderValue::from_static("application/xml")),
                (name, HeaderValue::from_str(id).expect("a header")),
            ],
            body: Some(document.into()),
            ..HttpCall::get(&url, patience, 1 << 20)
        };
        self.http.call(call).await.map(|answer| answer.status).map_err(|error| error.to_string())
    }
}
