//! The cases: what must be true of every channel.

use quoin_access_point::dossier::unzip;
use quoin_lab::lab::network::SENDER;
use quoin_lab::lab::sink::ReceivedCall;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::counterpart::{Counterpart, CounterpartRow, Mood, TakenDocument};
use super::repeated;
use crate::stage::{Play, Stage, until};

/// Documents in a row, where nobody asks for more.
const MANY: usize = 20;
/// Bytes from which on a document is large.
const LARGE: usize = 1 << 20;

/// Services, and the other side of a channel.
pub struct Theatre {
    play: Play,
    other: Box<dyn Counterpart>,
}

impl Theatre {
    /// The sender tries again and again. It waits two seconds for an answer, and no less than a
    /// service does where the other side gives one.
    pub async fn open<C: Counterpart + 'static>(mood: Mood) -> Option<Theatre> {
        let stage = Stage::set().await;
        let other = C::start(&stage).await?;
        let play = stage
            .play_with(|one, _| {
                one.retry.delivery_seconds = vec![0.2; 150];
                if !matches!(mood, Mood::Takes | Mood::Slow) {
                    one.limits.hook_timeout_seconds = 2;
                }
                other.configure(one);
            })
            .await;
        Some(Theatre { play, other: Box::new(other) })
    }

    fn row(&self) -> CounterpartRow {
        self.other.row()
    }

    /// Registers the hook that meets the other side in a mood; whether there is such a thing.
    async fn meet(&self, mood: Mood) -> bool {
        let mut hook = match self.other.meets(mood).await {
            Ok(hook) => hook,
            Err(why) => {
                println!("{mood:?} is no case: {why}");
                return false;
            }
        };
        hook["id"] = json!("channel");
        hook["topics"] = json!(["Send*"]);
        let headers = [("content-type", "application/json")];
        let (sender, body) = (self.play.sender().await, Some(hook.to_string()));
        let answer = sender.call(Method::PUT, "/api/v1/hook", &headers, body).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
        self.hides_its_secrets(&answer.json.to_string());
        true
    }

    fn hides_its_secrets(&self, text: &str) {
        for secret in self.other.secrets() {
            let lines = secret.lines().map(str::trim).filter(|line| line.len() > 5);
            let shown =
                lines.filter(|line| !line.starts_with("-----")).any(|line| text.contains(line));
            assert!(!shown, "a secret is shown in {text}");
        }
    }

    async fn upload(&self, document: &str) -> String {
        let id = Uuid::new_v4().to_string();
        let more = self.other.query();
        let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=channel{more}");
        let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
        let (sender, body) = (self.play.sender().await, Some(document.to_owned()));
        let answer = sender.call(Method::POST, &path, &headers, body).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
        id
    }

    /// The codes of the attempts that failed.
    async fn codes(&self, id: &str) -> Vec<String> {
        self.play.attempts(id).await.into_iter().filter_map(|attempt| attempt.code).collect()
    }

    async fn copies(&self, id: &str) -> Vec<TakenDocument> {
        let record = self.play.record(id).await;
        let own = [record.message_id, record.instance_id];
        let is_own = |taken: &TakenDocument| {
            taken.key.contains(id) || own.iter().flatten().any(|own| taken.key.contains(own))
        };
        self.other.documents().into_iter().filter(is_own).collect()
    }

    /// The document was delivered: told once, there whole, each copy the same under one key, and
    /// none of what is known of it holds a secret. How many copies there are.
    async fn arrives(&self, id: &str, document: &str) -> usize {
        let told = match document.len() {
            ..LARGE => self.play.ending(id).await,
            _ => self.play.ending_of_large(id).await,
        };
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        let copies = self.copies(id).await;
        let first = copies.first().expect("a document");
        for copy in &copies {
            assert_eq!(copy.key, first.key);
            let is_whole = self.other.is_the_document(&copy.content, document);
            assert!(is_whole, "{} bytes came", copy.content.len());
        }
        let sender = self.play.sender().await;
        let (timeline, status) = sender.timeline(SENDER, id).await;
        assert_eq!(
            (timeline.last().unwrap().as_str(), status.as_str()),
            ("Delivered", "Delivered")
        );
        let attempts = self.play.attempts(id).await;
        let last = attempts.last().unwrap();
        assert!(last.report[self.row().report].is_object(), "{:?}", last.report);
        let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier");
        let entries = unzip(&sender.get(&path).await.body).unwrap();
        let evidence = entries.iter().filter(|(_, bytes)| bytes.len() < 1 << 20);
        let text: String = evidence.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
        self.hides_its_secrets(&format!("{text}{attempts:?}"));
        for (topic, times) in [("InvoiceSent", 1), ("InvoiceSentError", 0)] {
            assert_eq!(self.play.times(id, topic), times, "{topic}");
        }
        copies.len()
    }

    fn document(&self) -> String {
        self.other.sample(self.row().lines)
    }
}

/// Takes it at the first attempt.
pub async fn is_delivered(theatre: &Theatre, mood: Mood) {
    if !theatre.meet(mood).await {
        return;
    }
    let document = theatre.document();
    let id = theatre.upload(&document).await;
    assert_eq!(theatre.arrives(&id, &document).await, 1);
    assert_eq!(theatre.play.attempts(&id).await.len(), 1, "{:?}", theatre.codes(&id).await);
}

