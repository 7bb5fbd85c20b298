//! The customers' interface over real HTTP: uploads, refusals, tenants kept apart, arrivals.

use bytes::Bytes;
use quoin_delivery::{Direction, DocumentId, Family, Status};
use quoin_store::{Client, NewIncoming, Permission, RecordOutcome, TransactionFacts};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, answer, world};

const PARTY: &str = "0106:12345678";
const XML: &str = "<Invoice/>";

async fn arrive(world: &World, number: u32) -> String {
    let id = DocumentId::from_uuid(Uuid::now_v7());
    let received = world.store.receive(NewIncoming {
        organisation: "acme".parse().unwrap(),
        party: PARTY.into(),
        document_id: id.clone(),
        family: Family::Invoice,
        facts: TransactionFacts { number: Some(number.to_string()), ..TransactionFacts::default() },
        envelope_sender: "0208:0123456749".into(),
        message_id: format!("{number}@peer.example"),
        instance_id: format!("instance-{number}"),
        access_point: "POP000002".into(),
        content: Bytes::from(format!("<Invoice>{number}</Invoice>")),
        now: world.clock.now(),
    });
    assert!(matches!(received.await.unwrap(), RecordOutcome::Accepted(_)));
    id.as_str().to_owned()
}

#[tokio::test]
async fn an_upload_is_stored_before_it_is_answered() {
    let world = world().await;
    let acme = world.acme().await;
    let id = Uuid::new_v4().to_string();
    let request = acme.xml(PARTY, XML).header("X-Service-DocumentId", &id);
    let (status, body) = acme.send(request).await;
    assert_eq!((status, &body), (200, &json!({ "id": id })));
    let owner = "acme".parse().unwrap();
    let key = id.parse().unwrap();
    let stored = world.store.transaction_of(&owner, Direction::Outgoing, &key);
    let stored = stored.await.unwrap().unwrap();
    assert_eq!(stored.transaction.status, Status::Pending);
    assert_eq!(stored.transaction.party, PARTY);
    assert!(stored.message_id.as_ref().unwrap().ends_with("@ap.example.org"));
    assert_eq!(world.store.document(&stored).await.unwrap().unwrap(), XML);

    let path = format!("/api/v1/{PARTY}/salesInvoice/{id}/status");
    let response = acme.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(response.headers()["x-service-status"], "Pending");
    let lines: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    for field in ["id", "name", "description", "createdOn"] {
        assert!(lines[0][field].is_string(), "{field}: {lines}");
    }
    let (status, record) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice/{id}")).await;
    assert_eq!((status, &record["status"]), (200, &json!("Pending")));
    let (_, page) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice?status=Pending")).await;
    assert_eq!(page["items"][0]["id"], json!(id));
    let (_, page) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice?status=Failed")).await;
    assert_eq!(page["items"], json!([]));
}

#[tokio::test]
async fn a_repeat_is_a_conflict_that_names_the_first() {
    let world = world().await;
    let acme = world.acme().await;
    let id = Uuid::new_v4().to_string();
    let send = |body: &str| acme.xml(PARTY, body).header("X-Service-DocumentId", &id);
    assert_eq!(acme.send(send(XML)).await.0, 200);
    for (body, same) in [(XML, true), ("<Other/>", false)] {
        let response = send(body).send().await.unwrap();
        assert_eq!(response.status(), 409);
        let place = response.headers()["location"].to_str().unwrap().to_owned();
        assert_eq!(
            place,
            format!("https://api.example.org/api/v1/{PARTY}/salesInvoice/{id}/status")
        );
        let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        assert_eq!((&body["id"], &body["code"]), (&json!(id), &json!("API409")));
        assert_eq!(body["sameContent"], json!(same));
    }
}

#[tokio::test]
async fn each_bad_upload_has_its_own_answer() {
    let world = world().await;
    let acme = world.acme().await;
    let post = |path: &str| acme.request(Method::POST, path);
    let path = format!("/api/v1/{PARTY}/salesInvoice/send");
    let xml = "application/xml";
    let cases = [
        (acme.xml(PARTY, ""), 400, "API400.EmptyBody"),
        (acme.xml(PARTY, " \n "), 400, "API400.EmptyBody"),
        (acme.xml(PARTY, XML).header("X-Service-DocumentId", "2026-001"), 400, "API400.DocumentId"),
        (acme.xml("9999", XML), 400, "API400.PartyId"),
        (acme.xml("0106:87654321", XML), 403, "API403"),
        (acme.xml("0208:0123456749", XML), 403, "API403"),
        (post(&path).body(XML), 415, "API415"),
        (post(&path).header("content-type", "application/json").body(XML), 415, "API415"),
        (
            post(&path).header("content-type", "multipart/form-data; boundary=x").body("--x--"),
            400,
            "API400.Multipart",
        ),
        (post(&format!("{path}?receiverId=x")).header("content-type", xml), 400, "API400.PartyId"),
        (post(&format!("{path}?chanel=x")).header("content-type", xml), 400, "API400.Query"),
    ];
    for (request, status, code) in cases {
        let (got, body) = acme.send(request).await;
        assert_eq!((got, &body["code"]), (status, &json!(code)), "{body}");
    }
}

