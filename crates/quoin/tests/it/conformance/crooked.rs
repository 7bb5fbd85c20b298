//! Doors that are broken on purpose, in front of a service or instead of it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quoin_access_point::config::AccessPoint;
use quoin_access_point::identity;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls};
use quoin_lab::lab::network::Surroundings;
use quoin_lab::testbed::forge::sign::{Style, resign};
use quoin_peppol::as4::{As4Refusal, OwnIdentity, error_signal, parse_mime};
use quoin_xml::c14n;
use quoin_xml::tree::{Document, Limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

const PATIENCE: Duration = Duration::from_secs(30);

pub struct Crooked {
    pub url: String,
    _door: OpenDoor,
}

#[derive(Clone)]
enum Act {
    /// Passes everything on, and changes the first digest of each receipt.
    Digests { real: String, client: HttpClient },
    /// Signs a receipt for whatever comes, without opening or keeping it.
    Yes(Arc<OwnIdentity>),
}

impl Crooked {
    pub async fn changing_digests(around: &Surroundings, real: &str) -> Crooked {
        let client = around.client().unwrap();
        Crooked::open(around, Act::Digests { real: real.to_owned(), client }).await
    }

    pub async fn saying_yes(around: &Surroundings, files: &AccessPoint) -> Crooked {
        let own = identity::access_point(&files.key_place(), &[]).unwrap();
        Crooked::open(around, Act::Yes(Arc::new(own))).await
    }

    async fn open(around: &Surroundings, act: Act) -> Crooked {
        let leaf = around.pki.server(&["127.0.0.1"]).unwrap();
        let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
        let address = "127.0.0.1:0".parse().unwrap();
        let door = Door { name: "crooked", address, tls: Some(tls), limits: DoorLimits::default() };
        let routes = Router::new().fallback(answer).with_state(act);
        let door = door.open(routes, Shutdown::default()).await.unwrap();
        Crooked { url: format!("{}/as4", door.url()), _door: door }
    }
}

async fn answer(State(act): State<Act>, request: Request) -> Response {
    let method = request.method().clone();
    let kind = request.headers().get(header::CONTENT_TYPE).cloned();
    let body = to_bytes(request.into_body(), 64 << 20).await.unwrap();
    match act {
        Act::Digests { real, client } => {
            let headers = kind.map(|kind| (header::CONTENT_TYPE, kind)).into_iter().collect();
            let body = (method == Method::POST).then_some(body);
            let call =
                HttpCall { method, headers, body, ..HttpCall::get(&real, PATIENCE, 1 << 20) };
            let answer = client.call(call).await.unwrap();
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let status = StatusCode::from_u16(answer.status).unwrap();
            (status, answer.headers, other_digest(&text)).into_response()
        }
        Act::Yes(own) => {
            let kind = kind.and_then(|kind| kind.to_str().ok().map(str::to_owned));
            match yes(&own, &kind.unwrap_or_default(), &body) {
                Some(receipt) => {
                    ([(header::CONTENT_TYPE, "application/soap+xml")], receipt).into_response()
                }
                None => StatusCode::BAD_REQUEST.into_response(),
            }
        }
    }
}

/// The text with another first digest, where it is a receipt.
fn other_digest(text: &str) -> String {
    let mark = "DigestValue>";
    let Some(at) = text.find(mark).filter(|_| text.contains("NonRepudiationInformation")) else {
        return text.to_owned();
    };
    let at = at + mark.len();
    let other = if text[at..].starts_with('A') { "B" } else { "A" };
    format!("{}{other}{}", &text[..at], &text[at + 1..])
}

/// A receipt for a message as it claims to be; it begins as an error signal, which is signed anew.
fn yes(own: &OwnIdentity, kind: &str, body: &Bytes) -> Option<String> {
    let parts = parse_mime(kind, body).ok()?;
    let document = Document::parse(&parts.first()?.body, &Limits::default()).ok()?;
    let id = document.root().descendants().find(|element| element.local() == "MessageId")?;
    let mut references = String::new();
    for reference in document.root().descendants().filter(|one| one.local() == "Reference") {
        if reference.parent().is_some_and(|parent| parent.local() == "SignedInfo") {
            let mut octets = Vec::new();
            c14n::exclusive(reference, &[], c14n::room_of(&document), &mut octets).ok()?;
            let text = String::from_utf8(octets).ok()?;
            references +=
                &format!("<ebbp:MessagePartNRInformation>{text}</ebbp:MessagePartNRInformation>");
        }
    }
    let refusal = As4Refusal::not_serviced().of(id.text().trim());
    let signal = error_signal(&refusal, own, "yes@crooked.test", jiff::Timestamp::now()).ok()?;
    let text = String::from_utf8(signal.body).ok()?;
    let from = text.find("<eb:Error ")?;
    let to = text.rfind("</eb:Error>")? + "</eb:Error>".len();
    let receipt = format!(
        "{}<eb:Receipt><ebbp:NonRepudiationInformation \
         xmlns:ebbp=\"http://docs.oasis-open.org/ebxml-bp/ebbp-signals-2.0\">{references}\
         </ebbp:NonRepudiationInformation></eb:Receipt>{}",
        &text[..from],
        &text[to..]
    );
    Some(resign(&receipt, &[], own, &Style::default()).ok()?.0)
}

/// A load balancer that answers greetings in TLS 1.0 and passes all others on.
pub struct Old {
    pub url: String,
    task: JoinHandle<()>,
}

impl Drop for Old {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Old {
    pub async fn before(real: &str) -> Old {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let real = real.trim_start_matches("https://").split('/').next().unwrap().to_owned();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, real.clone()));
            }
        });
        Old { url: format!("https://{address}/as4"), task }
    }
}

/// Looks at the version in the greeting: bytes 9 and 10 of its record.
async fn serve(mut stream: TcpStream, real: String) -> Option<()> {
    let mut start = vec![0; 11];
    stream.read_exact(&mut start).await.ok()?;
    if start[9..11] == [3, 1] {
        let mut hello = vec![22, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1];
        hello.extend_from_slice(&[7; 32]);
        hello.extend_from_slice(&[0, 0xc0, 0x14, 0]);
        stream.write_all(&hello).await.ok()?;
        return Some(());
    }
    let mut behind = TcpStream::connect(real).await.ok()?;
    behind.write_all(&start).await.ok()?;
    copy_bidirectional(&mut stream, &mut behind).await.ok()?;
    Some(())
}
