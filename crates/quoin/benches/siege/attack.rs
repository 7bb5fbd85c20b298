//! The attackers. Each is a loop that knows when the siege is over, with a pause in it, against
//! addresses of this machine only.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use quoin_access_point::net::{HttpCall, client_tls};
use quoin_testing::files::nested_pdf;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use rustls::pki_types::ServerName;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;

use super::caller::Caller;
use super::honest::caller;
use super::{SILENT, Scene};

/// The issuer that never answers.
pub(super) const ISSUER: &str = "https://silent.example.org";
/// Connections that say nothing, at each listener.
const IDLE: usize = 300;
/// Bodies that trickle, at each listener.
const SLOW: usize = 40;
/// Lines of a huge valid document: about 20 MB.
const LINES: usize = 16_000;
/// How long an attacker waits for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Begins everything.
pub(super) async fn begin(scene: &Arc<Scene>) -> Vec<JoinHandle<()>> {
    let hog = caller(scene, &scene.hog).await;
    let (api, as4) = (scene.api.clone(), scene.as4.clone());
    let as4_root = as4.trim_end_matches("/as4").to_owned();
    let mut tls = client_tls(&[scene.around.pki.tls.der().to_vec().into()]).expect("roots");
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let connector = TlsConnector::from(Arc::new(tls));
    let mut all = Vec::new();
    for at in [&api, &as4_root] {
        for number in 0..IDLE {
            all.push(spawn(scene, Duration::from_secs(2), idle(at.clone(), number)));
        }
        for _ in 0..SLOW {
            all.push(spawn(
                scene,
                Duration::from_millis(500),
                slow(connector.clone(), at.clone(), hog.clone()),
            ));
        }
    }
    let delimiters: Bytes = format!("x{}", "--a".repeat(340_000)).into();
    for _ in 0..2 {
        all.push(spawn(scene, ms(100), post(hog.clone(), as4.clone(), delimiters.clone())));
    }
    let endless: Bytes =
        [b"--a\r\n\r\n<S:Envelope>".to_vec(), vec![b' '; 60 << 20]].concat().into();
    for _ in 0..4 {
        all.push(spawn(scene, ms(200), post(hog.clone(), as4.clone(), endless.clone())));
    }
    all.push(spawn(scene, ms(50), post(hog.clone(), as4, forged())));
    all.push(spawn(scene, ms(1_000), validate(hog.clone(), nested_pdf(100 << 20, 1_000).into())));
    let strange = format!("{}<z/>", "<z/>".repeat(1_500_000));
    let strange =
        quoin_formats::samples::INVOICE.replacen("<cac:Inv", &format!("{strange}<cac:Inv"), 1);
    all.push(spawn(scene, ms(2_000), validate(hog.clone(), strange.into())));
    all.push(spawn(scene, ms(20), stranger(hog.clone())));
    all.push(spawn(scene, ms(250), to_the_silent(scene.clone(), hog.clone())));
    all.push(spawn(scene, ms(3_000), huge(scene.clone(), hog)));
    all
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Does something again and again until the siege is over.
fn spawn<F, Fut>(scene: &Arc<Scene>, pause: Duration, mut work: F) -> JoinHandle<()>
where
    F: FnMut() -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send,
{
    let scene = scene.clone();
    tokio::spawn(async move {
        while !scene.is_over() {
            work().await;
            tokio::time::sleep(pause).await;
        }
    })
}

fn authority(url: &str) -> String {
    url.split("//").nth(1).unwrap_or_default().split('/').next().unwrap_or_default().to_owned()
}

/// A connection that says nothing, half of a TLS greeting, or half of another protocol.
fn idle(url: String, number: usize) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    move || {
        let url = url.clone();
        Box::pin(async move {
            let Ok(mut stream) = TcpStream::connect(authority(&url)).await else { return };
            let said: &[u8] = [&b""[..], b"\x16\x03\x01\x00", b"PRI * HT"][number % 3];
            let _ = stream.write_all(said).await;
            let mut end = [0; 16];
            let read = tokio::io::AsyncReadExt::read(&mut stream, &mut end);
            let _ = tokio::time::timeout(PATIENCE, read).await;
        })
    }
}

/// A body that comes a byte at a time, with a token that is good.
fn slow(
    connector: TlsConnector,
    url: String,
    hog: Caller,
) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    move || {
        let (connector, url, hog) = (connector.clone(), url.clone(), hog.clone());
        Box::pin(async move {
            let Ok(stream) = TcpStream::connect(authority(&url)).await else { return };
            let Ok(name) = ServerName::try_from("127.0.0.1") else { return };
            let Ok(mut stream) = connector.connect(name, stream).await else { return };
            let token = hog.token.to_str().unwrap_or_default();
            let path = if url.ends_with("as4") { "/as4" } else { "/api/v1/generic/validate" };
            let head = format!(
                "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\ncontent-type: \
                 application/xml\r\ntransfer-encoding: chunked\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes()).await;
            for _ in 0..60 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if stream.write_all(b"1\r\n<\r\n").await.is_err() {
                    return;
                }
                let _ = stream.flush().await;
            }
        })
    }
}

