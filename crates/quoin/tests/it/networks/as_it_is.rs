//! A message of cXML that is uploaded as one: it arrives with the header of the account, and else
//! as it was; one that is for somebody else, or is no document of business, is told.

use quoin_lab::lab::partner::PartnerPost;
use serde_json::json;

use super::*;

const OWN: &str = include_str!("../../../../formats/samples/cxml.xml");
/// What the sample has as its secret.
const SECRET: &str = "not-for-lists";

/// The sample from the account of the hook to its buyer.
fn own() -> String {
    OWN.replace("AN-SELLER", "AN-S").replace("AN-BUYER", "AN-B")
}

/// What a dry run says of it.
async fn dry_run(play: &Play, document: &str) -> Value {
    let path =
        format!("/api/v1/{SENDER}/salesInvoice/sendDryRun?channel=net&receiverId={RECEIVER}");
    let headers = [("content-type", "application/xml")];
    let body = Some(document.to_owned());
    play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap().json
}

/// Uploads it as a kind of document for a receiver; its id.
async fn upload(play: &Play, kind: &str, document: &str) -> String {
    let id = Uuid::new_v4().to_string();
    let query = format!("channel=net&receiverId={RECEIVER}");
    let path = format!("/api/v1/{SENDER}/{kind}/send?{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.to_owned());
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    id
}

/// What stands between the end of the header and the end of the message, without blanks between
/// elements at its borders.
fn request_of(text: &str) -> String {
    let from = text.find("<InvoiceDetailRequest>").unwrap();
    let end = "</InvoiceDetailRequest>";
    text[from..text.find(end).unwrap() + end.len()].to_owned()
}

/// The request as canonical XML, so that two ways to write the same are equal.
fn canonical(text: &str) -> Vec<u8> {
    let parsed = quoin_formats::read(text.as_bytes());
    let requests = parsed.root().unwrap().elements().filter(|child| child.local() == "Request");
    let request = requests.flat_map(|request| request.elements()).next().unwrap();
    let mut out = Vec::new();
    quoin_xml::c14n::inclusive(request, &[], &mut out);
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_its_own_form_arrives_with_the_header_of_the_account() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "&testFrom=AN-S-T&testTo=AN-B-T")).await;
    // The header may be of either environment, or name the party by other names beside.
    let tried = own().replace("AN-S<", "AN-S-T<").replace("AN-B<", "AN-B-T<");
    for document in [own(), tried] {
        assert_eq!(dry_run(&play, &document).await["verdict"], "deliverable");
        let id = upload(&play, "salesInvoice", &document).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        let PartnerPost { id: payload, ends, mode, problem, .. } =
            partner(&play).posts().pop().unwrap();
        assert_eq!((problem.as_str(), mode.as_str()), ("", "production"));
        assert_eq!(ends, ("AN-S".to_owned(), "AN-B".to_owned()));
        let post = partner(&play).posts().pop().unwrap().text();
        // The request is the document's; id, time, secret and who hands it over are the hook's.
        assert_eq!(canonical(&post), canonical(&document));
        assert_eq!(
            request_of(&post).matches("Comments").count(),
            request_of(OWN).matches("Comments").count()
        );
        let instance = play.record(&id).await.instance_id.unwrap();
        assert_eq!(payload, format!("{instance}@lab.quoin.test"));
        for gone in
            [SECRET, "m-881@seller.example", "2026-05-04T09:00:00+02:00\" version", "AN-HUB"]
        {
            assert!(document.contains(gone) && !post.contains(gone), "{gone}: {post}");
        }
        assert!(post.contains("version=\"1.2.037\" xml:lang=\"en\""), "{post}");
        assert!(post.contains(&play.stage.around.partner_secret));
        // What it was uploaded with is told to nobody.
        let sender = play.sender().await;
        let events = sender.get("/api/v1/events?limit=500").await.json.to_string();
        let status = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/status")).await.json;
        let attempts = format!("{:?}", play.attempts(&id).await);
        assert!(![events, status.to_string(), attempts].iter().any(|text| text.contains(SECRET)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_for_somebody_else_is_refused_and_nothing_is_sent() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    for (document, word) in [
        (
            own().replace("AN-B<", "AN-OTHER<"),
            "NetworkID:AN-OTHER as To, and the hook NetworkID:AN-B",
        ),
        (own().replace("AN-S<", "AN-OTHER<"), "NetworkID:AN-OTHER as From"),
        (
            own().replace("</InvoiceDetailRequest>", "</InvoiceDetailRequest><ProfileRequest/>"),
            "several requests",
        ),
    ] {
        let id = upload(&play, "salesInvoice", &document).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSentError", "{told:#?}");
        assert_eq!(told.payload["details"]["code"], "partner-refused", "{told:#?}");
        assert!(told.text("message").contains(word), "{word}: {told:#?}");
        assert!(!told.text("message").contains(SECRET));
        let told = dry_run(&play, &document).await;
        assert_eq!(told["verdict"], "rejected", "{told}");
        assert!(told["reason"].as_str().unwrap().contains(word), "{word}: {told}");
    }
    assert!(partner(&play).posts().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_no_invoice_is_told_as_what_it_is() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    let request = request_of(OWN);
    let order = include_str!("../../../../formats/samples/order-cxml.xml");
    for (document, word) in [
        (order.to_owned(), "uploaded as Invoice, and it is Order"),
        (own().replace(&request, "<ProfileRequest/>"), "cXML"),
        (own().replace(&request, ""), "cXML"),
        (own().replace("<Request", "<Response").replace("</Request", "</Response"), "cXML"),
        (own().replace(".dtd\">", ".dtd\" [<!ENTITY a \"b\">]>"), "DOCTYPE"),
    ] {
        let id = upload(&play, "salesInvoice", &document).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSentError", "{told:#?}");

        assert!(told.text("message").contains(word), "{word}: {told:#?}");
    }
    assert!(partner(&play).posts().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_in_a_message_never_leaves_as_it_is() {
    let play = play().await;
    let around = &play.stage.around;
    let action = format!(
        "collaboration://{}/collaboration?from=-0003:XC1&sendInstruction=portal#{}",
        around.partner_host, around.partner_secret
    );
    put(&play.sender().await, &action).await;
    let id = upload(&play, "salesInvoice", &own()).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError", "{told:#?}");
    assert!(told.text("message").contains("SharedSecret"), "{told:#?}");
    assert!(!json!(told.payload).to_string().contains(SECRET));
    assert!(partner(&play).posts().is_empty());
    let without = own().replace(&format!("<SharedSecret>{SECRET}</SharedSecret>"), "");
    let id = upload(&play, "salesInvoice", &without).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(partner(&play).posts().pop().unwrap().body, without.as_bytes());
}
