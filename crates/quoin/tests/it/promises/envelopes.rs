//! What a caller hands over is sent as it is: an envelope of its own (checklist D-15), a file that
//! is no XML, a hybrid without electronic addresses.

use std::io::Read;

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::sbdh::{self, CountryC1, Sbdh, Scope};
use quoin_store::{EvidenceKind, PublishedService, TransactionRecord};
use reqwest::Method;
use serde_json::Value;
use uuid::Uuid;

use crate::documents::{id, xml};
use crate::foreign::hybrid_pdf;
use crate::stage::caller::Answered;
use crate::stage::{Play, until};

const BIS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
                   urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const BILLING: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const FACTUR_X: &str = "busdox-docid-qns::urn:peppol:doctype:pdf+xml##urn:cen.eu:en16931:2017#\
                        conformant#urn:peppol:france:billing:Factur-X:1.0::D22B";
const REGULATED: &str = "cenbii-procid-ubl::urn:peppol:france:billing:regulated";

fn header(instance: &str) -> Sbdh {
    Sbdh {
        sender: SENDER.parse().unwrap(),
        receiver: RECEIVER.parse().unwrap(),
        document_type: BIS.parse().unwrap(),
        process: BILLING.parse().unwrap(),
        instance: instance.to_owned(),
        created: "2026-05-15T08:00:00Z".parse::<Timestamp>().unwrap(),
        country: CountryC1::new("NL").unwrap(),
        mls_to: None,
        mls_type: None,
        others: vec![Scope {
            key: "BUYER_DEPARTMENT".to_owned(),
            value: "7".to_owned(),
            scheme: None,
        }],
    }
}

/// An envelope as a caller writes one.
fn enveloped(instance: &str, number: &str) -> String {
    let invoice = samples::invoice(SENDER, RECEIVER, number);
    String::from_utf8(sbdh::wrap(&header(instance), invoice.as_bytes()).unwrap()).unwrap()
}

/// The one document that arrived, and what was in the message before it was encrypted.
async fn arrived(play: &Play) -> (TransactionRecord, Vec<u8>) {
    let record = until("a document", async || play.arrived().await.into_iter().next()).await;
    let store = &play.two.parts.store;
    let kept = store.evidence_of(&record.transaction.id).await.unwrap();
    let piece = kept.iter().find(|piece| piece.kind == EvidenceKind::Payload).unwrap();
    let owner = &record.transaction.organisation;
    let bytes = store.blob(owner, piece.blob).await.unwrap().unwrap();
    let mut inflated = Vec::new();
    match flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut inflated) {
        Ok(_) => (record, inflated),
        Err(_) => (record, bytes.to_vec()),
    }
}

