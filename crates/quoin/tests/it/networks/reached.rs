//! A channel that does not reach the receiver of a document, or has no form of it, is passed over
//! for the next one: the look-up, a dry run and the sending agree on that.

use quoin_lab::lab::network::UNREGISTERED;
use serde_json::json;

use super::*;

const OTHER_TYPE: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:\
    CreditNote-2::CreditNote%23%23urn:cen.eu:en16931:2017%23compliant%23\
    urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

/// A hook that comes before Peppol and does not reach the receiver of the sample.
struct MissingHook {
    action: String,
    init: Value,
    /// Whether that can be told without a document.
    is_known_before: bool,
    /// What is said of it.
    word: &'static str,
    /// What becomes of a document that is to go over it alone: the verdict, and the code.
    forced: (&'static str, &'static str),
}

fn missing(play: &Play) -> Vec<MissingHook> {
    let around = &play.stage.around;
    let (host, secret) = (&around.partner_host, &around.partner_secret);
    let row = json!({ "supplier": SENDER, "supplierAccount": "AN01",
        "buyer": "0208:0123456749", "buyerAccount": "AN02" });
    vec![
        MissingHook {
            action: format!("collaboration://{host}/collaboration?from=-0003:XC1#{secret}"),
            init: json!({}),
            is_known_before: true,
            word: "sendInstruction",
            forced: ("unroutable", "partner-relationship"),
        },
        MissingHook {
            action: format!("tradingnetwork://{host}/cxml#{secret}"),
            init: json!({ "relationships": [row] }),
            is_known_before: true,
            word: "init.relationships",
            forced: ("unroutable", "partner-relationship"),
        },
        MissingHook {
            action: format!("dico://{host}/dico?applicationId=quoin-lab#{secret}"),
            init: json!({}),
            is_known_before: false,
            word: "GLN",
            forced: ("rejected", "invalid-document"),
        },
        MissingHook {
            action: format!("mailto:a@example.org?targetDocumentTypeId={OTHER_TYPE}"),
            init: json!({}),
            is_known_before: false,
            word: "asks for the document type",
            forced: ("unroutable", "mail-refused"),
        },
    ]
}

async fn upload(play: &Play, to: &str, query: &str) -> String {
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(samples::invoice(SENDER, to, "REACH-1"));
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    id
}

async fn dry_run(play: &Play, query: &str) -> Value {
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun{query}");
    let body = Some(invoice("REACH-2"));
    let headers = [("content-type", "application/xml")];
    play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap().json
}

async fn channel_of(play: &Play, receiver: &str) -> Value {
    let path = format!("/api/v1/queryRecipientParty?identifier={receiver}");
    play.sender().await.get(&path).await.json["channel"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_does_not_reach_the_receiver_is_passed_over() {
    let play = play().await;
    let sender = play.sender().await;
    for MissingHook { action, init, is_known_before, word, forced } in missing(&play) {
        let answer = ask(&sender, &action, init).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        let expected = if is_known_before { "peppol" } else { "net" };
        assert_eq!(channel_of(&play, RECEIVER).await, expected, "{action}");
        let run = dry_run(&play, "").await;
        assert_eq!(
            (&run["verdict"], &run["route"]["channel"]),
            (&json!("deliverable"), &json!("peppol")),
            "{action}: {run:#}"
        );
        let because = run["route"]["because"].to_string();
        assert!(because.contains(word) && because.contains("stands behind it"), "{because}");
        let id = upload(&play, RECEIVER, "").await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{action}: {told:#?}");
        assert_eq!(told.payload["details"]["protocol"], "As4", "{action}: {told:#?}");
        let (timeline, _) = sender.timeline(SENDER, &id).await;
        assert_eq!(timeline, ["Pending", "Validated", "Fallback", "Routed", "Delivered"]);
        let status = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/status")).await;
        assert!(status.json.to_string().contains(word), "{:#}", status.json);
        assert_eq!(play.attempts(&id).await.len(), 1, "{action}");
        assert_eq!(play.times(&id, "InvoiceSentError"), 0, "{action}");
        // Whoever wants this one alone is told why not, and nothing else is tried.
        let (verdict, code) = forced;
        let run = dry_run(&play, "?channel=net").await;
        assert_eq!(run["verdict"], verdict, "{action}: {run:#}");
        assert!(run["reason"].as_str().unwrap().contains(word), "{run:#}");
        let id = upload(&play, RECEIVER, "?channel=net").await;
        let told = play.ending(&id).await;
        assert_eq!(told.payload["details"]["code"], code, "{action}: {told:#?}");
        assert!(told.text("message").contains(word), "{told:#?}");
    }
    assert!(partner(&play).posts().is_empty());
    assert!(play.stage.around.mailbox.mails().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_would_be_lost_keeps_a_document_from_leaving() {
    let play = play().await;
    let sender = play.sender().await;
    let around = &play.stage.around;
    let (host, secret) = (&around.partner_host, &around.partner_secret);
    put(&sender, &format!("dico://{host}/dico?applicationId=quoin-lab#{secret}")).await;
    let (id, path) = (Uuid::new_v4().to_string(), format!("/api/v1/{SENDER}/salesInvoice/send"));
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(with_numbers(&invoice("REACH-3")));
    let answer = sender.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let told = play.ending(&id).await;
    assert_eq!(told.payload["details"]["code"], "invalid-document", "{told:#?}");
    assert!(told.text("message").contains("BT-10"), "{told:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_the_last_one_stands_what_takes_over_for_peppol() {
    let play = play().await;
    let sender = play.sender().await;
    let headers = [("content-type", "application/json")];
    let mail = json!({ "id": "late", "action": "mailto:late@example.org",
        "topics": ["Send*Fallback"] });
    let answer =
        sender.call(Method::PUT, "/api/v1/hook", &headers, Some(mail.to_string())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    // Before Peppol, behind it, and among those that take over.
    for (id, topics) in
        [("net", json!(["Send*"])), ("z", json!(["Send*"])), ("a", json!(["Send*Fallback"]))]
    {
        let MissingHook { action, .. } = missing(&play).remove(0);
        let hook = json!({ "id": id, "action": action, "topics": topics }).to_string();
        let answer = sender.call(Method::PUT, "/api/v1/hook", &headers, Some(hook)).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
        assert_eq!(channel_of(&play, UNREGISTERED).await, "late", "{id}");
        let sent = upload(&play, UNREGISTERED, "").await;
        let told = play.ending(&sent).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{id}: {told:#?}");
        assert_eq!(told.payload["details"]["endpoint"], "mailto:late@example.org", "{id}");
        let path = format!("/api/v1/hook/{id}");
        assert!(
            sender.call(Method::DELETE, &path, &[], None::<String>).await.unwrap().status < 300
        );
    }
    assert!(partner(&play).posts().is_empty());
}
