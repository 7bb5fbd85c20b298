//! Look-ups and the dry run (interface specification 2.8, 4.2 to 4.5).

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use reqwest::Method;
use serde_json::{Value, json};

use super::{json as post, xml};
use crate::stage::caller::Caller;
use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, unpublish};

async fn recipient(caller: &Caller, path: &str, body: Value) -> Value {
    let answer = post(caller, Method::POST, &format!("/api/v1/{SENDER}/{path}"), body).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_2_several_identifiers_give_the_first_that_can_be_reached() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let path = "salesInvoice/queryRecipientParty?includeOptions=true";
    let found = recipient(&sender, path, json!([UNREGISTERED, RECEIVER])).await;
    assert_eq!((&found["id"], &found["channel"]), (&json!(RECEIVER), &json!("peppol")));
    assert_eq!(found["candidates"][0]["reason"], "not-registered");
    let options = found["options"].as_array().unwrap();
    assert!(options.iter().all(|option| option["family"] == "Invoice"), "{options:?}");
    assert!(options.len() >= 5, "{options:?}");
    let body = json!({ "partyIds": ["NL:KVK:87654321"], "metaAttributes": { "a": 1 } });
    let found = recipient(&sender, "salesInvoice/queryRecipientParty", body).await;
    assert_eq!((&found["id"], found.get("options")), (&json!(RECEIVER), None));
    let nobody =
        recipient(&sender, "salesInvoice/queryRecipientParty", json!([UNREGISTERED])).await;
    assert_eq!((&nobody["isRegistered"], &nobody["channel"]), (&json!(false), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_3_a_recipient_of_orders_is_one_that_takes_orders() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|_, two| {
            let capabilities = &mut two.organisation[0].parties[0].capabilities;
            capabilities.retain(|name, _| !name.starts_with("order"));
        })
        .await;
    let sender = play.sender().await;
    let path = "purchaseOrder/queryRecipientParty?documentFamily=Order";
    let found = recipient(&sender, path, json!([RECEIVER])).await;
    assert_eq!(found["reason"], "unsupported-document-type");
    assert_eq!((&found["isRegistered"], &found["channel"]), (&json!(true), &Value::Null));
    let found = recipient(&sender, "salesInvoice/queryRecipientParty", json!([RECEIVER])).await;
    assert_eq!(found["channel"], "peppol");
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_5_delivery_options_come_best_first() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let ask = async |query: &str| {
        let answer = sender.get(&format!("/api/v1/peppol/deliveryOption?{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        answer.json.as_array().unwrap().clone()
    };
    let types = |options: &[Value]| -> Vec<String> {
        options.iter().map(|o| o["documentTypeId"].as_str().unwrap().to_owned()).collect()
    };
    let all = ask(&format!("partyIds={RECEIVER}&documentFamily=Invoice&isCredit=false")).await;
    let names = types(&all);
    assert!(names[0].contains("nlcius"), "national rules first: {names:?}");
    assert!(names.iter().all(|name| !name.contains("CreditNote")), "{names:?}");
    assert!(
        names.last().unwrap().contains("CrossIndustryInvoice")
            || names.last().unwrap().contains("selfbilling"),
        "{names:?}"
    );
    let first = &all[0];
    assert_eq!((&first["protocol"], &first["accessPoint"]), (&json!("As4"), &json!("POP000002")));
    assert!(first["url"].as_str().unwrap().ends_with("/as4"));
    assert!(first["certificate"].as_str().unwrap().len() > 500);
    let preferred = names.iter().find(|name| name.contains("CrossIndustryInvoice")).unwrap();
    let encoded: String = quoin_url_encode(preferred);
    let some = ask(&format!(
        "partyIds={UNREGISTERED}&partyIds={RECEIVER}&documentFamily=Invoice&isCredit=false\
         &preferredDocumentTypeId={encoded}"
    ))
    .await;
    assert_eq!(&types(&some)[0], preferred);
    let credits = ask(&format!("partyIds={RECEIVER}&documentFamily=Invoice&isCredit=true")).await;
    assert!(types(&credits).iter().any(|name| name.contains("CreditNote-2")));
    for credit in [true, false] {
        let either = types(&ask(&format!("partyIds={RECEIVER}&isCredit={credit}")).await);
        assert!(either.iter().any(|name| name.contains("CrossIndustryInvoice")), "{either:?}");
    }
    assert_eq!(ask(&format!("partyIds={RECEIVER}&documentFamily=TimeCard")).await.len(), 0);
    assert_eq!(ask(&format!("partyIds={UNREGISTERED}&documentFamily=Invoice")).await.len(), 0);
    let only = ask(&format!("partyIds={RECEIVER}&documentTypeIds={encoded}")).await;
    assert_eq!(types(&only), std::slice::from_ref(preferred));
    for query in ["", "partyIds=x", "partyIds=0106:1&documentFamily=Nothing", "ids=1"] {
        let answer = sender.get(&format!("/api/v1/peppol/deliveryOption?{query}")).await;
        assert_eq!(answer.status, 400, "{query}: {}", answer.json);
    }
}

fn quoin_url_encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// 7: no fail-fast; the call goes on and ends with its time limit.
#[tokio::test(flavor = "multi_thread")]
async fn r7_a_mismatch_of_sml_and_smp_ends_with_the_time_limit() {
    let stage = Stage::set().await;
    let play = stage.play_with(|one, _| one.network.lookup_timeout_seconds = 3).await;
    let own = &play.stage.receiver.organisation.parse().unwrap();
    unpublish(&play.two, own, RECEIVER).await;
    let sender = play.sender().await;
    let begun = std::time::Instant::now();
    let path = format!("/api/v1/peppol/deliveryOption?partyIds={RECEIVER}&documentFamily=Invoice");
    let answer = sender.get(&path).await;
    assert!(begun.elapsed() >= std::time::Duration::from_secs(3), "it goes on");
    answer.is_problem(503, "API503.Lookup", "does not know it");
    assert_eq!(
        (&answer.json["partyId"], &answer.json["reason"]),
        (&json!(RECEIVER), &json!("not-registered"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_how_the_endpoint_did_lately() {
    let stage = Stage::set().await;
    let acts = [Act::Status(503), Act::Status(503)];
    let gate = Gate::open(&stage, &stage.two.as4_url, &acts).await;
    let play = stage
        .play_with(|_, two| {
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), gate.url.clone());
        })
        .await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let endpoint = async || {
        let invoice = samples::invoice(SENDER, RECEIVER, "DRY-5");
        let run = xml(&play.sender().await, &path, invoice).await;
        assert_eq!(run.json["verdict"], "deliverable", "{}", run.json);
        run.json["endpoint"].clone()
    };
    let before = endpoint().await;
    assert_eq!((&before["deliveredLately"], &before["failedLately"]), (&json!(0), &json!(0)));
    let sent = play.send("DRY-6").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let after = endpoint().await;
    assert_eq!(after["url"], gate.url);
    assert_eq!((&after["deliveredLately"], &after["failedLately"]), (&json!(1), &json!(2)));
    let (failed, taken) = (&after["lastFailedOn"], &after["lastDeliveredOn"]);
    assert!(failed.as_str().unwrap() < taken.as_str().unwrap(), "{after}");
    let forced = format!("{path}?channel=peppol");
    let run = xml(&play.sender().await, &forced, samples::invoice(SENDER, RECEIVER, "D-7")).await;
    let why = run.json["route"]["because"][0].as_str().unwrap();
    assert!(why.contains("forces the channel peppol"), "{why}");
    let nobody = format!("{path}?channel=nobody");
    let run = xml(&play.sender().await, &nobody, samples::invoice(SENDER, RECEIVER, "D-8")).await;
    run.is_problem(400, "API400.Channel", "nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_the_route_and_sends_nothing() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let run = xml(&sender, &path, samples::invoice(SENDER, RECEIVER, "DRY-1")).await;
    assert_eq!((run.status, &run.json["verdict"]), (200, &json!("deliverable")), "{}", run.json);
    assert_eq!(run.json["route"]["channel"], "peppol");
    assert!(run.json["route"]["because"].as_array().unwrap().len() >= 3);
    assert_eq!(run.json["losses"], json!([]));
    let endpoint = &run.json["endpoint"];
    assert_eq!(
        (&endpoint["seatId"], &endpoint["isReachable"]),
        (&json!("POP000002"), &json!(true))
    );
    assert!(endpoint["certificateDaysLeft"].as_i64().unwrap() > 1, "{endpoint}");
    let wrong = samples::invoice(SENDER, RECEIVER, "DRY-2").replace("EUR", "XXQ");
    let run = xml(&sender, &path, wrong).await;
    assert_eq!(run.json["verdict"], "rejected", "{}", run.json);
    assert!(!run.json["findings"].as_array().unwrap().is_empty());
    let run = xml(&sender, &path, samples::invoice(SENDER, UNREGISTERED, "DRY-3")).await;
    assert_eq!(run.json["verdict"], "unroutable", "{}", run.json);
    let redirected = format!("{path}?receiverId={UNREGISTERED}");
    let run = xml(&sender, &redirected, samples::invoice(SENDER, RECEIVER, "DRY-4")).await;
    assert_eq!(run.json["recipient"], UNREGISTERED);
    assert!(play.arrived().await.is_empty(), "nothing was sent");
    let listed = sender.get(&format!("/api/v1/{SENDER}/salesInvoice")).await;
    assert_eq!(listed.json["items"], json!([]), "nothing was stored");
}