#[tokio::test]
async fn r8_more_than_24_mb_with_the_head_never_reaches_the_application() {
    let world = world().await;
    let acme = world.acme().await;
    let large = "x".repeat(usize::try_from(crate::world::REQUEST_BYTES).unwrap() + 1);
    let (status, body) = acme.send(acme.xml(PARTY, &large)).await;
    assert_eq!((status, &body["code"]), (500, &json!("API500.TooLarge")));
    let parts = large.as_bytes().chunks(1 << 20).map(|c| Ok::<_, std::io::Error>(c.to_vec()));
    let parts: Vec<_> = parts.collect();
    let stream = reqwest::Body::wrap_stream(futures::stream::iter(parts));
    let path = format!("/api/v1/{PARTY}/salesInvoice/send");
    let request = acme.request(Method::POST, &path).header("content-type", "application/xml");
    let (status, body) = acme.send(request.body(stream)).await;
    assert_eq!((status, &body["code"]), (500, &json!("API500.TooLarge")), "sent in pieces");
    // Nobody is asked for a token before.
    let anybody = world.http.post(format!("{}{path}", world.base)).body(large);
    let (status, body) = answer(anybody).await;
    assert_eq!((status, &body["code"]), (500, &json!("API500.TooLarge")), "without a token");
    let (_, list) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice")).await;
    assert_eq!(list["items"], json!([]), "nothing was stored");
    // An attachment of 18 MB, in base64, is near the limit and within it.
    let fits = "x".repeat((24 << 20) - 4096);
    assert_eq!(acme.send(acme.xml(PARTY, &fits)).await.0, 200);
}

#[tokio::test]
async fn multipart_uploads_and_aliases_are_taken() {
    let world = world().await;
    let acme = world.acme().await;
    let body = "--b\r\nContent-Disposition: form-data; name=\"metaAttributes\"\r\n\r\n\
                {\"a\":\"b\"}\r\n\
                --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"i.xml\"\r\n\
                Content-Type: application/xml\r\n\r\n<Invoice/>\r\n--b--\r\n";
    for party in ["0106:12345678", "NL:KVK:12345678", "9944:nl123456782b01"] {
        let path = format!("/api/v1/{party}/salesInvoice/send?receiverId=0208:0123456749");
        let request = acme
            .request(Method::POST, &path)
            .header("content-type", "multipart/form-data; boundary=b")
            .body(body);
        let (status, answer) = acme.send(request).await;
        assert_eq!(status, 200, "{party}: {answer}");
        let owner = "acme".parse().unwrap();
        let id = answer["id"].as_str().unwrap().parse().unwrap();
        let stored = world.store.transaction_of(&owner, Direction::Outgoing, &id);
        let stored = stored.await.unwrap().unwrap();
        assert_eq!(world.store.document(&stored).await.unwrap().unwrap(), XML);
        assert_eq!(stored.transaction.receiver.as_deref(), Some("0208:0123456749"));
    }
}

#[tokio::test]
async fn what_arrived_is_listed_downloaded_and_deleted() {
    let world = world().await;
    let acme = world.acme().await;
    let ids = [arrive(&world, 1).await, arrive(&world, 2).await, arrive(&world, 3).await];
    let list = format!("/api/v1/{PARTY}/purchaseInvoice");
    let (_, first) = acme.get(&format!("{list}?limit=2")).await;
    assert_eq!(first["items"].as_array().unwrap().len(), 2);
    let token = first["continuationToken"].as_str().unwrap();
    let (_, second) = acme.get(&format!("{list}?continuationToken={token}")).await;
    assert_eq!(second["items"][0]["id"], json!(ids[2]));
    assert!(second.get("continuationToken").is_none());
    let (status, body) = acme.get(&format!("{list}?continuationToken=nonsense")).await;
    assert_eq!((status, &body["code"]), (400, &json!("API400.Continuation")));

    let path = format!("{list}/{}/download", ids[0]);
    let response = acme.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/xml");
    assert_eq!(response.bytes().await.unwrap(), "<Invoice>1</Invoice>");
    let (_, left) = acme.get(&format!("{list}?notDownloaded=true")).await;
    assert_eq!(left["items"].as_array().unwrap().len(), 2);

    let one = format!("{list}/{}", ids[0]);
    assert_eq!(acme.send(acme.request(Method::DELETE, &one)).await.0, 204);
    for path in [one.clone(), format!("{one}/download"), format!("{one}/status")] {
        let (status, body) = acme.get(&path).await;
        assert_eq!((status, &body["code"]), (404, &json!("API404")), "{path}");
    }
    assert_eq!(acme.send(acme.request(Method::DELETE, &one)).await.0, 404);
}

