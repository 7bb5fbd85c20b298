//! What is outside of the service, in a process of its own, so that its work is not counted: the
//! customer who uploads, a web server that takes what is posted, and a mail server that takes what
//! is mailed. Both keep nothing of it. The web server answers as procurement networks do.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use quoin_access_point::net::{Guard, HttpCall, HttpClient, HttpSettings};
use quoin_access_point::tls::server_tls;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

/// Which process this is: set to the path of a certificate and its key, without their endings.
const ROLE: &str = "QUOIN_BENCH_OUTSIDE";
/// Uploads in flight.
const UPLOADS: usize = 32;
/// What is asked beside a document, for the channels that convert it or hand it on.
const ASKED: &str = "allowLosses=*&sendInstruction=peppol";
/// Bytes of the head of a request.
const HEAD: u64 = 64 << 10;

/// The id of a document.
pub fn id_of(run: usize, number: usize) -> String {
    format!("00000000-0000-4{run:03}-8000-{number:012}")
}

/// A document: an invoice of 20 kB, whose parties have the numbers that DICO asks for.
pub fn invoice(number: usize) -> String {
    const NAME: &str = "<cac:PartyName>";
    let kind = quoin_formats::samples::SampleKind::Invoice;
    let number = format!("BENCH-{number}");
    let document = quoin_formats::samples::document(kind, SENDER, RECEIVER, &number, 16);
    let mut parts = document.splitn(3, NAME);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for (part, gln) in parts.zip(["8712345000004", "8712345000011"]) {
        whole.push_str("<cac:PartyIdentification><cbc:ID schemeID=\"0088\">");
        whole.push_str(gln);
        whole.push_str("</cbc:ID></cac:PartyIdentification>");
        whole.push_str(NAME);
        whole.push_str(part);
    }
    whole
}

/// The process outside, as the service's sees it.
pub struct Outside {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
    /// The port of its web server.
    pub port: u16,
    /// The port of its mail server.
    pub mail_port: u16,
}

impl Outside {
    /// Starts it with a certificate.
    pub fn start(certificate: &str) -> Outside {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.env(ROLE, certificate).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let mut answers = BufReader::new(child.stdout.take().expect("what it says"));
        let port = line(&mut answers).parse().expect("a port");
        let mail_port = line(&mut answers).parse().expect("a port");
        Outside { child, answers, port, mail_port }
    }

    /// Has documents uploaded, and waits until they are.
    pub fn upload(&mut self, api: &str, token: &str, run: usize, count: usize) {
        self.ask(&format!("upload {run} {count} {api} {token}"));
    }

    /// How many connections its servers took so far.
    pub fn connections(&mut self) -> usize {
        self.ask("connections").parse().expect("a number")
    }

    fn ask(&mut self, what: &str) -> String {
        let questions = self.child.stdin.as_mut().expect("its input");
        writeln!(questions, "{what}").expect("it listens");
        line(&mut self.answers)
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line(from: &mut impl BufRead) -> String {
    let mut line = String::new();
    from.read_line(&mut line).expect("a line");
    line.trim().to_owned()
}

/// Is the process outside where this one was started as it; else does nothing.
pub fn play() -> bool {
    let Ok(certificate) = std::env::var(ROLE) else { return false };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(serve(&certificate));
    true
}

async fn serve(certificate: &str) {
    let file = |ending: &str| std::fs::read(format!("{certificate}.{ending}")).expect("a file");
    let mut tls = (*server_tls(&file("pem"), &file("key")).expect("a certificate")).clone();
    tls.alpn_protocols.clear();
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    let connections = Arc::new(AtomicUsize::new(0));
    let mails = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", mails.local_addr().expect("an address").port());
    let counted = connections.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = mails.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(async move {
                let _ = take_mails(tokio::io::BufReader::new(socket)).await;
            });
        }
    });
    let counted = connections.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(socket).await {
                    let _ = take(tokio::io::BufReader::new(stream)).await;
                }
            });
        }
    });
    let (ask, mut questions) = tokio::sync::mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let asked = std::io::stdin().lines().map_while(Result::ok);
        asked.for_each(|question| ask.send(question).expect("somebody answers"));
    });
    while let Some(question) = questions.recv().await {
        let words: Vec<&str> = question.split(' ').collect();
        match words[..] {
            ["upload", run, count, api, token] => {
                let number = |text: &str| text.parse().expect("a number");
                send((api, token), number(run), number(count)).await;
                println!("uploaded");
            }
            _ => println!("{}", connections.load(Ordering::Relaxed)),
        }
    }
}

