//! Two access points are killed without warning, again and again, while documents travel between
//! them. Afterwards every document is there once, and every event was told under one delivery id.

pub mod families;
mod hooks;
pub mod process;
mod settled;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_formats::samples::SampleKind;
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use quoin_lab::lab::sink::ReceivedCall;
use quoin_testing::dice::Dice;
use reqwest::Method;
use serde_json::Value;
use uuid::Uuid;

use crate::stage::Folder;
use crate::stage::caller::Caller;
use families::{FAMILIES, KilledFamily};
use process::Service;
use settled::settled;

/// Documents in flight, unless `QUOIN_KILL_DOCUMENTS` says otherwise.
const DOCUMENTS: usize = 500;
/// How often each of the two is killed: until most documents are through, within these bounds.
const KILLS: std::ops::Range<usize> = 6..30;
/// Where the instants of the kills come from, unless `QUOIN_KILL_SEED` says otherwise.
const SEED: u64 = 20_261_121;
/// Uploads at a time.
const UPLOADS: usize = 8;
/// Every so many documents one is large, so that it lies in a file beside the database.
const LARGE_EVERY: usize = 25;
/// So many documents have one of each family among them; the others are invoices.
const FAMILY_EVERY: usize = 12;
/// Lines of a large one.
const LARGE_LINES: usize = 150;
/// Parties on either side.
const PARTIES: usize = 5;
/// How long everything may take after the last restart: less than the lease of a step, so that work
/// which a dead process had in hand must be given out again at once.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a kill waits for something to be delivered.
const PROGRESS: Duration = Duration::from_secs(20);
/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(200);

struct Scene {
    around: Surroundings,
    sender: Customer,
    receiver: Customer,
    one: Arc<Service>,
    two: Arc<Service>,
    _folder: Folder,
}

/// An uploaded document.
#[derive(Clone)]
struct Upload {
    id: String,
    number: String,
    from: String,
    to: String,
    lines: usize,
    family: &'static KilledFamily,
}

impl Upload {
    fn of(scene: &Scene, number: usize) -> Upload {
        let party = |customer: &Customer, n: usize| customer.participants[n % PARTIES].clone();
        Upload {
            id: Uuid::new_v4().to_string(),
            number: format!("KILL-{number}"),
            from: party(&scene.sender, number),
            to: party(&scene.receiver, number / PARTIES),
            lines: if number.is_multiple_of(LARGE_EVERY) { LARGE_LINES } else { 2 },
            family: match number % FAMILY_EVERY {
                one if number.is_multiple_of(LARGE_EVERY) || one >= FAMILIES.len() => &FAMILIES[0],
                one => &FAMILIES[one],
            },
        }
    }

    fn document(&self) -> String {
        let Upload { from, to, number, lines, family, .. } = self;
        match family.topic {
            "Invoice" => {
                quoin_formats::samples::document(SampleKind::Invoice, from, to, number, *lines)
            }
            _ => (family.document)(from, to, number),
        }
    }
}

impl Scene {
    async fn set() -> Scene {
        let folder = Folder::new();
        let around = Surroundings::start(folder.path(), Clock::default()).await.unwrap();
        let one = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
        let two = LabAccessPoint::new(&around, "two", "POP000002").unwrap();
        let participants = |first: usize| -> Vec<String> {
            (first..first + PARTIES).map(|number| format!("0106:{number}")).collect()
        };
        let customer = |name: &str, first: usize| {
            let participants = participants(first);
            let participants: Vec<&str> = participants.iter().map(String::as_str).collect();
            Customer::new(name, &participants).unwrap()
        };
        let (sender, receiver) = (customer("sender", 10_000_001), customer("receiver", 20_000_001));
        for (customer, corner) in [(&sender, &one), (&receiver, &two)] {
            for participant in &customer.participants {
                around.register(participant, &corner.smp_url).unwrap();
            }
        }
        let service = |name: &str, corner: &LabAccessPoint, customer: &Customer| {
            let config = patient(corner.config(&around, customer));
            Arc::new(Service::new(name, config, corner.api_url.clone(), folder.path()))
        };
        let (one, two) = (service("one", &one, &sender), service("two", &two, &receiver));
        Scene { around, sender, receiver, one, two, _folder: folder }
    }

    /// A client with a token, as soon as the service answers.
    async fn caller(&self, service: &Service, customer: &Customer) -> Caller {
        caller_at(&self.around, service, customer).await
    }
}

