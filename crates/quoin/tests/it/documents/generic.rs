//! Documents of any kind, by the code list.

use quoin_formats::statistics::{ReportScope, transaction_statistics};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::codelists::{DOCUMENT_TYPES, DocumentType};
use quoin_store::PublishedService;
use reqwest::Method;

use super::{id, only, xml};
use crate::stage::Play;

const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

/// What a utility statement has before its ends, and after them.
const HEAD: &str = "<cbc:UtilityStatementTypeCode>E</cbc:UtilityStatementTypeCode>\
    <cbc:DocumentCurrencyCode>PLN</cbc:DocumentCurrencyCode>\
    <cac:ParentDocumentReference><cbc:ID>1</cbc:ID></cac:ParentDocumentReference>";
const TAIL: &str = "<cac:CustomerParty/><cac:SubscriberConsumption><cac:UtilityConsumptionPoint>\
    <cbc:ID>P</cbc:ID></cac:UtilityConsumptionPoint><cac:Consumption>\
    <cbc:UtilityStatementTypeCode>E</cbc:UtilityStatementTypeCode><cac:EnergyWaterSupply/>\
    <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID=\"PLN\">1.00</cbc:PayableAmount>\
    </cac:LegalMonetaryTotal></cac:Consumption></cac:SubscriberConsumption>";

/// A small document of a kind whose ends are named.
fn small(root: &str, customization: &str, process: &str, ends: [&str; 2]) -> String {
    let party = |path: &str, id: &str| {
        let (scheme, value) = id.split_once(':').unwrap();
        let inside = format!("<cbc:EndpointID schemeID=\"{scheme}\">{value}</cbc:EndpointID>");
        path.rsplit('/').fold(inside, |text, name| format!("<cac:{name}>{text}</cac:{name}>"))
    };
    format!(
        "<{root} xmlns=\"{UBL}{root}-2\" xmlns:cac=\"{UBL}CommonAggregateComponents-2\" \
         xmlns:cbc=\"{UBL}CommonBasicComponents-2\"><cbc:CustomizationID>{customization}\
         </cbc:CustomizationID><cbc:ProfileID>{process}</cbc:ProfileID><cbc:ID>X-1</cbc:ID>\
         <cbc:IssueDate>2026-05-20</cbc:IssueDate>{HEAD}{}{}{TAIL}</{root}>",
        party(ends[0], SENDER),
        party(ends[1], RECEIVER)
    )
}

