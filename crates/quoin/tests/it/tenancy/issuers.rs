//! Tokens of other issuers: taken as the configuration says, checked as ours are, and never good
//! for more than the organisation that their issuer speaks for.

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize, PublicKeyComponents};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use data_encoding::BASE64URL_NOPAD;
use futures::future::{BoxFuture, FutureExt};
use jiff::Timestamp;
use quoin_access_point::config::Config;
use quoin_api::http::issuers::{Issuers, KeySource};
use serde_json::{Value, json};

use crate::world::{As, World, world_with};

const ISSUERS: &str = r#"
[[api.issuers]]
issuer = "https://login.example.org"
audience = "quoin"
jwks_url = "https://login.example.org/keys"
subject_claim = "preferred_username"
organisation = "acme"
role_claim = "roles"

[[api.issuers]]
issuer = "https://hub.example.org"
audience = "quoin"
jwks_url = "https://hub.example.org/keys"
organisation_claim = "tenant"
role_claim = "roles"
demand_scope = true

[[organisation]]
id = "acme"
name = "Acme"
"#;

struct Keys(Vec<u8>);

impl KeySource for Keys {
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        assert!(url.ends_with(".example.org/keys"));
        std::future::ready(Ok(self.0.clone())).boxed()
    }
}

/// A provider with a key of its own.
struct Provider {
    world: World,
    key: KeyPair,
}

async fn provider() -> Provider {
    let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let public = PublicKeyComponents::<Vec<u8>>::from(key.public_key());
    let text = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
    let set = json!({ "keys": [
        { "kty": "RSA", "kid": "k1", "use": "sig", "n": text(&public.n), "e": text(&public.e) },
        { "kty": "oct", "kid": "k2", "k": "c2VjcmV0" },
    ] });
    let config = Config::parse(ISSUERS).unwrap();
    let source: Arc<dyn KeySource> = Arc::new(Keys(set.to_string().into_bytes()));
    let world = world_with(Issuers::new(&config.api.issuers, &source)).await;
    Provider { world, key }
}

impl Provider {
    fn claims(&self) -> Value {
        let now = Timestamp::now().as_second();
        json!({
            "iss": "https://login.example.org", "aud": ["quoin", "other"], "sub": "4711",
            "preferred_username": "alice", "iat": now, "exp": now + 600,
        })
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let signed = format!("{}.{}", part(header), part(claims));
        let mut signature = vec![0; self.key.public_modulus_len()];
        let random = SystemRandom::new();
        self.key.sign(&RSA_PKCS1_SHA256, &random, signed.as_bytes(), &mut signature).unwrap();
        format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
    }

    /// The answer to a token with these claims over the usual ones.
    async fn me(&self, over: Value) -> (u16, Value) {
        let mut claims = self.claims();
        for (name, value) in over.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let token = self.token(&json!({ "alg": "RS256", "kid": "k1" }), &claims);
        As::with_token(&self.world.base, &token).get("/api/v1/me").await
    }
}

#[tokio::test]
async fn a_user_on_record_signs_in_elsewhere() {
    let provider = provider().await;
    assert_eq!(provider.me(json!({})).await.1["code"], "API401.Invalid", "nobody knows alice");
    provider.world.user("alice").await;
    let (status, me) = provider.me(json!({})).await;
    assert_eq!((status, &me["name"], &me["role"]), (200, &json!("alice"), &json!("ApUser")));
    assert_eq!(me["organisationId"], "acme");
    let (_, me) = provider.me(json!({ "roles": ["ApManager"] })).await;
    assert_eq!(me["role"], "ApUser", "what is on record counts, not what the token says");
    let off = quoin_store::UserChange { active: Some(false), ..Default::default() };
    let (store, now) = (&provider.world.store, provider.world.clock.now());
    store.put_user(&"acme".parse().unwrap(), "alice", off, now).await.unwrap();
    let switched_off = provider.me(json!({ "roles": ["ApManager"] })).await;
    assert_eq!(switched_off.0, 401, "a role of the token does not bring it back");
    let stranger = json!({ "preferred_username": "carol", "roles": "reader ApManager" });
    assert_eq!(provider.me(stranger).await.1["role"], "ApManager");
}

#[tokio::test]
async fn an_issuer_speaks_only_for_whom_it_may() {
    let provider = provider().await;
    provider.world.user("alice").await;
    let (_, me) = provider.me(json!({ "tenant": "other", "org": "other" })).await;
    assert_eq!(me["organisationId"], "acme");
    let hub = json!({
        "iss": "https://hub.example.org", "sub": "other-erp", "tenant": "other", "scope": "openid ap",
    });
    let (status, me) = provider.me(hub.clone()).await;
    assert_eq!((status, &me["organisationId"]), (200, &json!("other")), "{me}");
    for (name, value) in
        [("tenant", json!("acme")), ("tenant", json!("a/b")), ("scope", json!("openid"))]
    {
        let mut wrong = hub.clone();
        wrong[name] = value;
        assert_eq!(provider.me(wrong).await.0, 401, "{name}");
    }
    let mut nowhere = hub.clone();
    nowhere["tenant"] = json!("nowhere");
    nowhere["roles"] = json!(["ApManager"]);
    assert_eq!(provider.me(nowhere).await.0, 401, "there is no such organisation");
}

