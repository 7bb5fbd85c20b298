//! Procurement network 2: accounts, relationships and the test environment.

use serde_json::json;

use super::*;

fn action(play: &Play, more: &str) -> String {
    let around = &play.stage.around;
    format!("tradingnetwork://{}/cxml?{more}#{}", around.partner_host, around.partner_secret)
}

fn relationship(supplier: &str, buyer: &str) -> Value {
    json!({ "supplier": supplier, "supplierAccount": "AN01", "buyer": buyer, "buyerAccount": "AN02" })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_goes_from_account_to_account() {
    let play = play().await;
    let sender = play.sender().await;
    let init = json!({ "relationships": [relationship(SENDER, RECEIVER)] });
    for (mode, ends) in [("mode=test", ["AN01-T", "AN02-T"]), ("", ["AN01", "AN02"])] {
        let answer = ask(&sender, &action(&play, mode), init.clone()).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        assert_eq!(answer.json["init"], init);
        let id = send(&play, &invoice("TN-1")).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        assert_eq!(told.payload["details"]["protocol"], "TradingNetwork");
        let post = partner(&play).posts().pop().unwrap();
        assert_eq!([post.ends.0.as_str(), post.ends.1.as_str()], ends);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_relationship_it_is_refused_and_nothing_is_sent() {
    let play = play().await;
    let sender = play.sender().await;
    let init = json!({ "relationships": [relationship(SENDER, "0208:0123456749")] });
    let answer = ask(&sender, &action(&play, ""), init).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    let id = send(&play, &invoice("TN-2")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert_eq!(told.payload["details"]["code"], "partner-relationship");
    for word in [SENDER, RECEIVER, "init.relationships"] {
        assert!(told.text("message").contains(word), "{told:#?}");
    }
    assert!(partner(&play).posts().is_empty());
    assert_eq!(play.attempts(&id).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relationship_that_is_wrong_is_refused_with_its_place() {
    let play = play().await;
    let sender = play.sender().await;
    let mut test = relationship(SENDER, RECEIVER);
    test["supplierAccount"] = json!("AN01-T");
    for (rows, word) in [
        (json!([test]), "relationships[0].supplierAccount"),
        (json!([relationship("somebody", RECEIVER)]), "relationships[0].supplier is"),
        (json!([{ "supplier": SENDER }]), "missing field"),
        (json!("none"), "relationships"),
    ] {
        let init = json!({ "relationships": rows });
        let answer = ask(&sender, &action(&play, ""), init).await;
        answer.is_problem(400, "API400.Hook", "init");
        if word != "relationships" {
            assert!(answer.json.to_string().contains(word), "{}", answer.json);
        }
    }
}
