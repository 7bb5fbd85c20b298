//! Message Level Statuses between two providers: given once for a document, sent as a document,
//! linked to the one that they are about, and watched.

mod repeated;
mod strangers;

use jiff::SignedDuration;
use quoin_access_point::config::{Config, RequestedStatuses};
use quoin_delivery::mls::MlsCode;
use quoin_delivery::service_level::Figures;
use quoin_delivery::{Direction, Family};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_rules::ValidationPolicy;
use quoin_server::start::Running;
use quoin_store::{ListFilter, StatusMessage, StatusRecord, TransactionRecord};
use serde_json::Value;

use crate::official_rules;
use crate::stage::{PROVIDER_ONE, PROVIDER_TWO, Play, Stage, until};

/// Both services, of which the sender's asks for every status.
async fn asking(differ: impl FnOnce(&mut Config, &mut Config)) -> Play {
    Stage::set()
        .await
        .play_with(|one, two| {
            one.provider.ask_for_statuses = RequestedStatuses::Always;
            differ(one, two);
        })
        .await
}

/// What the sender's service holds about the status of a document, once it is settled.
async fn settled(play: &Play, document: &str) -> StatusRecord {
    let id = play.record(document).await.transaction.id;
    until("the status arrived", async || {
        let status = play.one.parts.store.status_of(&id).await.unwrap();
        status.filter(|status| status.settled_on.is_some())
    })
    .await
}

/// The statuses that the sender has about a document.
async fn messages(play: &Play, document: &str) -> Vec<StatusMessage> {
    let id = play.record(document).await.transaction.id;
    play.one.parts.store.status_messages(&id).await.unwrap()
}

/// What a customer of a service has in a direction and of a family.
async fn all_of(
    service: &Running,
    organisation: &str,
    direction: Direction,
    family: Family,
) -> Vec<TransactionRecord> {
    let mut filter = ListFilter::new(organisation.parse().unwrap(), direction);
    filter.limit = 500;
    let all = service.parts.store.list(filter).await.unwrap().items;
    all.into_iter().filter(|record| record.transaction.family == family).collect()
}