/// Uploads a document that is refused; none where nobody has that mood.
async fn refused(theatre: &Theatre, mood: Mood) -> Option<(String, ReceivedCall)> {
    if !theatre.meet(mood).await {
        return None;
    }
    let id = theatre.upload(&theatre.document()).await;
    let told = theatre.play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert_eq!(told.payload["details"]["code"], theatre.row().refused, "{told:#?}");
    Some((id, told))
}

/// A final no ends the document at once, and is told.
pub async fn is_refused(theatre: &Theatre, mood: Mood) {
    let Some((id, _)) = refused(theatre, mood).await else { return };
    assert_eq!((theatre.play.attempts(&id).await.len(), theatre.copies(&id).await.len()), (1, 0));
    let (_, status) = theatre.play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(status, "Failed");
}

/// What a channel showed is in nothing that is kept or told, in whatever form it is said again.
pub async fn hides_what_it_was_shown(theatre: &Theatre, mood: Mood) {
    let Some((id, told)) = refused(theatre, mood).await else { return };
    let sender = theatre.play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}");
    let entries = unzip(&sender.get(&format!("{path}/dossier")).await.body).unwrap();
    let kept: String = entries.values().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    let status = sender.get(&format!("{path}/status")).await.json;
    let events = sender.get("/api/v1/events?limit=100").await.json;
    let attempts = theatre.play.attempts(&id).await;
    assert!(format!("{attempts:?}").contains("***"), "nothing was said again: {attempts:?}");
    for secret in theatre.other.secrets() {
        for (place, text) in [
            ("the dossier", &kept),
            ("the timeline", &status.to_string()),
            ("the events", &events.to_string()),
            ("the event", &told.payload.to_string()),
        ] {
            repeated::is_hidden(text, &secret, place);
        }
        for attempt in &attempts {
            repeated::is_hidden(&attempt.report.to_string(), &secret, "an attempt");
        }
    }
}

/// What may pass is waited for, and nothing is there before it did.
pub async fn waits(theatre: &Theatre, mood: Mood) {
    if !theatre.meet(mood).await {
        return;
    }
    let document = theatre.document();
    let id = theatre.upload(&document).await;
    let failed = async || theatre.codes(&id).await.into_iter().next();
    let code = until("an attempt that failed", failed).await;
    let row = theatre.row();
    let expected = if mood == Mood::Stranger { row.stranger } else { row.unavailable };
    assert_eq!(code, expected);
    assert!(
        theatre.play.told(&id, &["InvoiceSentRetry"]).await.payload["details"]["code"].is_string()
    );
    // Of mail, `later` is said twice, whatever becomes of the hook.
    if mood != Mood::Later {
        let copies = theatre.copies(&id).await;
        assert!(copies.is_empty(), "it has the document before that passed");
    }
    assert!(theatre.meet(Mood::Takes).await);
    assert_eq!(theatre.arrives(&id, &document).await, 1);
}

/// Where the answer was lost the same comes again, known by its key; nobody else sees it twice.
pub async fn comes_again(theatre: &Theatre, mood: Mood) {
    if !theatre.meet(mood).await {
        return;
    }
    let document = theatre.document();
    let id = theatre.upload(&document).await;
    let there = async || (!theatre.copies(&id).await.is_empty()).then_some(());
    until("the document", there).await;
    theatre.other.cut();
    assert!(theatre.meet(Mood::Takes).await);
    assert!((1..=3).contains(&theatre.arrives(&id, &document).await));
}

/// Credentials that are changed on both sides lose nothing that waits.
pub async fn waits_for_the_next_credentials(theatre: &Theatre, mood: Mood) {
    if !theatre.meet(Mood::Later).await {
        return;
    }
    let document = theatre.document();
    let id = theatre.upload(&document).await;
    until("an attempt", async || theatre.codes(&id).await.into_iter().next()).await;
    if !theatre.meet(mood).await {
        return;
    }
    assert_eq!(theatre.arrives(&id, &document).await, 1);
}

/// Twenty megabytes arrive whole, of mail as much as mail servers take, of lines that are converted
/// fewer.
pub async fn carries_a_large_one(theatre: &Theatre, mood: Mood) {
    assert!(theatre.meet(mood).await);
    let picture = theatre.row().picture;
    let document = theatre.other.large(picture);
    assert!(document.len() > picture / 3 * 4, "{}", document.len());
    let id = theatre.upload(&document).await;
    assert_eq!(theatre.arrives(&id, &document).await, 1);
}

/// Many documents in a row need few connections, and each arrives once.
pub async fn carries_many(theatre: &Theatre, mood: Mood) {
    assert!(theatre.meet(mood).await);
    let count: usize = std::env::var("QUOIN_SUITE_DOCUMENTS").map_or(MANY, |n| n.parse().unwrap());
    let began = std::time::Instant::now();
    for _ in 0..count {
        let document = theatre.document();
        let id = theatre.upload(&document).await;
        assert_eq!(theatre.play.ending(&id).await.text("topic"), "InvoiceSent");
        assert_eq!(theatre.copies(&id).await.len(), 1);
    }
    let used = theatre.other.connections();
    println!("{count} in {:.1?} over {used} connections", began.elapsed());
    // A busy machine may be so slow that a kept one is closed in between.
    let most = if theatre.row().keeps_connections { 1 + count / 4 } else { count };
    assert!(used <= most, "{used} connections");
    let all: Value = json!(theatre.other.documents().len());
    assert_eq!(all, json!(count));
}
