//! What a hook shows to its server, what it believes of the server, and that none of it is seen.

use data_encoding::BASE64;
use quoin_access_point::dossier::unzip;
use quoin_access_point::tls::mutual_tls;
use quoin_lab::lab::network::SENDER;
use quoin_lab::lab::pki::{LabPki, LeafRole, LeafValidity};
use reqwest::Method;
use serde_json::{Value, json};

use super::server::{DocumentServer, ServerAct, TOKENS};
use super::{faults, is_delivered, play, put, send};
use crate::stage::{Play, until};
use crate::suite::repeated::{is_hidden, said_again};
use crate::world::world;

/// Everything that can be read of a hook and a document.
async fn everything(play: &Play, id: &str) -> String {
    let sender = play.sender().await;
    let dossier = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier")).await;
    let entries = unzip(&dossier.body).unwrap();
    let files: String = entries.values().map(|file| String::from_utf8_lossy(file)).collect();
    let attempts = format!("{:?}", play.attempts(id).await);
    let status = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/status")).await.json;
    let hooks = sender.get("/api/v1/hook").await.json;
    format!("{files}{attempts}{status}{hooks}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_or_a_token_is_shown_to_the_server_and_to_nobody_else() {
    let (play, server) = play().await;
    let basic = format!("Basic {}", BASE64.encode(b"me:geheim-7"));
    for (init, shown, kind) in [
        (json!({ "user": "me", "password": "geheim-7" }), basic.as_str(), "basic"),
        (json!({ "bearerToken": "geheim-8" }), "Bearer geheim-8", "bearer"),
    ] {
        // The server repeats what it was shown.
        server.will(&[ServerAct::Answer(
            200,
            "x-seen: geheim-7 geheim-8\r\n",
            "geheim-7 geheim-8",
        )]);
        let hook = put(&play.sender().await, &server.url("/in"), &["Send*"], &init).await;
        assert_eq!(hook["hasSecret"], true);
        assert!(hook.to_string().contains("***") && !hook.to_string().contains("geheim"), "{hook}");
        let (id, _) = send(&play, 2, "?channel=posts").await;
        let report = is_delivered(&play, &id).await;
        assert_eq!(report["authentication"], kind);
        assert_eq!(server.got().last().unwrap().header("authorization"), shown);
        let own = if kind == "basic" { "geheim-7" } else { "geheim-8" };
        let all = everything(&play, &id).await;
        assert!(!all.contains(own) && !all.contains(shown), "{kind}");
        // Put again as it was read, it has its secret still.
        put(&play.sender().await, &server.url("/in"), &["Send*"], &hook["init"]).await;
        let (id, _) = send(&play, 2, "?channel=posts").await;
        is_delivered(&play, &id).await;
        assert_eq!(server.got().last().unwrap().header("authorization"), shown);
    }
}

/// What a hook shows, and fetches to show it, is in nothing that is kept or told, in whatever form
/// the server says it again.
#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_told_that_a_server_says_again() {
    const OWN: &str = "own+secret/of=the&hook";
    const FETCHED: &str = "fetched.token-of+the/hook=";
    let (play, server) = play().await;
    let client = |more: &Value| {
        let mut init =
            json!({ "tokenUrl": server.url(TOKENS), "clientId": "me", "clientSecret": OWN });
        init.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        init
    };
    let sender = play.sender().await;
    for (init, secret, takes_clients) in [
        (json!({ "user": "me", "password": OWN }), OWN, true),
        (json!({ "bearerToken": OWN }), OWN, true),
        (client(&json!({})), FETCHED, true),
        (client(&json!({})), OWN, true),
        (client(&json!({})), OWN, false),
        (client(&json!({ "clientAuthentication": "body" })), OWN, false),
    ] {
        match takes_clients {
            true => server.gives(FETCHED),
            false => server.refuses_clients_with(said_again(&[OWN])),
        }
        let is_fetched = init.get("tokenUrl").is_some();
        let said = said_again(if is_fetched { &[OWN, FETCHED] } else { &[OWN] });
        // Shown twice: a refused token is fetched once more, and both may be said again.
        for status in [422, 401] {
            // Calls of the row before are tried again, and never showed what is said from here on.
            put(&sender, &server.url("/in"), &["Send*", "InvoiceSent*"], &init).await;
            server.always(Some(ServerAct::Answer(status, "x-seen: own%2Bsecret\r\n", said)));
            let (id, _) = send(&play, 2, "?channel=posts").await;
            let (_, fault) =
                until("an attempt", async || faults(&play, &id).await.into_iter().next()).await;
            assert!(fault.contains("***"), "{init}: {fault}");
            let called = async || {
                let calls = sender.get("/api/v1/hook/posts/deliveries").await.json.to_string();
                calls.contains(&id).then_some(calls)
            };
            let calls = until("a call", called).await;
            let events = sender.get("/api/v1/events?limit=100").await.json.to_string();
            let all = everything(&play, &id).await;
            for text in [&all, &events, &calls] {
                is_hidden(text, secret, &init.to_string());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_rotated_while_a_document_waits() {
    let (play, server) = play().await;
    let hook = async |token: &str| {
        let init = json!({ "bearerToken": token });
        put(&play.sender().await, &server.url("/in"), &["Send*"], &init).await;
    };
    hook("first").await;
    server
        .will(&[ServerAct::Answer(503, "", ""), ServerAct::Answer(503, "retry-after: 2\r\n", "")]);
    let (id, _) = send(&play, 2, "?channel=posts").await;
    until("two attempts", async || (server.got().len() == 2).then_some(())).await;
    hook("second").await;
    is_delivered(&play, &id).await;
    let shown: Vec<String> =
        server.got().iter().map(|got| got.header("authorization").to_owned()).collect();
    assert_eq!(shown, ["Bearer first", "Bearer first", "Bearer second"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_fetched_once_and_again_where_the_server_refuses_it() {
    let (play, server) = play().await;
    server.asks_for_tokens_of(&format!("Basic {}", BASE64.encode(b"me:geheim-9")));
    let init = |secret: &str| {
        json!({ "tokenUrl": server.url(TOKENS), "clientId": "me", "clientSecret": secret,
            "scope": "documents" })
    };
    put(&play.sender().await, &server.url("/in"), &["Send*"], &init("geheim-9")).await;
    for _ in 0..3 {
        let (id, _) = send(&play, 2, "?channel=posts").await;
        let report = is_delivered(&play, &id).await;
        assert_eq!(report["authentication"], "oauth2");
        assert_eq!(report["tokenUrl"], server.url(TOKENS));
        assert_eq!(report["tokenRenewed"], false);
        let all = everything(&play, &id).await;
        assert!(!all.contains("geheim-9") && !all.contains("Bearer t1"));
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 1, "it is kept");
    let question = String::from_utf8_lossy(&asked[0].body).into_owned();
    assert_eq!(question, "grant_type=client_credentials&scope=documents");
    server.forgets_tokens();
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let report = is_delivered(&play, &id).await;
    assert_eq!((&report["tokenRenewed"], play.attempts(&id).await.len()), (&json!(true), 1));
    assert_eq!(server.asked().len(), 2);
    let calls: Vec<String> = server
        .got()
        .iter()
        .rev()
        .take(2)
        .map(|got| got.header("authorization").to_owned())
        .collect();
    assert_eq!(calls, ["Bearer t2", "Bearer t1"]);
    // Of a client that is not let in the document waits, and nothing of it is sent.
    let before = server.got().len();
    put(&play.sender().await, &server.url("/in"), &["Send*"], &init("wrong")).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let (code, fault) =
        until("an attempt", async || faults(&play, &id).await.into_iter().next()).await;
    assert_eq!(code, "https-login");
    assert!(fault.contains("401") && fault.contains("invalid_client"), "{fault}");
    assert_eq!(server.got().len(), before);
    put(&play.sender().await, &server.url("/in"), &["Send*"], &init("geheim-9")).await;
    is_delivered(&play, &id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_may_show_itself_in_the_body() {
    let (play, server) = play().await;
    server.asks_for_tokens_of("&client_id=me&client_secret=geheim-9");
    let init = json!({ "tokenUrl": server.url(TOKENS), "clientId": "me", "audience": "erp",
        "clientSecret": "geheim-9", "clientAuthentication": "body" });
    put(&play.sender().await, &server.url("/in"), &["Send*"], &init).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    is_delivered(&play, &id).await;
    assert_eq!(server.asked()[0].header("authorization"), "");
}

/// A server that only opens to certificates of an authority, both of another network.
async fn mutual(pki: &LabPki) -> DocumentServer {
    let leaf = pki.server(&["127.0.0.1"]).unwrap();
    let (certificate, key) = (leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes());
    let clients = pki.authority(LeafRole::AccessPoint).der();
    DocumentServer::open(mutual_tls(certificate, key, &[clients]).unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_certificates_of_both_sides_are_what_the_hook_says() {
    let (play, _) = play().await;
    let pki = LabPki::generate("http://127.0.0.1:1", play.stage.clock.now()).unwrap();
    let server = mutual(&pki).await;
    let authority = pki.tls.pem();
    let leaf = |pki: &LabPki| pki.leaf(LeafRole::AccessPoint, "POP000009", LeafValidity::Current);
    let (ours, stranger) = (leaf(&pki).unwrap(), leaf(&play.stage.around.pki).unwrap());
    let put =
        async |init: &Value| put(&play.sender().await, &server.url("/in"), &["Send*"], init).await;
    put(&Value::Null).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let seen = async |word: &str| {
        let look = async || {
            let faults = faults(&play, &id).await;
            faults.last().filter(|(_, fault)| fault.contains(word)).cloned()
        };
        until(word, look).await
    };
    let (code, _) = seen("certificate").await;
    assert_eq!(code, "https-tls", "its certificate is not believed");
    put(&json!({ "serverAuthorities": authority })).await;
    let refused = async || {
        let faults = faults(&play, &id).await;
        faults.last().filter(|(_, fault)| !fault.contains("UnknownIssuer")).cloned()
    };
    let (code, _) = until("ours is asked for", refused).await;
    assert!(matches!(code.as_str(), "https-tls" | "https-unavailable"), "{code}");
    put(&json!({ "serverAuthorities": authority, "clientCertificate": stranger.certificate_pem,
        "clientKey": stranger.key_pem }))
    .await;
    assert!(server.got().is_empty());
    let hook = put(&json!({ "serverAuthorities": authority, "clientKey": ours.key_pem,
        "clientCertificate": ours.certificate_pem }))
    .await;
    assert_eq!(hook["init"]["clientKey"], "***");
    let report = is_delivered(&play, &id).await;
    assert_eq!(report["clientCertificate"].as_str().unwrap().len(), 64);
    assert_eq!(server.got().len(), 1);
    let all = everything(&play, &id).await;
    let key: String = ours.key_pem.lines().skip(1).take(1).collect();
    assert!(!all.contains("PRIVATE KEY") && !all.contains(&key));
}

#[tokio::test]
async fn hooks_that_cannot_work_are_refused_with_the_reason() {
    let world = world().await;
    let acme = world.acme().await;
    let url = "https://erp.example.org/in";
    let token = |url: &str| json!({ "tokenUrl": url, "clientId": "me", "clientSecret": "geheim" });
    for (action, init, word) in [
        ("https://10.0.0.1/in", json!({}), "not a public address"),
        ("https://[::1]/in", json!({}), "not a public address"),
        ("https://a:b@erp.example.org/in", json!({}), "user name or password"),
        ("http://erp.example.org/in", json!({}), "only https"),
        (url, token("https://169.254.169.254/token"), "tokenUrl: 169.254.169.254 leads to"),
        (url, token("http://id.example.org/token"), "tokenUrl: the scheme is http"),
        (url, json!({ "pasword": "geheim" }), "has no field \"pasword\""),
        (url, json!({ "password": "geheim" }), "password says nothing without user"),
        (url, json!({ "user": "me", "password": 7 }), "password is not a text"),
        (url, json!({ "user": "me", "password": "***" }), "give it again"),
        (url, json!({ "document": "xml" }), "raw, multipart or json"),
        (url, json!({ "filename": "a.xml" }), "lacks {{id}}"),
        (url, json!({ "clientCertificate": "geheim", "clientKey": "geheim" }), "no certificate"),
        (url, json!({ "scope": "x".repeat(70_000) }), "larger than 65536 bytes"),
    ] {
        let hook = json!({ "action": action, "topics": ["Send*"], "init": init });
        let (status, answer) = acme.json(Method::POST, "/api/v1/hook", hook).await;
        assert_eq!((status, &answer["code"]), (400, &json!("API400.Hook")), "{action}: {answer}");
        assert!(answer["message"].as_str().unwrap().contains(word), "{word}: {answer}");
        assert!(!answer.to_string().contains("geheim"), "{answer}");
    }
}

#[tokio::test]
async fn a_secret_stays_for_its_place_and_goes_nowhere_else() {
    let world = world().await;
    let acme = world.acme().await;
    let put = async |url: &str, init: Value| {
        let hook = json!({ "id": "posts", "action": url, "topics": ["Send*"], "init": init });
        acme.json(Method::PUT, "/api/v1/hook", hook).await
    };
    let url = "https://erp.example.org/in";
    let (status, hook) = put(url, json!({ "user": "me", "password": "geheim" })).await;
    assert_eq!((status, &hook["init"]["password"]), (200, &json!("***")), "{hook}");
    let stars = json!({ "user": "me", "password": "***", "document": "json" });
    let (status, hook) = put(url, stars.clone()).await;
    assert_eq!((status, &hook["hasSecret"]), (200, &json!(true)), "{hook}");
    for other in ["https://erp.example.org/other", "https://else.example.org/in"] {
        let (status, answer) = put(other, stars.clone()).await;
        assert_eq!(status, 400, "a secret is for one place: {answer}");
    }
    let (status, hook) = put(url, json!({})).await;
    assert_eq!((status, &hook["hasSecret"]), (200, &json!(false)), "it was left out: {hook}");
    let (status, _) = put(url, stars).await;
    assert_eq!(status, 400, "there is none any more");
    let (_, hooks) = acme.get("/api/v1/hook").await;
    assert!(!hooks.to_string().contains("geheim"));
}
