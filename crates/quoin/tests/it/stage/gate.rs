//! A gate in front of an access point: it does with each message what the story wants, and
//! remembers what it saw.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures::{StreamExt, stream};
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls};
use quoin_peppol::as4::parse_mime;
use quoin_xml::tree::{Document, Limits};
use reqwest::Method;

use super::Stage;

/// What the gate does with one message.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Lets it through.
    Pass,
    /// The same after a while.
    Later(Duration),
    /// Breaks the connection without an answer; the message goes nowhere.
    Break,
    /// Takes it, and says nothing for ten minutes.
    Hang,
    /// Lets it through, and breaks the connection instead of handing the answer back.
    LoseAnswer,
    /// Lets it through, and keeps the answer back for ten minutes.
    KeepAnswer,
    /// Lets it through, and changes a digest in the receipt that comes back.
    DamageReceipt,
    /// Lets it through, hands back so many of a hundred bytes of the answer, and ends the
    /// connection without saying that it is whole.
    EndsUntidily(usize),
    /// Answers an unsigned error signal with this code.
    Error(&'static str),
    /// Answers an unsigned error signal with this status, code and description.
    Says(u16, &'static str, &'static str),
    /// Answers this status, with a page of HTML.
    Status(u16),
    /// Answers 503 and asks for a pause of so many seconds.
    Wait(u32),
    /// The same with another status.
    Busy(u16, u32),
    /// Answers this content type and body, with 200.
    Answer(String, Vec<u8>),
}

#[derive(Clone)]
pub struct Gate {
    real: String,
    client: HttpClient,
    acts: Arc<Mutex<VecDeque<Act>>>,
    seen: Arc<Mutex<Vec<String>>>,
}

pub struct OpenGate {
    pub gate: Gate,
    pub url: String,
    _door: OpenDoor,
}

impl Gate {
    /// Opens a gate in front of `real` that acts as written, and lets everything after that pass.
    pub async fn open(stage: &Stage, real: &str, acts: &[Act]) -> OpenGate {
        let gate = Gate {
            real: real.to_owned(),
            client: stage.around.client().unwrap(),
            acts: Arc::new(Mutex::new(acts.iter().cloned().collect())),
            seen: Arc::default(),
        };
        let leaf = stage.around.pki.server(&["127.0.0.1"]).unwrap();
        let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
        let address = "127.0.0.1:0".parse().unwrap();
        let limits = DoorLimits::default();
        let door = Door { name: "gate", address, tls: Some(tls), limits };
        let routes = Router::new().route("/as4", post(take)).with_state(gate.clone());
        let door = door.open(routes, Shutdown::default()).await.unwrap();
        OpenGate { gate, url: format!("{}/as4", door.url()), _door: door }
    }

    /// The AS4 message ids that came, in order.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    async fn next_act(&self) -> Act {
        let act = self.acts.lock().unwrap().pop_front().unwrap_or(Act::Pass);
        if let Act::Later(pause) = act {
            tokio::time::sleep(pause).await;
        }
        act
    }

    async fn pass(&self, kind: header::HeaderValue, body: Bytes) -> Response {
        let call = HttpCall {
            method: Method::POST,
            headers: vec![(header::CONTENT_TYPE, kind)],
            body: Some(body),
            ..HttpCall::get(&self.real, Duration::from_secs(30), 1 << 20)
        };
        let answer = self.client.call(call).await.unwrap();
        let status = StatusCode::from_u16(answer.status).unwrap();
        (status, answer.headers, answer.body).into_response()
    }
}