fn detail<'d>(payload: &'d Value, name: &str) -> &'d str {
    payload["details"][name].as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_taken_gets_one_positive_status() {
    let play = asking(|_, _| ()).await;
    let id = play.send("MLS-1").await;
    let told = play.told(&id, &["MessageLevelStatusReceived"]).await;
    assert!(told.signed);
    assert_eq!((told.text("partyId"), detail(&told.payload, "statusCode")), (SENDER, "AP"));
    assert_eq!(detail(&told.payload, "provider"), "POP000002");
    let status = settled(&play, &id).await;
    assert_eq!((status.code, status.breached_on), (Some(MlsCode::Accepted), None));

    // The receiver is told that it left, and about what.
    let [invoice] = &play.arrived().await[..] else { panic!("one invoice") };
    let sent = all_of(&play.two, "receiver", Direction::Outgoing, Family::MessageLevelStatus).await;
    let [message] = &sent[..] else { panic!("one status: {sent:?}") };
    let answered = message.transaction.document_id.to_string();
    let left = play.told(&answered, &["MessageLevelStatusSent"]).await;
    assert_eq!(
        detail(&left.payload, "answeredDocumentId"),
        invoice.transaction.document_id.as_str()
    );
    assert_eq!(detail(&left.payload, "statusCode"), "AP");
    assert_eq!(left.text("partyId"), RECEIVER);

    // It is a document of the network between the two providers, and it is right.
    let sent = all_of(&play.two, "receiver", Direction::Outgoing, Family::MessageLevelStatus).await;
    let [message] = &sent[..] else { panic!("one status: {sent:?}") };
    assert_eq!(message.transaction.sender.as_deref(), Some(PROVIDER_TWO));
    assert_eq!(message.transaction.receiver.as_deref(), Some(PROVIDER_ONE));
    let text = play.two.parts.store.document(message).await.unwrap().unwrap();
    let parsed = quoin_formats::read(&text);
    assert_eq!(parsed.detection().profile.as_deref(), Some("peppol-mls"));
    let report = quoin_rules::validate(&parsed, jiff::civil::date(2026, 11, 21));
    assert!(report.findings.is_empty(), "{report:?}");
    let references = parsed.message_status().unwrap().references;
    assert_eq!(references, [play.record(&id).await.instance_id.unwrap()]);

    // Both timelines tell it.
    play.ending(&id).await;
    let (mut names, state) = play.sender().await.timeline(SENDER, &id).await;
    // The status may be here before what the receipt says is on the disk.
    let before = names.len();
    names.retain(|name| name != "MessageLevelStatus");
    assert_eq!((before, names.len()), (5, 4));
    assert_eq!(names, ["Pending", "Validated", "Routed", "Delivered"]);
    assert_eq!(state, "Delivered");
    let lines = play.two.parts.store.timeline_of(&invoice.transaction.id).await.unwrap();
    assert!(lines.iter().any(|line| line.name == "MessageLevelStatus"), "{lines:?}");

    both_are_told(&play, &id, invoice.transaction.document_id.as_str()).await;

    // A download later on changes nothing: one status is given for a document.
    let receiver = play.receiver().await;
    let document = invoice.transaction.document_id.as_str();
    assert_eq!(receiver.download(RECEIVER, document).await.status, 200);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(messages(&play, &id).await.len(), 1);
    let sent = all_of(&play.two, "receiver", Direction::Outgoing, Family::MessageLevelStatus).await;
    assert_eq!(sent.len(), 1);
    // And a status is not answered with a status.
    let back = all_of(&play.one, "sender", Direction::Outgoing, Family::MessageLevelStatus).await;
    assert!(back.is_empty(), "{back:?}");
}

