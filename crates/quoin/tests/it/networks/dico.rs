//! The DICO network: an invoice leaves as SALES005, and what the network says to it.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use quoin_access_point::net::HttpCall;
use quoin_lab::lab::partner::PartnerAct;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use serde_json::json;

use super::*;

fn action(play: &Play, more: &str) -> String {
    let around = &play.stage.around;
    format!(
        "dico://{}/dico?applicationId=quoin-lab{more}#{}",
        around.partner_host, around.partner_secret
    )
}

/// An invoice whose parties have the numbers that DICO asks for.
fn numbered(number: &str) -> String {
    with_numbers(&invoice(number))
}

/// What the sample says and DICO has no place for.
const LOSSES: &str = "BT-10,BT-28,BT-45,BT-160,BT-161";

async fn send_allowing(play: &Play, document: &str) -> String {
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=net&allowLosses={LOSSES}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.to_owned());
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_leaves_as_sales005() {
    let play = play().await;
    let sender = play.sender().await;
    for (more, mode, header) in
        [("", "production", "authorization"), ("&mode=test&header=X-Api-Key", "test", "x-api-key")]
    {
        put(&sender, &action(&play, more)).await;
        let id = send_allowing(&play, &numbered("DC-1")).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        let details = &told.payload["details"];
        assert_eq!(details["protocol"], "Dico");
        let post = partner(&play).posts().pop().unwrap();
        assert_eq!((post.mode.as_str(), post.problem.as_str()), (mode, ""));
        assert_eq!(post.ends, ("8712345000004".to_owned(), "8712345000011".to_owned()));
        assert!(post.headers.contains_key(header));
        assert!(post.text().contains("http://www.ketenstandaard.nl/factuur/SALES/005"));
        assert_eq!(Some(&post.id), play.record(&id).await.message_id.as_ref());
        assert_eq!(details["returnedMessageId"], format!("answer-{}", post.id));
        let told = everything_told(&play, &id).await;
        assert!(!told.contains(&play.stage.around.partner_secret));
        assert!(told.contains("Converted to dico"));
        let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier");
        let entries = quoin_access_point::dossier::unzip(&sender.get(&path).await.body).unwrap();
        assert_eq!(entries["carried.xml"], post.body);
        assert_eq!(entries["document.xml"], numbered("DC-1").as_bytes());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_network_says_becomes_a_state() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    for (act, code, word) in [
        (PartnerAct::Rejects("GLN unknown"), "partner-refused", "refuses it: GLN unknown"),
        (PartnerAct::Status(422, "line 1"), "partner-refused", "(422: line 1)"),
        (PartnerAct::Http(403), "partner-secret", "does not believe"),
        (PartnerAct::Echo, "partner-refused", "no: ***"),
    ] {
        partner(&play).plan(std::slice::from_ref(&act));
        let id = send_allowing(&play, &numbered("DC-2")).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSentError", "{act:?}");
        assert_eq!(told.payload["details"]["code"], code, "{act:?}");
        assert!(told.text("message").contains(word), "{told:#?}");
        assert_eq!(play.attempts(&id).await.len(), 1);
    }
    assert!(partner(&play).taken().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_for_now_is_tried_again_under_the_same_id() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    let acts = [
        PartnerAct::Http(502),
        PartnerAct::Silent,
        PartnerAct::Http(429),
        PartnerAct::Lost,
        PartnerAct::Status(409, "known"),
    ];
    partner(&play).plan(&acts);
    let id = send_allowing(&play, &numbered("DC-3")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let attempts = play.attempts(&id).await;
    let codes = attempts.iter().filter_map(|one| one.code.as_deref());
    assert!(codes.clone().all(|code| code == "partner-unavailable"), "{attempts:#?}");
    assert!(codes.count() >= 3 && partner(&play).planned() == 0);
    assert_eq!(partner(&play).taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_numbers_of_the_parties_it_is_rejected() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    let id = send(&play, &invoice("DC-4")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert!(told.text("message").contains("GLN"), "{told:#?}");
    // What has no place there keeps it from leaving, until it is allowed.
    let id = send(&play, &numbered("DC-5")).await;
    let told = play.ending(&id).await;
    assert!(told.text("message").contains("BT-10"), "{told:#?}");
    assert!(partner(&play).posts().is_empty());
    for (more, word) in
        [("&header=X-Message-Id", "header"), ("&colour=red", "there is no parameter")]
    {
        let answer = ask(&play.sender().await, &action(&play, more), json!({})).await;
        answer.is_problem(400, "API400.Hook", word);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_what_the_document_becomes() {
    let play = play().await;
    let sender = play.sender().await;
    put(&sender, &action(&play, "")).await;
    let ask = async |more: &str| {
        let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun?channel=net{more}");
        let headers = [("content-type", "application/xml")];
        let answer = sender.call(Method::POST, &path, &headers, Some(numbered("DC-6"))).await;
        answer.unwrap().json
    };
    let told = ask(&format!("&allowLosses={LOSSES}")).await;
    assert_eq!(told["verdict"], "deliverable", "{told:#}");
    assert_eq!(told["conversion"]["targetDocumentTypeId"], "dico");
    assert!(!told["losses"].as_array().unwrap().is_empty());
    assert_eq!(told["route"]["protocol"], "Dico");
    assert!(told["route"]["because"].to_string().contains("The channel carries dico."));
    let told = ask("").await;
    assert_eq!((&told["verdict"], &told["route"]), (&json!("rejected"), &Value::Null), "{told:#}");
    assert!(told["reason"].as_str().unwrap().contains("BT-10"), "{told:#}");
    assert!(partner(&play).posts().is_empty());
}

/// Says something of a message at the door of the hook; the status and the answer.
async fn says(play: &Play, key: &str, word: &str) -> (u16, Value) {
    says_at(play, "net", key, word).await
}

async fn says_at(play: &Play, hook: &str, key: &str, word: &str) -> (u16, Value) {
    let url = format!("{}/networks/sender/{hook}/statuses", play.stage.one.api_url);
    // The scheme counts in either case of its letters.
    let key = HeaderValue::from_str(&format!("bearer {key}")).unwrap();
    let call = HttpCall {
        method: Method::POST,
        headers: vec![(AUTHORIZATION, key)],
        body: Some(word.to_owned().into()),
        ..HttpCall::get(&url, std::time::Duration::from_secs(30), 1 << 20)
    };
    let answer = play.stage.around.client().unwrap().call(call).await.unwrap();
    (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_network_says_later_answers_the_invoice() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    let id = send_allowing(&play, &numbered("DC-7")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let (key, message) =
        (play.stage.around.partner_secret.clone(), partner(&play).posts().remove(0).id);
    // What the network says, it says a month later.
    play.stage.clock.advance(SignedDuration::from_hours(30 * 24));
    for (word, code) in [
        (json!({"id": "w1", "messageId": message, "status": "Received"}).to_string(), "AB"),
        (
            format!(
                "<Status><messageId>{message}</messageId><status>rejected</status>\
                 <reason>line 3 is unknown</reason></Status>"
            ),
            "RE",
        ),
        (json!({"messageId": message, "status": "paid"}).to_string(), "PD"),
    ] {
        let day = play.stage.clock.now().to_zoned(TimeZone::UTC).date();
        // The network did not hear the first answer, and says it again some time later.
        let mut answers = Vec::new();
        for _ in 0..2 {
            let (status, answer) = says(&play, &key, &word).await;
            assert_eq!((status, &answer["status"]), (200, &json!("accepted")), "{answer}");
            play.stage.clock.advance(SignedDuration::from_mins(2));
            answers.push(answer);
        }
        assert!(answers[0] == answers[1] && answers[0]["id"].is_string(), "{answers:?}");
        let heard = |told: &quoin_lab::lab::sink::ReceivedCall| {
            let details = &told.payload["details"];
            told.text("topic") == "InvoiceResponseReceived" && details["statusCode"] == code
        };
        let told = play.stage.around.sink.wait_for(crate::stage::PATIENCE, heard).await;
        let told = told.unwrap_or_else(|| panic!("{code}: {:#?}", play.stage.around.sink.told()));
        assert_eq!(told.text("documentId"), id, "{told:#?}");
        let (path, own) =
            (format!("/api/v1/{SENDER}/salesInvoice/{id}"), told.text("responseDocumentId"));
        let got = play.sender().await.get(&format!("{path}/response/{own}/download")).await;
        let text = String::from_utf8_lossy(&got.body).into_owned();
        assert!(text.contains(&format!("<cbc:IssueDate>{day}</cbc:IssueDate>")), "{text}");
    }
    let sender = play.sender().await;
    let list = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/response")).await.json;
    assert_eq!(list.as_array().unwrap().len(), 3, "{list}");
    let other = json!({"id": "w1", "messageId": message, "status": "paid"}).to_string();
    let unknown = json!({"messageId": "b5f6e6de-6a57-4b6a-9a52-6a3a8f0c9d11@x", "status": "paid"});
    for (key, word, status, reason) in [
        ("guess", other.clone(), 401, "the key"),
        (key.as_str(), other, 409, "another word"),
        (key.as_str(), unknown.to_string(), 404, "no invoice of ours"),
        (key.as_str(), json!({"status": "paid"}).to_string(), 400, "messageId is missing"),
        (key.as_str(), json!({"messageId": message, "status": "lost"}).to_string(), 400, "lost"),
        (key.as_str(), "<a".to_owned(), 400, "expected one of"),
    ] {
        let (found, answer) = says(&play, key, &word).await;
        assert_eq!(found, status, "{word}: {answer}");
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{answer}");
    }
}

/// A network that has a document already says so where an answer was lost. Where every answer was
/// heard, nobody can have it, and it is another document that has this id there.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_heard_every_time_is_not_there_before() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    partner(&play).plan(&[PartnerAct::Http(503), PartnerAct::Status(409, "known")]);
    let id = send_allowing(&play, &numbered("DC-8")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError", "{told:#?}");
    assert_eq!(told.payload["details"]["code"], "partner-refused");
    let attempts = play.attempts(&id).await;
    let unheard = attempts.iter().map(|one| one.report["partner"]["unheard"].clone());
    assert_eq!(unheard.collect::<Vec<_>>(), [json!(false), json!(false)]);
    partner(&play).plan(&[PartnerAct::Lost, PartnerAct::Http(503), PartnerAct::Status(409, "")]);
    let id = send_allowing(&play, &numbered("DC-9")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(play.attempts(&id).await[0].report["partner"]["unheard"], true);
}

/// A network speaks of what it has, in the environment that counts.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_answers_an_invoice_that_it_does_not_have() {
    let play = play().await;
    let sender = play.sender().await;
    let secret = play.stage.around.partner_secret.clone();
    let both = |more: &str| {
        let action = action(&play, more);
        let place = action.split('#').next().unwrap().to_owned();
        format!("{place}#production={secret}&test=tried")
    };
    put(&sender, &both("")).await;
    let other = json!({ "id": "other", "action": both(""), "topics": ["Send*"] }).to_string();
    let headers = [("content-type", "application/json")];
    let answer = sender.call(Method::PUT, "/api/v1/hook", &headers, Some(other)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    partner(&play).plan(&[PartnerAct::Take, PartnerAct::Rejects("no")]);
    let taken = send_allowing(&play, &numbered("DC-10")).await;
    assert_eq!(play.ending(&taken).await.text("topic"), "InvoiceSent");
    let refused = send_allowing(&play, &numbered("DC-11")).await;
    assert_eq!(play.ending(&refused).await.text("topic"), "InvoiceSentError");
    let word = async |id: &str| {
        let message = play.record(id).await.message_id.unwrap();
        json!({ "id": "w", "messageId": message, "status": "paid" }).to_string()
    };
    for (hook, key, id, status) in [
        ("other", secret.as_str(), &taken, 404),
        ("net", secret.as_str(), &refused, 404),
        ("net", "tried", &taken, 401),
        ("net", secret.as_str(), &taken, 200),
    ] {
        let (found, answer) = says_at(&play, hook, key, &word(id).await).await;
        assert_eq!(found, status, "{hook} {key}: {answer}");
    }
}

/// Documents that are in the form of the network already go as they are, and in another form over
/// another network; others say what is missing.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_its_own_form_goes_as_it_is() {
    let play = play().await;
    let sender = play.sender().await;
    put(&sender, &action(&play, "")).await;
    let own = include_str!("../../../../formats/samples/dico.xml");
    let upload = async |what: &str, query: &str| {
        let id = Uuid::new_v4().to_string();
        let path = format!("/api/v1/{SENDER}/salesInvoice/{what}?channel=net{query}");
        let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
        let answer = sender.call(Method::POST, &path, &headers, Some(own.to_owned())).await;
        let answer = answer.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
        (id, answer.json)
    };
    let receiver = format!("&receiverId={RECEIVER}");
    let (_, told) = upload("sendDryRun", &receiver).await;
    assert_eq!((&told["verdict"], &told["conversion"]), (&json!("deliverable"), &Value::Null));
    assert!(told["route"]["because"].to_string().contains("the document is in it"), "{told:#}");
    let (id, _) = upload("send", &receiver).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    assert_eq!(partner(&play).posts().pop().unwrap().body, own.as_bytes());
    // Without a receiver it is told what is missing.
    let (_, told) = upload("sendDryRun", "").await;
    assert_eq!(told["verdict"], "rejected", "{told:#}");
    let (id, _) = upload("send", "").await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert!(told.text("message").contains("receiverId"), "{told:#?}");
    // Another network carries another form.
    put(&sender, &cxml(&play, "")).await;
    let (_, told) = upload("sendDryRun", &receiver).await;
    assert!(!told.to_string().contains("the document is in it"), "{told:#}");
    let (id, _) = upload("send", &receiver).await;
    let told = play.ending(&id).await;
    // It was converted, and says more than has a place there.
    assert!(told.text("message").contains("The channel carries cxml"), "{told:#?}");
    assert!(told.text("message").contains("ChainLiabilityIndicator"), "{told:#?}");
}
