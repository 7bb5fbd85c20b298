//! What breaks the rules of FA(3) is refused before anything is uploaded, in words; and a receipt
//! that nobody signed whom the operator trusts is told.

use quoin_lab::ksef::sample_purchase;
use quoin_lab::lab::network::UNREGISTERED;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_invoice_is_refused_before_it_is_uploaded() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    let document = sample_purchase((NIP, "1132191233"), "ZLE/1", &today(&play))
        .replace("<JST>2</JST>", "<JST>1</JST>");
    let id = Uuid::new_v4().to_string();
    let answer = play.sender().await.send(PARTY, &id, document).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    let told = play.told(&id, &["InvoiceClearedError", "InvoiceSentError"]).await;
    let message = told.text("message");
    assert!(message.contains("QUOIN-FA-JST"), "{message}");
    assert!(message.contains("Podmiot3"), "{message}");
    assert!(lab.exchanges().iter().all(|one| !one.path.starts_with("/sessions")));
    let (_, status) = play.sender().await.timeline(PARTY, &id).await;
    assert!(["Failed", "Rejected"].contains(&status.as_str()), "{status}");
}

async fn with_anchor(own: bool) -> String {
    let stranger = quoin_lab::ksef::KsefAuthority::generate(jiff::Timestamp::now()).unwrap();
    let (play, lab) = play_as(quick(), |section, (lab, folder)| {
        let file = folder.join("seal.pem");
        let seal = if own { lab.authority().seal_pem() } else { stranger.seal_pem() };
        std::fs::write(&file, seal).unwrap();
        section.upo_anchors = vec![file];
    })
    .await;
    put_hook(&play, &lab).await;
    let id = send(&play, "UPO/1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    cleared(&play, &id, ClearanceState::Registered).await;
    let path = format!("/api/v1/{PARTY}/salesInvoice/{id}/status");
    play.sender().await.get(&path).await.json.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_is_held_to_the_anchor_of_the_operator() {
    let good = with_anchor(true).await;
    assert!(good.contains("KSeF registered the invoice") && !good.contains("ksef-fault"), "{good}");
    let other = with_anchor(false).await;
    assert!(other.contains("ksef-fault") && other.contains("upo_anchors"), "{other}");
}

/// A copy that does not reach the receiver is no reason to issue the invoice again.
#[tokio::test(flavor = "multi_thread")]
async fn a_registered_invoice_whose_copy_fails_says_that_it_is_one() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    let id = Uuid::new_v4().to_string();
    let document = sample_invoice((PARTY, UNREGISTERED), "FV/U", &today(&play));
    let answer = play.sender().await.send(PARTY, &id, document).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    let told = play.told(&id, &["InvoiceSentError"]).await;
    let number = cleared(&play, &id, ClearanceState::Registered).await;
    assert_eq!(told.payload["details"]["ksefNumber"], number, "{:?}", told.payload);
    assert_eq!(told.payload["details"]["code"], "not-registered");
    let sentence = format!("The invoice is registered by KSeF under {number}: only its copy");
    assert!(told.text("message").starts_with(&sentence), "{}", told.text("message"));
    let path = format!("/api/v1/{PARTY}/salesInvoice/{id}/status");
    let shown = play.sender().await.get(&path).await.json.to_string();
    assert!(shown.contains(&sentence), "{shown}");
}

/// What is refused as it is goes nowhere, and nobody could take back that it was registered.
#[tokio::test(flavor = "multi_thread")]
async fn what_goes_to_no_channel_is_not_registered_beforehand() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    let sender = play.sender().await;
    let json = [("content-type", "application/json")];
    let hook = json!({
        "id": "customer", "action": "https://127.0.0.1:9/in", "topics": ["Send*"],
        "init": { "bearerToken": "the-token-of-the-customer" },
    });
    let path = format!("/api/v1/{PARTY}/hook");
    let saved = sender.call(Method::PUT, &path, &json, Some(hook.to_string())).await.unwrap();
    assert_eq!(saved.status, 200, "{}", saved.json);
    // An invoice where orders are uploaded.
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{PARTY}/purchaseOrder/send?channel=customer&receiverId={RECEIVER}");
    let xml = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let document = sample_purchase((NIP, "1132191233"), "KIND/1", &today(&play));
    let taken = sender.call(Method::POST, &path, &xml, Some(document)).await.unwrap();
    assert_eq!(taken.status, 200, "{}", taken.json);
    let ended = async || {
        let status = play.record(&id).await.transaction.status;
        status.is_final().then(|| status.as_str())
    };
    assert_eq!(until("its end", ended).await, "Rejected");
    assert!(lab.registered().is_empty());
}
