//! A receiver that takes another format gets that: the choice by its registrations, the losses that
//! stop a document, packages, formats of a country, and what is told about it.

mod asked;
mod courses;
mod later;
mod notes;
mod orders;
mod pint;
mod received;
mod repeated;

use quoin_delivery::OrganisationId;
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::PublishedService;
use reqwest::Method;
use serde_json::json;

use crate::stage::caller::{Answered, Caller};
use crate::stage::{Play, Stage, unpublish, until};

const BILLING: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const XRECHNUNG_CII: &str = "busdox-docid-qns::urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100::\
     CrossIndustryInvoice##urn:cen.eu:en16931:2017#compliant#\
     urn:xeinkauf.de:kosit:xrechnung_3.0::D16B";
const CORE_CII: &str = "busdox-docid-qns::urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100::\
     CrossIndustryInvoice##urn:cen.eu:en16931:2017::D16B";
const ANY: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:en16931:any";

/// Both services; the receiver takes these types only.
async fn taking(services: &[(&str, &str)]) -> Play {
    let play = Play::begin().await;
    only(&play, services).await;
    play
}

/// Publishes these services alone, after those that the party has from its capabilities.
async fn only(play: &Play, services: &[(&str, &str)]) {
    let receiver = RECEIVER.parse().unwrap();
    let published = async || {
        let found = play.one.parts.lookup.registrations(&receiver).await;
        found.map_or(0, |found| found.document_types.len())
    };
    let is_other = async || ![0, services.len()].contains(&published().await);
    until("it is published", async || is_other().await.then_some(())).await;
    let organisation: OrganisationId = play.stage.receiver.organisation.parse().unwrap();
    let store = &play.two.parts.store;
    unpublish(&play.two, &organisation, RECEIVER).await;
    let service = |(document_type, process): &(&str, &str)| PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: (*document_type).to_owned(),
        process: (*process).to_owned(),
        organisation: organisation.clone(),
        explicit: false,
        endpoints: None,
        created_on: play.stage.clock.now(),
    };
    store.put_services(services.iter().map(service).collect()).await.unwrap();
    until("these are", async || (published().await == services.len()).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_takes_cii_gets_cii() {
    let play = taking(&[(CORE_CII, ANY)]).await;
    let id = play.send("CONVERTED-1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let details = &ending.payload["details"];
    assert_eq!(details["targetDocumentTypeId"], CORE_CII);
    assert!(details["sourceDocumentTypeId"].as_str().unwrap().contains("::Invoice##"));
    let arrived = until("it was looked at", async || {
        let number = Some("CONVERTED-1");
        play.arrived().await.into_iter().find(|own| own.transaction.number.as_deref() == number)
    })
    .await;
    let bytes = play.two.parts.store.document(&arrived).await.unwrap().unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.contains("CrossIndustryInvoice") && text.contains("CONVERTED-1"), "{text}");
    // What became of it is on the timeline and in the dossier; the upload stays as it was.
    let sender = play.sender().await;
    let lines = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/status")).await;
    let lines = lines.json.as_array().unwrap().clone();
    let told = |line: &&serde_json::Value| {
        line["description"].as_str().is_some_and(|text| text.contains("Converted to"))
    };
    assert!(lines.iter().any(|line| told(&line)), "{lines:?}");
    let record = play.record(&id).await;
    let kept = play.one.parts.store.document(&record).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&kept).contains("<Invoice"));
    let evidence = play.one.parts.store.evidence_of(&record.transaction.id).await.unwrap();
    let losses = evidence.iter().find(|one| one.kind == quoin_store::EvidenceKind::Losses).unwrap();
    let owner = &record.transaction.organisation;
    let list = play.one.parts.store.blob(owner, losses.blob).await.unwrap().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    assert_eq!(list["targetDocumentTypeId"], CORE_CII);
    assert_eq!(list["losses"][0]["term"], "BT-24", "{list}");
    assert_eq!(list["losses"][0]["kind"], "changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_what_no_conversion_makes_valid_each_offer_is_told_with_its_reason() {
    // XRechnung asks for a buyer reference and a seller's contact, which the sample has not.
    let play = taking(&[(XRECHNUNG_CII, BILLING)]).await;
    let bare = samples::invoice(SENDER, RECEIVER, "CONVERTED-2");
    let id = play.send_document(bare).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    let message = ending.text("message");
    assert!(message.contains("xrechnung_3.0") && message.contains("BR-DE-"), "{message}");
    assert!(play.attempts(&id).await.is_empty() && play.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loss_stops_a_document_until_it_is_allowed() {
    let uuid = "<cbc:UUID>5f1a2b3c-0000-4000-8000-000000000001</cbc:UUID>";
    let with_uuid = |number: &str| {
        let invoice = samples::invoice(SENDER, RECEIVER, number);
        invoice.replacen("<cbc:IssueDate>", &format!("{uuid}<cbc:IssueDate>"), 1)
    };
    for (allowed, topic) in
        [(vec![], "InvoiceSentError"), (vec!["/Invoice/cbc:UUID".to_owned()], "InvoiceSent")]
    {
        let stage = Stage::set().await;
        let play = stage.play_with(|one, _| one.conversion.allowed = allowed).await;
        only(&play, &[(CORE_CII, ANY)]).await;
        let id = play.send_document(with_uuid("CONVERTED-3")).await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), topic, "{ending:?}");
        if topic == "InvoiceSentError" {
            let message = ending.text("message");
            assert!(
                message.contains("UUID") && message.contains("conversion.allowed"),
                "{message}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conversion_is_part_of_larger_packages() {
    let play = taking(&[(CORE_CII, ANY)]).await;
    let owner = play.stage.sender.organisation.parse().unwrap();
    play.one.parts.store.put_package(&owner, Some("5K")).await.unwrap();
    let id = play.send("CONVERTED-4").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    let message = ending.text("message");
    assert!(message.contains("10K") && message.contains("5K"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_receiver_takes_as_it_is_is_not_touched() {
    let play = Play::begin().await;
    let id = play.send("CONVERTED-5").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let arrived = until("it arrived", async || play.arrived().await.into_iter().next()).await;
    let bytes = play.two.parts.store.document(&arrived).await.unwrap().unwrap();
    let sent = samples::invoice(SENDER, RECEIVER, "CONVERTED-5");
    // The envelope has no place for the declaration.
    let (arrived, declared) = (String::from_utf8_lossy(&bytes), sent.starts_with("<?xml"));
    assert!(declared && sent.trim_end().ends_with(arrived.trim_end()));
}

/// The call with a document in its body.
async fn convert(caller: &Caller, to: &str, accept: &str, body: &str) -> Answered {
    let headers = [("content-type", "application/xml"), ("accept", accept)];
    let path = format!("/api/v1/document/convert?to={to}");
    caller.call(Method::POST, &path, &headers, Some(body.to_owned())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_converted_without_being_sent() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "CONVERTED-6");
    let json = convert(&sender, "cii", "*/*", &invoice).await;
    assert_eq!(json.status, 200, "{}", json.json);
    assert_eq!((&json.json["format"], &json.json["losses"]), (&json!("cii"), &json!([])));
    let document = json.json["document"].as_str().unwrap();
    assert!(document.contains("<rsm:CrossIndustryInvoice"), "{document}");
    let xml = convert(&sender, "cii", "application/xml", &invoice).await;
    assert_eq!(String::from_utf8_lossy(&xml.body), document);
    assert_eq!(xml.headers["x-service-losses"], "none");
    // By a specification, and to the syntax that it has.
    let core = "urn%3Acen.eu%3Aen16931%3A2017";
    let again = convert(&sender, core, "application/json", &invoice).await;
    let row = &again.json["losses"][0];
    assert_eq!((&row["term"], &row["kind"]), (&json!("BT-24"), &json!("changed")), "{again:?}");
    assert!(again.json["document"].as_str().unwrap().contains(">urn:cen.eu:en16931:2017<"));
    // What is wrong with the request, and with the document.
    let word = convert(&sender, "word", "*/*", &invoice).await;
    word.is_problem(400, "API400.Conversion", "not available");
    let broken = convert(&sender, "a%23%23b", "*/*", &invoice).await;
    broken.is_problem(400, "API400.Query", "format");
    let none = convert(&sender, "cii", "*/*", "<a xmlns='urn:x'/>").await;
    none.is_problem(400, "API400.Conversion", "'a' of the namespace 'urn:x' is none");
    let text = convert(&sender, "cii", "*/*", "not XML").await;
    text.is_problem(400, "API400.Conversion", "no XML");
    let owner = play.stage.sender.organisation.parse().unwrap();
    play.one.parts.store.put_package(&owner, Some("1K")).await.unwrap();
    convert(&sender, "cii", "*/*", &invoice).await.is_problem(403, "API403.Package", "10K");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_what_would_be_sent_and_what_would_be_lost() {
    let play = taking(&[(CORE_CII, ANY)]).await;
    let sender = play.sender().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "CONVERTED-7");
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let headers = [("content-type", "application/xml")];
    let run = sender.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap();
    assert_eq!(run.json["verdict"], "deliverable", "{}", run.json);
    assert_eq!(run.json["conversion"]["targetDocumentTypeId"], CORE_CII);
    assert_eq!(run.json["losses"][0]["term"], "BT-24");
    assert!(run.json["route"]["because"].to_string().contains("is converted to"));
}

/// What SdI wants to know, and what the network has no place for.
const ITALIAN: [&str; 6] = [
    "/FatturaElettronica/@versione",
    "/FatturaElettronica/FatturaElettronicaHeader/DatiTrasmissione",
    "/FatturaElettronica/FatturaElettronicaHeader/CedentePrestatore/DatiAnagrafici/RegimeFiscale",
    "/FatturaElettronica/FatturaElettronicaBody/DatiBeniServizi/DatiRiepilogo/EsigibilitaIVA",
    "/FatturaElettronica/FatturaElettronicaBody/DatiPagamento/CondizioniPagamento",
    "/FatturaElettronica/FatturaElettronicaBody/DatiPagamento/DettaglioPagamento/ImportoPagamento",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_of_bis_gets_bis_from_an_italian_sender() {
    let allowed = ITALIAN.map(str::to_owned).to_vec();
    let play = Stage::set().await.play_with(|one, _| one.conversion.allowed = allowed).await;
    let document = include_str!("../../../formats/samples/fatturapa-abroad.xml");
    let sender = play.sender().await;
    let send = async |query: &str, document: &str| {
        let path = format!("/api/v1/{SENDER}/salesInvoice/send{query}");
        let headers = [("content-type", "application/xml")];
        let sent = sender.call(Method::POST, &path, &headers, Some(document.to_owned())).await;
        let id = sent.unwrap().json["id"].as_str().unwrap().to_owned();
        (play.ending(&id).await, id)
    };
    let (ending, id) = send(&format!("?receiverId={RECEIVER}"), document).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let arrived = until("it was looked at", async || {
        let number = Some("ROMA-1");
        play.arrived().await.into_iter().find(|own| own.transaction.number.as_deref() == number)
    })
    .await;
    let bytes = play.two.parts.store.document(&arrived).await.unwrap().unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    for part in ["poacc:billing:3.0<", ">12345678<", ">87654321<", ">ROMA-1<", ">122.00<"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let record = play.record(&id).await.transaction;
    assert!(record.target_document_type.unwrap().contains("Invoice-2::Invoice"));
    // Nobody to send it to, a sum that is wrong, and a loss that is not allowed.
    let (silent, _) = send("", document).await;
    assert_eq!(silent.text("topic"), "InvoiceSentError", "{silent:?}");
    let wrong = document.replace(">122.00</ImportoTotale", ">123.00</ImportoTotale");
    let (ending, _) = send(&format!("?receiverId={RECEIVER}"), &wrong).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    let more = document.replace("</Data>", "</Data><Art73>SI</Art73>");
    let (ending, _) = send(&format!("?receiverId={RECEIVER}"), &more).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert!(ending.text("message").contains("Art73"), "{ending:?}");
}
