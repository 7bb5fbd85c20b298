//! A customer's client of the interface, as one would write it: token, upload, status, list,
//! download, delete.

use bytes::Bytes;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_lab::lab::network::Customer;
use quoin_server::start::Running;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::{PATIENCE, Stage};

/// The largest answer that is read, in bytes.
const LARGEST: usize = 64 << 20;

/// An answer; the JSON is null where the body is none.
#[derive(Debug)]
pub struct Answered {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub json: Value,
}

impl Answered {
    /// Asserts status and code of a problem, and a word of its message that tells the cause.
    #[track_caller]
    pub fn is_problem(&self, status: u16, code: &str, word: &str) {
        let found = (self.status, self.json["code"].as_str().unwrap_or_default());
        assert_eq!(found, (status, code), "{}", self.json);
        let message = self.json["message"].as_str().unwrap_or_default();
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
}

pub struct Caller {
    base: String,
    token: String,
    http: HttpClient,
}

pub type Headers<'a> = &'a [(&'a str, &'a str)];

impl Caller {
    /// A client with a token.
    pub async fn of(stage: &Stage, service: &Running, customer: &Customer) -> Caller {
        let base = service.api.as_ref().unwrap().url();
        Caller::at(&base, stage.around.client().unwrap(), customer).await.unwrap()
    }

    /// The same for a service at `base`; the answer where no token was issued.
    pub async fn at(base: &str, http: HttpClient, customer: &Customer) -> Result<Caller, String> {
        let mut caller = Caller { base: base.to_owned(), token: String::new(), http };
        let (client, secret) = (&customer.client, &customer.secret);
        let form =
            format!("grant_type=client_credentials&client_id={client}&client_secret={secret}");
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let answer = caller.call(Method::POST, "/connect/token", &headers, Some(form)).await?;
        let token = answer.json["access_token"].as_str();
        caller.token = token.ok_or_else(|| format!("{answer:?}"))?.to_owned();
        Ok(caller)
    }

    /// The same client with another token, or with none.
    pub fn with_token(&self, token: &str) -> Caller {
        Caller { base: self.base.clone(), token: token.to_owned(), http: self.http.clone() }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Any request; the error where no whole answer came.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        headers: Headers<'_>,
        body: Option<impl Into<Bytes>>,
    ) -> Result<Answered, String> {
        let url = format!("{}{path}", self.base);
        let mut all = Vec::new();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            all.push((name, HeaderValue::from_str(value).unwrap()));
        }
        if !self.token.is_empty() {
            let value = HeaderValue::from_str(&format!("Bearer {}", self.token)).unwrap();
            all.push((AUTHORIZATION, value));
        }
        let body = body.map(Into::into);
        let call =
            HttpCall { method, headers: all, body, ..HttpCall::get(&url, PATIENCE, LARGEST) };
        let answer = self.http.call(call).await.map_err(|error| error.to_string())?;
        let json = serde_json::from_slice(&answer.body).unwrap_or_default();
        let (status, headers, body) = (answer.status, answer.headers, answer.body);
        Ok(Answered { status, headers, body, json })
    }

    pub async fn get(&self, path: &str) -> Answered {
        self.call(Method::GET, path, &[], None::<Bytes>).await.unwrap()
    }

    /// Uploads a sales invoice.
    pub async fn send(&self, party: &str, id: &str, document: impl Into<Bytes>) -> Answered {
        self.try_send(party, id, document).await.unwrap()
    }

    pub async fn try_send(
        &self,
        party: &str,
        id: &str,
        document: impl Into<Bytes>,
    ) -> Result<Answered, String> {
        let path = format!("/api/v1/{party}/salesInvoice/send");
        let headers = [(CONTENT_TYPE.as_str(), "application/xml"), ("x-service-documentid", id)];
        self.call(Method::POST, &path, &headers, Some(document)).await
    }

    /// The names of the timeline of a sales invoice, oldest first, and its status.
    pub async fn timeline(&self, party: &str, id: &str) -> (Vec<String>, String) {
        let answer = self.get(&format!("/api/v1/{party}/salesInvoice/{id}/status")).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        let status = answer.headers["x-service-status"].to_str().unwrap().to_owned();
        let lines = answer.json.as_array().unwrap().iter();
        let names = lines.map(|line| line["name"].as_str().unwrap().to_owned()).collect();
        (names, status)
    }

    /// The invoices that arrived for a party, all pages.
    pub async fn purchases(&self, party: &str) -> Result<Vec<Value>, String> {
        self.pages(&format!("/api/v1/{party}/purchaseInvoice?limit=500")).await
    }

    /// The documents of any kind that arrived for a party, all pages.
    pub async fn arrivals(&self, party: &str) -> Result<Vec<Value>, String> {
        self.pages(&format!("/api/v1/{party}/generic?direction=incoming&limit=500")).await
    }

    /// All items of a list.
    async fn pages(&self, list: &str) -> Result<Vec<Value>, String> {
        let mut all = Vec::new();
        let mut more = String::new();
        loop {
            let path = format!("{list}{more}");
            let answer = self.call(Method::GET, &path, &[], None::<Bytes>).await?;
            if answer.status != 200 {
                return Err(format!("{answer:?}"));
            }
            all.extend(answer.json["items"].as_array().into_iter().flatten().cloned());
            match answer.json["continuationToken"].as_str() {
                Some(token) => more = format!("&continuationToken={token}"),
                None => return Ok(all),
            }
        }
    }

    pub async fn download(&self, party: &str, id: &str) -> Answered {
        self.get(&format!("/api/v1/{party}/purchaseInvoice/{id}/download")).await
    }
}
