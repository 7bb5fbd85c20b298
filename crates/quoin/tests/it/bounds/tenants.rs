//! A tenant, and whoever is behind its tokens.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use data_encoding::BASE64URL_NOPAD;
use futures::future::{BoxFuture, FutureExt};
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::config::Config;
use quoin_api::http::issuers::{Issuers, KeySource};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use super::{SOON, watched};
use crate::stage::{Play, Stage, until};
use crate::world::{As, world_with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a7_documents_that_are_slow_to_judge_stop_nobody() {
    let play = Play::begin().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "SLOW");
    // As many elements as a reader takes that no rule knows; fewer than were measured, since this
    // is not an optimised build.
    let slow = invoice.replacen("<cac:Inv", &format!("{}<cac:Inv", "<z/>".repeat(150_000)), 1);
    let uploads = async {
        let mut ids = Vec::new();
        for _ in 0..6 {
            ids.push(play.send_document(slow.clone()).await);
        }
        for id in &ids {
            play.ending(id).await;
        }
    };
    let (_, longest) = watched(play.sender().await, uploads).await;
    assert!(longest < SOON, "the listeners stood still for {longest:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b3_uploads_that_trickle_take_no_room_from_others() {
    let play = Play::begin().await;
    let caller = play.sender().await;
    let address = play.one.api.as_ref().unwrap().address;
    let mut trickling = Vec::new();
    for _ in 0..12 {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /api/v1/{SENDER}/salesInvoice/send HTTP/1.1\r\nhost: x\r\ncontent-type: \
             application/xml\r\nauthorization: Bearer {}\r\ntransfer-encoding: chunked\r\n\r\n\
             1\r\n<\r\n",
            caller.token()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        trickling.push(stream);
    }
    let begun = Instant::now();
    play.send("SMALL").await;
    assert!(begun.elapsed() < SOON, "a small upload waited {:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b3_one_organisation_leaves_room_for_others() {
    let stage = Stage::set().await;
    let play = stage.play_with(|one, _| one.limits.memory_megabytes = 64).await;
    let (caller, budget) = (play.sender().await, &play.one.parts.budgets.bytes);
    let address = play.one.api.as_ref().unwrap().address;
    let mut held = Vec::new();
    for _ in 0..6 {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /api/v1/{SENDER}/salesInvoice/send HTTP/1.1\r\nhost: x\r\ncontent-type: \
             application/xml\r\nauthorization: Bearer {}\r\ncontent-length: 20000000\r\n\r\n",
            caller.token()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        held.push(tokio::spawn(async move {
            stream.write_all(&vec![b' '; 19_000_000]).await.map(|()| stream)
        }));
    }
    let spool = &play.one.parts.budgets.spool;
    until("they lie on the disk", async || (spool.used() > 100_000_000).then_some(())).await;
    let small = budget.total() / 8;
    assert!(budget.used() <= small, "{} of {} in memory", budget.used(), budget.total());
    let begun = Instant::now();
    let id = play.send("OTHER").await;
    assert!(begun.elapsed() < SOON, "a small upload waited {:?}", begun.elapsed());
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    drop(held);
}

struct Silent {
    silent: AtomicBool,
    fetches: AtomicUsize,
    keys: Vec<u8>,
}

impl KeySource for Silent {
    fn fetch<'a>(&'a self, _url: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        self.fetches.fetch_add(1, Ordering::SeqCst);
        async {
            if self.silent.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_secs(10)).await;
                return Err("no answer".to_owned());
            }
            Ok(self.keys.clone())
        }
        .boxed()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b6_a_silent_issuer_and_unknown_keys_delay_nobody() {
    use aws_lc_rs::rsa::{KeyPair, KeySize, PublicKeyComponents};
    use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
    let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let public = PublicKeyComponents::<Vec<u8>>::from(key.public_key());
    let text = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
    let keys = json!({ "keys": [
        { "kty": "RSA", "kid": "k1", "n": text(&public.n), "e": text(&public.e) }] });
    let source = Arc::new(Silent {
        silent: AtomicBool::new(false),
        fetches: AtomicUsize::new(0),
        keys: keys.to_string().into_bytes(),
    });
    let config = Config::parse(
        "[[api.issuers]]\nissuer = 'https://a.example.org'\naudience = 'quoin'\n\
         jwks_url = 'https://a.example.org/keys'\norganisation = 'acme'\nrole_claim = 'roles'\n\
         [[organisation]]\nid = 'acme'\nname = 'Acme'\n",
    );
    let shared: Arc<dyn KeySource> = source.clone();
    let world = world_with(Issuers::new(&config.unwrap().api.issuers, &shared)).await;
    let token = |kid: &str| {
        let now = Timestamp::now().as_second();
        let claims = json!({ "iss": "https://a.example.org", "aud": "quoin", "sub": "x",
            "roles": "ApUser", "exp": now + 50_000 });
        let header = json!({ "alg": "RS256", "kid": kid });
        let part = |value: &serde_json::Value| text(value.to_string().as_bytes());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let mut signature = vec![0; key.public_modulus_len()];
        let random = aws_lc_rs::rand::SystemRandom::new();
        key.sign(&RSA_PKCS1_SHA256, &random, signed.as_bytes(), &mut signature).unwrap();
        format!("{signed}.{}", text(&signature))
    };
    let me = |kid: &str| {
        let (base, token) = (world.base.clone(), token(kid));
        async move {
            let begun = Instant::now();
            let (status, _) = As::with_token(&base, &token).get("/api/v1/me").await;
            (status, begun.elapsed())
        }
    };
    assert_eq!(me("k1").await.0, 200);
    source.silent.store(true, Ordering::SeqCst);
    world.clock.advance(SignedDuration::from_hours(2));
    // A stranger names keys that nobody has, while the issuer is silent and its keys are old.
    let strangers: Vec<_> = (0..40).map(|at| tokio::spawn(me(&format!("other{at}")))).collect();
    for _ in 0..5 {
        let (status, took) = me("k1").await;
        assert!(status == 200 && took < SOON, "{status} after {took:?}");
    }
    for stranger in strangers {
        let (status, took) = stranger.await.unwrap();
        assert!(status == 401 || status == 503, "{status}");
        assert!(took < Duration::from_secs(13), "{took:?}: all wait for one fetch");
    }
    assert_eq!(source.fetches.load(Ordering::SeqCst), 2, "one fetch is remembered as failed");
    assert_eq!(me("k1").await.0, 200);
}
