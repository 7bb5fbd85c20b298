//! Revocation: fetched in the background, remembered over restarts, and no door that waits for an
//! authority that does not answer (checklist B-09, B-11).

use std::time::{Duration, Instant};

use futures::future::join_all;
use jiff::SignedDuration;
use quoin_access_point::config::Outage;
use quoin_lab::lab::pki::{LeafRole, LeafValidity};
use quoin_peppol::pki::{Certificate, CertificateRole};
use quoin_server::start::Running;

use crate::receiving::Scene;
use crate::stage::caller::Caller;
use crate::stage::forger::Forger;
use crate::stage::{Stage, until};

/// How long a message of a stranger waits in these stories.
const FIRST_CONTACT: Duration = Duration::from_millis(300);
/// What the rest of a message may take on a machine that is busy.
const WORK: Duration = Duration::from_secs(3);

async fn scene(outage: Outage, grace_hours: f64) -> Scene {
    let scene = Scene::on(Stage::set().await, |config| {
        config.trust.revocation = outage;
        config.trust.revocation_grace_hours = grace_hours;
        config.trust.first_contact_ms = FIRST_CONTACT.as_millis() as u64;
    });
    let scene = scene.await;
    scene.deliver(&scene.forger.draft("KNOWN")).await;
    // What is fetched in the background is there before the authorities fall silent.
    until("the authorities were asked", async || {
        let sources = scene.two.parts.trust.sources();
        sources.iter().all(|source| source.fetched_on.is_some()).then_some(())
    })
    .await;
    scene
}

/// Sends a message; the status and how long the answer took.
async fn post(forger: &Forger, number: &str) -> (u16, Duration) {
    let sent = forger.seal(&forger.draft(number));
    let begun = Instant::now();
    let status = forger.post(&sent.http).await.status;
    (status, begun.elapsed())
}

fn stranger(scene: &Scene, seat: &str) -> Forger {
    let pki = &scene.stage.around.pki;
    let leaf = pki.leaf(LeafRole::AccessPoint, seat, LeafValidity::Current).unwrap();
    Forger::as_leaf(&scene.stage, &leaf)
}

#[tokio::test(flavor = "multi_thread")]
async fn authorities_that_hang_stall_no_door() {
    let scene = scene(Outage::HardFail, 0.0).await;
    scene.stage.around.pki_door.hang(true);
    let strangers: Vec<Forger> =
        (10..14).map(|number| stranger(&scene, &format!("POP0000{number}"))).collect();
    let meanwhile = join_all(strangers.iter().map(|forger| post(forger, "STRANGER")));
    let known = async {
        let mut times = Vec::new();
        for number in 0..40 {
            let (status, time) = post(&scene.forger, &format!("MEANWHILE-{number}")).await;
            assert_eq!(status, 200);
            times.push(time);
        }
        times
    };
    let (strangers, mut times) = tokio::join!(meanwhile, known);
    times.sort();
    let slowest = times[times.len() - 1];
    assert!(slowest < WORK, "a known access point never waits: {slowest:?}");
    for (status, time) in strangers {
        // The list that was fetched before says that it is not revoked.
        assert_eq!(status, 200);
        assert!(time < FIRST_CONTACT * 2 + WORK, "{time:?}");
    }
    println!("40 messages while the authorities hang: median {:?}, slowest {slowest:?}", times[20]);
    scene.stage.around.pki_door.hang(false);
}

/// Counted instead of timed: on the way of a message of a known access point through the door no
/// authority is asked anything, whether it answers or hangs.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_a_known_access_point_asks_no_authority() {
    let scene = scene(Outage::HardFail, 0.0).await;
    let door = &scene.stage.around.pki_door;
    let asked = || (door.asked("ap"), door.asked("root"));
    for hangs in [false, true] {
        door.hang(hangs);
        let before = asked();
        for number in 0..20 {
            assert_eq!(post(&scene.forger, &format!("COUNTED-{hangs}-{number}")).await.0, 200);
        }
        assert_eq!(asked(), before, "hangs: {hangs}");
    }
    // The count is one that counts: a stranger is asked about, once.
    let before = asked();
    assert_eq!(post(&stranger(&scene, "POP000020"), "STRANGER").await.0, 200);
    assert!(asked().0 > before.0, "{:?} after {before:?}", asked());
    door.hang(false);
}

