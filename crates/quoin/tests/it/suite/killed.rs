//! A service that is killed in the middle: of every family that a channel carries, the other side
//! has each document whole and under one key, and the sender is told once. A family that the
//! channel does not carry is refused at once.

use std::collections::BTreeSet;
use std::time::Duration;

use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::counterpart::{Counterpart, Mood, TakenDocument};
use crate::kill::families::{FAMILIES, KilledFamily};
use crate::kill::process::Service;
use crate::stage::caller::Caller;
use crate::stage::{Stage, until};
use quoin_testing::dice::Dice;

/// Documents of each family that are sent while the service is killed at any instant, with a kill
/// behind each.
const EACH: usize = 3;
/// Where those instants come from.
const SEED: u64 = 20_261_126;

/// A service that is a process of its own, and the other side of its channel.
struct KilledTheatre<'a> {
    stage: &'a Stage,
    one: &'a Service,
    other: &'a dyn Counterpart,
    caller: Caller,
}

/// An uploaded document.
struct KilledUpload {
    id: String,
    /// Its number, by which it is found at the other side.
    number: String,
    family: &'static KilledFamily,
    document: String,
}

async fn caller(stage: &Stage, one: &Service) -> Caller {
    let open = async || {
        one.stays_up();
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    until("a token", open).await
}

impl KilledTheatre<'_> {
    /// Registers the hook that meets the other side in a mood.
    async fn meet(&self, mood: Mood) {
        let mut hook = self.other.meets(mood).await.unwrap();
        hook["id"] = json!("channel");
        hook["topics"] = json!(["Send*"]);
        let headers = [("content-type", "application/json")];
        let body = Some(hook.to_string());
        let answer = self.caller.call(Method::PUT, "/api/v1/hook", &headers, body).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
    }

    /// Uploads a document; none where the channel does not carry its family, which is said at once.
    async fn upload(&self, family: &'static KilledFamily, number: &str) -> Option<KilledUpload> {
        let (id, document) =
            (Uuid::new_v4().to_string(), (family.document)(SENDER, RECEIVER, number));
        // Where a document is converted, everything may be lost that has no place there.
        let more = match self.other.query() {
            query if query.contains("allowLosses") => "",
            query => query,
        };
        let path = format!("/api/v1/{SENDER}/generic/send?channel=channel&allowLosses=*{more}");
        let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
        let body = Some(document.clone());
        let answer = self.caller.call(Method::POST, &path, &headers, body).await.unwrap();
        if family.has_no_form && self.other.has_a_form() {
            answer.is_problem(400, "API400.Channel", "there is no channel");
            let known = self.caller.get(&format!("/api/v1/{SENDER}/generic/{id}/status")).await;
            assert_eq!(known.status, 404, "nothing of it is kept: {}", known.json);
            return None;
        }
        assert_eq!(answer.status, 200, "{}", answer.json);
        let number = number.to_owned();
        Some(KilledUpload { id, number, family, document })
    }

    /// SIGKILL, and a new start.
    async fn kill(&mut self) {
        self.one.kill();
        self.one.start();
        self.caller = caller(self.stage, self.one).await;
    }

    /// The copies that the other side has; their number in the document tells whose they are.
    fn copies(&self, number: &str) -> Vec<TakenDocument> {
        let holds =
            |taken: &TakenDocument| String::from_utf8_lossy(&taken.content).contains(number);
        self.other.arrivals().into_iter().filter(holds).collect()
    }

    /// The status of a document, where it has its last one, and its timeline.
    async fn end_of(&self, upload: &KilledUpload) -> Option<(String, Value)> {
        let path = format!("/api/v1/{SENDER}/generic/{}/status", upload.id);
        let answer = self.caller.get(&path).await;
        let status = answer.headers.get("x-service-status")?.to_str().ok()?.to_owned();
        let ends = ["Delivered", "Failed", "Rejected"];
        ends.contains(&status.as_str()).then_some((status, answer.json))
    }

    /// Waits until the other side has a document.
    async fn is_there(&self, upload: &KilledUpload) {
        let there = async || {
            if let Some((status, lines)) = self.end_of(upload).await {
                assert_eq!(status, "Delivered", "{}\n{lines}", upload.document);
            }
            (!self.copies(&upload.number).is_empty()).then_some(())
        };
        until("the document is there", there).await;
    }

    /// A document is delivered, once for who sent it, and each copy is the same under one key.
    async fn ends(&self, upload: &KilledUpload) {
        let (status, lines) = until("an end", async || self.end_of(upload).await).await;
        assert_eq!(status, "Delivered", "{}\n{lines}", upload.document);
        let lines = lines.as_array().cloned().unwrap_or_default();
        let ends = lines.iter().filter(|line| line["name"] == "Delivered").count();
        assert_eq!(ends, 1, "{lines:?}");
        let copies = self.copies(&upload.number);
        let first = copies.first().expect("a document");
        for copy in &copies {
            assert_eq!(copy, first);
            assert!(self.other.is_the_document(&copy.content, &upload.document), "{copies:?}");
        }
    }

    /// Each of them was told once.
    async fn told_once(&self, uploads: &[KilledUpload]) {
        let events = self.caller.get("/api/v1/events?limit=500").await.json;
        let events = events["items"].as_array().cloned().unwrap_or_default();
        for upload in uploads {
            let about = |event: &&Value| {
                let ids = [&event["documentId"], &event["responseDocumentId"]];
                ids.iter().any(|id| **id == upload.id.as_str())
            };
            for (end, times) in [("Sent", 1), ("SentError", 0)] {
                let topic = format!("{}{end}", upload.family.topic);
                let found = events.iter().filter(about);
                let found = found.filter(|event| event["topic"] == topic.as_str()).count();
                assert_eq!(found, times, "{topic} of {}: {events:#?}", upload.id);
            }
        }
    }
}

