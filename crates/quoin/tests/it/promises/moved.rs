//! A party that moves between two organisations of the configuration.

use jiff::SignedDuration;
use quoin_access_point::config::UndeclaredParties;
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};

use super::duplicates::alarms;
use crate::stage::{Play, Stage};

/// One start is enough: it is withdrawn of the one organisation, and then taken over by the other.
/// What the one sent, and is still tried, ends with what is wrong.
#[tokio::test(flavor = "multi_thread")]
async fn a_party_moves_between_organisations_with_one_start() {
    let play = Stage::set()
        .await
        .play_with(|one, two| {
            one.retry.delivery_seconds = vec![3600.0; 3];
            let nobody = "https://127.0.0.1:1/as4".to_owned();
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), nobody);
        })
        .await;
    let waiting = play.send("MOVED").await;
    play.told(&waiting, &["InvoiceSentRetry"]).await;
    let mut config = play.one.parts.config.clone();
    let other = Customer::new("other", &[SENDER]).unwrap();
    let mut seed = config.organisation[0].clone();
    seed.id.clone_from(&other.organisation);
    seed.hooks.clear();
    seed.clients.clear();
    seed.parties.truncate(1);
    seed.parties[0].hooks.clear();
    config.organisation[0].parties.clear();
    config.organisation.push(seed);
    config.undeclared_parties = UndeclaredParties::Withdraw;
    let Play { stage, one, two } = play;
    one.stop().await;
    let one = stage.start(config).await;
    let (store, owner) = (&one.parts.store, other.organisation.parse().unwrap());
    let found = store.party_of_identifier(&owner, SENDER).await.unwrap();
    assert!(found.is_some(), "the other organisation has it");
    assert!(store.publication(SENDER).await.unwrap().is_some());
    assert!(alarms(&one, "declared-refused").await.is_empty());

    let play = Play { stage, one, two };
    play.stage.clock.advance(SignedDuration::from_hours(2));
    let ending = play.ending(&waiting).await;
    assert_eq!(ending.payload["details"]["code"], "invalid-document", "{:#?}", ending.payload);
    let message = ending.text("message");
    assert!(message.starts_with(&format!("{SENDER} is no identifier of the party")), "{message}");
}
