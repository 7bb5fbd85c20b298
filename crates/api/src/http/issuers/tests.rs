//! Tokens of other issuers that are taken, those that are not, and when keys are fetched for them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use futures::future::FutureExt;
use jiff::SignedDuration;
use serde_json::json;

use super::*;

const ISSUER: &str = "https://login.example.org";

/// What an issuer answers who asks for its keys, and how often it was asked.
#[derive(Default)]
struct AnsweringIssuer {
    set: Mutex<Value>,
    fetches: AtomicUsize,
}

impl AnsweringIssuer {
    fn says(&self, set: Value) {
        *self.set.lock().unwrap() = set;
    }

    fn fetches(&self) -> usize {
        self.fetches.load(Ordering::SeqCst)
    }
}

impl KeySource for AnsweringIssuer {
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        self.fetches.fetch_add(1, Ordering::SeqCst);
        let set = self.set.lock().unwrap().clone();
        let failed = || format!("{url} answered 500");
        let answer = if set.is_null() { Err(failed()) } else { Ok(set.to_string().into_bytes()) };
        std::future::ready(answer).boxed()
    }
}

struct IssuerSigner(EcdsaKeyPair);

impl IssuerSigner {
    fn new() -> IssuerSigner {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key.as_ref());
        IssuerSigner(key.unwrap())
    }

    fn key(&self, kid: Option<&str>) -> Value {
        let point = self.0.public_key().as_ref();
        let (x, y) = (BASE64URL_NOPAD.encode(&point[1..33]), BASE64URL_NOPAD.encode(&point[33..]));
        let mut key = json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y });
        if let Some(kid) = kid {
            key["kid"] = json!(kid);
        }
        key
    }

    /// A token with these members over the usual ones.
    fn token(&self, header: Value, claims: Value) -> String {
        let part = |mut usual: Value, over: Value| {
            usual.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
            BASE64URL_NOPAD.encode(usual.to_string().as_bytes())
        };
        let usual = json!({ "iss": ISSUER, "aud": "quoin", "sub": "alice",
            "exp": now().as_second() + 500_000 });
        let signed = format!("{}.{}", part(json!({ "alg": "ES256" }), header), part(usual, claims));
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
    }
}

