//! Bad input over the interface: each has its own clear error, at once where the request is wrong,
//! as an event and a status where the document is.

use bytes::Bytes;
use jiff::SignedDuration;
use quoin_delivery::Direction;
use quoin_formats::samples;
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER, UNREGISTERED};
use quoin_lab::lab::sink::ReceivedCall;
use quoin_server::start::Running;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use crate::stage::caller::Caller;
use crate::stage::{Play, Stage, until};

/// A party of another organisation that is served by the same access point.
const NEIGHBOUR: &str = "0106:11223344";
const SEND: &str = "/api/v1/0106:12345678/salesInvoice/send";
const XML: &[(&str, &str)] = &[("content-type", "application/xml")];

fn invoice() -> String {
    samples::invoice(SENDER, RECEIVER, "BAD-1")
}

/// A service with two organisations.
struct House {
    stage: Stage,
    one: Running,
    neighbour: Customer,
}

impl House {
    async fn set() -> House {
        let stage = Stage::set().await;
        let neighbour = Customer::new("neighbour", &[NEIGHBOUR]).unwrap();
        let mut config = stage.config_one();
        config.organisation.extend(stage.one.config(&stage.around, &neighbour).organisation);
        let one = stage.start(config).await;
        House { stage, one, neighbour }
    }

    async fn sender(&self) -> Caller {
        Caller::of(&self.stage, &self.one, &self.stage.sender).await
    }