/// A clock that is a little behind is no reason to refuse a message for good.
#[tokio::test(flavor = "multi_thread")]
async fn a_signer_that_is_not_valid_yet_sends_again_later() {
    let scene = scene(Outage::SoftFail, 0.0).await;
    let pki = &scene.stage.around.pki;
    let leaf = pki.leaf(LeafRole::AccessPoint, "POP000030", LeafValidity::NotYet).unwrap();
    let begin = Certificate::from_der(&leaf.certificate_der).unwrap().not_before();
    let early = Forger::as_leaf(&scene.stage, &leaf);
    assert_eq!(post(&early, "MUCH-TOO-EARLY").await.0, 200, "an error signal, which is final");
    let clock = &scene.stage.clock;
    clock.advance(begin.duration_since(clock.now()) - SignedDuration::from_mins(4));
    assert_eq!(post(&early, "EARLY").await.0, 503);
    clock.advance(SignedDuration::from_mins(5));
    assert_eq!(post(&early, "EARLY").await.0, 200);
    assert_eq!(scene.arrived().await.len(), 2, "the known one and the early one");
}

/// A verdict does not outlive the certificate that it is about.
#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_ends_with_its_certificate() {
    let scene = scene(Outage::SoftFail, 0.0).await;
    let (trust, role) = (&scene.two.parts.trust, CertificateRole::AccessPoint);
    let pki = &scene.stage.around.pki;
    let leaf = pki.leaf(LeafRole::AccessPoint, "POP000032", LeafValidity::Current).unwrap();
    let der = &leaf.certificate_der;
    let end = Certificate::from_der(der).unwrap().not_after();
    let clock = &scene.stage.clock;
    clock.advance(end.duration_since(clock.now()) - SignedDuration::from_secs(20));
    assert!(trust.judge(der, role).is_ok() && trust.has_verdict(der, role));
    clock.advance(SignedDuration::from_secs(25));
    assert!(!trust.has_verdict(der, role));
    assert!(trust.judge(der, role).is_err());
}

/// Two days later every word is out of date, and nobody gives another one.
#[tokio::test(flavor = "multi_thread")]
async fn the_policy_decides_what_an_outage_means() {
    for (outage, grace_hours, status) in [
        (Outage::HardFail, 0.0, 503),
        (Outage::Grace, 12.0, 503),
        (Outage::Grace, 72.0, 200),
        (Outage::SoftFail, 0.0, 200),
    ] {
        let scene = scene(outage, grace_hours).await;
        scene.stage.around.pki_door.hang(true);
        scene.stage.clock.advance(SignedDuration::from_hours(48));
        let (found, time) = post(&scene.forger, "OUTAGE").await;
        assert_eq!(found, status, "{outage:?} {grace_hours}");
        assert!(time < FIRST_CONTACT * 4 + WORK, "{time:?}");
        scene.stage.around.pki_door.hang(false);
    }
}

