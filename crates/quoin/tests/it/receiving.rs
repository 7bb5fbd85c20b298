//! Corner 3's door, spoken to over HTTPS by another access point that does not always behave. The
//! names carry the rows of the AS4 checklist.

use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt};
use jiff::SignedDuration;
use quoin_access_point::config::Config;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::as4::{
    As4Answer, HttpMessage, PING_ACTION, PING_SERVICE, SealedMessage, UserMessage, read_answer,
};
use quoin_peppol::pki::CertificateRole;
use quoin_server::start::Running;
use quoin_store::TransactionRecord;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use uuid::Uuid;

use crate::stage::forger::{Draft, Forger, damaged, edited, is_error};
use crate::stage::{PATIENCE, Stage, arrived, unpublish};

/// Corner 3 with another access point that calls it.
pub struct Scene {
    pub stage: Stage,
    pub two: Running,
    pub forger: Forger,
}

impl Scene {
    pub async fn set() -> Scene {
        Scene::on(Stage::set().await, |_| ()).await
    }

    /// The same with a configuration that differs.
    pub async fn on(stage: Stage, differ: impl FnOnce(&mut Config)) -> Scene {
        let mut config = stage.config_two();
        differ(&mut config);
        let two = stage.start(config).await;
        let forger = Forger::new(&stage);
        // What is needed to judge the signer of the answers.
        two.parts.trust.prepare(forger.receiver(), CertificateRole::AccessPoint).await;
        Scene { stage, two, forger }
    }

    pub async fn deliver(&self, draft: &Draft) {
        self.forger.deliver(draft, &self.two.parts.trust).await;
    }

    /// The message is refused with this code and a word that tells the cause, and is not there.
    pub async fn refuses(&self, sent: &SealedMessage, code: &str, word: &str) {
        let before = self.arrived().await.len();
        is_error(&self.forger.refused(sent, &self.two.parts.trust).await, code, word);
        assert_eq!(self.arrived().await.len(), before, "a refused message was stored");
    }

    pub async fn arrived(&self) -> Vec<TransactionRecord> {
        arrived(&self.two, &self.stage.receiver).await
    }