async fn register(play: &Play, document_type: &str, process: &str) {
    let service = PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: document_type.to_owned(),
        process: process.to_owned(),
        organisation: play.stage.receiver.organisation.parse().unwrap(),
        explicit: false,
        endpoints: None,
        created_on: play.stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![service]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_another_kind_travels_by_the_code_list() {
    let play = Play::begin().await;
    let process = "urn:fdc:www.efaktura.gov.pl:ver2.0:us:ver1.0";
    let customization = "urn:fdc:www.efaktura.gov.pl:ver2.0:trns:us:ver1.0";
    let is_it = |row: &&DocumentType| row.value.contains(customization);
    let row = DOCUMENT_TYPES.iter().find(is_it).unwrap();
    let process = row.processes.first().copied().unwrap_or(process);
    let process_id: quoin_peppol::identifiers::ProcessId = process.parse().unwrap();
    register(&play, &row.id().unwrap().to_string(), &process_id.to_string()).await;
    let document =
        small("UtilityStatement", customization, process, ["SenderParty", "ReceiverParty"]);
    let sender = play.sender().await;
    let sent = id(&xml(&sender, &format!("/api/v1/{SENDER}/generic/send"), document).await);
    let told = play.told(&sent, &["DocumentSent", "DocumentSentError"]).await;
    assert_eq!(told.text("topic"), "DocumentSent", "{told:?}");
    let receiver = play.receiver().await;
    let list = format!("/api/v1/{RECEIVER}/generic?direction=incoming&family=Document&number=X-1");
    let arrived = only(&receiver, &list).await;
    let place = format!("/api/v1/{RECEIVER}/generic/{}", arrived["id"].as_str().unwrap());
    let download = receiver.get(&format!("{place}/download")).await;
    assert!(String::from_utf8_lossy(&download.body).contains("UtilityStatement"));
    assert_eq!(receiver.get(&format!("{place}/status")).await.status, 200);
    let own = sender.get(&format!("/api/v1-beta/{SENDER}/generic/{sent}/download")).await;
    assert_eq!(own.status, 200, "what was sent can be had back");
    let removed = receiver.call(Method::DELETE, &place, &[], None::<bytes::Bytes>).await.unwrap();
    assert_eq!(removed.status, 204);
    assert_eq!(receiver.get(&format!("{place}/download")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_may_be_sent_as_any_document_and_keeps_its_topics() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "G-1");
    let path = format!("/api/v1/{SENDER}/generic/send?topic=SendInvoice");
    let sent = id(&xml(&sender, &path, invoice.clone()).await);
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let listed = sender.get(&format!("/api/v1/{SENDER}/salesInvoice?number=G-1")).await;
    assert_eq!(listed.json["items"][0]["id"], sent);
    let path = format!("/api/v1/{SENDER}/generic/send");
    let wrong = xml(&sender, &format!("{path}?topic=SendOrder"), invoice.clone()).await;
    wrong.is_problem(400, "API400.Topic", "topic");
    for none in ["Foo", ""] {
        let wrong = xml(&sender, &format!("{path}?topic={none}"), invoice.clone()).await;
        wrong.is_problem(400, "API400.Topic", "SendInvoice");
    }
    let nil = uuid::Uuid::nil().to_string();
    let headers = [("content-type", "application/xml"), ("x-service-documentid", nil.as_str())];
    let wrong = sender.call(Method::POST, &path, &headers, Some(invoice.clone())).await.unwrap();
    wrong.is_problem(400, "API400.DocumentId", "zeros");
    let wrong = xml(&sender, &format!("{path}?targetFormat=x::y"), invoice).await;
    wrong.is_problem(400, "API400.Conversion", "no conversion to it is available");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_names_no_ends_takes_them_from_the_query() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let covered = ReportScope {
        first: jiff::civil::date(2026, 1, 1),
        last: jiff::civil::date(2026, 1, 31),
        reporter: "POP000001".to_owned(),
    };
    let report = transaction_statistics(&covered, &[]);
    let path = format!("/api/v1/{SENDER}/generic/send");
    let lost = id(&xml(&sender, &path, report.clone()).await);
    let told = play.told(&lost, &["DocumentSent", "DocumentSentError"]).await;
    assert_eq!(told.text("topic"), "DocumentSentError");
    assert!(told.text("message").contains("senderId"), "{told:?}");
    let both = format!("{path}?senderId={SENDER}&receiverId={RECEIVER}");
    let routed = id(&xml(&sender, &both, report).await);
    let told = play.told(&routed, &["DocumentSent", "DocumentSentError"]).await;
    assert_eq!(told.payload["details"]["code"], "unsupported-document-type", "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_handed_in_is_announced_and_kept() {
    let play = Play::begin().await;
    let receiver = play.receiver().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "H-1");
    let path = format!("/api/v1/{RECEIVER}/generic/receive");
    let own = uuid::Uuid::new_v4().to_string();
    let headers = [("content-type", "application/xml"), ("x-service-documentid", own.as_str())];
    for status in [200, 409] {
        let answer =
            receiver.call(Method::POST, &path, &headers, Some(invoice.clone())).await.unwrap();
        assert_eq!((answer.status, answer.json["id"].as_str()), (status, Some(&*own)));
    }
    let told = play.told(&own, &["InvoiceReceived"]).await;
    assert_eq!(told.payload["details"]["sender"], SENDER);
    let download = receiver.download(RECEIVER, &own).await;
    assert_eq!(download.body, invoice);
}
