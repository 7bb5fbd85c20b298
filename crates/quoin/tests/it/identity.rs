//! What a document is, across four corners: nobody chooses the rules by what he writes, and what is
//! on the envelope is what is in it. Rows are named after the findings that they were found by.

use quoin_access_point::config::Unjudged;
use quoin_delivery::Status;
use quoin_delivery::mls::MlsCode;
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::codelists::CodeState;
use quoin_store::PublishedService;

use crate::documents::{id, xml};
use crate::receiving::Scene;
use crate::stage::forger::Draft;
use crate::stage::{Play, Stage, until};

const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const PROCESS: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

/// An invoice that breaks five rules of BIS Billing: type 999, currency ZZZ, a wrong total.
fn wrong(number: &str) -> String {
    samples::invoice(SENDER, RECEIVER, number)
        .replace(">380</cbc:InvoiceTypeCode>", ">999</cbc:InvoiceTypeCode>")
        .replace("EUR", "ZZZ")
        .replace(
            "<cbc:TaxExclusiveAmount currencyID=\"ZZZ\">",
            "<cbc:TaxExclusiveAmount currencyID=\"ZZZ\">9",
        )
}

/// The same document, in which one text is another.
fn with(document: &str, from: &str, to: &str) -> String {
    assert!(document.contains(from), "no {from}");
    document.replacen(from, to, 1)
}

/// The issue date of a document is another.
fn dated(document: &str, day: &str) -> String {
    let at = document.find("<cbc:IssueDate>").unwrap() + "<cbc:IssueDate>".len();
    format!("{}{day}{}", &document[..at], &document[at + 10..])
}

/// A foreign access point announces BIS Billing and puts into the envelope what it likes.
fn smuggled(scene: &Scene, number: &str, document: &str) -> Draft {
    let honest = samples::invoice(SENDER, RECEIVER, number);
    let draft = scene.forger.draft_of(&honest, &uuid::Uuid::new_v4().to_string());
    let body = |text: &str| text.split_once("?>").map_or(text, |(_, body)| body).trim().to_owned();
    let payload = String::from_utf8(draft.payload).unwrap();
    let (before, after) = (body(&honest), body(document));
    assert!(payload.contains(&before), "the envelope holds the document as it was");
    Draft { payload: payload.replacen(&before, &after, 1).into_bytes(), ..draft }
}

