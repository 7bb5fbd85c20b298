//! An invoice crosses four corners: two whole services, DNS, SMP, TLS and AS4 between them.

use std::time::Duration;

use quoin_delivery::ids::{as4_message_id, sbdh_instance_id};
use quoin_delivery::{DocumentId, Family, OrganisationId};
use quoin_server::clock::Clock;
use quoin_server::lab::network::{Network, RECEIVER, SENDER};
use quoin_store::{Facts, NewOutgoing, Submitted};
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn scratch() {
    let _ = tracing_subscriber::fmt().with_test_writer().with_env_filter("info").try_init();
    let folder = std::env::temp_dir().join(format!("quoin-scratch-{}", std::process::id()));
    let network = Network::start(&folder, Clock::default()).await.unwrap();
    let organisation: OrganisationId = "sender".parse().unwrap();
    let document_id = DocumentId::from_uuid(Uuid::new_v4());
    let invoice = quoin_document::samples::invoice(SENDER, RECEIVER, "INV-1");
    let new = NewOutgoing {
        organisation: organisation.clone(),
        party: SENDER.to_owned(),
        family: Family::Invoice,
        facts: Facts::default(),
        channel: None,
        message_id: as4_message_id(&organisation, &document_id, "lab.quoin.test").unwrap(),
        instance_id: sbdh_instance_id(&organisation, &document_id),
        document_id: document_id.clone(),
        content: invoice.into_bytes().into(),
        now: jiff::Timestamp::now(),
    };
    let store = &network.one.parts.store;
    let Submitted::Accepted(id) = store.submit(new).await.unwrap() else { panic!() };
    let told = network
        .around
        .sink
        .wait_for(Duration::from_secs(10), |told| told.text("topic").starts_with("InvoiceSent"))
        .await;
    for line in store.timeline_of(&id).await.unwrap() {
        println!("{line:?}");
    }
    println!("{told:#?}");
    let got = network
        .around
        .sink
        .wait_for(Duration::from_secs(10), |told| told.text("topic") == "InvoiceReceived")
        .await;
    println!("{got:#?}");
    network.stop().await;
}