async fn take(State(gate): State<Gate>, request: Request) -> Response {
    let kind = request.headers()[header::CONTENT_TYPE].clone();
    let body = to_bytes(request.into_body(), 120 << 20).await.unwrap();
    gate.seen.lock().unwrap().push(message_id(kind.to_str().unwrap(), &body));
    match gate.next_act().await {
        Act::Pass | Act::Later(_) => gate.pass(kind, body).await,
        Act::Break => breaking(),
        Act::Hang => {
            tokio::time::sleep(Duration::from_secs(600)).await;
            breaking()
        }
        Act::LoseAnswer => {
            assert_eq!(gate.pass(kind, body).await.status(), 200);
            breaking()
        }
        Act::KeepAnswer => {
            assert_eq!(gate.pass(kind, body).await.status(), 200);
            tokio::time::sleep(Duration::from_secs(600)).await;
            breaking()
        }
        Act::DamageReceipt => {
            let answer = gate.pass(kind, body).await;
            let (parts, body) = answer.into_parts();
            let text = to_bytes(body, 1 << 20).await.unwrap();
            let text = String::from_utf8(text.to_vec()).unwrap();
            let digest = text.find("DigestValue>").unwrap() + "DigestValue>".len();
            let other = if text[digest..].starts_with('A') { "B" } else { "A" };
            let text = format!("{}{other}{}", &text[..digest], &text[digest + 1..]);
            (parts.status, parts.headers, text).into_response()
        }
        Act::EndsUntidily(percent) => {
            let (mut parts, body) = gate.pass(kind, body).await.into_parts();
            let body = to_bytes(body, 1 << 20).await.unwrap();
            let part = body.slice(..body.len() * percent / 100);
            parts.headers.remove(header::CONTENT_LENGTH);
            let end = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                Err(std::io::Error::other("it ends untidily on purpose"))
            };
            let body = stream::iter([Ok(part)]).chain(stream::once(end));
            (parts.status, parts.headers, Body::from_stream(body)).into_response()
        }
        Act::Error(code) => {
            let seen = gate.seen().pop().unwrap();
            let kind = [(header::CONTENT_TYPE, "application/soap+xml; charset=UTF-8")];
            (kind, error_signal(code, &seen, "")).into_response()
        }
        Act::Says(status, code, text) => {
            let seen = gate.seen().pop().unwrap();
            let kind = [(header::CONTENT_TYPE, "application/soap+xml; charset=UTF-8")];
            let status = StatusCode::from_u16(status).unwrap();
            (status, kind, error_signal(code, &seen, text)).into_response()
        }
        Act::Status(status) => {
            let page = [(header::CONTENT_TYPE, "text/html")];
            (StatusCode::from_u16(status).unwrap(), page, "<html>no</html>").into_response()
        }
        Act::Wait(seconds) => {
            let wait = [(header::RETRY_AFTER, seconds.to_string())];
            (StatusCode::SERVICE_UNAVAILABLE, wait).into_response()
        }
        Act::Busy(status, seconds) => {
            let wait = [(header::RETRY_AFTER, seconds.to_string())];
            (StatusCode::from_u16(status).unwrap(), wait).into_response()
        }
        Act::Answer(kind, body) => ([(header::CONTENT_TYPE, kind)], body).into_response(),
    }
}

/// Ends the task of the connection without a word, so that the connection breaks.
fn breaking() -> ! {
    std::panic::resume_unwind(Box::new("the connection breaks on purpose"))
}

/// An error signal without a security header, as some access points send them.
fn error_signal(code: &str, about: &str, description: &str) -> String {
    format!(
        "<S:Envelope xmlns:S=\"http://www.w3.org/2003/05/soap-envelope\" \
         xmlns:eb=\"http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/\"><S:Header>\
         <eb:Messaging S:mustUnderstand=\"true\"><eb:SignalMessage><eb:MessageInfo>\
         <eb:Timestamp>2026-11-21T10:00:00Z</eb:Timestamp>\
         <eb:MessageId>error@gate.test</eb:MessageId><eb:RefToMessageId>{about}</eb:RefToMessageId>\
         </eb:MessageInfo><eb:Error errorCode=\"{code}\" severity=\"failure\" \
         shortDescription=\"Story\" refToMessageInError=\"{about}\">\
         <eb:Description xml:lang=\"en\">{description}</eb:Description></eb:Error>\
         </eb:SignalMessage></eb:Messaging></S:Header><S:Body/></S:Envelope>"
    )
}

fn message_id(content_type: &str, body: &[u8]) -> String {
    let parts = parse_mime(content_type, body).unwrap();
    let document = Document::parse(&parts[0].body, &Limits::default()).unwrap();
    let id = document.root().descendants().find(|element| element.local() == "MessageId").unwrap();
    id.text().trim().to_owned()
}