    /// A sealed message that is not damaged yet.
    fn sealed(&self) -> SealedMessage {
        self.forger.seal(&self.forger.draft("TAMPERED"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b_07_a_tampered_header_is_refused() {
    let scene = Scene::set().await;
    let sent = scene.sealed();
    for (from, to) in [
        (SENDER, "0106:12345679"),
        (RECEIVER, "0106:87654320"),
        ("poacc:billing:01:1.0", "poacc:billing:01:1.1"),
    ] {
        scene.refuses(&edited(&sent, from, to), "EBMS:0101", "digest").await;
    }
    scene.deliver(&scene.forger.draft("WHOLE")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b_07_a_tampered_body_is_refused() {
    let scene = Scene::set().await;
    let sent = scene.sealed();
    let changed = edited(&sent, "</S12:Body>", " </S12:Body>");
    scene.refuses(&changed, "EBMS:0101", "digest").await;
    let filled = edited(&sent, "</S12:Body>", "<x/></S12:Body>");
    scene.refuses(&filled, "EBMS:0010", "body").await;
    let unnamed = edited(&sent, "<S12:Body ", "<S12:Body Id=\"other\" ");
    scene.refuses(&unnamed, "EBMS:0101", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_11_a_tampered_attachment_is_refused_without_saying_why() {
    let scene = Scene::set().await;
    let sent = scene.sealed();
    scene.refuses(&damaged(&sent), "EBMS:0102", "decrypt").await;
    // The attachment of another message, encrypted to the same receiver.
    let other = scene.sealed();
    let split = |sent: &SealedMessage| {
        let body = &sent.http.body;
        let at = body.windows(9).rposition(|bytes| bytes == b"Envelope>").unwrap();
        let start = at + body[at..].windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
        (body[..start].to_vec(), body[start..].to_vec())
    };
    let mut swapped = sent.clone();
    let boundary = |sent: &SealedMessage| {
        let rest = sent.http.content_type.split_once("boundary=\"").unwrap().1;
        rest.split_once('"').unwrap().0.to_owned()
    };
    let tail = split(&other).1;
    let tail = &tail[..tail.len() - boundary(&other).len() - 8];
    let mut body = split(&sent).0;
    body.extend_from_slice(tail);
    body.extend_from_slice(format!("\r\n--{}--\r\n", boundary(&sent)).as_bytes());
    swapped.http.body = body;
    scene.refuses(&swapped, "EBMS:0102", "decrypt").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b_12_a_gzip_bomb_is_refused() {
    let scene = Scene::set().await;
    let mut draft = scene.forger.draft("BOMB");
    draft.payload = vec![b' '; (256 << 20) + 1];
    let sent = scene.forger.seal(&draft);
    assert!(sent.http.body.len() < 3 << 20, "{} bytes on the wire", sent.http.body.len());
    scene.refuses(&sent, "EBMS:0303", "grows beyond").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b_12_a_document_type_declaration_is_refused() {
    let scene = Scene::set().await;
    let sent = scene.sealed();
    let dtd = "<!DOCTYPE e [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><S12:Envelope ";
    scene.refuses(&edited(&sent, "<S12:Envelope ", dtd), "EBMS:0009", "DOCTYPE").await;
    let mut draft = scene.forger.draft("DTD");
    let text = String::from_utf8(draft.payload).unwrap();
    draft.payload = text.replacen("?>", "?><!DOCTYPE x [<!ENTITY y \"z\">]>", 1).into_bytes();
    scene.refuses(&scene.forger.seal(&draft), "EBMS:0004", "DOCTYPE").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b_06_an_unsigned_message_is_refused() {
    let scene = Scene::set().await;
    let sent = scene.sealed();
    let body = String::from_utf8_lossy(&sent.http.body).into_owned();
    let cut = |open: &str, close: &str| {
        let from = body.find(open).unwrap();
        let to = body.find(close).unwrap() + close.len();
        body[from..to].to_owned()
    };
    let unsigned = edited(&sent, &cut("<ds:Signature ", "</ds:Signature>"), "");
    scene.refuses(&unsigned, "EBMS:0103", "not signed").await;
    let bare = edited(&sent, &cut("<wsse:Security ", "</wsse:Security>"), "");
    scene.refuses(&bare, "EBMS:0103", "not signed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b_10_the_signer_is_who_the_header_says_and_we_are_the_addressee() {
    let scene = Scene::set().await;
    let mut draft = scene.forger.draft("FROM");
    draft.message.from = "POP000009".to_owned();
    scene.refuses(&scene.forger.seal(&draft), "EBMS:0101", "POP000009").await;
    let mut draft = scene.forger.draft("TO");
    draft.message.to = "POP000009".to_owned();
    let sent = scene.forger.seal(&draft);
    scene.refuses(&sent, "EBMS:0004", "POP000009").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_19_a_ping_is_answered_and_not_delivered() {
    let scene = Scene::set().await;
    let mut draft = scene.forger.draft("PING");
    let message = UserMessage {
        service: PING_SERVICE.to_owned(),
        service_type: String::new(),
        action: PING_ACTION.to_owned(),
        ..draft.message
    };
    draft = Draft { message, payload: b"ping".to_vec() };
    scene.deliver(&draft).await;
    assert!(scene.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn c_05_a_repeated_message_id_gets_a_receipt_and_is_delivered_once() {
    let scene = Scene::set().await;
    let draft = scene.forger.draft("TWICE");
    let sent = scene.forger.seal(&draft);
    for _ in 0..3 {
        let answer = scene.forger.exchange(&sent, &scene.two.parts.trust).await;
        assert!(matches!(answer, Ok(As4Answer::Receipt { .. })), "{answer:?}");
    }
    // Sealed anew under the same id, as a sender does that kept nothing but the id.
    scene.deliver(&draft).await;
    assert_eq!(scene.arrived().await.len(), 1);
    // The id of a message that was taken cannot carry another document.
    let mut other = scene.forger.draft("OTHER");
    other.message.message_id = draft.message.message_id.clone();
    scene.refuses(&scene.forger.seal(&other), "EBMS:0003", "another document").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_05_a_repeat_does_not_bring_back_what_was_deleted() {
    let scene = Scene::set().await;
    let draft = scene.forger.draft("DELETED");
    scene.deliver(&draft).await;
    let document = scene.arrived().await.remove(0).transaction.document_id;
    let own = scene.stage.receiver.organisation.parse().unwrap();
    let now = scene.stage.clock.now();
    scene.two.parts.store.delete_incoming(&own, &document, now).await.unwrap();
    scene.deliver(&draft).await;
    assert!(scene.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn c_05_a_repeat_after_the_registration_ended_gets_its_receipt() {
    let scene = Scene::set().await;
    let draft = scene.forger.draft("LEFT");
    let sent = scene.forger.seal(&draft);
    scene.deliver(&draft).await;
    unpublish(&scene.two, &scene.stage.receiver.organisation.parse().unwrap(), RECEIVER).await;
    let answer = scene.forger.exchange(&sent, &scene.two.parts.trust).await;
    assert!(matches!(answer, Ok(As4Answer::Receipt { .. })), "{answer:?}");
    assert_eq!(scene.arrived().await.len(), 1);
    let mut other = scene.forger.draft("OTHER");
    other.message.message_id = draft.message.message_id.clone();
    scene.refuses(&scene.forger.seal(&other), "EBMS:0004", "PEPPOL:NOT_SERVICED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_05_repeats_at_the_same_moment_are_delivered_once() {
    let scene = Scene::set().await;
    let sent = scene.forger.seal(&scene.forger.draft("AT-ONCE"));
    let repeats = (0..8).map(|_| scene.forger.exchange(&sent, &scene.two.parts.trust));
    for answer in futures::future::join_all(repeats).await {
        assert!(matches!(answer, Ok(As4Answer::Receipt { .. })), "{answer:?}");
    }
    assert_eq!(scene.arrived().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn c_06_a_repeated_envelope_id_under_a_new_message_id_is_delivered_once() {
    let scene = Scene::set().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "SAME-ENVELOPE");
    let instance = Uuid::new_v4().to_string();
    for _ in 0..2 {
        scene.deliver(&scene.forger.draft_of(&invoice, &instance)).await;
    }
    assert_eq!(scene.arrived().await.len(), 1);
    scene.deliver(&scene.forger.draft_of(&invoice, &Uuid::new_v4().to_string())).await;
    assert_eq!(scene.arrived().await.len(), 2, "another envelope is another document");
}

#[tokio::test(flavor = "multi_thread")]
async fn c_02_there_is_no_receipt_before_the_message_is_on_the_disk() {
    let scene = Scene::set().await;
    // Large documents go into files; where the folder should be there is a file.
    let kind = quoin_formats::samples::SampleKind::Invoice;
    let large = quoin_formats::samples::document(kind, SENDER, RECEIVER, "FULL-DISK", 400);
    let draft = scene.forger.draft_of(&large, &Uuid::new_v4().to_string());
    let sent = scene.forger.seal(&draft);
    let folder = scene.two.parts.config.data_dir.join("blobs");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "not a folder").unwrap();
    let answer = scene.forger.post(&sent.http).await;
    assert_eq!(answer.status, 503);
    assert!(answer.headers.contains_key(RETRY_AFTER));
    let kind = answer.headers[CONTENT_TYPE].to_str().unwrap();
    let read = read_answer(kind, &answer.body, &sent, scene.two.parts.trust.as_ref());
    let Ok(As4Answer::Errors(errors)) = &read else { panic!("{read:?}") };
    is_error(errors, "EBMS:0202", "again later");
    assert!(!errors[0].to_string().contains("blobs"), "internals are not told: {errors:?}");
    assert!(scene.arrived().await.is_empty());
    std::fs::remove_file(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    scene.deliver(&draft).await;
    assert_eq!(scene.arrived().await.len(), 1, "the repeat is taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn c_07_what_is_not_serviced_here_is_refused_before_a_receipt() {
    let scene = Scene::set().await;
    let invoice = quoin_formats::samples::invoice(SENDER, "0106:40440404", "NOT-HERE");
    let draft = scene.forger.draft_of(&invoice, &Uuid::new_v4().to_string());
    scene.refuses(&scene.forger.seal(&draft), "EBMS:0004", "PEPPOL:NOT_SERVICED").await;
    let own = scene.stage.receiver.organisation.parse().unwrap();
    unpublish(&scene.two, &own, RECEIVER).await;
    let sent = scene.forger.seal(&scene.forger.draft("NO-LONGER-HERE"));
    scene.refuses(&sent, "EBMS:0004", "PEPPOL:NOT_SERVICED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_12_clocks_may_differ() {
    let scene = Scene::set().await;
    for hours in [-24 * 6, -1, 1] {
        let mut draft = scene.forger.draft(&format!("CLOCK{hours}"));
        draft.message.timestamp += SignedDuration::from_hours(hours) / 12;
        scene.deliver(&draft).await;
    }
    assert_eq!(scene.arrived().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn d_13_a_message_without_a_proper_envelope_is_refused() {
    let scene = Scene::set().await;
    let bare = quoin_formats::samples::invoice(SENDER, RECEIVER, "BARE");
    let cases: [(&[u8], &str); 4] = [
        (bare.as_bytes(), "StandardBusinessDocument"),
        (b"", ""),
        (b"<not closed", ""),
        (b"\xff\xfe", ""),
    ];
    for (payload, word) in cases {
        let mut draft = scene.forger.draft("ENVELOPE");
        draft.payload = payload.to_vec();
        scene.refuses(&scene.forger.seal(&draft), "EBMS:0004", word).await;
    }
    let mut draft = scene.forger.draft("MISMATCH");
    draft.message.final_recipient = SENDER.to_owned();
    scene.refuses(&scene.forger.seal(&draft), "EBMS:0003", "finalRecipient").await;
}

/// Hands over a message in pieces, as a stream of unknown length.
async fn post_pieces<S>(scene: &Scene, content_type: &str, pieces: S) -> (u16, String, Bytes)
where
    S: Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static,
{
    let ca = quoin_access_point::net::extra_roots(&[scene.stage.folder.path().join("tls-ca.pem")]);
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(quoin_access_point::net::client_tls(&ca.unwrap()).unwrap())
        .no_proxy()
        .timeout(PATIENCE)
        .build()
        .unwrap();
    let request = client
        .post(&scene.stage.two.as4_url)
        .header(CONTENT_TYPE, content_type)
        .body(reqwest::Body::wrap_stream(pieces));
    let answer = request.send().await.unwrap();
    let kind = answer.headers().get(CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
    (answer.status().as_u16(), kind.unwrap_or_default(), answer.bytes().await.unwrap())
}

fn pieces(body: &[u8]) -> Vec<Result<Bytes, std::io::Error>> {
    body.chunks(1_000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_17_a_request_in_chunks_is_taken() {
    let scene = Scene::set().await;
    let sent = scene.forger.seal(&scene.forger.draft("CHUNKED"));
    let HttpMessage { content_type, body } = &sent.http;
    let whole = stream::iter(pieces(body));
    let (status, kind, answer) = post_pieces(&scene, content_type, whole).await;
    assert_eq!(status, 200);
    let read = read_answer(&kind, &answer, &sent, scene.two.parts.trust.as_ref());
    assert!(matches!(read, Ok(As4Answer::Receipt { .. })), "{read:?}");
    assert_eq!(scene.arrived().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_end_is_not_waited_for() {
    let scene =
        Scene::on(Stage::set().await, |config| config.limits.body_timeout_seconds = 1).await;
    let sent = scene.forger.seal(&scene.forger.draft("SLOW"));
    let HttpMessage { content_type, body } = &sent.http;
    let endless = stream::iter(pieces(&body[..2_000])).chain(stream::pending());
    let (status, _, answer) = post_pieces(&scene, content_type, endless).await;
    // Not 4xx: that would be final for the sender.
    assert_eq!(status, 503);
    assert!(String::from_utf8_lossy(&answer).contains("did not arrive within 1s"), "{answer:?}");
    assert!(scene.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn f_06_other_requests_are_answered_politely() {
    let scene = Scene::set().await;
    let http = scene.stage.around.client().unwrap();
    let get = quoin_access_point::net::HttpCall::get(
        &scene.stage.two.as4_url,
        Duration::from_secs(5),
        1000,
    );
    let answer = http.call(get).await.unwrap();
    assert_eq!(answer.status, 200);
    for (kind, body) in [
        ("text/plain", &b"hello"[..]),
        ("multipart/related", b"hello"),
        ("multipart/related; boundary=x", b"--x\r\n\r\n--x--\r\n"),
        ("application/soap+xml", b"<x/>"),
    ] {
        let message = HttpMessage { content_type: kind.to_owned(), body: body.to_vec() };
        let answer = scene.forger.post(&message).await;
        assert!(answer.status == 200 || answer.status == 415, "{kind}: {}", answer.status);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(text.contains("EBMS:0007") || text.contains("EBMS:0009"), "{kind}: {text}");
    }
    assert!(scene.arrived().await.is_empty());
}