/// The interface tells the status to both, and the service levels count it.
async fn both_are_told(play: &Play, id: &str, own: &str) {
    let sender = play.sender().await;
    let about = format!("/api/v1/{SENDER}/generic/{id}/messageLevelStatus");
    let view = sender.get(&about).await.json;
    assert_eq!((&view["status"], &view["direction"]), (&"AP".into(), &"outgoing".into()), "{view}");
    assert_eq!(view["messages"][0]["provider"], "POP000002");
    let about = format!("/api/v1/{RECEIVER}/generic/{own}/messageLevelStatus");
    let view = until("the status left", async || {
        let view = play.receiver().await.get(&about).await.json;
        (!view["settledOn"].is_null()).then_some(view)
    })
    .await;
    assert_eq!((&view["status"], &view["direction"]), (&"AP".into(), &"incoming".into()), "{view}");
    for (caller, level) in [(sender, 1), (play.receiver().await, 0)] {
        let levels = caller.get("/api/v1/serviceLevels").await.json;
        assert_eq!(levels["allOrganisations"], false);
        let level = &levels["levels"][level];
        let total = &level["total"];
        let counts = (&total["due"], &total["inTime"], &total["isMet"]);
        assert_eq!(counts, (&1.into(), &1.into(), &true.into()), "{levels}");
        assert!(level["providers"][0]["provider"].as_str().unwrap().starts_with("POP00000"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_document_gets_a_negative_status_whatever_was_asked() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|_, two| {
            two.validation.policy = ValidationPolicy::Official;
            official_rules::register(&two.data_dir, "1.0");
        })
        .await;
    let id = play.send("WRONG-1").await;
    let told = play.told(&id, &["MessageLevelStatusReceived"]).await;
    assert_eq!(detail(&told.payload, "statusCode"), "RE");
    assert!(detail(&told.payload, "findings").contains("HOUSE-1"), "{told:?}");
    let [message] = &messages(&play, &id).await[..] else { panic!("one status") };
    assert!(message.counts && message.code.as_deref() == Some("RE"), "{message:?}");
    let [issue] = &message.issues[..] else { panic!("{message:?}") };
    assert_eq!(issue.reason.as_deref(), Some("BV"));
    assert_eq!(issue.place.as_deref(), Some("/Invoice[1]/cbc:ID[1]"));
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = play.sender().await.get(&path).await.json;
    let last = lines.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["name"], &last["code"]),
        (&"MessageLevelStatus".into(), &"rejected-by-provider".into()),
        "{lines}"
    );

    // Its party hears the same, and can still look at it.
    let [invoice] = &play.arrived().await[..] else { panic!("one invoice") };
    let document = invoice.transaction.document_id.as_str();
    let error = play.told(document, &["InvoiceReceived", "InvoiceReceivedError"]).await;
    assert_eq!(error.text("topic"), "InvoiceReceivedError");
    assert_eq!(play.receiver().await.download(RECEIVER, document).await.status, 200);

    // A document that is right gets none, since only failures were asked for.
    let right = play.send("OK-1").await;
    assert_eq!(play.ending(&right).await.text("topic"), "InvoiceSent");
    let arrived = until("it arrived", async || {
        play.arrived().await.into_iter().find(|a| a.transaction.number.as_deref() == Some("OK-1"))
    })
    .await;
    until("nothing is owed any more", async || {
        let status =
            play.two.parts.store.status_of(&arrived.transaction.id).await.unwrap().unwrap();
        status.closed_on
    })
    .await;
    assert!(messages(&play, &right).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_nobody_confirms_was_handed_over() {
    let play = asking(|_, two| {
        two.organisation[0].hooks.clear();
        two.provider.confirmation_seconds = 1;
    })
    .await;
    let id = play.send("MLS-AB").await;
    assert_eq!(settled(&play, &id).await.code, Some(MlsCode::HandedOver));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_confirms() {
    let play = asking(|_, two| two.organisation[0].hooks.clear()).await;
    let id = play.send("MLS-AP").await;
    play.ending(&id).await;
    let arrived = until("it is ready", async || {
        let all = play.arrived().await;
        all.into_iter().find(|record| record.transaction.status.is_final())
    })
    .await;
    let document = arrived.transaction.document_id.as_str();
    assert_eq!(play.receiver().await.download(RECEIVER, document).await.status, 200);
    assert_eq!(settled(&play, &id).await.code, Some(MlsCode::Accepted));
}

/// The party's own system is to be handed the document, and does not take it.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_delivery_to_the_receiver_is_told() {
    let play = Stage::set()
        .await
        .play_with(|_, two| {
            two.retry.hook_seconds = vec![0.05];
            let hook = &mut two.organisation[0].hooks[0];
            hook.topics = vec!["ReceiveInvoice".to_owned()];
            hook.action =
                quoin_access_point::config::ConfigSecret::new("http://127.0.0.1:9/#secret");
        })
        .await;
    let id = play.send("MLS-FD").await;
    let status = settled(&play, &id).await;
    assert_eq!(status.code, Some(MlsCode::Rejected));
    let [message] = &messages(&play, &id).await[..] else { panic!("one status") };
    let [issue] = &message.issues[..] else { panic!("{message:?}") };
    assert_eq!((issue.reason.as_deref(), &issue.place), (Some("FD"), &Some("NA".to_owned())));
}

/// Nobody listens and nobody comes: when the time of the document is over, its sender hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_nobody_fetched_is_told() {
    let play = Stage::set().await.play_with(|_, two| two.organisation[0].hooks.clear()).await;
    let id = play.send("MLS-90").await;
    play.ending(&id).await;
    until("it is ready", async || {
        let all = play.arrived().await;
        all.iter().any(|record| record.transaction.status.is_final()).then_some(())
    })
    .await;
    play.stage.clock.advance(SignedDuration::from_hours(91 * 24));
    assert_eq!(settled(&play, &id).await.code, Some(MlsCode::Rejected));
    let [message] = &messages(&play, &id).await[..] else { panic!("one status") };
    assert_eq!(message.issues[0].reason.as_deref(), Some("FD"));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_goes_where_it_is_wanted_and_else_to_the_main_identifier() {
    for is_registered in [true, false] {
        let stage = Stage::set().await;
        let department = "0242:000001-INVOICES";
        if is_registered {
            stage.register(department, &stage.one.smp_url);
        }
        let play = stage
            .play_with(|one, _| {
                one.provider.ask_for_statuses = RequestedStatuses::Always;
                one.provider.status_identifier = Some(department.to_owned());
            })
            .await;
        let id = play.send("MLS-TO").await;
        assert_eq!(settled(&play, &id).await.code, Some(MlsCode::Accepted));
        let [message] = &messages(&play, &id).await[..] else { panic!("one status") };
        let expected = if is_registered { department } else { PROVIDER_ONE };
        let receiver = message.transaction.transaction.receiver.as_deref();
        assert_eq!(receiver, Some(expected), "registered: {is_registered}");
    }
}

/// A provider that cannot be found yet is no reason to give up: the status waits.
#[tokio::test(flavor = "multi_thread")]
async fn a_status_waits_for_its_provider_to_be_found() {
    let stage = Stage::set().await;
    let (mut one, mut two) = (stage.config_one(), stage.config_two());
    one.provider.ask_for_statuses = RequestedStatuses::Always;
    two.retry.delivery_seconds = vec![0.3; 40];
    stage.register(SENDER, &stage.one.smp_url);
    stage.register(RECEIVER, &stage.two.smp_url);
    let (one, two) = (stage.start(one).await, stage.start(two).await);
    let play = Play { stage, one, two };
    let id = play.send("MLS-LATER").await;
    let message = until("the status is tried", async || {
        let family = Family::MessageLevelStatus;
        let sent = all_of(&play.two, "receiver", Direction::Outgoing, family).await;
        sent.into_iter().find(|message| message.transaction.attempts > 0)
    })
    .await;
    assert!(!message.transaction.status.is_final(), "{message:?}");
    play.stage.register(PROVIDER_ONE, &play.stage.one.smp_url);
    assert_eq!(settled(&play, &id).await.code, Some(MlsCode::Accepted));
}

/// A receiving provider that owes a status and does not give it: told before the limit and after.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_late_is_warned_of_and_then_told() {
    let play = asking(|_, two| two.provider.give_statuses = false).await;
    let id = play.send("MLS-LATE").await;
    play.ending(&id).await;
    let store = &play.one.parts.store;
    let organisation = "sender".parse().unwrap();
    let month = quoin_delivery::reporting::Month::of(play.stage.clock.now());
    let figures = async || {
        let now = play.stage.clock.now();
        let all = store.service_levels(month, Some(&organisation), now).await.unwrap();
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!((one.level.as_str(), one.provider.as_str()), ("mls-received", "POP000002"));
        one.figures
    };
    assert_eq!(figures().await, Figures { due: 1, in_time: 0, late: 0 });
    assert_eq!(play.times(&id, "ServiceLevelWarning"), 0);

    play.stage.clock.advance(SignedDuration::from_mins(21));
    let near = play.told(&id, &["ServiceLevelWarning"]).await;
    assert_eq!(detail(&near.payload, "level"), "mls-received");
    assert_eq!(detail(&near.payload, "provider"), "POP000002");
    assert_eq!(play.times(&id, "ServiceLevelBreached"), 0);
    play.stage.clock.advance(SignedDuration::from_mins(5));
    let over = play.told(&id, &["ServiceLevelBreached"]).await;
    assert_eq!(detail(&over.payload, "level"), "mls-received");
    assert_eq!(figures().await, Figures { due: 1, in_time: 0, late: 1 });
    assert_eq!(play.times(&id, "ServiceLevelWarning"), 1);
}
