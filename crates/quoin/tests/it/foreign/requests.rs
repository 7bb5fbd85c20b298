//! A request as a foreign client writes it, and the making of it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use data_encoding::BASE64;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown};
use quoin_lab::lab::network::Customer as Seed;
use reqwest::Method;
use serde_json::Value;
use uuid::Uuid;

use crate::world::{answer, plain_client};

/// One request, what it is answered with, and members that the answer must have.
#[derive(Debug, Clone)]
pub struct Row {
    pub method: Method,
    pub path: String,
    pub kind: Option<String>,
    pub body: Vec<u8>,
    /// Whether a document id is given, as these clients do for documents and answers.
    pub numbered: bool,
    pub status: u16,
    pub answers: &'static [&'static str],
}

impl Row {
    fn new(method: Method, path: &str) -> Row {
        let (path, body) = (path.to_owned(), Vec::new());
        Row { method, path, kind: None, body, numbered: false, status: 200, answers: &[] }
    }

    pub fn get(path: &str) -> Row {
        Row::new(Method::GET, path)
    }

    pub fn put(path: &str) -> Row {
        Row::new(Method::PUT, path)
    }

    pub fn post(path: &str) -> Row {
        Row { numbered: true, ..Row::new(Method::POST, path) }
    }

    pub fn delete(path: &str) -> Row {
        Row { status: 204, ..Row::new(Method::DELETE, path) }
    }

    pub fn json(self, body: Value) -> Row {
        let kind = Some("application/json; charset=utf-8".to_owned());
        Row { kind, body: body.to_string().into_bytes(), ..self }
    }

    pub fn xml(self, body: String) -> Row {
        Row { kind: Some("application/xml".to_owned()), body: body.into_bytes(), ..self }
    }

    pub fn status(self, status: u16) -> Row {
        Row { status, ..self }
    }

    pub fn answers(self, answers: &'static [&'static str]) -> Row {
        Row { answers, ..self }
    }

    /// Parts of a form, each with its head; the boundary stands in quotes, as .NET writes it.
    pub fn form(self, parts: &[(String, &[u8])], quoted: bool) -> Row {
        let boundary = format!("b-{}", Uuid::new_v4());
        let mut body = Vec::new();
        for (head, content) in parts {
            body.extend(format!("--{boundary}\r\n{head}\r\n\r\n").into_bytes());
            body.extend_from_slice(content);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{boundary}--\r\n").into_bytes());
        let boundary = if quoted { format!("\"{boundary}\"") } else { boundary };
        Row { kind: Some(format!("multipart/form-data; boundary={boundary}")), body, ..self }
    }
}

/// A customer with its token.
pub struct Customer {
    pub base: String,
    token: String,
    http: reqwest::Client,
}

impl Customer {
    pub async fn of(base: String, seed: &Seed) -> Customer {
        let mut customer = Customer { base, token: String::new(), http: plain_client() };
        let form = "grant_type=client_credentials&scope=ap";
        let (status, token) = customer.token(form, Some((&seed.client, &seed.secret))).await;
        assert_eq!(status, 200, "{token}");
        customer.token = token["access_token"].as_str().unwrap().to_owned();
        customer
    }

    /// The answer to a token request.
    pub async fn token(&self, form: &str, basic: Option<(&str, &str)>) -> (u16, Value) {
        let mut request = self
            .http
            .post(format!("{}/connect/token", self.base))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        if let Some((client, secret)) = basic {
            let pair = BASE64.encode(format!("{client}:{secret}").as_bytes());
            request = request.header("authorization", format!("Basic {pair}"));
        }
        answer(request).await
    }

    /// Makes a request, with the ids of documents in place of their names.
    pub async fn make(&self, row: &Row, ids: &[(&'static str, String)]) -> (u16, Value) {
        let mut path = row.path.clone();
        for (name, id) in ids {
            path = path.replace(name, id);
        }
        let mut request = self
            .http
            .request(row.method.clone(), format!("{}{path}", self.base))
            .header("accept", "application/json")
            .header("subscription-key", "0123456789abcdef")
            .header("x-econnect-domainid", "domain1")
            .header("authorization", format!("Bearer {}", self.token))
            .body(row.body.clone());
        if row.numbered {
            request = request.header("x-econnect-documentid", Uuid::new_v4().to_string());
        }
        if let Some(kind) = &row.kind {
            request = request.header("content-type", kind);
        }
        answer(request).await
    }
}

type Calls = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

/// A destination of hooks that remembers what came.
pub async fn receiver() -> (Calls, OpenDoor) {
    async fn take(State(calls): State<Calls>, headers: HeaderMap, body: Bytes) {
        calls.lock().unwrap().push((headers, body));
    }
    let calls = Calls::default();
    let routes = Router::new().route("/", post(take)).with_state(calls.clone());
    let address = "127.0.0.1:0".parse().unwrap();
    let door = Door { name: "erp", address, tls: None, limits: DoorLimits::default() };
    (calls, door.open(routes, Shutdown::default()).await.unwrap())
}

/// A PDF that carries an e-invoice.
pub fn hybrid_pdf(invoice: &str) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Names<</EmbeddedFiles 2 0 R>>/AF[3 0 R]>>".to_owned(),
        "<</Names[(factur-x.xml) 3 0 R]>>".to_owned(),
        "<</Type/Filespec/F(factur-x.xml)/UF(factur-x.xml)/AFRelationship/Data/EF<</F 4 0 R>>>>"
            .to_owned(),
        format!("<</Type/EmbeddedFile/Length {}>>\nstream\n{invoice}\nendstream", invoice.len()),
    ];
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut table = String::new();
    for (place, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", place + 1).into_bytes());
    }
    let start = out.len();
    let end = format!(
        "xref\n0 5\n0000000000 65535 f \n{table}trailer\n<</Size 5/Root 1 0 R>>\n\
         startxref\n{start}\n%%EOF"
    );
    out.extend(end.into_bytes());
    out
}