fn now() -> Timestamp {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

fn after(seconds: i64) -> Timestamp {
    now() + SignedDuration::from_secs(seconds)
}

/// An issuer for each audience, which speaks for the organisation of that name.
fn issuers(audiences: &[&str], source: &Arc<AnsweringIssuer>) -> Issuers {
    let row = |audience: &&str| {
        let row = json!({ "issuer": ISSUER, "audience": audience, "organisation": audience,
            "jwks_url": "https://10.0.0.7/keys" });
        serde_json::from_value(row).unwrap()
    };
    let rows: Vec<IssuerConfig> = audiences.iter().map(row).collect();
    let source: Arc<dyn KeySource> = source.clone();
    Issuers::new(&rows, &source)
}

async fn verified(issuers: &Issuers, token: &str, at: Timestamp) -> Result<Outsider, TokenError> {
    let found = issuers.of(token).unwrap().verify(token, at).await;
    // A fetch in the background ends before the next one is looked at.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    found
}

#[tokio::test]
async fn an_answer_without_usable_keys_is_a_fetch_that_failed() {
    let (source, signer) = (Arc::new(AnsweringIssuer::default()), IssuerSigner::new());
    let known = issuers(&["quoin"], &source);
    let token = signer.token(json!({}), json!({}));
    source.says(json!({ "keys": [signer.key(None)] }));
    assert!(verified(&known, &token, now()).await.is_ok());
    let secret = json!({ "kty": "oct", "k": "c2VjcmV0" });
    let wrong =
        [json!({}), json!({ "keys": {} }), json!({ "keys": [] }), json!({ "keys": [secret] })];
    for (at, set) in wrong.into_iter().enumerate() {
        source.says(set.clone());
        for second in [0, 1] {
            let at = after(7200 * (at as i64 + 1) + second);
            assert!(verified(&known, &token, at).await.is_ok(), "{set}");
        }
        assert_eq!(source.fetches(), 2 * at + 2, "{set}");
        let unknown = issuers(&["quoin"], &source);
        let error = verified(&unknown, &token, now()).await.unwrap_err();
        let said = "the keys of the issuer of the token could not be fetched: try again in half a \
                    minute";
        assert_eq!((&error, error.to_string().as_str()), (&TokenError::Keys(&said[36..]), said));
    }
}

#[tokio::test]
async fn keys_that_are_of_no_use_hide_none_behind_them() {
    let (source, signer) = (Arc::new(AnsweringIssuer::default()), IssuerSigner::new());
    let mut keys = vec![json!({ "kty": "oct", "k": "c2VjcmV0" }); 40];
    keys.push(signer.key(Some("k1")));
    source.says(json!({ "keys": keys }));
    let token = signer.token(json!({ "kid": "k1" }), json!({}));
    assert!(verified(&issuers(&["quoin"], &source), &token, now()).await.is_ok());
}

#[tokio::test]
async fn a_key_that_changes_without_another_id_is_fetched() {
    for kid in [Some("k1"), None] {
        let (source, old, new) =
            (Arc::new(AnsweringIssuer::default()), IssuerSigner::new(), IssuerSigner::new());
        let known = issuers(&["quoin"], &source);
        let header = kid.map(|kid| json!({ "kid": kid })).unwrap_or(json!({}));
        let of = |signer: &IssuerSigner| signer.token(header.clone(), json!({}));
        source.says(json!({ "keys": [old.key(kid)] }));
        assert!(verified(&known, &of(&old), now()).await.is_ok());
        source.says(json!({ "keys": [new.key(kid)] }));
        assert!(verified(&known, &of(&new), after(29)).await.is_err(), "within the pause");
        assert_eq!(source.fetches(), 1);
        assert!(verified(&known, &of(&new), after(30)).await.is_ok());
        assert_eq!(source.fetches(), 2);
        assert!(verified(&known, &of(&old), after(31)).await.is_err(), "it is none any more");
        // A stranger causes no more than one fetch in each pause, and takes no key away.
        source.says(Value::Null);
        for second in 32..90 {
            let junk = of(&IssuerSigner::new());
            let error = verified(&known, &junk, after(second)).await.unwrap_err();
            assert_eq!(error, TokenError::Elsewhere("its signature fits no key of that issuer"));
        }
        assert_eq!(source.fetches(), 3);
        assert!(verified(&known, &of(&new), after(91)).await.is_ok());
    }
}

#[tokio::test]
async fn a_token_without_an_id_is_tried_with_four_keys_of_its_kind() {
    let source = Arc::new(AnsweringIssuer::default());
    let signers: Vec<_> = (0..5).map(|_| IssuerSigner::new()).collect();
    let modulus = BASE64URL_NOPAD.encode(&[0xff; 256]);
    let mut keys = vec![json!({ "kty": "RSA", "n": modulus, "e": "AQAB" }); 6];
    keys.extend(signers.iter().map(|signer| signer.key(Some("k"))));
    keys.push(signers[4].key(Some("last")));
    source.says(json!({ "keys": keys }));
    let known = issuers(&["quoin"], &source);
    for (place, signer) in signers.iter().enumerate() {
        let taken = verified(&known, &signer.token(json!({}), json!({})), now()).await.is_ok();
        assert_eq!(taken, place < 4, "{place}");
    }
    let named = signers[4].token(json!({ "kid": "last" }), json!({}));
    assert!(verified(&known, &named, now()).await.is_ok());
}

#[tokio::test]
async fn a_token_is_refused_for_what_it_says_and_not_only_for_its_signature() {
    let (source, signer) = (Arc::new(AnsweringIssuer::default()), IssuerSigner::new());
    source.says(json!({ "keys": [signer.key(None)] }));
    let known = issuers(&["quoin"], &source);
    let number = TokenError::Malformed("one of exp, nbf and iat is no number");
    let early = TokenError::Foreign("not valid yet");
    let other = TokenError::Foreign(OTHER_AUDIENCE);
    let name = TokenError::Elsewhere(
        "the claim that says who it is holds no name that an account may have",
    );
    for (claims, error) in [
        (json!({ "exp": "soon" }), &number),
        (json!({ "nbf": "2030-01-01" }), &number),
        (json!({ "nbf": [0] }), &number),
        (json!({ "iat": "0" }), &number),
        (json!({ "iat": null }), &number),
        (json!({ "nbf": now().as_second() + 31 }), &early),
        (json!({ "iat": now().as_second() + 31 }), &early),
        (json!({ "iat": 1e300 }), &early),
        (json!({ "aud": "quoin other" }), &other),
        (json!({ "aud": ["quoin other"] }), &other),
        (json!({ "aud": [["quoin"]] }), &other),
        (json!({ "sub": "ali\u{202e}ce" }), &name),
        (json!({ "sub": "ali\nce" }), &name),
        (json!({ "sub": "a".repeat(129) }), &name),
        (json!({ "sub": "acme/alice" }), &name),
    ] {
        let token = signer.token(json!({}), claims.clone());
        let found = verified(&known, &token, now()).await;
        assert_eq!(found.as_ref(), Err(error), "{claims}");
    }
    for header in [json!({ "crit": ["exp"] }), json!({ "crit": [] }), json!({ "alg": "none" })] {
        let found = verified(&known, &signer.token(header.clone(), json!({})), now()).await;
        assert!(matches!(found, Err(TokenError::Elsewhere(_))), "{header}");
    }
    let ends = after(600);
    let claims = json!({ "exp": ends.as_second(), "nbf": 0.5, "iat": now().as_second() + 30,
        "sub": "a".repeat(128), "aud": ["other", "quoin"] });
    let found = verified(&known, &signer.token(json!({}), claims), now()).await.unwrap();
    assert_eq!((found.until, found.name.len()), (ends, 128));
}

#[tokio::test]
async fn one_issuer_speaks_for_another_with_each_audience() {
    let (source, signer) = (Arc::new(AnsweringIssuer::default()), IssuerSigner::new());
    source.says(json!({ "keys": [signer.key(None)] }));
    let known = issuers(&["acme", "other"], &source);
    for (audience, organisation) in [
        (json!("acme"), "acme"),
        (json!("other"), "other"),
        (json!(["x", "other"]), "other"),
        (json!(["other", "acme"]), "acme"),
    ] {
        let token = signer.token(json!({}), json!({ "aud": audience }));
        let found = verified(&known, &token, now()).await.unwrap();
        assert_eq!(found.organisation, organisation, "{audience}");
    }
    assert_eq!(source.fetches(), 1, "the keys are the same");
    let token = signer.token(json!({}), json!({ "aud": "nobody" }));
    let found = verified(&known, &token, now()).await;
    assert_eq!(found, Err(TokenError::Foreign(OTHER_AUDIENCE)));
}