/// A client with a token, as soon as the service answers.
async fn caller_at(around: &Surroundings, service: &Service, customer: &Customer) -> Caller {
    let begun = Instant::now();
    loop {
        let http = around.client().unwrap();
        match Caller::at(&service.api_url, http, customer).await {
            Ok(caller) => return caller,
            Err(why) => assert!(begun.elapsed() < PATIENCE, "no token: {why}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Tries on for as long as the story lasts: with the schedule of the network the few attempts would
/// be used up by the kills.
fn patient(mut config: Config) -> Config {
    config.retry.delivery_seconds = vec![0.25; 1_000];
    config.retry.hook_seconds = vec![0.25; 1_000];
    // An access point that was killed is left alone, but not for long.
    config.breaker.rest_seconds = 0.25;
    config.breaker.longest_rest_seconds = 0.5;
    config.log.filter = "warn".to_owned();
    config
}

fn from_environment<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_when_access_points_are_killed() {
    let count = from_environment("QUOIN_KILL_DOCUMENTS", DOCUMENTS);
    let seed = from_environment("QUOIN_KILL_SEED", SEED);
    let scene = Arc::new(Scene::set().await);
    scene.one.start();
    scene.two.start();
    let begun = Instant::now();
    let uploads: Arc<Vec<Upload>> = Arc::new((0..count).map(|n| Upload::of(&scene, n)).collect());
    let most = count / 5 * 4;
    let killers = [(&scene.one, seed), (&scene.two, !seed)].map(|(service, seed)| {
        let how = (Dice::new(seed), most);
        tokio::spawn(kill_again_and_again(scene.clone(), service.clone(), how))
    });
    let uploaders: Vec<_> = (0..UPLOADS)
        .map(|lane| tokio::spawn(send_lane(scene.clone(), uploads.clone(), lane)))
        .collect();
    for uploader in uploaders {
        uploader.await.unwrap();
    }
    let uploaded = begun.elapsed();
    let mut instants = Vec::new();
    for killer in killers {
        instants.extend(killer.await.unwrap());
    }
    instants.sort_unstable();
    let on_the_way = instants.iter().filter(|sent| (1..count).contains(*sent)).count();
    assert!(on_the_way > 0, "no kill while documents were on their way: {instants:?}");
    let killed = begun.elapsed();
    settled(&scene, &uploads).await;
    println!(
        "{count} documents: uploaded after {uploaded:.1?}, last restart after {killed:.1?}, \
         all delivered after {:.1?}; killed when so many were sent: {instants:?}",
        begun.elapsed(),
    );
    check_sent(&scene, &uploads).await;
    let arrived = check_arrived(&scene, &uploads).await;
    check_events(&scene, &uploads, &arrived);
    for (service, customer) in [(&scene.one, &scene.sender), (&scene.two, &scene.receiver)] {
        check_feed(&scene, service, customer).await;
    }
}

/// The feed of a service counts up from one without a gap, and each event in it was told to the
/// hook under one delivery id, sooner or later.
async fn check_feed(scene: &Scene, service: &Service, customer: &Customer) {
    let caller = scene.caller(service, customer).await;
    let mut feed: Vec<Value> = Vec::new();
    loop {
        let path = format!("/api/v1/events?limit=500&after={}", feed.len());
        let page = caller.get(&path).await.json;
        let items = page["items"].as_array().unwrap().clone();
        if items.is_empty() {
            break;
        }
        for event in items {
            feed.push(event);
            let last = feed.last().unwrap();
            assert_eq!(last["number"].as_u64(), Some(feed.len() as u64), "a gap: {last}");
        }
    }
    let key = |event: &Value| {
        let part = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        (part("topic"), part("documentId"), part("createdOn"))
    };
    let begun = Instant::now();
    loop {
        let told: BTreeSet<_> =
            scene.around.sink.told().iter().map(|told| key(&told.payload)).collect();
        let Some(lost) = feed.iter().find(|event| !told.contains(&key(event))) else { break };
        assert!(begun.elapsed() < PATIENCE, "never told: {lost}");
        tokio::time::sleep(PAUSE).await;
    }
    println!("{} events in the feed, all told", feed.len());
}

/// Uploads every n-th document. A repeat that is answered with 409 was stored the first time.
async fn send_lane(scene: Arc<Scene>, uploads: Arc<Vec<Upload>>, lane: usize) {
    let caller = scene.caller(&scene.one, &scene.sender).await;
    for upload in uploads.iter().skip(lane).step_by(UPLOADS) {
        let document = upload.document();
        let path = format!("/api/v1/{}/generic/send", upload.from);
        let headers =
            [("content-type", "application/xml"), ("x-service-documentid", upload.id.as_str())];
        let begun = Instant::now();
        let mut repeat = false;
        loop {
            let body = Some(document.clone());
            match caller.call(Method::POST, &path, &headers, body).await {
                Ok(answer) if answer.status == 200 => break,
                Ok(answer) if answer.status == 409 && repeat => {
                    assert_eq!(answer.json["sameContent"], true, "{}", answer.json);
                    break;
                }
                Ok(answer) => panic!("{}: {}", answer.status, answer.json),
                Err(why) => assert!(begun.elapsed() < PATIENCE, "no upload: {why}"),
            }
            repeat = true;
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Kills at instants between the first moment of a start and a second later, every third time only
/// once something was delivered since, however slow the machine is; answers how many documents were
/// told as sent at each of them.
async fn kill_again_and_again(
    scene: Arc<Scene>,
    service: Arc<Service>,
    (mut dice, most): (Dice, usize),
) -> Vec<usize> {
    let sent = || {
        let told = scene.around.sink.told();
        told.iter().filter(|told| told.text("topic").ends_with("Sent")).count()
    };
    let mut instants: Vec<usize> = Vec::new();
    while instants.len() < KILLS.start
        || (instants.len() < KILLS.end && instants.last().is_some_and(|sent| *sent < most))
    {
        tokio::time::sleep(Duration::from_millis(dice.below(1_500))).await;
        let (begun, before) = (Instant::now(), instants.last().copied().unwrap_or(0));
        while instants.len() % 3 == 2 && sent() <= before.min(most) && begun.elapsed() < PROGRESS {
            tokio::time::sleep(PAUSE).await;
        }
        service.kill();
        instants.push(sent());
        tokio::time::sleep(Duration::from_millis(dice.below(300))).await;
        service.start();
    }
    instants
}

/// Whether a topic tells of the end of a document of one of the families.
fn is_of_family(topic: &str, end: &str) -> bool {
    topic.strip_suffix(end).is_some_and(|of| FAMILIES.iter().any(|family| family.topic == of))
}

/// The document that an event is about; of a response the response, not what it answers.
fn document_of(told: &ReceivedCall) -> String {
    match told.text("responseDocumentId") {
        "" => told.text("documentId").to_owned(),
        response => response.to_owned(),
    }
}

/// Every document is delivered, for its sender.
async fn check_sent(scene: &Scene, uploads: &[Upload]) {
    let caller = scene.caller(&scene.one, &scene.sender).await;
    for upload in uploads {
        let path = format!("/api/v1/{}/generic/{}/status", upload.from, upload.id);
        let status = caller.get(&path).await;
        assert_eq!(status.headers["x-service-status"], "Delivered", "{}", status.json);
    }
}

/// Every document is there once, for its receiver; answers their ids.
async fn check_arrived(scene: &Scene, uploads: &[Upload]) -> BTreeSet<String> {
    let caller = scene.caller(&scene.two, &scene.receiver).await;
    let mut numbers = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for party in &scene.receiver.participants {
        for item in caller.arrivals(party).await.unwrap() {
            let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
            let before = numbers.insert(text("number"), text("recipient"));
            assert!(before.is_none(), "{} arrived twice", text("number"));
            ids.insert(text("id"));
        }
    }
    let expected: BTreeMap<String, String> =
        uploads.iter().map(|upload| (upload.number.clone(), upload.to.clone())).collect();
    assert_eq!(numbers, expected);
    ids
}

/// Every event was told, always under the same delivery id, and a delivery id stands for one event.
fn check_events(scene: &Scene, uploads: &[Upload], arrived: &BTreeSet<String>) {
    let mut events: BTreeMap<String, Value> = BTreeMap::new();
    let mut deliveries: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    let mut repeats = 0;
    for told in scene.around.sink.told() {
        assert!(told.signed && !told.delivery.is_empty(), "{told:#?}");
        let key = (told.text("topic").to_owned(), document_of(&told));
        deliveries.entry(key).or_default().insert(told.delivery.clone());
        let mut event = told.payload.clone();
        event.as_object_mut().unwrap().remove("sentOn");
        if let Some(before) = events.insert(told.delivery.clone(), event.clone()) {
            assert_eq!(before, event, "one delivery id, two events");
            repeats += 1;
        }
    }
    println!("{} events, {repeats} of them told once more", events.len());
    let once = |topic: &str, id: &String| {
        let ids = deliveries.get(&(topic.to_owned(), id.clone()));
        assert_eq!(ids.map(BTreeSet::len), Some(1), "{topic} of {id}: {ids:?}");
    };
    for upload in uploads {
        once(&format!("{}Sent", upload.family.topic), &upload.id);
    }
    let mut received: Vec<&String> = Vec::new();
    for ((topic, id), ids) in
        deliveries.iter().filter(|((topic, _), _)| is_of_family(topic, "Received"))
    {
        assert_eq!(ids.len(), 1, "{topic} of {id}: {ids:?}");
        received.push(id);
    }
    received.sort();
    let expected: Vec<&String> = arrived.iter().collect();
    assert_eq!(received, expected, "what is there was announced once, and nothing else");
}
