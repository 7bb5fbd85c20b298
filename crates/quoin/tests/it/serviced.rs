//! Corner 3's door takes what our SMP publishes as ours, as its sender would find it, and nothing
//! else (Peppol AS4 profile, section 4; PFUOI 5.1.2).

use jiff::{SignedDuration, Timestamp};
use quoin_formats::samples::{self, PintSample, pint_invoice};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::as4::As4Answer;
use quoin_peppol::pki::CertificateRole;
use quoin_store::{MetadataRecord, PublicationNote, ServiceEndpoint};
use reqwest::header::RETRY_AFTER;
use uuid::Uuid;

use crate::receiving::Scene;
use crate::stage::{Stage, until};

const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const PROCESS: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const PINT: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1";
const PINT_PROCESS: &str = "cenbii-procid-ubl::urn:peppol:bis:billing";

/// An endpoint of ours, or of another access point, between two times.
fn endpoint(ours: bool, times: [Option<Timestamp>; 2]) -> ServiceEndpoint {
    let [activation, expiration] = times;
    ServiceEndpoint {
        transport_profile: "peppol-transport-as4-v2_0".to_owned(),
        address: (!ours).then(|| "https://other.test/as4".to_owned()),
        certificate: (!ours).then(|| "MIIB".to_owned()),
        activation,
        expiration,
        description: "d".to_owned(),
        technical_contact: "mailto:a@example.org".to_owned(),
        technical_information: None,
    }
}

async fn publish(scene: &Scene, id: &str, record: MetadataRecord) {
    let owner = scene.stage.receiver.organisation.parse().unwrap();
    let now = scene.stage.clock.now();
    let note = PublicationNote::new((&owner, RECEIVER), "story", ("put metadata", id), now);
    scene.two.parts.store.put_record(note, record).await.unwrap();
}

fn at(process: &str, endpoint: ServiceEndpoint) -> MetadataRecord {
    MetadataRecord::Services(vec![(process.to_owned(), Some(vec![endpoint]))])
}

/// Whether the door takes this invoice; a refusal is the one of what is not serviced.
async fn takes(scene: &Scene, invoice: &str, is_taken: bool) {
    let draft = scene.forger.draft_of(invoice, &Uuid::new_v4().to_string());
    match is_taken {
        true => scene.deliver(&draft).await,
        false => {
            let sent = scene.forger.seal(&draft);
            scene.refuses(&sent, "EBMS:0004", "PEPPOL:NOT_SERVICED").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_smp_tells_of_is_not_taken() {
    let scene = Scene::set().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "REDIRECTED");
    takes(&scene, &invoice, true).await;
    let elsewhere = MetadataRecord::Redirect {
        href: "https://other.test/x".to_owned(),
        certificate_uid: "CN=PSG000001,O=X,C=SG".to_owned(),
    };
    publish(&scene, BILLING, elsewhere).await;
    takes(&scene, &invoice, false).await;
    publish(&scene, BILLING, at(PROCESS, endpoint(true, [None, None]))).await;
    takes(&scene, &invoice, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_is_taken_for_between_its_times() {
    let scene = Scene::set().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "TIMES");
    let now = scene.stage.clock.now();
    let [before, after] = [-1, 1].map(|days| Some(now + SignedDuration::from_hours(24) * days));
    for (times, is_taken) in [
        ([None, before], false),
        ([after, None], false),
        ([before, after], true),
        ([None, after], true),
        ([before, None], true),
    ] {
        publish(&scene, BILLING, at(PROCESS, endpoint(true, times))).await;
        takes(&scene, &invoice, is_taken).await;
    }
}

/// The exact type goes before a pattern, wherever it leads.
#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_of_ours_takes_nothing_that_is_registered_elsewhere_by_itself() {
    let scene = Scene::set().await;
    let invoice = pint_invoice(PintSample::Emirates, SENDER, RECEIVER, "PATTERN");
    publish(&scene, &format!("{PINT}*::2.1"), at(PINT_PROCESS, endpoint(true, [None, None]))).await;
    takes(&scene, &invoice, true).await;
    let elsewhere = at(PINT_PROCESS, endpoint(false, [None, None]));
    publish(&scene, &format!("{PINT}::2.1"), elsewhere).await;
    takes(&scene, &invoice, false).await;
    // Exact in another process: its sender finds that record, and no process in it.
    let other = at("cenbii-procid-ubl::urn:other", endpoint(true, [None, None]));
    publish(&scene, &format!("{PINT}::2.1"), other).await;
    takes(&scene, &invoice, false).await;
}

/// A refusal is final for the sender: while the clock here is doubted none is given that hangs on
/// the day.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_refused_for_good_by_a_clock_that_is_doubted() {
    // An authority that a busy machine keeps waiting would not be asked again for half a minute.
    let scene =
        Scene::on(Stage::set().await, |config| config.trust.first_contact_ms = 20_000).await;
    let draft = scene.forger.draft("DOUBTED");
    let sent = scene.forger.seal(&draft);
    let days = SignedDuration::from_hours(24) * 3_000;
    scene.stage.clock.jump(days);
    let answer = scene.forger.post(&sent.http).await;
    assert_eq!(answer.status, 503, "{:?}", answer.body);
    assert!(answer.headers.contains_key(RETRY_AFTER));
    assert!(String::from_utf8_lossy(&answer.body).contains("clock here may be wrong"));
    scene.stage.clock.jump(-days);
    // What is known of revocation may have been asked for in those days, and is asked for anew.
    let trust = &scene.two.parts.trust;
    until("its receipt holds", async || {
        // As whoever sends does before it reads an answer.
        trust.prepare(scene.forger.receiver(), CertificateRole::AccessPoint).await;
        let sent = scene.forger.seal(&draft);
        let answer = scene.forger.exchange(&sent, trust).await;
        matches!(answer, Ok(As4Answer::Receipt { .. })).then_some(())
    })
    .await;
}
