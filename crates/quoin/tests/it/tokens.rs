//! A client fetches a token and is known by it; everything else gets its own answer.

use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Json, Router};
use data_encoding::BASE64;
use futures::future::{BoxFuture, FutureExt};
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::ClientRole;
use quoin_access_point::tls::{Door, DoorLimits, Shutdown};
use quoin_api::http::auth::Auth;
use quoin_api::http::frame::{RequestFrame, framed};
use quoin_api::http::throttle::Throttle;
use quoin_api::http::token::Tokens;
use quoin_api::http::{
    AccountRights, AccountsFault, Caller, ClientRecord, Clients, UserRecord, connect,
};
use serde_json::{Value, json};

struct One;

impl Clients for One {
    fn find<'a>(
        &'a self,
        client_id: &'a str,
    ) -> BoxFuture<'a, Result<Option<ClientRecord>, AccountsFault>> {
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, b"s3cret");
        let found = (client_id == "erp").then(|| ClientRecord {
            client_id: "erp".into(),
            organisation: "acme".into(),
            role: ClientRole::ApUser,
            secret_sha256: digest.as_ref().try_into().unwrap(),
            previous: None,
            since: Timestamp::MIN,
        });
        async move { Ok(found) }.boxed()
    }

    fn users<'a>(
        &'a self,
        _: Option<&'a str>,
        _: &'a str,
    ) -> BoxFuture<'a, Result<Vec<UserRecord>, AccountsFault>> {
        std::future::ready(Ok(Vec::new())).boxed()
    }

    fn has_organisation<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, AccountsFault>> {
        std::future::ready(Ok(id == "acme")).boxed()
    }

    fn standing<'a>(
        &'a self,
        organisation: &'a str,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<AccountRights>, AccountsFault>> {
        async move {
            let found = self.find(name).await?.filter(|found| found.organisation == organisation);
            Ok(found.map(|found| AccountRights {
                active: true,
                role: found.role,
                all_parties: true,
                since: found.since,
            }))
        }
        .boxed()
    }
}

struct World {
    base: String,
    clock: Clock,
    http: reqwest::Client,
    auth: Auth,
}

async fn world() -> World {
    let clock = Clock::default();
    let key = Tokens::generate_key().unwrap();
    let auth = Auth {
        tokens: Arc::new(Tokens::new(&key, "https://api.example.org", 3600).unwrap()),
        clients: Arc::new(One),
        throttle: Arc::new(Throttle::new(3)),
        passwords: Default::default(),
        issuers: Default::default(),
        clock: clock.clone(),
    };
    let me = async |caller: Caller| Json(json!({ "organisation": caller.organisation }));
    let manage = async |caller: Caller| caller.manager();
    let routes = Router::new()
        .route("/me", get(me))
        .route("/manage", get(manage))
        .with_state(auth.clone())
        .merge(connect::routes(auth.clone()));
    let base = "https://api.example.org".into();
    let frame = RequestFrame {
        base,
        request_bytes: 24 * 1024 * 1024,
        clock: clock.clone(),
        prefix: "X-Service-".into(),
        rates: Default::default(),
        pool: Default::default(),
        store: None,
    };
    let address = "127.0.0.1:0".parse().unwrap();
    let door = Door { name: "api", address, tls: None, limits: DoorLimits::default() };
    let open = door.open(framed(routes, frame), Shutdown::default()).await.unwrap();
    World { base: open.url(), clock, http: plain_client(), auth }
}

fn plain_client() -> reqwest::Client {
    let tls = quoin_access_point::net::client_tls(&[]).unwrap();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .no_proxy()
        .timeout(Duration::from_secs(10))
        .build()
        .unwrap()
}

impl World {
    async fn token(&self, form: &str, basic: Option<&str>) -> (u16, Value) {
        let mut request = self
            .http
            .post(format!("{}/connect/token", self.base))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        if let Some(basic) = basic {
            request = request
                .header("authorization", format!("Basic {}", BASE64.encode(basic.as_bytes())));
        }
        answer(request).await
    }

    async fn get(&self, path: &str, authorization: Option<&str>) -> (u16, Value) {
        let mut request = self.http.get(format!("{}{path}", self.base));
        if let Some(value) = authorization {
            request = request.header("authorization", value);
        }
        answer(request).await
    }
}

