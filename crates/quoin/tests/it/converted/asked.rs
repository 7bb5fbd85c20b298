//! What a sender asks about the conversion of a document, beside the document.

use quoin_formats::convert::{ConversionTarget, convert_at};
use quoin_identity::ConversionRelation;

use super::*;

/// Sends a body of a media type; answers how it ended.
async fn send(play: &Play, path: &str, media_type: &str, body: String) -> (Answered, String) {
    let sender = play.sender().await;
    let headers = [("content-type", media_type)];
    let path = format!("/api/v1/{SENDER}/{path}");
    let answer = sender.call(Method::POST, &path, &headers, Some(body)).await.unwrap();
    let id = answer.json["id"].as_str().unwrap_or_default().to_owned();
    (answer, id)
}

/// The document that arrived with a number.
async fn arrived(play: &Play, number: &str) -> String {
    let found = until("it was looked at", async || {
        let all = play.arrived().await;
        all.into_iter().find(|own| own.transaction.number.as_deref() == Some(number))
    })
    .await;
    let bytes = play.two.parts.store.document(&found).await.unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An invoice with something that CII has no place for.
fn with_extension(number: &str) -> String {
    let extension = "<cbc:UUID>1b4e28ba-2fa1-4d2b-883f-0016d3cca427</cbc:UUID>";
    let invoice = samples::invoice(SENDER, RECEIVER, number);
    invoice.replacen("<cbc:IssueDate>", &format!("{extension}<cbc:IssueDate>"), 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sender_allows_a_loss_with_the_document() {
    let play = taking(&[(CORE_CII, ANY)]).await;
    let path = "salesInvoice/send?allowLosses=BT-19,/Invoice/cbc:UUID";
    let (_, id) = send(&play, path, "application/xml", with_extension("ASKED-1")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let path = "salesInvoice/send?allowLosses=BT-19";
    let (_, id) = send(&play, path, "application/xml", with_extension("ASKED-2")).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert!(ending.text("message").contains("allowLosses"), "{ending:?}");
    // The dry run says the same.
    for (query, verdict) in [("?allowLosses=*", "deliverable"), ("", "rejected")] {
        let path = format!("salesInvoice/sendDryRun{query}");
        let (run, _) = send(&play, &path, "application/xml", with_extension("ASKED-3")).await;
        assert_eq!(run.json["verdict"], verdict, "{}", run.json);
    }
    for wrong in ["BT", "Invoice/UUID", "BT-1,", ""] {
        let path = format!("salesInvoice/send?allowLosses={wrong}");
        let (answer, _) = send(&play, &path, "application/xml", with_extension("ASKED-4")).await;
        answer.is_problem(400, "API400.Query", "allowLosses");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_allows_a_loss_between_two_parties() {
    for (receiver, topic) in [(RECEIVER, "InvoiceSent"), ("0106:11223344", "InvoiceSentError")] {
        let relation = ConversionRelation {
            sender: Some(SENDER.to_owned()),
            receiver: Some(receiver.to_owned()),
            allowed: vec!["/Invoice/cbc:UUID".to_owned()],
        };
        let stage = Stage::set().await;
        let play = stage.play_with(|one, _| one.conversion.relations = vec![relation]).await;
        only(&play, &[(CORE_CII, ANY)]).await;
        let id = play.send_document(with_extension("ASKED-5")).await;
        assert_eq!(play.ending(&id).await.text("topic"), topic);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sender_asks_for_a_format_that_the_receiver_takes() {
    let bis = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
         urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
    let play = taking(&[(bis, BILLING), (CORE_CII, ANY)]).await;
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    let of = |format: &str| -> String {
        let format: String = encoded(format);
        format!("generic/send?targetFormat={format}")
    };
    let invoice = |number: &str| samples::invoice(SENDER, RECEIVER, number);
    let (_, id) = send(&play, &of(CORE_CII), "application/xml", invoice("ASKED-6")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert!(arrived(&play, "ASKED-6").await.contains("CrossIndustryInvoice"));
    // Its own format, by its type and as it is.
    for (number, format) in [("ASKED-7", bis), ("ASKED-8", "xml")] {
        let (_, id) = send(&play, &of(format), "application/xml", invoice(number)).await;
        assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
        assert!(arrived(&play, number).await.contains("<Invoice"));
    }
    // One that exists, and that the receiver does not take.
    let (_, id) = send(&play, &of(XRECHNUNG_CII), "application/xml", invoice("ASKED-9")).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    let message = ending.text("message");
    assert!(message.contains("xrechnung_3.0") && message.contains(CORE_CII), "{message}");
    // One that does not exist, and a document that is neither invoice nor order.
    let strange = of("busdox-docid-qns::urn:x::Thing##urn:y::1");
    let (answer, _) = send(&play, &strange, "application/xml", invoice("ASKED-10")).await;
    answer.is_problem(400, "API400.Conversion", "targetFormat");
    let note =
        "<DespatchAdvice xmlns='urn:oasis:names:specification:ubl:schema:xsd:DespatchAdvice-2'/>";
    let (answer, _) = send(&play, &of(CORE_CII), "application/xml", note.to_owned()).await;
    answer.is_problem(400, "API400.Conversion", "only invoices and orders");
    let handed = of(CORE_CII).replacen("send", "receive", 1);
    let (answer, _) = send(&play, &handed, "application/xml", invoice("ASKED-12")).await;
    answer.is_problem(400, "API400.Conversion", "keeps its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_in_json_goes_to_a_receiver_of_bis() {
    let play = Play::begin().await;
    let parsed = quoin_formats::read(samples::invoice(SENDER, RECEIVER, "ASKED-13").as_bytes());
    let json = convert_at(parsed.root().unwrap(), ConversionTarget::JSON).unwrap().document;
    for (path, number) in [("salesInvoice/send", "ASKED-13"), ("generic/send", "ASKED-14")] {
        let json = json.replacen("ASKED-13", number, 1);
        let (answer, id) = send(&play, path, "application/json", json).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
        assert!(arrived(&play, number).await.contains("<Invoice"));
    }
    let path = "salesInvoice/sendDryRun";
    let (run, _) = send(&play, path, "application/json", json.clone()).await;
    assert_eq!(run.json["verdict"], "deliverable", "{}", run.json);
    // What it becomes was judged.
    assert!(!run.json.to_string().contains("QUOIN-FORMAT-UNSUPPORTED"), "{}", run.json);
    // What is no invoice is told as what it is.
    for (body, about) in [("{\"number\": 1}", "JSON"), ("{}", "JSON"), ("{", "JSON")] {
        let (answer, id) =
            send(&play, "salesInvoice/send", "application/json", body.to_owned()).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.json);
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
        assert!(ending.text("message").contains(about), "{body}: {ending:?}");
    }
    let list = send(&play, "salesInvoice/send", "application/json", "[]".to_owned()).await;
    list.0.is_problem(415, "API415", "no object of JSON");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_file_with_several_invoices_each_is_sent_by_itself() {
    let one = include_str!("../../../../formats/samples/fatturapa-abroad.xml");
    let start = one.find("<FatturaElettronicaBody>").unwrap();
    let end = one.find("</FatturaElettronicaBody>").unwrap() + "</FatturaElettronicaBody>".len();
    let both = format!("{}{}{}", &one[..end], &one[start..end], &one[end..]);
    let play = Play::begin().await;
    let path = format!("salesInvoice/send?receiverId={RECEIVER}&allowLosses=*");
    let (_, id) = send(&play, &path, "application/xml", both.clone()).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert!(ending.text("message").contains("holds 2 invoices"), "{ending:?}");
    let sender = play.sender().await;
    let all = convert(&sender, "fatturapa", "application/xml", &both).await;
    assert_eq!(all.status, 200, "copied as it is");
    let all = convert(&sender, "ubl", "application/xml", &both).await;
    all.is_problem(400, "API400.Conversion", "invoice=1");
    let third = convert(&sender, "ubl&invoice=3", "*/*", &both).await;
    third.is_problem(400, "API400.Conversion", "holds 2");
    let alone = convert(&sender, "fatturapa&invoice=2", "application/xml", &both).await;
    assert_eq!(alone.status, 200);
    let alone = String::from_utf8(alone.body.to_vec()).unwrap();
    let (_, id) = send(&play, &path, "application/xml", alone).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
}

const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const PROCESS: &str = "<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>";

/// A core invoice has a process of its own outside of the network, and goes to whoever takes BIS.
#[tokio::test(flavor = "multi_thread")]
async fn a_core_invoice_of_any_process_goes_to_a_receiver_of_bis() {
    let play = Play::begin().await;
    let core = |number: &str, process: &str| {
        let bis = samples::invoice(SENDER, RECEIVER, number);
        assert!(bis.contains(PROCESS), "{bis}");
        let named = format!("<cbc:ProfileID>{process}</cbc:ProfileID>");
        bis.replacen(BIS, "urn:cen.eu:en16931:2017", 1).replacen(PROCESS, &named, 1)
    };
    let long = "x".repeat(300);
    for (number, process) in [
        ("ASKED-15", "P1"),
        ("ASKED-16", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("ASKED-20", "Mein Geschäftsprozess"),
        ("ASKED-21", &long),
    ] {
        let invoice = core(number, process);
        let (run, _) =
            send(&play, "salesInvoice/sendDryRun", "application/xml", invoice.clone()).await;
        assert_eq!(run.json["verdict"], "deliverable", "{}", run.json);
        let (_, id) = send(&play, "salesInvoice/send", "application/xml", invoice).await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
        let arrived = arrived(&play, number).await;
        assert!(
            arrived.contains(&format!(">{BIS}<")) && arrived.contains("billing:01:1.0<"),
            "{arrived}"
        );
    }
    // What names the network's own specification has its process too.
    let wrong =
        samples::invoice(SENDER, RECEIVER, "ASKED-17").replacen("billing:01", "billing:02", 1);
    let (_, id) = send(&play, "salesInvoice/send", "application/xml", wrong).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    // And where the receiver does not exist, the reason is the one of the document.
    let nobody = core("ASKED-18", "P1").replace("87654321", "40440404");
    let (_, id) = send(&play, "salesInvoice/send", "application/xml", nobody).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert!(ending.text("message").contains("BT-23"), "{ending:?}");
}

/// What keeps an invoice in UBL from a receiver is never that the network has none.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_receiver_that_takes_nothing_that_is_told() {
    let play = Play::begin().await;
    let refused = async |number: &str| {
        let core = samples::invoice(SENDER, RECEIVER, number);
        let core = core.replacen(BIS, "urn:cen.eu:en16931:2017", 1);
        let (_, id) = send(&play, "salesInvoice/send", "application/xml", core).await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
        let message = ending.text("message").to_owned();
        assert!(!message.contains("documents of its form"), "{message}");
        message
    };
    let boss = play.receiver().await;
    let path = format!("/api/v1/peppol/config/party/{RECEIVER}");
    let shown = boss.get(&path).await.json;
    let names = shown["capabilities"].as_object().unwrap().keys();
    let off: serde_json::Map<_, _> = names.map(|name| (name.clone(), json!("off"))).collect();
    let headers = [("content-type", "application/json")];
    let body = json!({ "capabilities": off }).to_string();
    let answer = boss.call(Method::PUT, &path, &headers, Some(body)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let receiver = RECEIVER.parse().unwrap();
    until("it takes nothing", async || {
        let found = play.one.parts.lookup.registrations(&receiver).await;
        found.is_ok_and(|found| found.document_types.is_empty()).then_some(())
    })
    .await;
    let message = refused("ASKED-22").await;
    assert!(message.contains("is registered for no document type: nothing can"), "{message}");
    assert!(!message.contains("BT-23"), "{message}");
    // And one that takes orders alone.
    let service = PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::\
             Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1"
            .to_owned(),
        process: "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:bis:ordering:3".to_owned(),
        organisation: play.stage.receiver.organisation.parse().unwrap(),
        explicit: true,
        endpoints: None,
        created_on: play.stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![service]).await.unwrap();
    until("it takes orders", async || {
        let found = play.one.parts.lookup.registrations(&receiver).await;
        found.is_ok_and(|found| found.document_types.len() == 1).then_some(())
    })
    .await;
    let message = refused("ASKED-23").await;
    assert!(message.contains("nothing that the document could be converted to. "), "{message}");
    assert!(message.contains("BT-23"), "{message}");
}

/// Of the types that a receiver registers, half are of credit notes: they are no choice of an
/// invoice, and the specification that the invoice names comes first.
#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_is_converted_to_no_credit_note() {
    let ubl = |root: &str, specification: &str| {
        format!(
            "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:{root}-2::{root}##\
             {specification}::2.1"
        )
    };
    let nlcius = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
    let types = [
        ubl("CreditNote", BIS),
        ubl("Invoice", BIS),
        ubl("CreditNote", nlcius),
        ubl("Invoice", nlcius),
        XRECHNUNG_CII.to_owned(),
    ];
    let types: Vec<_> = types.iter().map(|one| (one.as_str(), BILLING)).collect();
    let play = taking(&types).await;
    let own = samples::invoice(SENDER, RECEIVER, "ASKED-19").replacen(BIS, nlcius, 1);
    let parsed = quoin_formats::read(own.as_bytes());
    let json = convert_at(parsed.root().unwrap(), ConversionTarget::JSON).unwrap().document;
    let (run, _) = send(&play, "salesInvoice/sendDryRun", "application/json", json.clone()).await;
    assert_eq!(run.json["verdict"], "deliverable", "{}", run.json);
    let target = run.json["conversion"]["targetDocumentTypeId"].as_str().unwrap();
    assert_eq!(target, ubl("Invoice", nlcius));
    let (_, id) = send(&play, "salesInvoice/send", "application/json", json).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert!(arrived(&play, "ASKED-19").await.contains(nlcius));
}