/// BO-1 to BO-4, BO-7, BO-11, PE-1 from outside: a lenient access point writes one type on the
/// envelope and another identifier, another day or another process inside. All are taken, since
/// the envelope is right, and all are answered RE.
#[tokio::test(flavor = "multi_thread")]
async fn what_arrives_is_judged_by_the_type_of_its_envelope() {
    let scene = Scene::set().await;
    let bad = wrong("X");
    let good = samples::invoice(SENDER, RECEIVER, "X");
    let rows: Vec<(&str, String, &str)> = vec![
        ("PE-1", dated(&bad, "1999-12-31"), "BR-"),
        ("PE-1 year 0001", dated(&bad, "0001-01-01"), "BR-"),
        ("BO-3 core", with(&bad, BIS, "urn:cen.eu:en16931:2017"), "QUOIN-ANNOUNCED-TYPE"),
        ("BO-3 unknown", with(&bad, BIS, "urn:example:x"), "QUOIN-ANNOUNCED-TYPE"),
        ("BO-3 good but other", with(&good, BIS, "urn:example:x"), "QUOIN-ANNOUNCED-TYPE"),
        ("BO-2 no rules", with(&bad, BIS, "OIOUBL-2.02"), "QUOIN-ANNOUNCED-TYPE"),
        ("BO-2 A1", with(&bad, BIS, "A1"), "QUOIN-ANNOUNCED-TYPE"),
        (
            "BO-4 tail",
            with(&bad, BIS, &format!("{BIS}#conformant#urn:www.difi.no:ehf:x")),
            "QUOIN-ANNOUNCED-TYPE",
        ),
        ("BO-7", with(&bad, BIS, "urn:peppol:pint:billing-1@ng-1"), "QUOIN-ANNOUNCED-TYPE"),
        (
            "BO-8",
            with(&good, PROCESS, "urn:peppol:bis:billing_with_response"),
            "QUOIN-ANNOUNCED-PROCESS",
        ),
        (
            "BO-3 silent",
            with(&bad, &format!("<cbc:CustomizationID>{BIS}</cbc:CustomizationID>"), ""),
            "QUOIN-ANNOUNCED-TYPE",
        ),
    ];
    let (store, count) = (&scene.two.parts.store, rows.len());
    for (number, (name, document, rule)) in rows.iter().enumerate() {
        let draft = smuggled(&scene, &format!("R-{number}"), document);
        let instance = draft.message.conversation_id.clone();
        scene.deliver(&draft).await;
        let record = until(name, async || {
            let all = scene.arrived().await;
            let own = |record: &quoin_store::TransactionRecord| {
                record.instance_id.as_deref() == Some(&*instance)
            };
            all.into_iter().find(|record| own(record) && record.transaction.status.is_final())
        })
        .await;
        assert_eq!(record.transaction.status, Status::Rejected, "{name}");
        let bytes = store.blob(&record.transaction.organisation, record.report.unwrap()).await;
        let report: quoin_rules::Report = serde_json::from_slice(&bytes.unwrap().unwrap()).unwrap();
        let rules: Vec<_> = report.fatal().map(|finding| &*finding.rule).collect();
        assert!(rules.iter().any(|own| own.starts_with(rule)), "{name}: {rules:?}");
        assert_eq!(report.profile.as_deref(), Some("peppol-bis3"), "{name}");
        let status = until("a status is decided", async || {
            let status = store.status_of(&record.transaction.id).await.unwrap();
            status.filter(|status| status.code.is_some())
        })
        .await;
        assert_eq!(status.code, Some(MlsCode::Rejected), "{name}");
    }
    assert_eq!(scene.arrived().await.len(), count);
}