async fn answer(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.bytes().await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

const GOOD: &str = "grant_type=client_credentials&client_id=erp&client_secret=s3cret&scope=ap";

const OTHER: &str = "grant_type=client_credentials&client_id=crm";
const OTHER_USER: &str = "grant_type=password&username=a&password=b&client_id=crm";

#[tokio::test]
async fn a_token_is_fetched_and_used() {
    let world = world().await;
    for (form, basic) in [
        (GOOD, None),
        ("grant_type=client_credentials", Some("erp:s3cret")),
        ("grant_type=client_credentials&client_id=erp", Some("erp:s3cret")),
    ] {
        let (status, body) = world.token(form, basic).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!(body["expires_in"], 3600);
        assert_eq!(body["token_type"], "Bearer");
        let bearer = format!("Bearer {}", body["access_token"].as_str().unwrap());
        let (status, body) = world.get("/me", Some(&bearer)).await;
        assert_eq!((status, &body["organisation"]), (200, &json!("acme")));
        let (status, body) = world.get("/manage", Some(&bearer)).await;
        assert_eq!((status, &body["code"]), (403, &json!("API403.Role")));
    }
}

#[tokio::test]
async fn wrong_token_requests_get_the_errors_of_oauth() {
    let world = world().await;
    for (form, basic, status, error) in [
        ("grant_type=client_credentials", None, 401, "invalid_client"),
        ("client_id=erp&client_secret=s3cret", None, 400, "invalid_request"),
        ("grant_type=password&username=a&password=b", None, 400, "invalid_grant"),
        ("grant_type=password&username=a", None, 400, "invalid_request"),
        ("grant_type=refresh_token", None, 400, "unsupported_grant_type"),
        ("grant_type=client_credentials&scope=root", Some("erp:s3cret"), 400, "invalid_scope"),
        ("grant_type=client_credentials", Some("erp:wrong"), 401, "invalid_client"),
        ("grant_type=client_credentials", Some("nobody:s3cret"), 401, "invalid_client"),
        ("grant_type=client_credentials&grant_type=x", None, 400, "invalid_request"),
        (GOOD, Some("erp:s3cret"), 400, "invalid_request"),
        // Whose token is wanted is said once.
        (OTHER, Some("erp:s3cret"), 400, "invalid_request"),
        (OTHER_USER, Some("erp:s3cret"), 400, "invalid_request"),
    ] {
        let (got, body) = world.token(form, basic).await;
        assert_eq!((got, &body["error"]), (status, &json!(error)), "{form} {body}");
    }
}

#[tokio::test]
async fn guessing_is_slowed_down() {
    let world = world().await;
    for _ in 0..3 {
        assert_eq!(world.token("grant_type=client_credentials", Some("erp:no")).await.0, 401);
    }
    assert_eq!(world.token(GOOD, None).await.0, 429);
    world.clock.advance(SignedDuration::from_secs(61));
    assert_eq!(world.token(GOOD, None).await.0, 200);
}

#[tokio::test]
async fn each_wrong_token_has_its_code() {
    let world = world().await;
    let (_, body) = world.token(GOOD, None).await;
    let token = body["access_token"].as_str().unwrap().to_owned();
    let other = Tokens::new(&Tokens::generate_key().unwrap(), "https://api.example.org", 9);
    let client = One.find("erp").await.unwrap().unwrap();
    let foreign = other.unwrap().issue(&client, world.clock.now()).unwrap();
    for (value, code) in [
        (None, "API401"),
        (Some("Basic abc".to_owned()), "API401.Malformed"),
        (Some("Bearer abc".to_owned()), "API401.Malformed"),
        (Some(format!("Bearer {foreign}")), "API401.Invalid"),
    ] {
        let (status, body) = world.get("/me", value.as_deref()).await;
        assert_eq!((status, &body["code"]), (401, &json!(code)), "{value:?}");
    }
    world.clock.advance(SignedDuration::from_secs(3601));
    let (status, body) = world.get("/me", Some(&format!("Bearer {token}"))).await;
    assert_eq!((status, &body["code"]), (401, &json!("API401.Expired")));
}

#[tokio::test]
async fn problems_carry_what_both_kinds_of_client_read() {
    let world = world().await;
    let request = world.http.get(format!("{}/nowhere", world.base)).header("x-request-id", "r-1");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    assert_eq!(response.headers()["x-request-id"], "r-1");
    let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    assert_eq!(body["status"], 404);
    assert_eq!(body["code"], "API404.Path");
    assert_eq!(body["requestId"], "r-1");
    assert_eq!(body["instance"], "/nowhere");
    assert_eq!(body["helpLink"], "https://api.example.org/docs/errors/API404.Path");
    assert_eq!(body["type"], body["helpLink"]);
    assert_eq!(body["message"], body["detail"]);
    assert!(body["dateTime"].as_str().unwrap().ends_with('Z'));
    let page = world.http.get(format!("{}/docs/errors/API404.Path", world.base));
    let page = page.send().await.unwrap();
    let text = String::from_utf8(page.bytes().await.unwrap().to_vec()).unwrap();
    assert!(text.starts_with("# API404.Path"));
    let (status, body) = answer(world.http.delete(format!("{}/me", world.base))).await;
    assert_eq!((status, &body["code"]), (405, &json!("API405")));
}

#[tokio::test]
async fn the_issuer_can_be_discovered() {
    let world = world().await;
    let (_, document) = world.get("/.well-known/openid-configuration", None).await;
    assert_eq!(document["issuer"], "https://api.example.org");
    assert_eq!(document["token_endpoint"], "https://api.example.org/connect/token");
    let (_, keys) = world.get("/.well-known/jwks.json", None).await;
    assert_eq!(keys, world.auth.tokens.jwks());
}