/// Kills the service once for each family when the other side has the document and the service does
/// not know it, and then at any instant.
pub async fn each_family_over_kills<C: Counterpart + 'static>() {
    let stage = Stage::set().await;
    let Some(other) = C::start(&stage).await else { return };
    let mut config = stage.config_one();
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    other.configure(&mut config);
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    one.start();
    let caller = caller(&stage, &one).await;
    let mut theatre = KilledTheatre { stage: &stage, one: &one, other: &other, caller };
    let mut uploads = Vec::new();
    for (at, family) in FAMILIES.iter().enumerate() {
        theatre.meet(Mood::Late).await;
        let Some(upload) = theatre.upload(family, &format!("KILL-{at}-0")).await else { continue };
        theatre.is_there(&upload).await;
        theatre.kill().await;
        theatre.meet(Mood::Takes).await;
        theatre.ends(&upload).await;
        let copies = theatre.copies(&upload.number).len();
        assert!(other.writes_over() || copies > 1, "it was killed before it knew: {copies}");
        uploads.push(upload);
    }
    theatre.meet(Mood::Takes).await;
    let (mut dice, mut at_any_instant) = (Dice::new(SEED), Vec::new());
    for round in 1..=EACH {
        for (at, family) in FAMILIES.iter().enumerate() {
            at_any_instant.extend(theatre.upload(family, &format!("KILL-{at}-{round}")).await);
        }
        tokio::time::sleep(Duration::from_millis(dice.below(400))).await;
        theatre.kill().await;
    }
    for upload in &at_any_instant {
        theatre.ends(upload).await;
    }
    uploads.extend(at_any_instant);
    theatre.told_once(&uploads).await;
    let keys: BTreeSet<String> = other.arrivals().into_iter().map(|taken| taken.key).collect();
    assert_eq!(keys.len(), uploads.len(), "a key for each document: {keys:?}");
}