/// What comes of an upload: the topic of its ending and its findings, or the code of the refusal.
async fn sent(play: &Play, query: &str, document: &str) -> (String, String) {
    let path = format!("/api/v1/{SENDER}/generic/send{query}");
    let answer = xml(&play.sender().await, &path, document.to_owned()).await;
    if answer.status != 200 {
        return (
            answer.json["code"].as_str().unwrap_or_default().to_owned(),
            answer.json.to_string(),
        );
    }
    let topics = ["InvoiceSent", "InvoiceSentError", "DocumentSent", "DocumentSentError"];
    let told = play.told(&id(&answer), &topics).await;
    (told.text("topic").to_owned(), told.payload.to_string())
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// BO-1, BO-2, BO-4, BO-7, BO-8, BO-12, PE-1 from inside: what does not agree is not sent.
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_agree_is_not_sent() {
    let play = Play::begin().await;
    let (bad, good) = (wrong("S"), samples::invoice(SENDER, RECEIVER, "S"));
    let billing = format!(
        "?sourceFormat={}",
        encoded(&format!("busdox-docid-qns::{UBL}Invoice-2::Invoice##{BIS}::2.1"))
    );
    let credit = format!(
        "?sourceFormat={}",
        encoded(&format!("busdox-docid-qns::{UBL}CreditNote-2::CreditNote##{BIS}::2.1"))
    );
    let tail = with(&bad, BIS, &format!("{BIS}#conformant#urn:www.difi.no:ehf:x"));
    let weight = |customization: &str| {
        format!(
            "<WeightStatement xmlns=\"{UBL}WeightStatement-2\" \
             xmlns:cbc=\"{UBL}CommonBasicComponents-2\"><cbc:CustomizationID>{customization}\
             </cbc:CustomizationID><cbc:ID>1</cbc:ID></WeightStatement>"
        )
    };
    let rows: Vec<(&str, &str, String, &str, &str)> = vec![
        ("PE-1", "", dated(&bad, "1999-12-31"), "InvoiceSentError", "BR-CL-01"),
        (
            "BO-1 unknown",
            "",
            with(&good, BIS, "urn:example:mine"),
            "InvoiceSentError",
            "not that of",
        ),
        ("BO-1 weight", "", weight("urn:example:mine"), "DocumentSentError", "cvc-"),
        (
            "BO-2 core",
            &billing,
            with(&bad, BIS, "urn:cen.eu:en16931:2017"),
            "API400.Conversion",
            "",
        ),
        ("BO-2 unknown", &billing, with(&bad, BIS, "urn:example:x"), "API400.Conversion", ""),
        ("BO-2 credit note", &credit, good.clone(), "API400.Conversion", ""),
        ("BO-2 nothing", &billing, "<a xmlns=\"urn:x\"/>".to_owned(), "API400.Conversion", ""),
        ("BO-4 tail", &billing, tail.clone(), "API400.Conversion", ""),
        ("BO-4 alone", "", tail, "InvoiceSentError", "BR-CL-01"),
        (
            "BO-7 case",
            "",
            with(&good, BIS, "urn:peppol:pint:billing-1@EU-1"),
            "InvoiceSentError",
            "",
        ),
        ("BO-7 base", "", with(&good, BIS, "urn:peppol:pint:billing-1"), "InvoiceSentError", ""),
        (
            "BO-12",
            "",
            with(&good, BIS, "urn:cen.eu:en16931:2017#conformant#urn:UBL.BE:1.0.0.20180214"),
            "InvoiceSentError",
            "removed from the network",
        ),
        ("unjudged", "", with(&good, BIS, "OIOUBL-2.02"), "InvoiceSentError", "QUOIN-NOT-JUDGED"),
        ("the honest one", &billing, good.clone(), "InvoiceSent", ""),
    ];
    for (name, query, document, ends, word) in rows {
        let (found, text) = sent(&play, query, &document).await;
        assert_eq!(found, ends, "{name}: {text}");
        assert!(text.contains(word), "{name}: {word} is not in {text}");
    }
    assert_eq!(play.arrived().await.len(), 1, "the honest one alone");
}

/// An operator may have what nobody judged sent; then its status, its event and the status that
/// comes back say so, and nobody calls it accepted.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_judged_says_so_all_the_way() {
    let play = Stage::set()
        .await
        .play_with(|one, _| {
            one.validation.unjudged = Some(Unjudged::Send);
            one.provider.ask_for_statuses = quoin_access_point::config::RequestedStatuses::Always;
        })
        .await;
    // A type of the network in use for whose documents there are no rules here.
    let customization = "urn:fdc:anskaffelser.no:2019:ehf:spec:payment-request:3.0";
    let process = "urn:fdc:anskaffelser.no:2019:ehf:postaward:g3:07:1.0";
    let is_it = |row: &&quoin_peppol::codelists::DocumentType| row.value.contains(customization);
    let row = quoin_peppol::codelists::DOCUMENT_TYPES.iter().find(is_it).unwrap();
    assert_eq!(row.state, CodeState::Active);
    let service = PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: row.id().unwrap().to_string(),
        process: format!("cenbii-procid-ubl::{process}"),
        organisation: play.stage.receiver.organisation.parse().unwrap(),
        explicit: false,
        endpoints: None,
        created_on: play.stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![service]).await.unwrap();
    let good = samples::invoice(SENDER, RECEIVER, "U-1");
    let document = with(&with(&good, BIS, customization), PROCESS, process);
    let answer =
        xml(&play.sender().await, &format!("/api/v1/{SENDER}/generic/send"), document).await;
    let sent = id(&answer);
    assert_eq!(play.told(&sent, &["InvoiceSent"]).await.text("topic"), "InvoiceSent");
    let told = play.told(&sent, &["MessageLevelStatusReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "AB", "{:?}", told.payload);
    let lines = play.sender().await.get(&format!("/api/v1/{SENDER}/generic/{sent}/status")).await;
    let text = lines.json.to_string();
    assert!(
        text.contains("Not judged: this service has no rules for ehf3-payment-request"),
        "{text}"
    );
    let [arrived] = &play.arrived().await[..] else { panic!("one document") };
    let lines = play.two.parts.store.timeline_of(&arrived.transaction.id).await.unwrap();
    assert!(lines.iter().any(|line| line.description.contains("not judged")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.description.contains("Valid ")), "{lines:?}");
}

/// BO-12: a registration that was made in time is not served and not published once its type is
/// removed, without anybody changing the configuration.
#[tokio::test(flavor = "multi_thread")]
async fn a_removed_type_is_no_longer_served_or_published() {
    let scene = Scene::set().await;
    let document_type = format!(
        "busdox-docid-qns::{UBL}Invoice-2::Invoice##\
         urn:cen.eu:en16931:2017#conformant#urn:UBL.BE:1.0.0.20180214::2.1"
    );
    let service = PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: document_type.clone(),
        process: format!("cenbii-procid-ubl::{PROCESS}"),
        organisation: scene.stage.receiver.organisation.parse().unwrap(),
        explicit: false,
        endpoints: None,
        created_on: scene.stage.clock.now(),
    };
    scene.two.parts.store.put_services(vec![service]).await.unwrap();
    let group =
        format!("{}/iso6523-actorid-upis%3A%3A{}", scene.stage.two.smp_url, encoded(RECEIVER));
    let http = scene.stage.around.client().unwrap();
    let get = async |url: &str| {
        let call = quoin_access_point::net::HttpCall::get(
            url,
            std::time::Duration::from_secs(10),
            1 << 20,
        );
        http.call(call).await.unwrap()
    };
    let shown = get(&group).await;
    assert_eq!(shown.status, 200, "{group}");
    let text = String::from_utf8_lossy(&shown.body).into_owned();
    assert!(text.contains("billing") && !text.contains("UBL.BE"), "{text}");
    let record = get(&format!("{group}/services/{}", encoded(&document_type))).await;
    assert_eq!(record.status, 404);
    let mut draft = scene.forger.draft("BE-1");
    let announced = format!("{UBL}Invoice-2::Invoice##{BIS}::2.1");
    let removed = document_type.split_once("::").unwrap().1;
    draft.message.action = document_type.clone();
    let payload = String::from_utf8(draft.payload).unwrap();
    draft.payload = payload.replacen(&announced, removed, 1).into_bytes();
    let sent = scene.forger.seal(&draft);
    scene.refuses(&sent, "EBMS:0004", "PEPPOL:NOT_SERVICED").await;
}