async fn post(play: &Play, path: &str, kind: &str, body: impl Into<bytes::Bytes>) -> Answered {
    let caller = play.sender().await;
    let path = format!("/api/v1/{SENDER}/{path}");
    caller.call(Method::POST, &path, &[("content-type", kind)], Some(body)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn d_15_an_envelope_of_the_callers_own_is_sent_unchanged() {
    for path in ["salesInvoice/send", "generic/send"] {
        let play = Play::begin().await;
        let instance = "POP000887-7001-20261031T061702";
        let envelope = enveloped(instance, "D-15");
        let sent =
            id(&xml(&play.sender().await, &format!("/api/v1/{SENDER}/{path}"), envelope.clone())
                .await);
        assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
        let (record, payload) = arrived(&play).await;
        assert_eq!(String::from_utf8(payload).unwrap(), envelope, "{path}");
        assert_eq!(record.instance_id.as_deref(), Some(instance));
        assert_eq!(play.record(&sent).await.instance_id.as_deref(), Some(instance));
        // Its identifier is used up, whatever is in the next one, and told before it is taken.
        let again = post(&play, path, "application/xml", enveloped(instance, "D-15-B")).await;
        again.is_problem(400, "API400.Envelope", "InstanceIdentifier");
        // The same one again is told as a repeat, under the id of the first.
        let repeat = post(&play, path, "application/xml", envelope.clone()).await;
        repeat.is_problem(409, "API409", &sent);
        assert_eq!(repeat.json["sameContent"], true, "{:?}", repeat.json);
        let run =
            post(&play, "salesInvoice/sendDryRun", "application/xml", enveloped(instance, "X"))
                .await;
        assert_eq!(run.json["verdict"], "rejected", "{:?}", run.json);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d_15_an_envelope_is_found_behind_a_long_comment() {
    let play = Play::begin().await;
    let instance = Uuid::new_v4().to_string();
    let envelope = enveloped(&instance, "D-15-C");
    let start = envelope.find("<StandardBusinessDocument").unwrap();
    let (declaration, rest) = envelope.split_at(start);
    let envelope = format!("{declaration}<!-- {} -->{rest}", "word ".repeat(2_000));
    let path = "salesInvoice/send";
    let sent = id(&post(&play, path, "application/xml", envelope).await);
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    assert_eq!(play.record(&sent).await.instance_id.as_deref(), Some(&*instance));
    let again = post(&play, path, "application/xml", enveloped(&instance, "D-15-D")).await;
    again.is_problem(400, "API400.Envelope", "InstanceIdentifier");
}

#[tokio::test(flavor = "multi_thread")]
async fn d_15_what_contradicts_the_envelope_is_told_by_the_dry_run_and_by_sending() {
    let play = Play::begin().await;
    let good = enveloped(&Uuid::new_v4().to_string(), "E-1");
    let run = post(&play, "salesInvoice/sendDryRun", "application/xml", good.clone()).await;
    assert_eq!(run.json["verdict"], "deliverable", "{:?}", run.json);
    // Processes are not the same in any case.
    let process = "processId=URN:fdc:peppol.eu:2017:poacc:billing:01:1.0";
    let path = format!("generic/send?{process}");
    let sent = id(&post(&play, &path, "application/xml", good.clone()).await);
    let ending = play.ending(&sent).await;
    assert!(ending.text("message").contains("processId"), "{ending:?}");
    let other = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let rows: Vec<(String, &str, &str)> = vec![
        (good.clone(), "?receiverId=0106:55667788", "0106:55667788"),
        (other("0106:12345678", "0106:55667788"), "", "0106:55667788"),
        (other("<HeaderVersion>1.0", "<HeaderVersion>9.9"), "", "HeaderVersion"),
        (other("billing:3.0::2.1", "billing:3.1::2.1"), "", "3.1"),
    ];
    for (document, query, word) in rows {
        let run = post(
            &play,
            &format!("salesInvoice/sendDryRun{query}"),
            "application/xml",
            document.clone(),
        )
        .await;
        assert_eq!(run.json["verdict"], "rejected", "{word}: {:?}", run.json);
        let sent =
            post(&play, &format!("salesInvoice/send{query}"), "application/xml", document).await;
        let ending = play.ending(&id(&sent)).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError", "{word}");
        assert!(ending.text("message").contains(word), "{word}: {}", ending.text("message"));
    }
    assert!(play.arrived().await.is_empty());
}

fn service(play: &Play, document_type: &str, process: &str) -> PublishedService {
    let organisation: OrganisationId = play.stage.receiver.organisation.parse().unwrap();
    PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: document_type.to_owned(),
        process: process.to_owned(),
        organisation,
        explicit: false,
        endpoints: None,
        created_on: play.stage.clock.now(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d_12_a_hybrid_file_travels_as_binary_content() {
    let play = Play::begin().await;
    play.two.parts.store.put_services(vec![service(&play, FACTUR_X, REGULATED)]).await.unwrap();
    let pdf = hybrid_pdf(samples::CII_INVOICE);
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("sourceFormat", FACTUR_X)
        .append_pair("processId", REGULATED)
        .append_pair("receiverId", RECEIVER)
        .finish();
    let path = format!("generic/send?{query}");
    let sent = id(&post(&play, &path, "application/pdf", pdf.clone()).await);
    let topics = ["DocumentSent", "InvoiceSent", "DocumentSentError", "InvoiceSentError"];
    let told = play.told(&sent, &topics).await;
    assert!(!told.text("topic").ends_with("Error"), "{told:?}");
    let (record, payload) = arrived(&play).await;
    assert!(String::from_utf8_lossy(&payload).contains("mimeType=\"application/pdf\""));
    let store = &play.two.parts.store;
    assert_eq!(store.document(&record).await.unwrap().unwrap(), pdf);
    // Without the type, and as a picture, it is told why not.
    let bare = id(&post(&play, "generic/send", "application/pdf", pdf).await);
    assert!(play.told(&bare, &topics).await.text("message").contains("sourceFormat"));
    let scan = id(&post(&play, &path, "application/pdf", &b"%PDF-1.7\nscan"[..]).await);
    assert!(play.told(&scan, &topics).await.text("message").contains("e-invoice"));
}

#[tokio::test(flavor = "multi_thread")]
async fn c_27_a_factur_x_without_addresses_is_sent_by_the_party_to_who_is_named() {
    let play = Play::begin().await;
    let core = "busdox-docid-qns::urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100::\
                CrossIndustryInvoice##urn:cen.eu:en16931:2017::D16B";
    let process = "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:en16931:any";
    play.two.parts.store.put_services(vec![service(&play, core, process)]).await.unwrap();
    let pdf = hybrid_pdf(samples::CII_INVOICE);
    let path = format!("salesInvoice/recognize?receiverId={RECEIVER}");
    let sent = id(&post(&play, &path, "application/pdf", pdf.clone()).await);
    let ending = play.ending(&sent).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let record = until("a document", async || play.arrived().await.into_iter().next()).await;
    assert_eq!(record.transaction.sender.as_deref(), Some(SENDER));
    // Without a receiver it is told what is missing.
    let silent = id(&post(&play, "salesInvoice/recognize", "application/pdf", pdf).await);
    assert!(play.ending(&silent).await.text("message").contains("receiverId"));
}

#[tokio::test(flavor = "multi_thread")]
async fn c_27_an_invoice_that_is_only_recognised_is_a_purchase_invoice() {
    let play = Play::begin().await;
    let text = "<FatturaElettronica xmlns='http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2' \
                versione='FPR12'><FatturaElettronicaBody/></FatturaElettronica>";
    let path = "purchaseInvoice/recognize";
    let answer = post(
        &play,
        path,
        "application/xml",
        text.replacen("<Fatt", "<p:Fatt", 1)
            .replace("xmlns=", "xmlns:p=")
            .replace("</FatturaElettronica>", "</p:FatturaElettronica>"),
    )
    .await;
    let taken = id(&answer);
    let listed = until("the invoice in the list", async || {
        let path = format!("/api/v1/{SENDER}/purchaseInvoice?$filter=");
        let page = play.sender().await.get(path.trim_end_matches("?$filter=")).await.json;
        let items = page["items"].as_array().or(page.as_array()).cloned()?;
        items.into_iter().find(|item: &Value| item["id"] == taken.as_str())
    })
    .await;
    assert_eq!(listed["id"], taken.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn c_25_process_id_is_taken_with_and_without_its_scheme() {
    let play = Play::begin().await;
    let bare = BILLING.split_once("::").unwrap().1;
    for (number, process) in [("C-25-A", BILLING), ("C-25-B", bare)] {
        let invoice = samples::invoice(SENDER, RECEIVER, number);
        let path = format!("generic/send?processId={process}");
        let sent = id(&post(&play, &path, "application/xml", invoice).await);
        assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent", "{process}");
    }
    let other = "urn:fdc:peppol.eu:2017:poacc:billing:02:1.0";
    let path = format!("generic/send?processId={other}");
    let invoice = samples::invoice(SENDER, RECEIVER, "C-25-C");
    let refused = post(&play, &path, "application/xml", invoice).await;
    refused.is_problem(400, "API400.Query", "processId");
}
