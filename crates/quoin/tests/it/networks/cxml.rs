//! Procurement network 1: an invoice leaves as cXML, and what the network says to it.

use std::time::Duration;

use quoin_lab::lab::partner::PartnerAct;
use serde_json::json;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_leaves_as_cxml_with_the_credentials_of_the_account() {
    let play = play().await;
    let hook = put(&play.sender().await, &cxml(&play, "")).await;
    assert_eq!(hook["hasSecret"], true);
    let id = send(&play, &invoice("CX-1")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let details = &told.payload["details"];
    let endpoint = format!("https://{}/cxml", play.stage.around.partner_host);
    assert_eq!((&details["protocol"], &details["endpoint"]), (&json!("Cxml"), &json!(endpoint)));
    let posts = partner(&play).posts();
    let [post] = &posts[..] else { panic!("{posts:#?}") };
    assert_eq!((post.mode.as_str(), post.problem.as_str(), post.files), ("production", "", 0));
    assert_eq!(post.ends, ("AN-S".to_owned(), "AN-B".to_owned()));
    let instance = play.record(&id).await.instance_id.unwrap();
    assert_eq!(post.id, format!("{instance}@lab.quoin.test"));
    assert_eq!(details["messageId"], post.id);
    assert_eq!(details["returnedMessageId"], format!("answer-{}", post.id));
    let text = post.text();
    for part in ["<InvoiceDetailRequest>", "invoiceID=\"CX-1\"", "InvoiceDetail.dtd", "<UserAgent>"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let sender = play.sender().await;
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Routed", "Delivered"]);
    let told = everything_told(&play, &id).await;
    assert!(!told.contains(&play.stage.around.partner_secret));
    assert!(told.contains("Converted to cxml") && told.contains(&post.id));
    let (_, report) = first_attempt(&play, &id).await;
    assert!(told.contains(report["sha256"].as_str().unwrap()));
    assert_eq!((&report["httpStatus"], &report["code"]), (&json!(200), &json!(200)));
    assert_eq!(report["from"], "NetworkID:AN-S");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_invoice_go_beside_the_message() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    let file = "<cac:AdditionalDocumentReference><cbc:ID>SHEET</cbc:ID><cbc:DocumentDescription>Hours\
        </cbc:DocumentDescription><cac:Attachment><cbc:EmbeddedDocumentBinaryObject \
        mimeCode=\"application/pdf\" filename=\"hours.pdf\">JVBERi0xLjQK\
        </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>\
        <cac:AccountingSupplierParty>";
    let document = invoice("CX-2").replacen("<cac:AccountingSupplierParty>", file, 1);
    let id = send(&play, &document).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let posts = partner(&play).posts();
    let [post] = &posts[..] else { panic!("{posts:#?}") };
    assert_eq!((post.files, post.problem.as_str()), (1, ""));
    let text = post.text();
    for part in [
        "<URL name=\"Hours\">cid:file-1</URL>",
        "Content-ID: <file-1>",
        "filename=\"hours.pdf\"",
        "JVBERi0xLjQK",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("JVBERi0xLjQK").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_test_environment_has_credentials_and_a_secret_of_its_own() {
    let play = play().await;
    let around = &play.stage.around;
    let sender = play.sender().await;
    let place = format!("cxml://{}/cxml?from=AN-S&to=AN-B", around.partner_host);
    let sets = "&testFrom=AN-S-T&testTo=AN-B-T";
    let secrets = format!("production=wrong&test={}", around.partner_secret);
    put(&sender, &format!("{place}{sets}&mode=test#{secrets}")).await;
    let tried = send(&play, &invoice("CX-3")).await;
    assert_eq!(play.ending(&tried).await.text("topic"), "InvoiceSent");
    let post = partner(&play).posts().remove(0);
    assert_eq!((post.mode.as_str(), post.ends.1.as_str()), ("test", "AN-B-T"));
    // The secrets stay when the mode changes; that of production is another one.
    let hook = put(&sender, &format!("{place}{sets}&mode=production")).await;
    assert_eq!(hook["hasSecret"], true);
    let real = send(&play, &invoice("CX-4")).await;
    let told = play.ending(&real).await;
    assert_eq!(told.payload["details"]["code"], "partner-secret", "{told:#?}");
    // They do not follow to another server.
    let moved = ask(&sender, &place.replace("127.0.0.1", "localhost"), json!({})).await;
    moved.is_problem(400, "API400.Hook", "behind #");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_is_not_believed_ends_the_document_and_is_told() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    partner(&play).believe("another one");
    let id = send(&play, &invoice("CX-5")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    let details = &told.payload["details"];
    assert_eq!(
        (&details["code"], &details["corner"]),
        (&json!("partner-secret"), &json!("partner-network"))
    );
    assert!(told.text("message").contains("shared secret"), "{told:#?}");
    assert_eq!(play.attempts(&id).await.len(), 1);
    assert!(partner(&play).taken().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_final_and_never_repeats_the_secret() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    partner(&play).plan(&[PartnerAct::Status(406, "the order is unknown"), PartnerAct::Echo]);
    for (number, word) in [("CX-6", "406: the order is unknown"), ("CX-7", "no: ***")] {
        let id = send(&play, &invoice(number)).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSentError");
        assert_eq!(told.payload["details"]["code"], "partner-refused");
        assert!(told.text("message").contains(word), "{told:#?}");
        assert_eq!(play.attempts(&id).await.len(), 1);
        let told = everything_told(&play, &id).await;
        assert!(!told.contains(&play.stage.around.partner_secret));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_for_now_is_tried_again_under_the_same_id() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    let acts = [
        PartnerAct::Status(560, "later"),
        PartnerAct::Http(503),
        PartnerAct::Http(429),
        PartnerAct::Silent,
        PartnerAct::Lost,
        PartnerAct::Garbage,
        PartnerAct::Late(Duration::from_millis(500)),
    ];
    partner(&play).plan(&acts);
    let id = send(&play, &invoice("CX-8")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let attempts = play.attempts(&id).await;
    let codes: Vec<&str> = attempts.iter().filter_map(|one| one.code.as_deref()).collect();
    assert!(codes.iter().all(|code| *code == "partner-unavailable"), "{codes:?}");
    // What a kept connection lost may be repeated within the attempt.
    let made = (acts.len() - 1)..=acts.len();
    assert!(made.contains(&attempts.len()) && partner(&play).planned() == 0, "{attempts:#?}");
    let posts = partner(&play).posts();
    assert!(posts.iter().all(|post| post.id == posts[0].id && post.body == posts[0].body));
    assert_eq!(partner(&play).taken().len(), 1, "the network knows the repeats by their id");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_had_it_before_says_so_and_it_is_delivered_once() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    partner(&play).plan(&[PartnerAct::Lost, PartnerAct::Status(409, "a duplicate")]);
    let id = send(&play, &invoice("CX-9")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let sender = play.sender().await;
    let status = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/status")).await.json;
    assert!(status.to_string().contains("had it before"), "{status}");
    // Without an attempt before it, it is somebody else's document.
    partner(&play).plan(&[PartnerAct::Status(409, "a duplicate")]);
    let other = send(&play, &invoice("CX-10")).await;
    assert_eq!(play.ending(&other).await.payload["details"]["code"], "partner-refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_cannot_become_one_is_rejected_before_it_leaves() {
    let play = play().await;
    put(&play.sender().await, &cxml(&play, "")).await;
    let document = invoice("CX-11");
    let whole = |from: &str, to: &str, text: &str| {
        let start = text.find(from).unwrap();
        let end = text[start..].find(to).unwrap() + start + to.len();
        format!("{}{}", &text[..start], &text[end..])
    };
    let mut no_order = whole("<cac:OrderReference>", "</cac:OrderReference>", &document);
    while no_order.contains("<cac:OrderLineReference>") {
        no_order = whole("<cac:OrderLineReference>", "</cac:OrderLineReference>", &no_order);
    }
    let uuid = "<cbc:UUID>5f1a2b3c-0000-4000-8000-000000000001</cbc:UUID><cbc:IssueDate>";
    let lossy = document.replacen("<cbc:IssueDate>", uuid, 1);
    for (document, word) in [(no_order, "order"), (lossy, "UUID")] {
        let id = send(&play, &document).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSentError", "{told:#?}");
        assert!(told.text("message").contains(word), "{told:#?}");
        assert!(play.attempts(&id).await.is_empty());
    }
    assert!(partner(&play).posts().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_cannot_be_used_is_refused_with_the_reason() {
    let play = play().await;
    let sender = play.sender().await;
    for (action, word) in [
        ("cxml://n.example/cxml?from=a&to=b", "behind #"),
        ("cxml://n.example/cxml?from=a#s", "the parameter to is missing"),
        ("cxml://u:p@n.example/cxml?from=a&to=b#s", "would be shown"),
        ("cxml://10.0.0.1/cxml?from=a&to=b#s", "not a public address"),
        ("cxml://n.example/?from=a&to=b&testEndpoint=10.0.0.1%2Fx#s", "not a public address"),
        ("cxml://n.example/cxml?from=a&to=b&color=red#s", "there is no parameter"),
        ("cxml://n.example/cxml?from=a&to=b#test=a&nonsense", "one secret"),
    ] {
        let answer = ask(&sender, action, json!({})).await;
        answer.is_problem(400, "API400.Hook", word);
        assert!(!answer.json.to_string().contains("nonsense"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_takes_over_what_peppol_does_not_reach() {
    let play = play().await;
    let sender = play.sender().await;
    let hook =
        json!({ "id": "net", "action": cxml(&play, ""), "topics": ["Send*", "Send*Fallback"] });
    let headers = [("content-type", "application/json")];
    let answer = sender.call(Method::PUT, "/api/v1/hook", &headers, Some(hook.to_string())).await;
    assert_eq!(answer.unwrap().status, 200);
    let unregistered = quoin_lab::lab::network::UNREGISTERED;
    let id = play.send_document(samples::invoice(SENDER, unregistered, "CX-12")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Fallback", "Routed", "Delivered"]);
    // What cannot become cXML fails on that channel, instead of waiting for ever.
    let uuid = "<cbc:UUID>5f1a2b3c-0000-4000-8000-000000000001</cbc:UUID><cbc:IssueDate>";
    let lossy =
        samples::invoice(SENDER, unregistered, "CX-13").replacen("<cbc:IssueDate>", uuid, 1);
    let id = play.send_document(lossy).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert_eq!(told.payload["details"]["code"], "not-convertible", "{told:#?}");
    assert_eq!(partner(&play).posts().len(), 1);
}
