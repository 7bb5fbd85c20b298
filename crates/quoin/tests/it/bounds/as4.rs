//! The AS4 listener and the answers of other access points.

use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::metrics::Received;
use quoin_access_point::net::{HttpAnswer, HttpCall};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::TaskState;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{SOON, watched};
use crate::receiving::Scene;
use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};

const KIND: &str = "multipart/related; boundary=a";

fn delimiters(bytes: usize) -> Vec<u8> {
    format!("x{}", "--a".repeat(bytes / 3)).into_bytes()
}

async fn post(play: &Play, kind: &str, body: impl Into<Bytes>) -> HttpAnswer {
    let url = format!("{}/as4", play.two.as4.as_ref().unwrap().url());
    let kind = kind.parse().unwrap();
    let call = HttpCall {
        method: Method::POST,
        headers: vec![(CONTENT_TYPE, kind)],
        body: Some(body.into()),
        ..HttpCall::get(&url, Duration::from_secs(30), 1 << 20)
    };
    play.stage.around.client().unwrap().call(call).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a1_two_posts_of_delimiters_stop_nobody() {
    let play = Play::begin().await;
    let begun = Instant::now();
    let posts = async {
        let one = || post(&play, KIND, delimiters(1 << 20));
        tokio::join!(one(), one())
    };
    let ((one, two), longest) = watched(play.receiver().await, posts).await;
    for answer in [one, two] {
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(answer.status == 200 && text.contains("EBMS:0007"), "{}: {text}", answer.status);
    }
    assert!(begun.elapsed() < SOON && longest < SOON, "{:?}, {longest:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a2_an_answer_of_delimiters_stops_no_sender() {
    let stage = Stage::set().await;
    // The largest answer that is read at all; a larger one is refused while it comes.
    let acts = [120 << 10, 1 << 20].map(|size| Act::Answer(KIND.to_owned(), delimiters(size)));
    let gate = Gate::open(&stage, &stage.two.as4_url, &acts).await;
    let url = gate.url.clone();
    let play = stage.play_with(|one, two| {
        one.retry.delivery_seconds = vec![0.1; 7];
        two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), url);
    });
    let play = play.await;
    let sent = async {
        let id = play.send("A2").await;
        play.ending(&id).await
    };
    let (ending, longest) = watched(play.sender().await, sent).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "the third attempt is answered well");
    assert!(longest < SOON, "{longest:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a3_a_list_of_prefixes_costs_nothing_before_the_certificate_is_judged() {
    let play = Play::begin().await;
    let prefixes: String = (0..20_000).map(|at| format!("p{at} ")).collect();
    let ds = "http://www.w3.org/2000/09/xmldsig#";
    let exc = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let envelope = format!(
        "<S:Envelope xmlns:S='http://www.w3.org/2003/05/soap-envelope' \
         xmlns:eb='http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/'><S:Header>\
         <eb:Messaging S:mustUnderstand='true'><eb:UserMessage/></eb:Messaging>\
         <w:Security xmlns:w='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-\
         secext-1.0.xsd'><ds:Signature xmlns:ds='{ds}'><ds:SignedInfo><ds:CanonicalizationMethod \
         Algorithm='{exc}'><ec:InclusiveNamespaces xmlns:ec='{exc}' PrefixList='{prefixes}'/>\
         </ds:CanonicalizationMethod>{}</ds:SignedInfo></ds:Signature></w:Security></S:Header>\
         <S:Body/></S:Envelope>",
        "<ds:Reference/>".repeat(8_000)
    );
    let begun = Instant::now();
    let answer = post(&play, "application/soap+xml", envelope).await;
    assert_eq!(answer.status, 200, "an error signal");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

/// A request that says that it has more than it sends.
async fn withheld(play: &Play, body: Bytes, declared: usize) -> tokio::net::TcpStream {
    let address = play.two.as4.as_ref().unwrap().address;
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /as4 HTTP/1.1\r\nhost: x\r\ncontent-type: {KIND}\r\ncontent-length: {declared}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // Where there is no room the listener answers before it has all.
    let _ = stream.write_all(&body).await;
    stream
}

/// An invoice with a file of 8 MB that cannot be compressed, so that its message is large.
fn noisy(number: &str) -> String {
    let kind = quoin_formats::samples::SampleKind::Invoice;
    let large = quoin_formats::samples::document(kind, SENDER, RECEIVER, number, 3);
    let mut noise = vec![0; 6 << 20];
    aws_lc_rs::rand::fill(&mut noise).unwrap();
    let noise = quoin_xml::base64::encode(&noise);
    let attachment = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"a.pdf\">{noise}\
         </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>\
         <cac:AccountingSupplierParty>"
    );
    large.replacen("<cac:AccountingSupplierParty>", &attachment, 1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a5_strangers_hold_no_more_than_their_part_of_the_memory() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|_, two| {
            two.limits.memory_megabytes = 64;
            // Plain, so that what is sent is what is counted.
            (two.listen.as4.certificate_file, two.listen.as4.key_file) = (None, None);
        })
        .await;
    let bytes = &play.two.parts.budgets.bytes;
    // A SOAP part that never ends, from many connections.
    let body = Bytes::from([b"--a\r\n\r\n<S:Envelope>".to_vec(), vec![b' '; 3 << 20]].concat());
    let mut held = Vec::new();
    for _ in 0..40 {
        held.push(withheld(&play, body.clone(), 60 << 20).await);
        assert!(bytes.used() <= bytes.total() / 4 + (1 << 20), "{} bytes", bytes.used());
    }
    // A small message finds room all the same: what strangers hold is not all there is.
    let answer = play.receiver().await.get("/health/live").await;
    assert_eq!(answer.status, 200);
    let mut said = Vec::new();
    for mut stream in held {
        let mut answer = vec![0; 2048];
        let read = tokio::time::timeout(SOON, stream.read(&mut answer)).await;
        if let Ok(Ok(read @ 1..)) = read {
            said.push(String::from_utf8_lossy(&answer[..read]).into_owned());
        }
    }
    let later = said.iter().filter(|text| text.contains(" 503 ") && text.contains("retry-after"));
    let refused = said.iter().filter(|text| text.contains("EBMS:0007"));
    assert!(later.count() + refused.count() > 0, "{said:#?}");
    until("everything is given back", async || (bytes.used() == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a5_a_large_honest_message_lies_on_the_disk_while_it_arrives() {
    let play = Play::begin().await;
    let large = noisy("LARGE-1");
    let id = play.send_document(large).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{}", ending.text("message"));
    let budgets = &play.two.parts.budgets;
    assert!(budgets.spool.used() == 0, "given back");
    let spooled = budgets.all().iter().map(|meter| meter.read()).find(|it| it.name == "spool");
    assert_eq!(spooled.unwrap().granted, 1, "it was on the disk");
}

/// A folder that came back from a backup with another owner: here, a file in its place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_kept_while_it_arrives_is_put_off_and_counted() {
    let play = Play::begin().await;
    let broken = |spool: &std::path::Path| {
        let _ = std::fs::remove_dir_all(spool);
        std::fs::write(spool, "no folder").unwrap();
    };
    let spool = play.two.parts.config.data_dir.join("spool");
    broken(&spool);
    let id = play.send_document(noisy("LARGE-2")).await;
    let came = &play.two.parts.metrics.as4_received;
    until("it is counted", async || (came.of(Received::Failed) > 0).then_some(())).await;
    std::fs::remove_file(&spool).unwrap();
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{}", ending.text("message"));
    // What is judged at once, and would lie on the disk.
    let spool = play.one.parts.config.data_dir.join("spool");
    broken(&spool);
    let sender = play.sender().await;
    let headers = [("content-type", "application/xml")];
    let post = async || {
        let path = "/api/v1/generic/validate";
        sender.call(Method::POST, path, &headers, Some(noisy("LARGE-3"))).await.unwrap()
    };
    let refused = post().await;
    refused.is_problem(503, "API503", "cannot be reached");
    assert!(refused.headers.contains_key("retry-after"));
    std::fs::remove_file(&spool).unwrap();
    assert_eq!(post().await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b2_one_silent_destination_delays_nobody_else() {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.two.as4_url, &vec![Act::Hang; 200]).await;
    let url = gate.url.clone();
    let play = stage
        .play_with(|_, two| {
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), url);
        })
        .await;
    for number in 0..60 {
        play.send(&format!("SILENT-{number}")).await;
    }
    until("some hang", async || (gate.gate.seen().len() >= 3).then_some(())).await;
    let begun = Instant::now();
    // To the provider itself, which is at the same access point by its own address.
    let back = quoin_formats::samples::invoice(RECEIVER, SENDER, "BACK");
    let caller = play.receiver().await;
    let id = uuid::Uuid::new_v4().to_string();
    assert_eq!(caller.send(RECEIVER, &id, back).await.status, 200);
    let ending = play.told(&id, &["InvoiceSent", "InvoiceSentError"]).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{}", ending.text("message"));
    // It arrived at the service whose workers all wait for the silent one.
    let told = play
        .stage
        .around
        .sink
        .wait_for(Duration::from_secs(20), |told| told.text("topic") == "InvoiceReceived");
    assert!(told.await.is_some(), "arrivals have a lane of their own");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert!(gate.gate.seen().len() <= 3, "three of one organisation knock at one host at a time");
    // The others wait in the lane of that host, of which the first one is looked at again.
    let store = &play.one.parts.store;
    until("the others wait for their turn", async || {
        let queue = store.queue(play.stage.clock.now()).await.unwrap();
        let waiting = queue.iter().filter(|one| one.state == TaskState::Waiting);
        let waiting: u64 = waiting.map(|one| one.count).sum();
        (waiting >= 60 - 3 - 8).then_some(())
    })
    .await;
    let before = store.work_done();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let spent = store.work_done().since(&before);
    // At most a look or two in each second, of some statements each.
    assert!(spent.statements < 5 * 2 * 20, "{spent:?}: who waits costs little");
}

/// However small it comes, what grows large is opened with the large ones: small messages do not
/// wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_grows_large_is_opened_with_the_large_ones() {
    let scene = Scene::set().await;
    let opened_with_large = || {
        let meters = scene.two.parts.budgets.all();
        let mut readings = meters.iter().map(|meter| meter.read());
        readings.find(|reading| reading.name == "as4_large").unwrap().granted
    };
    for (size, of_large) in [(1 << 20, 0), (6 << 20, 1)] {
        let mut draft = scene.forger.draft("GROWS");
        let end = draft.payload.windows(2).rposition(|two| two == b"</").unwrap();
        draft.payload.splice(end..end, vec![b' '; size]);
        assert!(scene.forger.seal(&draft).http.body.len() < 256 << 10, "it comes small");
        scene.deliver(&draft).await;
        assert_eq!(opened_with_large(), of_large, "{size} bytes");
    }
}