/// A message to the AS4 listener that is refused, one way or another.
fn post(
    hog: Caller,
    url: String,
    body: Bytes,
) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    move || {
        let (hog, url, body) = (hog.clone(), url.clone(), body.clone());
        Box::pin(async move {
            let kind = HeaderValue::from_static("multipart/related; boundary=a");
            let call = HttpCall {
                method: Method::POST,
                headers: vec![(CONTENT_TYPE, kind)],
                body: Some(body),
                ..HttpCall::get(&url, PATIENCE, 1 << 20)
            };
            let _ = hog.http.call(call).await;
        })
    }
}

/// An envelope with a list of prefixes, as long as an envelope may be.
fn forged() -> Bytes {
    let ds = "http://www.w3.org/2000/09/xmldsig#";
    let exc = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let prefixes: String = (0..40_000).map(|at| format!("p{at} ")).collect();
    format!(
        "--a\r\n\r\n<S:Envelope xmlns:S='http://www.w3.org/2003/05/soap-envelope'><S:Header>\
         <w:Security xmlns:w='urn:w'><ds:Signature xmlns:ds='{ds}'><ds:SignedInfo>\
         <ds:CanonicalizationMethod Algorithm='{exc}'><ec:InclusiveNamespaces xmlns:ec='{exc}' \
         PrefixList='{prefixes}'/></ds:CanonicalizationMethod>{}</ds:SignedInfo></ds:Signature>\
         </w:Security></S:Header><S:Body/></S:Envelope>\r\n--a--",
        "<ds:Reference/>".repeat(8_000)
    )
    .into()
}

fn validate(hog: Caller, body: Bytes) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    move || {
        let (hog, body) = (hog.clone(), body.clone());
        Box::pin(async move {
            let url = format!("{}/api/v1/generic/validate", hog.base);
            let kind = HeaderValue::from_static("application/octet-stream");
            let call = HttpCall {
                method: Method::POST,
                headers: vec![(AUTHORIZATION, hog.token.clone()), (CONTENT_TYPE, kind)],
                body: Some(body),
                ..HttpCall::get(&url, PATIENCE, 8 << 20)
            };
            let _ = hog.http.call(call).await;
        })
    }
}

/// A token of the silent issuer, with a key that nobody knows.
fn stranger(hog: Caller) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    let part = |text: String| BASE64URL_NOPAD.encode(text.as_bytes());
    let header = part("{\"alg\":\"RS256\",\"kid\":\"unknown\"}".to_owned());
    let claims = part(format!("{{\"iss\":\"{ISSUER}\",\"aud\":\"quoin\",\"exp\":9999999999}}"));
    let token = HeaderValue::from_str(&format!("Bearer {header}.{claims}.AAAA"));
    let token = token.unwrap_or(HeaderValue::from_static("Bearer a.b.c"));
    move || {
        let (hog, token) = (hog.clone(), token.clone());
        Box::pin(async move {
            let url = format!("{}/api/v1/me", hog.base);
            let headers = vec![(AUTHORIZATION, token)];
            let call = HttpCall { headers, ..HttpCall::get(&url, PATIENCE, 1 << 20) };
            let _ = hog.http.call(call).await;
        })
    }
}

/// A document to the participant whose access point never answers.
fn to_the_silent(
    scene: Arc<Scene>,
    hog: Caller,
) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    move || {
        let (scene, hog) = (scene.clone(), hog.clone());
        Box::pin(async move {
            let sender = &scene.hog.participants[0];
            let invoice = quoin_formats::samples::invoice(sender, SILENT, "SILENT");
            let id = uuid::Uuid::new_v4().to_string();
            let _ = hog.upload(sender, &id, invoice, PATIENCE).await;
        })
    }
}

/// A document of 20 MB that keeps every rule.
fn huge(scene: Arc<Scene>, hog: Caller) -> impl FnMut() -> futures::future::BoxFuture<'static, ()> {
    let sender = scene.hog.participants[0].clone();
    let receiver = scene.receiver.participants[0].clone();
    let kind = quoin_formats::samples::SampleKind::Invoice;
    let invoice = quoin_formats::samples::document(kind, &sender, &receiver, "HUGE", LINES);
    let invoice = Bytes::from(invoice);
    println!("the huge document has {} MB", invoice.len() / 1_000_000);
    move || {
        let (sender, hog, invoice) = (sender.clone(), hog.clone(), invoice.clone());
        Box::pin(async move {
            let id = uuid::Uuid::new_v4().to_string();
            let _ = hog.upload(&sender, &id, invoice, PATIENCE).await;
        })
    }
}
