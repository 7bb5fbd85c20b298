//! Clients that were written for other services of this interface family: the requests that the
//! public PHP and .NET clients make — paths, queries, headers and bodies as they put them on the
//! wire — are taken once the prefix of their headers is configured.

mod dotnet;
mod php;
mod requests;

pub use requests::hybrid_pdf;

use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Play, Stage, until};
use requests::{Customer, Row};

/// The prefix of their headers.
const PREFIX: &str = "X-EConnect-";

/// Two services that speak with the foreign prefix, and one party of each with its documents.
struct Scene {
    play: Play,
    sender: Customer,
    receiver: Customer,
}

impl Scene {
    async fn set() -> Scene {
        let stage = Stage::set().await;
        let play = stage
            .play_with(|one, two| {
                one.api.header_prefix = PREFIX.to_owned();
                two.api.header_prefix = PREFIX.to_owned();
            })
            .await;
        let sender = Customer::of(play.one.api.as_ref().unwrap().url(), &play.stage.sender).await;
        let receiver =
            Customer::of(play.two.api.as_ref().unwrap().url(), &play.stage.receiver).await;
        Scene { play, sender, receiver }
    }

    /// The ids of an invoice and of an order, where they were sent and where they arrived.
    async fn documents(&self) -> [(&'static str, String); 4] {
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "FOREIGN-1");
        let order = quoin_formats::samples::order(SENDER, RECEIVER, "FOREIGN-2");
        let mut ids = Vec::new();
        for (send, list, document) in
            [("salesInvoice", "purchaseInvoice", invoice), ("purchaseOrder", "salesOrder", order)]
        {
            let path = format!("/api/v1/{SENDER}/{send}/send");
            let row = Row::post(&path).xml(document);
            let (status, sent) = self.sender.make(&row, &[]).await;
            assert_eq!(status, 200, "{sent}");
            ids.push(sent["id"].as_str().unwrap().to_owned());
            let row = Row::get(&format!("/api/v1/{RECEIVER}/{list}"));
            let arrived = until("it arrives", async || {
                let (_, page) = self.receiver.make(&row, &[]).await;
                let item = page["items"].get(0).filter(|item| item["status"] != "Pending")?.clone();
                item["id"].as_str().map(str::to_owned)
            })
            .await;
            ids.push(arrived);
        }
        let names = ["{sent}", "{arrived}", "{order}", "{arrivedOrder}"];
        let mut ids = ids.into_iter();
        names.map(|name| (name, ids.next().unwrap()))
    }
}

/// Each row is taken as it says, and a refusal has the body that these clients read.
async fn all_are_taken(customer: &Customer, rows: Vec<Row>, ids: &[(&'static str, String)]) {
    for row in rows {
        let (status, body) = customer.make(&row, ids).await;
        assert_eq!(status, row.status, "{row:?}\n{body}");
        if status >= 400 {
            for name in ["helpLink", "message", "code", "requestId", "dateTime"] {
                assert!(
                    body[name].as_str().is_some_and(|text| !text.is_empty()),
                    "{name} of {body}"
                );
            }
        }
        for name in row.answers {
            assert!(!body[*name].is_null(), "{name} of {row:?}\n{body}");
        }
    }
}

/// The seller answers the order before the buyer cancels it, and all else comes after the buyer.
async fn on_both_sides(
    scene: &Scene,
    sender: Vec<Row>,
    receiver: Vec<Row>,
    ids: &[(&'static str, String)],
) {
    let answers = |row: &Row| row.path.ends_with("salesOrder/{arrivedOrder}/response");
    let (first, rest) = receiver.into_iter().partition(answers);
    all_are_taken(&scene.receiver, first, ids).await;
    all_are_taken(&scene.sender, sender, ids).await;
    all_are_taken(&scene.receiver, rest, ids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requests_of_the_dotnet_client_are_taken() {
    let scene = Scene::set().await;
    let ids = scene.documents().await;
    on_both_sides(&scene, dotnet::sender(), dotnet::receiver(), &ids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requests_of_the_php_client_are_taken() {
    let scene = Scene::set().await;
    let ids = scene.documents().await;
    on_both_sides(&scene, php::sender(), php::receiver(), &ids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_clients_get_tokens_their_way() {
    let scene = Scene::set().await;
    let boss = &scene.sender;
    let user = json!({ "name": "alice", "password": "correct horse" });
    let (status, made) = boss.make(&Row::put("/api/v1/user").json(user), &[]).await;
    assert_eq!(status, 200, "{made}");
    let (client, secret) = (&scene.play.stage.sender.client, &scene.play.stage.sender.secret);
    // The .NET client authenticates by HTTP basic, and asks for one or two scopes.
    for scope in ["ap", "openid+ap"] {
        for grant in [
            "client_credentials".to_owned(),
            "password&username=alice&password=correct%20horse".to_owned(),
        ] {
            let form = format!("grant_type={grant}&scope={scope}");
            let (status, token) = boss.token(&form, Some((client, secret))).await;
            assert_eq!((status, &token["token_type"]), (200, &json!("Bearer")), "{form} {token}");
        }
    }
    // The PHP client finds the address first, and puts everything into the form.
    let (_, found) = boss.make(&Row::get("/.well-known/openid-configuration"), &[]).await;
    let endpoint = found["token_endpoint"].as_str().unwrap();
    assert_eq!(endpoint, format!("{}/connect/token", boss.base));
    let form = format!(
        "grant_type=password&client_id={client}&client_secret={secret}&username=alice\
         &password=correct+horse&scope=ap"
    );
    let (status, token) = boss.token(&form, None).await;
    assert_eq!((status, &token["expires_in"]), (200, &json!(3600)), "{token}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_are_called_with_the_configured_signature_header() {
    let scene = Scene::set().await;
    let (calls, door) = requests::receiver().await;
    let hook = json!({ "id": "erp", "name": "erp", "action": format!("{}/#secret", door.url()),
        "topics": ["Ping"], "isActive": true });
    let path = format!("/api/v1/{SENDER}/hook");
    let (status, made) = scene.sender.make(&Row::put(&path).json(hook), &[]).await;
    assert_eq!(status, 200, "{made}");
    let (_, ping) = scene.sender.make(&Row::get(&format!("{path}/ping")), &[]).await;
    let (headers, body) =
        until("the hook is called", async || calls.lock().unwrap().first().cloned()).await;
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, b"secret");
    let tag = data_encoding::HEXLOWER.encode(aws_lc_rs::hmac::sign(&key, &body).as_ref());
    assert_eq!(headers["x-econnect-signature"], format!("sha256={tag}"));
    let event: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&event["topic"], &event["documentId"]), (&json!("Ping"), &ping["id"]));
    for name in ["partyId", "hookId", "message", "details", "createdOn", "sentOn"] {
        assert!(!event[name].is_null(), "{name} of {event}");
    }
    let method = Method::DELETE;
    let gone = Row { method, ..Row::get(&format!("{path}/erp")) };
    assert_eq!(scene.sender.make(&gone, &[]).await.0, 204);
}
