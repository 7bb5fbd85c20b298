//! A customer's web server on loopback, over TLS: it keeps what it is sent, and does with each
//! call what the story says. It reads HTTP/1.1 itself, so that it can end a connection wherever it
//! likes.

use std::collections::{BTreeMap, VecDeque};
use std::io::{Error, ErrorKind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quoin_access_point::tls::server_tls;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::stage::{PATIENCE, Stage};

/// The largest head that is read, in bytes.
const HEAD: usize = 64 << 10;
/// Where tokens are given.
pub const TOKENS: &str = "/token";

/// What the server does with one call.
#[derive(Debug, Clone)]
pub enum ServerAct {
    /// Answers with a status, headers, and a body.
    Answer(u16, &'static str, &'static str),
    /// Keeps what came and ends the connection without an answer.
    Close,
    /// Waits before it answers 200.
    Slow(Duration),
    /// Keeps what came and says nothing.
    Silent,
}

/// A call that came whole.
#[derive(Debug, Clone)]
pub struct GotRequest {
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl GotRequest {
    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(String::as_str).unwrap_or_default()
    }
}

#[derive(Default)]
struct ServerState {
    got: Vec<GotRequest>,
    /// Those that it did not refuse, by their place.
    kept: Vec<usize>,
    acts: VecDeque<ServerAct>,
    connections: usize,
    /// Tokens that were given, and how many there were before those that are refused.
    tokens: usize,
    forgotten: usize,
    /// What it does where nothing is planned; else it answers 200.
    always: Option<ServerAct>,
    /// Where it says nothing, whatever is planned.
    silent: Option<String>,
    /// Without this, a call is answered with 401.
    opens: Option<String>,
    /// What a client has to show for a token.
    client: Option<String>,
    /// What is said to a client that shows something else.
    refusal: Option<&'static str>,
    /// The token that every client is given, and that opens.
    gives: Option<&'static str>,
}

/// The server; clones are the same one.
#[derive(Clone)]
pub struct DocumentServer {
    /// Its port.
    pub port: u16,
    state: Arc<Mutex<ServerState>>,
}

impl DocumentServer {
    /// A server that the services of a stage believe.
    pub async fn beside(stage: &Stage) -> DocumentServer {
        let leaf = stage.around.pki.server(&["127.0.0.1"]).unwrap();
        let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
        DocumentServer::open(tls).await
    }

    pub async fn open(tls: Arc<ServerConfig>) -> DocumentServer {
        let mut tls = (*tls).clone();
        tls.alpn_protocols.clear();
        let acceptor = TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = DocumentServer { port, state: Arc::default() };
        let this = server.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (this, acceptor) = (this.clone(), acceptor.clone());
                tokio::spawn(async move {
                    if let Ok(mut stream) = acceptor.accept(socket).await {
                        let _ = this.serve(&mut stream).await;
                    }
                });
            }
        });
        server
    }

    /// An address of it at a port, that of a cable.
    pub fn at(&self, port: u16, path: &str) -> String {
        format!("https://127.0.0.1:{port}{path}")
    }

    /// An address of it.
    pub fn url(&self, path: &str) -> String {
        self.at(self.port, path)
    }

    /// What it does with the next calls; then it answers 200.
    pub fn will(&self, acts: &[ServerAct]) {
        self.state.lock().unwrap().acts.extend(acts.iter().cloned());
    }

    /// What it does with every call from now on; none for 200.
    pub fn always(&self, act: Option<ServerAct>) {
        self.state.lock().unwrap().always = act;
    }

    /// From now on it says nothing to what is posted there.
    pub fn is_silent_at(&self, path: &str) {
        self.state.lock().unwrap().silent = Some(path.to_owned());
    }

    /// From now on only who shows this is let in.
    pub fn opens_to(&self, shown: &str) {
        self.state.lock().unwrap().opens = Some(shown.to_owned());
    }

    /// The documents that it took, whether it answered or not.
    pub fn kept(&self) -> Vec<GotRequest> {
        let state = self.state.lock().unwrap();
        state.kept.iter().map(|place| state.got[*place].clone()).collect()
    }

    /// Only who shows this is given a token, and only a token opens.
    pub fn asks_for_tokens_of(&self, client: &str) {
        self.state.lock().unwrap().client = Some(client.to_owned());
    }

    /// What it says to clients that it gives no token.
    pub fn refuses_clients_with(&self, said: &'static str) {
        let mut state = self.state.lock().unwrap();
        (state.refusal, state.client) = (Some(said), Some("nobody".to_owned()));
        state.gives = None;
    }

    /// From now on it gives every client this token.
    pub fn gives(&self, token: &'static str) {
        let mut state = self.state.lock().unwrap();
        (state.gives, state.client) = (Some(token), None);
    }

    /// From now on it refuses the tokens that it gave.
    pub fn forgets_tokens(&self) {
        let mut state = self.state.lock().unwrap();
        state.forgotten = state.tokens;
    }

    /// The documents that came, and what else was posted.
    pub fn got(&self) -> Vec<GotRequest> {
        let state = self.state.lock().unwrap();
        state.got.iter().filter(|got| got.path != TOKENS).cloned().collect()
    }

    /// The questions for tokens.
    pub fn asked(&self) -> Vec<GotRequest> {
        let state = self.state.lock().unwrap();
        state.got.iter().filter(|got| got.path == TOKENS).cloned().collect()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    async fn serve(&self, stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> Result<(), Error> {
        self.state.lock().unwrap().connections += 1;
        loop {
            let got = read(stream).await?;
            let act = self.take(got);
            let (status, headers, body) = match act {
                ServerAct::Answer(status, headers, body) => {
                    (status, headers.to_owned(), body.to_owned())
                }
                ServerAct::Close => return Ok(()),
                ServerAct::Silent => {
                    tokio::time::sleep(PATIENCE).await;
                    return Ok(());
                }
                ServerAct::Slow(pause) => {
                    tokio::time::sleep(pause).await;
                    (200, String::new(), String::new())
                }
            };
            let head =
                format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(body.as_bytes()).await?;
            stream.flush().await?;
        }
    }

    /// Keeps a call, and says what becomes of it.
    fn take(&self, got: GotRequest) -> ServerAct {
        let mut state = self.state.lock().unwrap();
        let (path, shown) = (got.path.clone(), got.header("authorization").to_owned());
        let shown_in_body = String::from_utf8_lossy(&got.body).into_owned();
        state.got.push(got);
        if path == TOKENS {
            let client = state.client.clone().unwrap_or_default();
            if state.gives.is_none() && shown != client && !shown_in_body.ends_with(&client) {
                let usual = r#"{"error":"invalid_client"}"#;
                return ServerAct::Answer(401, "", state.refusal.unwrap_or(usual));
            }
            state.tokens += 1;
            let token = ["t1", "t2", "t3", "t4"][state.tokens.min(4) - 1];
            let token = state.gives.unwrap_or(token);
            let body =
                format!(r#"{{"access_token":"{token}","token_type":"Bearer","expires_in":3600}}"#);
            return ServerAct::Answer(200, "content-type: application/json\r\n", body.leak());
        }
        if state.client.is_some() {
            let given = shown.strip_prefix("Bearer t").and_then(|number| number.parse().ok());
            let number: usize = given.unwrap_or(0);
            if number <= state.forgotten || number > state.tokens {
                return ServerAct::Answer(401, "www-authenticate: Bearer\r\n", "");
            }
        }
        if state.opens.as_ref().is_some_and(|opens| *opens != shown) {
            return ServerAct::Answer(401, "", "");
        }
        if state.silent.as_ref() == Some(&path) {
            return ServerAct::Silent;
        }
        let usual = state.always.clone().unwrap_or(ServerAct::Answer(200, "", ""));
        let act = state.acts.pop_front().unwrap_or(usual);
        if !matches!(act, ServerAct::Answer(300.., ..)) {
            let place = state.got.len() - 1;
            state.kept.push(place);
        }
        act
    }
}

/// One whole request.
async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<GotRequest, Error> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > HEAD {
            return Err(ErrorKind::InvalidData.into());
        }
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await?;
    let (method, path) = (method.to_owned(), path.to_owned());
    Ok(GotRequest { method, path, headers, body })
}