    async fn neighbour(&self) -> Caller {
        Caller::of(&self.stage, &self.one, &self.neighbour).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_a_document_is_refused() {
    let house = House::set().await;
    let sender = house.sender().await;
    let id = Uuid::new_v4().to_string();
    for body in ["", "  \r\n\t "] {
        let answer = sender.send(SENDER, &id, body).await;
        answer.is_problem(400, "API400.EmptyBody", "expected an XML document");
    }
    for kind in ["application/json", "text/plain", "application/pdf"] {
        let headers = [("content-type", kind)];
        let answer = sender.call(Method::POST, SEND, &headers, Some(invoice())).await.unwrap();
        answer.is_problem(415, "API415", kind);
    }
    let answer = sender.call(Method::POST, SEND, &[], Some(invoice())).await.unwrap();
    answer.is_problem(415, "API415", "expected application/xml");
    let answer = sender.send(SENDER, "INV-2026-1", invoice()).await;
    answer.is_problem(400, "API400.DocumentId", "UUID");
    let path = "/api/v1/0106:12345678/salesInvoice?status=Lost";
    sender.get(path).await.is_problem(400, "API400.Query", "Delivered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_a_proper_token_is_refused() {
    let house = House::set().await;
    let sender = house.sender().await;
    let send = async |caller: &Caller| {
        caller.call(Method::POST, SEND, XML, Some(invoice())).await.unwrap()
    };
    let missing = send(&sender.with_token("")).await;
    missing.is_problem(401, "API401", "Authorization is missing");
    assert!(missing.headers["www-authenticate"].to_str().unwrap().starts_with("Bearer"));
    send(&sender.with_token("abc")).await.is_problem(401, "API401.Malformed", "");
    let (head, signature) = sender.token().rsplit_once('.').unwrap();
    let first = if signature.starts_with('A') { "B" } else { "A" };
    let forged = sender.with_token(&format!("{head}.{first}{}", &signature[1..]));
    send(&forged).await.is_problem(401, "API401.Invalid", "");

    // A token of another service, whose client has the same name.
    let two = house.stage.start(house.stage.config_two()).await;
    let elsewhere = Caller::of(&house.stage, &two, &house.stage.receiver).await;
    send(&sender.with_token(elsewhere.token())).await.is_problem(401, "API401.Invalid", "");

    let wrong = Customer { secret: "guessed".to_owned(), ..house.stage.sender.clone() };
    let base = house.one.api.as_ref().unwrap().url();
    let none = Caller::at(&base, house.stage.around.client().unwrap(), &wrong).await;
    assert!(none.as_ref().err().is_some_and(|why| why.contains("invalid_client")));

    house.stage.clock.advance(SignedDuration::from_secs(3_590));
    assert_eq!(send(&sender).await.status, 200, "a token is good for an hour");
    house.stage.clock.advance(SignedDuration::from_secs(20));
    send(&sender).await.is_problem(401, "API401.Expired", "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_organisation_sees_nothing_of_another() {
    let house = House::set().await;
    let (sender, neighbour) = (house.sender().await, house.neighbour().await);
    let id = Uuid::new_v4().to_string();
    assert_eq!(sender.send(SENDER, &id, invoice()).await.status, 200);
    neighbour.send(SENDER, &id, invoice()).await.is_problem(403, "API403", SENDER);
    let paths = ["salesInvoice", &format!("salesInvoice/{id}"), "purchaseInvoice", "hook"];
    for path in paths {
        let answer = neighbour.get(&format!("/api/v1/{SENDER}/{path}")).await;
        answer.is_problem(403, "API403", SENDER);
    }
    // The same answer as for a party that nobody has.
    let nobody = neighbour.get("/api/v1/0106:99999999/salesInvoice").await;
    nobody.is_problem(403, "API403", "0106:99999999");
    for path in [format!("salesInvoice/{id}"), format!("salesInvoice/{id}/status")] {
        let answer = neighbour.get(&format!("/api/v1/{NEIGHBOUR}/{path}")).await;
        answer.is_problem(404, "API404", &id);
    }
    // The id of a document belongs to its organisation: it is free for another.
    let theirs = samples::invoice(NEIGHBOUR, RECEIVER, "THEIRS-1");
    assert_eq!(neighbour.send(NEIGHBOUR, &id, theirs).await.status, 200);
    let hooks = neighbour.get("/api/v1/hook").await;
    let text = hooks.json.to_string();
    assert!(hooks.status == 200 && !text.contains(&house.stage.around.hook_secret), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_is_a_conflict() {
    let house = House::set().await;
    let sender = house.sender().await;
    let id = Uuid::new_v4().to_string();
    assert_eq!(sender.send(SENDER, &id, invoice()).await.json, json!({ "id": id }));
    let again = sender.send(SENDER, &id, invoice()).await;
    again.is_problem(409, "API409", "the same content");
    assert_eq!((&again.json["id"], &again.json["sameContent"]), (&json!(id), &json!(true)));
    let upper = sender.send(SENDER, &id.to_uppercase(), invoice()).await;
    upper.is_problem(409, "API409", &id);
    let other = sender.send(SENDER, &id, samples::invoice(SENDER, RECEIVER, "OTHER")).await;
    other.is_problem(409, "API409", "another content");
    // The same bytes for another receiver are another document, which was not taken.
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?receiverId=0106:40440404");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let elsewhere = sender.call(Method::POST, &path, &headers, Some(invoice())).await.unwrap();
    elsewhere.is_problem(409, "API409", RECEIVER);
    assert_eq!(elsewhere.json["sameContent"], false);
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?receiverId={RECEIVER}");
    let named = sender.call(Method::POST, &path, &headers, Some(invoice())).await.unwrap();
    assert_eq!((named.status, &named.json["sameContent"]), (409, &json!(true)));
    let place = other.headers["location"].to_str().unwrap();
    let path = place.strip_prefix(house.one.api.as_ref().unwrap().url().as_str()).unwrap();
    assert_eq!(sender.get(path).await.status, 200, "{place}");
}

/// What is asked beside a document and leads it elsewhere counts, also before it was looked at.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_bytes_that_are_to_go_elsewhere_are_another_document() {
    let house = House::set().await;
    let sender = house.sender().await;
    let hook =
        json!({ "id": "web", "topics": ["SendInvoice"], "action": "https://x.example.org/" });
    let headers = [("content-type", "application/json")];
    let put = sender.call(Method::PUT, "/api/v1/hook", &headers, Some(hook.to_string())).await;
    assert_eq!(put.unwrap().status, 200);
    let send = async |id: &str, query: &str| {
        let path = format!("/api/v1/{SENDER}/salesInvoice/send{query}");
        let headers = [("content-type", "application/xml"), ("x-service-documentid", id)];
        sender.call(Method::POST, &path, &headers, Some(invoice())).await.unwrap()
    };
    let to = |receiver: &str| format!("?receiverId={receiver}");
    let (named, other) = (to(RECEIVER), to("0106:40440404"));
    for (first, second, said) in [
        ("", other.as_str(), RECEIVER),
        ("", &named, ""),
        (&other, "", "0106:40440404"),
        (&other, &named, "0106:40440404"),
        (&other, &other, ""),
        (&named, "", ""),
        ("", "?channel=peppol", "another channel"),
        ("?channel=web", "?channel=peppol", "another channel"),
        ("?channel=web", "?channel=web", ""),
        ("?sendInstruction=peppol", "", "another sendInstruction"),
    ] {
        let id = Uuid::new_v4().to_string();
        assert_eq!(send(&id, first).await.status, 200, "{first}");
        let again = send(&id, second).await;
        again.is_problem(409, "API409", said);
        assert_eq!(again.json["sameContent"], said.is_empty(), "{first} {second}: {}", again.json);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r7_more_than_24_mb_is_answered_500_before_the_application() {
    let house = House::set().await;
    let sender = house.sender().await;
    let body = Bytes::from(vec![b' '; 24 * 1024 * 1024 + 1]);
    let id = Uuid::new_v4().to_string();
    // The connection may break under the upload; then the answer is asked for once more.
    let answer = until("an answer to too much", async || {
        sender.try_send(SENDER, &id, body.clone()).await.ok()
    })
    .await;
    answer.is_problem(500, "API500.TooLarge", "25165824 bytes");
}

/// The sender is told what is wrong: as an event with the findings, and in the status.
async fn rejects(
    play: &Play,
    document: impl Into<Bytes>,
    rule: &str,
    words: &[&str],
) -> ReceivedCall {
    let id = play.send_document(document).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{rule}: {ending:?}");
    assert!(ending.signed);
    let details = &ending.payload["details"];
    assert_eq!(details["code"], "invalid-document", "{rule}: {details}");
    let findings = details["findings"].as_str().unwrap();
    let names_rule = |line: &str| line.starts_with(rule);
    assert!(findings.lines().any(names_rule), "{rule} is not in {findings:?}");
    for word in words {
        assert!(findings.contains(word), "{word:?} is not in {findings:?}");
    }
    assert!(play.attempts(&id).await.is_empty());
    let (timeline, status) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(
        (timeline, status.as_str()),
        (vec!["Pending".into(), "Rejected".into()], "Rejected")
    );
    ending
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_proper_xml_is_rejected() {
    let play = Play::begin().await;
    let deep = format!("{}{}", "<a>".repeat(65), "</a>".repeat(65));
    let fits = format!("{}{}", "<a>".repeat(64), "</a>".repeat(64));
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><x>&b;</x>";
    let external = "<!DOCTYPE x SYSTEM \"http://127.0.0.1:1/x.dtd\"><x/>";
    let cut = invoice();
    let cut = &cut[..cut.len() / 2];
    let cases: [(&[u8], &str, &[&str]); 9] = [
        (b"%PDF-1.7 and so on", "QUOIN-FORMAT-NOT-XML", &["PDF"]),
        (b"{\"invoice\": 1}", "QUOIN-FORMAT-NOT-XML", &["JSON"]),
        (cut.as_bytes(), "QUOIN-XML-SYNTAX", &["line"]),
        (bomb.as_bytes(), "QUOIN-XML-DTD", &["DOCTYPE", "line 1"]),
        (external.as_bytes(), "QUOIN-XML-DTD", &["DOCTYPE"]),
        (b"<x>&undefined;</x>", "QUOIN-XML-ENTITY", &["&undefined;"]),
        (deep.as_bytes(), "QUOIN-XML-DEPTH", &["64 levels"]),
        (fits.as_bytes(), "QUOIN-DOCUMENT-TYPE", &["document element a"]),
        (b"<x>\xff\xfe</x>", "QUOIN-XML-ENCODING", &["UTF-8"]),
    ];
    for (document, rule, words) in cases {
        rejects(&play, document.to_vec(), rule, words).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_with_wrong_parties_is_rejected() {
    let play = Play::begin().await;
    let foreign = samples::invoice("0106:55667788", RECEIVER, "FOREIGN");
    let words = ["0106:55667788", SENDER];
    rejects(&play, foreign, "QUOIN-ENDPOINT-SENDER", &words).await;
    let endpoint = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    assert!(invoice().contains(endpoint));
    let without = invoice().replace(endpoint, "");
    let told = rejects(&play, without, "PEPPOL-EN16931-R010", &["Buyer", "EndpointID"]).await;
    assert!(told.text("message").starts_with("PEPPOL-EN16931-R010"), "{told:?}");
    let unknown = invoice().replace(endpoint, &endpoint.replace("0106", "9876"));
    rejects(&play, unknown, "BR-CL-25", &["9876"]).await;
    let empty = invoice().replace(endpoint, "<cbc:EndpointID schemeID=\"0106\"/>");
    rejects(&play, empty, "QUOIN-ENDPOINT", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_with_wrong_content_is_rejected() {
    let play = Play::begin().await;
    let total = invoice();
    let amount = |text: &str| {
        let from = text.find("<cbc:PayableAmount").unwrap();
        let from = from + text[from..].find('>').unwrap() + 1;
        let end = from + text[from..].find('<').unwrap();
        (from, end)
    };
    let (from, end) = amount(&total);
    let with = |value: &str| format!("{}{value}{}", &total[..from], &total[end..]);
    rejects(&play, with("1.5E3"), "QUOIN-DECIMAL", &["1.5E3", "cientific"]).await;
    rejects(&play, with("1,500.00"), "QUOIN-DECIMAL", &["1,500.00"]).await;
    rejects(&play, with("1"), "BR-CO-16", &[]).await;
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    let old = "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
               urn:www.peppol.eu:bis:peppol4a:ver2.0:extended:\
               urn:www.simplerinvoicing.org:si:si-ubl:ver1.2";
    assert!(total.contains(bis));
    let words = ["SI-UBL 1.2", "NLCIUS"];
    rejects(&play, total.replace(bis, old), "QUOIN-PROFILE-SI-UBL-1", &words).await;
    let order = "<Order xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Order-2\"/>";
    rejects(&play, order, "cvc-complex-type.2.4.b", &["Order"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipient_that_is_not_registered_can_be_asked_for_first() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let found = sender.get(&format!("/api/v1/queryRecipientParty?identifier={UNREGISTERED}")).await;
    assert_eq!((found.status, &found.json["reason"]), (200, &json!("not-registered")));
    let id = play.send_document(samples::invoice(SENDER, UNREGISTERED, "NOBODY")).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.payload["details"]["code"], "not-registered");
    assert!(ending.text("message").contains("queryRecipientParty"), "{ending:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_document_is_gone_and_its_passage_stays_on_record() {
    let play = Play::begin().await;
    let id = play.send("DELETED-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let receiver = play.receiver().await;
    let arrived = play.arrived().await.remove(0);
    let key = arrived.transaction.document_id.clone();
    play.told(key.as_str(), &["InvoiceReceived"]).await;
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{key}");
    let remove = async || receiver.call(Method::DELETE, &path, &[], None::<Bytes>).await.unwrap();
    assert_eq!(receiver.download(RECEIVER, key.as_str()).await.status, 200);
    assert_eq!(remove().await.status, 204);
    remove().await.is_problem(404, "API404", key.as_str());
    receiver.download(RECEIVER, key.as_str()).await.is_problem(404, "API404", key.as_str());
    receiver.get(&path).await.is_problem(404, "API404", key.as_str());
    assert!(receiver.purchases(RECEIVER).await.unwrap().is_empty());

    let store = &play.two.parts.store;
    let owner = play.stage.receiver.organisation.parse().unwrap();
    let record = store.transaction_of(&owner, Direction::Incoming, &key).await.unwrap().unwrap();
    assert!(record.deleted_on.is_some() && record.downloaded_on.is_some() && record.blob.is_none());
    assert_eq!((record.sha256, record.size), (arrived.sha256, arrived.size));
    assert_eq!(record.message_id, play.record(&id).await.message_id);
    let lines = store.timeline_of(&record.transaction.id).await.unwrap();
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["Pending", "Validated", "Delivered", "Deleted"]);
    assert!(store.document(&record).await.unwrap().is_none());
}