/// The console tells of each source when it last answered and what is wrong; when the authorities
/// come back, messages are taken again without anybody doing anything.
#[tokio::test(flavor = "multi_thread")]
async fn an_outage_is_seen_and_passes() {
    let scene = scene(Outage::HardFail, 0.0).await;
    // Each time with a token of its own, since the clock moves by days.
    let view = async || {
        let caller = Caller::of(&scene.stage, &scene.two, &scene.stage.receiver).await;
        caller.get("/api/v1/service/trust").await.json
    };
    let before = view().await;
    assert_eq!(before["revocation"], "hard-fail");
    let sources = before["sources"].as_array().unwrap().clone();
    assert!(sources.iter().any(|source| source["kind"] == "crl"));
    assert!(sources.iter().any(|source| source["kind"] == "ocsp"));
    assert!(sources.iter().all(|source| source["lastSuccess"].is_string()), "{sources:?}");
    scene.stage.around.pki_door.hang(true);
    scene.stage.clock.advance(SignedDuration::from_hours(48));
    let sent = scene.forger.seal(&scene.forger.draft("DURING"));
    assert_eq!(scene.forger.post(&sent.http).await.status, 503);
    until("the failures are seen", async || {
        let seen = view().await;
        let sources = seen["sources"].as_array().unwrap().clone();
        let failing = |source: &&serde_json::Value| {
            source["failures"].as_u64() > Some(0) && source["error"].is_string()
        };
        sources.iter().find(failing).cloned()
    })
    .await;
    scene.stage.around.pki_door.hang(false);
    scene.stage.clock.advance(SignedDuration::from_hours(1));
    until("the authorities are heard again", async || {
        (scene.forger.post(&sent.http).await.status == 200).then_some(())
    })
    .await;
    assert_eq!(scene.arrived().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_known_is_known_after_a_restart() {
    let scene = scene(Outage::HardFail, 0.0).await;
    let mut config = scene.two.parts.config.clone();
    config.trust.first_contact_ms = 1;
    let Scene { stage, two, forger } = scene;
    two.stop().await;
    stage.around.pki_door.hang(true);
    let two = stage.start(config).await;
    assert_eq!(post(&forger, "AFTER-RESTART").await.0, 200);
    assert!(two.parts.trust.judge(forger.receiver(), CertificateRole::AccessPoint).is_ok());
    stage.around.pki_door.hang(false);
    two.stop().await;
}

/// A certificate that is revoked while its access point is in use is refused as soon as the
/// background has heard of it; no message asks.
#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_is_heard_of_in_the_background() {
    let scene = scene(Outage::HardFail, 0.0).await;
    let pki = &scene.stage.around.pki;
    let leaf = pki.leaf(LeafRole::AccessPoint, "POP000021", LeafValidity::Current).unwrap();
    let forger = Forger::as_leaf(&scene.stage, &leaf);
    assert_eq!(post(&forger, "BEFORE").await.0, 200);
    pki.ap.revoke(&leaf, scene.stage.clock.now());
    // Later than the next refresh of an answer, long before it ends.
    scene.stage.clock.advance(SignedDuration::from_mins(40));
    until("the revocation is known", async || {
        scene
            .two
            .parts
            .trust
            .judge(&leaf.certificate_der, CertificateRole::AccessPoint)
            .is_err()
            .then_some(())
    })
    .await;
    let sent = forger.seal(&forger.draft("AFTER"));
    scene.refuses(&sent, "EBMS:0101", "revoked").await;
}

/// A node of the authority that lags behind says later that the certificate is good: what is known
/// stays known, also over a restart.
#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_is_not_taken_back_by_an_older_word() {
    let scene = scene(Outage::HardFail, 0.0).await;
    let (pki, door) = (&scene.stage.around.pki, &scene.stage.around.pki_door);
    let leaf = pki.leaf(LeafRole::AccessPoint, "POP000022", LeafValidity::Current).unwrap();
    let forger = Forger::as_leaf(&scene.stage, &leaf);
    assert_eq!(post(&forger, "BEFORE").await.0, 200);
    let is_revoked = |service: &Running| {
        let judged = service.parts.trust.judge(&leaf.certificate_der, CertificateRole::AccessPoint);
        judged.is_err_and(|refusal| refusal.to_string().contains("revoked"))
    };
    pki.ap.revoke(&leaf, scene.stage.clock.now());
    scene.stage.clock.advance(SignedDuration::from_mins(40));
    until("it is known", async || is_revoked(&scene.two).then_some(())).await;
    door.repeat(true);
    let asked = |service: &Running| {
        let all = service.parts.trust.sources();
        let about = |one: &quoin_store::RevocationSource| {
            one.subject.is_some() && one.certificate == leaf.certificate_der
        };
        all.into_iter().find(about).map(|one| one.next_on)
    };
    let before = asked(&scene.two).unwrap();
    scene.stage.clock.advance(SignedDuration::from_mins(40));
    until("it is asked once more", async || asked(&scene.two).filter(|next| *next > before)).await;
    assert!(is_revoked(&scene.two));

    let mut config = scene.two.parts.config.clone();
    config.trust.first_contact_ms = 1;
    let Scene { stage, two, .. } = scene;
    two.stop().await;
    stage.around.pki_door.hang(true);
    let two = stage.start(config).await;
    assert!(is_revoked(&two), "after a restart");
    stage.around.pki_door.hang(false);
    two.stop().await;
}

/// 30, 14, 7 and 1 days before its end, each warning once, also over a restart.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_ends_is_told() {
    let stage = Stage::set().await;
    let two = stage.start(stage.config_two()).await;
    let owner: quoin_delivery::OrganisationId = stage.receiver.organisation.parse().unwrap();
    let day = |days: i64| SignedDuration::from_hours(24 * days);
    // Leaves of the lab are valid for 720 days.
    stage.clock.advance(day(691));
    let warnings = async |store: &quoin_store::Store, used: &str| {
        let events = store.events_since(&owner, quoin_delivery::EventId(0), 1000).await.unwrap();
        let warning = |event: &quoin_store::EventRecord| {
            event.topic.as_str() == "CertificateExpiring" && event.details["use"] == used
        };
        let days: Vec<String> = events
            .into_iter()
            .filter(warning)
            .map(|event| event.details["daysLeft"].clone())
            .collect();
        days
    };
    let told = async |used: &str, count: usize| {
        until("a warning", async || {
            let found = warnings(&two.parts.store, used).await;
            (found.len() == count).then_some(found)
        })
        .await
    };
    assert_eq!(told("access-point", 1).await, ["28"]);
    stage.clock.advance(day(16));
    for used in ["access-point", "smp", "tls-as4"] {
        assert_eq!(told(used, 2).await, ["28", "12"], "{used}");
    }
    assert!(warnings(&two.parts.store, "authority").await.is_empty(), "they have ten years");
    two.stop().await;
    let two = stage.start(stage.config_two()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(warnings(&two.parts.store, "access-point").await.len(), 2, "each once");
    two.stop().await;
}
