//! The files of France by hand, of a service that was stopped: they tell what the service tells, of
//! the same days.

use std::process::{Command, Output};

use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_delivery::tax::TaxState;
use quoin_formats::samples::FrenchBuyer;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_taxdata::flux10::FilePeriod;

use super::france::{FrenchPlay, profiles, send};
use crate::kill::process::Service;
use crate::stage::{Play, Stage};

/// The seller of the samples.
const SIREN: &str = "732829320";

fn stands_at(stage: &Stage, day: Date, hour: i8) {
    let then = day.at(hour, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp();
    let forward = then.duration_since(stage.clock.now());
    assert!(forward > SignedDuration::ZERO);
    stage.clock.advance(forward);
}

fn written(service: &Service, stage: &Stage, siren: &str, (from, to): (Date, Date)) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quoin"))
        .args(["tax", "--organisation", "sender", "--config"])
        .arg(service.file())
        .args(["flux10", SENDER, "--siren", siren, "--name", "Tuiles de Rouen SARL"])
        .args(["--platform", "QUOI", "--platform-name", "The platform", "--rectifying"])
        .args(["--from", &from.to_string(), "--to", &to.to_string(), "--out"])
        .arg(stage.folder.path())
        .output()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_by_hand_is_what_the_service_tells() {
    let french = FrenchPlay::begin().await;
    let play = &french.play;
    // The period after this one, wherever the day is.
    let now = FilePeriod::TenDays.at(play.stage.clock.now());
    let first = now.last.tomorrow().unwrap();
    let at_first = first.to_zoned(TimeZone::UTC).unwrap().timestamp();
    let period = (first, FilePeriod::TenDays.at(at_first).last);
    stands_at(&play.stage, first, 6);
    let waits = async |buyer, number: &str| {
        let id = french.send(buyer, number).await;
        french.report(&id, TaxState::Gathered).await;
    };
    waits(FrenchBuyer::Abroad, "FR-A").await;
    waits(FrenchBuyer::Consumer, "FR-C1").await;
    waits(FrenchBuyer::Consumer, "FR-C2").await;
    let mixed = quoin_formats::samples::french_invoice;
    let mixed = mixed(FrenchBuyer::Consumer, SENDER, RECEIVER, "FR-M").replace(">B1<", ">M1<");
    let id = send(play, mixed).await;
    french.report(&id, TaxState::Failed).await;
    let dutch = play.send("NL-1").await;
    play.ending(&dutch).await;
    stands_at(&play.stage, period.1, 22);
    waits(FrenchBuyer::Abroad, "FR-LAST").await;
    stands_at(&play.stage, period.1.tomorrow().unwrap(), 6);
    waits(FrenchBuyer::Abroad, "FR-NEXT").await;

    let Play { stage, one, two } = french.play;
    one.stop().await;
    two.stop().await;
    let mut config = stage.config_one();
    profiles(&mut config);
    let service = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    let output = written(&service, &stage, SIREN, period);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("(FR-M): the invoice has no usable BT-23"), "{said}");
    assert!(said.contains("(NL-1): its seller has no French VAT number"), "{said}");
    let name = format!("flux10-{SIREN}-{}-{}.xml", period.0, period.1);
    let text = std::fs::read_to_string(stage.folder.path().join(name)).unwrap();
    assert_eq!(text.matches("<Invoice>").count(), 2, "{text}");
    assert_eq!(text.matches("<Transactions>").count(), 1, "{text}");
    assert!(text.contains("FR-A") && text.contains("FR-LAST"), "{text}");
    assert!(text.contains(">200<") && !text.contains("0227"), "{text}");
    let refused = written(&service, &stage, "552081317", period);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains(SIREN), "{refused:?}");
}