/// An envelope has one encoding, documents have several: what was called deliverable arrives, in
/// UTF-8, and says the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_in_another_encoding_arrives_in_utf_8() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let text = |number: &str, encoding: &str| {
        let invoice = samples::invoice(SENDER, RECEIVER, number);
        let body = invoice.split_once("?>").map_or(&*invoice, |(_, body)| body);
        let body = with(body.trim(), "<cbc:Name>", "<cbc:Name>Caf\u{e9} ");
        format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n{body}")
    };
    let latin: Vec<u8> = text("L-1", "ISO-8859-1").chars().map(|own| own as u8).collect();
    let utf16: Vec<u8> = text("L-2", "UTF-16").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [latin, [&[0xFF, 0xFE], utf16.as_slice()].concat()] {
        let dry = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
        let run = xml(&sender, &dry, bytes.clone()).await;
        assert_eq!(run.json["verdict"], "deliverable", "{}", run.json);
        let answer = xml(&sender, &format!("/api/v1/{SENDER}/salesInvoice/send"), bytes).await;
        assert_eq!(play.ending(&id(&answer)).await.text("topic"), "InvoiceSent");
    }
    let arrived = play.arrived().await;
    assert_eq!(arrived.len(), 2);
    for record in arrived {
        let (store, owner) = (&play.two.parts.store, &record.transaction.organisation);
        let bytes = store.blob(owner, record.blob.unwrap()).await.unwrap().unwrap();
        let document = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(document.contains("Caf\u{e9} "), "{document}");
    }
}