/// A session of SMTP (RFC 5321) with one mail after the other, each taken when it is whole.
async fn take_mails(
    mut stream: tokio::io::BufReader<tokio::net::TcpStream>,
) -> std::io::Result<()> {
    stream.write_all(b"220 bench ready\r\n").await?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        let answer: &[u8] = match verb.as_slice() {
            b"EHLO" => b"250-bench\r\n250 8BITMIME\r\n",
            b"QUIT" => b"221 bye\r\n",
            b"DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                while line != b".\r\n" {
                    line.clear();
                    if stream.read_until(b'\n', &mut line).await? == 0 {
                        return Ok(());
                    }
                }
                b"250 taken\r\n"
            }
            _ => b"250 fine\r\n",
        };
        stream.write_all(answer).await?;
    }
}

/// What a procurement network says to a message.
const TAKEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cXML payloadID=\"1@bench\" \
    timestamp=\"2026-01-01T00:00:00+00:00\"><Response><Status code=\"200\" text=\"OK\"/></Response>\
    </cXML>";

/// Takes requests and answers each with 200 as soon as it is there.
async fn take<S>(mut stream: tokio::io::BufReader<S>) -> std::io::Result<()>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    loop {
        let (mut length, mut said) = (0_u64, "");
        let mut head = (&mut stream).take(HEAD).lines();
        loop {
            let Some(line) = head.next_line().await? else { return Ok(()) };
            let line = line.to_ascii_lowercase();
            if line.starts_with("post /cxml ") {
                said = TAKEN;
            }
            if let Some(told) = line.strip_prefix("content-length:") {
                length = told.trim().parse().unwrap_or_default();
            }
            if line.is_empty() {
                break;
            }
        }
        tokio::io::copy(&mut (&mut stream).take(length), &mut tokio::io::sink()).await?;
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{said}", said.len());
        stream.write_all(answer.as_bytes()).await?;
        stream.flush().await?;
    }
}

async fn send((api, token): (&str, &str), run: usize, count: usize) {
    let http = HttpClient::new(&HttpSettings {
        guard: Guard { any_address: true, plain: true, ..Guard::default() },
        ..HttpSettings::default()
    });
    let http = http.expect("a client");
    let places = Arc::new(Semaphore::new(UPLOADS));
    let mut uploads = tokio::task::JoinSet::new();
    let shown = HeaderValue::from_str(&format!("Bearer {token}")).expect("a header");
    let url = format!("{api}/api/v1/{SENDER}/salesInvoice/send?channel=channel&{ASKED}");
    for number in 0..count {
        let place = places.clone().acquire_owned().await.expect("open");
        let (http, shown, url) = (http.clone(), shown.clone(), url.clone());
        uploads.spawn(async move {
            let id = HeaderValue::from_str(&id_of(run, number)).expect("a header");
            let call = HttpCall {
                method: Method::POST,
                headers: vec![
                    (AUTHORIZATION, shown),
                    (CONTENT_TYPE, HeaderValue::from_static("application/xml")),
                    (HeaderName::from_static("x-service-documentid"), id),
                ],
                body: Some(Bytes::from(invoice(number))),
                ..HttpCall::get(&url, Duration::from_secs(300), 1 << 20)
            };
            let answer = http.call(call).await.expect("an answer");
            assert_eq!(answer.status, 200, "{:?}", answer.body);
            drop(place);
        });
    }
    uploads.join_all().await;
}