#[tokio::test]
async fn each_wrong_token_of_an_issuer_is_refused() {
    let provider = provider().await;
    provider.world.user("alice").await;
    let now = Timestamp::now().as_second();
    for (over, code) in [
        (json!({ "aud": "somebody" }), "API401.Invalid"),
        (json!({ "exp": now - 1 }), "API401.Expired"),
        (json!({ "exp": "soon" }), "API401.Malformed"),
        (json!({ "nbf": now + 600 }), "API401.Invalid"),
        (json!({ "preferred_username": "" }), "API401.Malformed"),
        (json!({ "iss": "https://evil.example.org" }), "API401.Invalid"),
    ] {
        let (status, answer) = provider.me(over.clone()).await;
        assert_eq!((status, &answer["code"]), (401, &json!(code)), "{over}");
    }
    for header in [
        json!({ "alg": "none" }),
        json!({ "alg": "HS256", "kid": "k2" }),
        json!({ "alg": "PS256", "kid": "k1" }),
        json!({ "alg": "RS256", "kid": "other" }),
    ] {
        let token = provider.token(&header, &provider.claims());
        let answer = As::with_token(&provider.world.base, &token).get("/api/v1/me").await;
        assert_eq!((answer.0, &answer.1["code"]), (401, &json!("API401.Invalid")), "{header}");
    }
    let good = provider.token(&json!({ "alg": "RS256", "kid": "k1" }), &provider.claims());
    let mut parts: Vec<_> = good.split('.').map(str::to_owned).collect();
    let mut claims = provider.claims();
    claims["preferred_username"] = json!("acme-boss");
    parts[1] = BASE64URL_NOPAD.encode(claims.to_string().as_bytes());
    let forged = As::with_token(&provider.world.base, &parts.join(".")).get("/api/v1/me").await;
    assert_eq!(forged.1["code"], "API401.Invalid");
}

/// Where the keys of an issuer are is nothing that a stranger is told.
#[tokio::test]
async fn an_issuer_whose_keys_cannot_be_had_is_told_without_its_address() {
    let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let config = Config::parse(ISSUERS).unwrap();
    let source: Arc<dyn KeySource> = Arc::new(NoKeys);
    let world = world_with(Issuers::new(&config.api.issuers, &source)).await;
    let (status, problem) = Provider { world, key }.me(json!({})).await;
    assert_eq!((status, &problem["code"]), (503, &json!("API503")), "{problem}");
    let said = problem.to_string();
    assert!(said.contains("of the issuer of the token could not be fetched"), "{said}");
    assert!(!said.contains("127.0.0.1") && !said.contains("500"), "{said}");
}

struct NoKeys;

impl KeySource for NoKeys {
    fn fetch<'a>(&'a self, _url: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        std::future::ready(Err("https://127.0.0.1:19001/keys answered 500".to_owned())).boxed()
    }
}

/// What is wrong with a token of another issuer is not that it is none of ours.
#[tokio::test]
async fn a_wrong_token_of_an_issuer_is_told_in_its_own_words() {
    let provider = provider().await;
    let header = json!({ "alg": "RS256", "kid": "k1" });
    let mut stranger = provider.claims();
    stranger["iss"] = json!("https://evil.example.org");
    let good = provider.token(&header, &provider.claims());
    let changed = good.rsplit_once('.').unwrap().0.to_owned() + "." + &"A".repeat(342);
    for (token, said) in [
        (
            provider.token(&header, &stranger),
            "its issuer (iss) is none whose tokens are taken here",
        ),
        (changed, "its signature fits no key of that issuer"),
        (provider.token(&json!({ "alg": "ES512" }), &provider.claims()), "its algorithm (alg) is"),
    ] {
        let (status, problem) =
            As::with_token(&provider.world.base, &token).get("/api/v1/me").await;
        assert_eq!((status, &problem["code"]), (401, &json!("API401.Invalid")), "{problem}");
        assert!(problem.to_string().contains(said), "{said}: {problem}");
    }
}

#[tokio::test]
async fn a_connection_that_follows_events_ends_with_its_token() {
    let provider = provider().await;
    let mut claims = provider.claims();
    claims["exp"] = json!(provider.world.clock.now().as_second() + 60);
    claims["roles"] = json!("ApManager");
    let token = provider.token(&json!({ "alg": "RS256", "kid": "k1" }), &claims);
    let carol = As::with_token(&provider.world.base, &token);
    let request = carol.request(reqwest::Method::GET, "/api/v1/events/stream");
    let stream = request.send().await.unwrap();
    assert_eq!(stream.status().as_u16(), 200);
    provider.world.clock.advance(jiff::SignedDuration::from_secs(61));
    let ended = tokio::time::timeout(std::time::Duration::from_secs(20), stream.text()).await;
    assert!(ended.is_ok(), "it went on after the end of the token");
}
