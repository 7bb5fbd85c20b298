//! A certificate takes over from another: both decrypt all the time, and from a set time on the new
//! one signs and is published.

use jiff::SignedDuration;
use quoin_peppol::pki::Certificate;
use quoin_server::config::{KeyPlace, NextKey};
use quoin_server::lab::network::SENDER;
use quoin_server::lab::pki::{LeafRole, Validity};

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_takes_over_at_its_time_and_nothing_is_lost() {
    let stage = Stage::set().await;
    let leaf = stage.around.pki.leaf(LeafRole::AccessPoint, "POP000002", Validity::Current);
    let leaf = leaf.unwrap();
    let folder = stage.folder.path().join("next");
    let (certificate, key) = leaf.write(&folder, "ap").unwrap();
    let from = stage.clock.now() + SignedDuration::from_hours(24);
    let next = NextKey { from: Some(from), key: KeyPlace::files(certificate, key) };
    let new = Certificate::from_der(&leaf.certificate_der).unwrap();
    let play = stage.play_with(|_, two| two.access_point.next = Some(next)).await;
    let used = async |number: &str| {
        let id = play.send(number).await;
        assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent", "{number}");
        let attempts = play.attempts(&id).await;
        attempts.last().unwrap().report["send"]["certificateSha256"].as_str().unwrap().to_owned()
    };
    let new = data_encoding::HEXLOWER.encode(new.fingerprint());
    assert_ne!(used("BEFORE").await, new);
    // The sender still has the old certificate from the SMP when the new one takes over.
    play.stage.clock.advance(SignedDuration::from_hours(25));
    assert_ne!(used("CACHED").await, new, "it is decrypted with the old key");
    play.one.parts.lookup.forget(&quoin_server::lab::network::RECEIVER.parse().unwrap());
    assert_eq!(used("AFTER").await, new);
    let (_, status) = play.sender().await.timeline(SENDER, &play.send("LAST").await).await;
    assert!(!status.is_empty());
}