#[tokio::test]
async fn tenants_see_nothing_of_each_other() {
    let world = world().await;
    let other = world.client("other-erp", "other-secret").await;
    let id = arrive(&world, 1).await;
    for path in [
        format!("/api/v1/{PARTY}/purchaseInvoice"),
        format!("/api/v1/{PARTY}/purchaseInvoice/{id}/download"),
        format!("/api/v1/{PARTY}/salesInvoice/{id}/status"),
        format!("/api/v1/{PARTY}/hook"),
    ] {
        let (status, body) = other.get(&path).await;
        assert_eq!((status, &body["code"]), (403, &json!("API403")), "{path}");
    }
    let own = format!("/api/v1/0208:0123456749/purchaseInvoice/{id}/download");
    assert_eq!(other.get(&own).await.0, 404, "the document is not found under another party");
    assert_eq!(other.get("/api/v1/hook/events").await.0, 404);
    let (_, hooks) = other.get("/api/v1/hook").await;
    let [network] = hooks.as_array().unwrap().as_slice() else { panic!("{hooks}") };
    assert_eq!(network["id"], "peppol", "what everybody has");
    let (_, me) = other.get("/api/v1/me").await;
    assert_eq!(me["organisationName"], "Other NV");
    assert_eq!(me["parties"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn permissions_hold_a_client_to_what_it_may_do() {
    let world = world().await;
    let acme = world.acme().await;
    let id = arrive(&world, 1).await;
    let owner = "acme".parse().unwrap();
    let client = world.store.client("acme-erp").await.unwrap().unwrap();
    world.store.put_client(Client { all_parties: false, ..client }).await.unwrap();
    assert_eq!(acme.get(&format!("/api/v1/{PARTY}/purchaseInvoice/{id}")).await.0, 403);
    let permission = Permission {
        account: "acme-erp".into(),
        party: PARTY.into(),
        can_receive: true,
        ..Permission::default()
    };
    world.store.put_permission(&owner, permission).await.unwrap();
    assert_eq!(acme.send(acme.xml(PARTY, XML)).await.0, 403);
    let path = format!("/api/v1/{PARTY}/purchaseInvoice/{id}");
    assert_eq!(acme.get(&path).await.0, 200);
    assert_eq!(acme.send(acme.request(Method::DELETE, &path)).await.0, 403);
    assert_eq!(acme.get("/api/v1/hook").await.1["code"], "API403.Role");
    let boss = world.client("acme-boss", "boss-secret").await;
    assert_eq!(boss.send(boss.xml(PARTY, XML)).await.0, 200);
}

#[tokio::test]
async fn recipients_are_looked_up() {
    let world = world().await;
    let acme = world.acme().await;
    let ask =
        async |id: &str| acme.get(&format!("/api/v1/queryRecipientParty?identifier={id}")).await;
    let (status, found) = ask("NL:KVK:44444444").await;
    assert_eq!((status, &found["channel"]), (200, &json!("peppol")), "{found}");
    assert_eq!(found["id"], "0106:44444444");
    assert_eq!(found["accessPoint"]["seatId"], "POP000001");
    let (status, missing) = ask("0106:11111111").await;
    assert_eq!((status, &missing["isRegistered"]), (200, &json!(false)));
    assert_eq!(missing["reason"], "not-registered");
    assert_eq!(ask("0106:22222222").await.0, 503);
    assert_eq!(ask("0106:33333333").await.0, 503, "a look-up ends in time");
    assert_eq!(ask("nonsense").await.1["code"], "API400.PartyId");
}

#[tokio::test]
async fn the_service_says_that_it_is_well() {
    let world = world().await;
    let (status, body) = answer(world.http.get(format!("{}/health", world.base))).await;
    assert_eq!((status, &body["status"]), (200, &json!("ok")));
    let (_, document) = answer(world.http.get(format!("{}/openapi.json", world.base))).await;
    assert_eq!(document["info"]["title"], "Quoin");
    let (status, body) = answer(world.http.get(format!("{}/api/v1/me", world.base))).await;
    assert_eq!((status, &body["code"]), (401, &json!("API401")));
}

#[tokio::test]
async fn names_of_parameters_are_taken_in_any_case() {
    let world = world().await;
    let acme = world.acme().await;
    for number in 1..=2 {
        arrive(&world, number).await;
    }
    let list = format!("/api/v1/{PARTY}/purchaseInvoice");
    for query in ["limit=1", "Limit=1", "LIMIT=1"] {
        let (status, page) = acme.get(&format!("{list}?{query}")).await;
        assert_eq!((status, page["items"].as_array().unwrap().len()), (200, 1), "{query}");
    }
    for path in [
        "/api/v1/queryRecipientParty?Identifier=0106:44444444",
        "/api/v1/peppol/deliveryOption?PartyIds=0106:44444444&documentfamily=Invoice&IsCredit=true",
        "/api/v1/0106:12345678/generic?Direction=outgoing&NotDownloaded=false",
        "/api/v1/events?PartyId=0106:12345678",
    ] {
        let (status, body) = acme.get(path).await;
        assert_eq!(status, 200, "{path} {body}");
    }
    let (status, body) = acme.get(&format!("{list}?limits=1")).await;
    assert_eq!((status, &body["code"]), (400, &json!("API400.Query")), "other names stay unknown");
}
