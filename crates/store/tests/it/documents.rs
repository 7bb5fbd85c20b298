//! Documents: stored once, found, listed, moved on in one commit, deleted without losing the trace.

use bytes::Bytes;
use quoin_delivery::repeats::{Repeat, RepeatedIdentifier};
use quoin_delivery::{Direction, EventId, Status, TaskKind, Topic};
use quoin_store::blobs::{BlobId, INLINE_LIMIT};
use quoin_store::{
    ArrivalIdentifiers, Keep, ListFilter, RecordOutcome, Refusal, Store, SubmitOptions, Submitted,
};

use crate::world::*;

fn blob_files(world: &World) -> usize {
    let in_folder = |folder: std::path::PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let fans = in_folder(world.folder.join("blobs/acme"));
    assert!(fans.iter().all(|fan| fan.is_dir()), "{fans:?}: files are spread over folders");
    fans.into_iter().map(|fan| in_folder(fan).len()).sum()
}

#[tokio::test]
async fn an_upload_is_there_with_its_bytes_timeline_and_task() {
    let world = world().await;
    let record = world.upload(1).await;
    let tx = &record.transaction;
    assert_eq!((tx.status, tx.version, tx.attempts), (Status::Pending, 1, 0));
    assert_eq!(record.message_id.as_deref(), Some("1@ap.example.test"));
    let bytes = world.store.document(&record).await.unwrap().unwrap();
    assert_eq!(bytes, "<Invoice n='1'/>");
    let timeline = world.store.timeline_of(&tx.id).await.unwrap();
    assert_eq!((timeline.len(), timeline[0].seq, &*timeline[0].name), (1, 1, "Pending"));
    let claim = world.claim_one(TaskKind::Prepare, 0).await;
    assert_eq!(claim.subject, tx.id.as_str());
    assert_eq!(world.load(&claim).await, record);
}

#[tokio::test]
async fn the_same_document_id_is_stored_once_per_organisation_and_direction() {
    let world = world().await;
    let first = world.upload(1).await.transaction.id;
    let again = world.store.submit(outgoing(1, "<Invoice n='1'/>")).await.unwrap();
    assert_eq!(again, Submitted::Duplicate { existing: first.clone(), same_content: true });
    let other = world.store.submit(outgoing(1, "<Other/>")).await.unwrap();
    assert_eq!(other, Submitted::Duplicate { existing: first, same_content: false });
    world.arrive(1).await;
    assert_eq!(world.claim(TaskKind::Prepare, 10, 10).await.len(), 2);
}

/// The same bytes once more heal what became of the file of those that came before.
#[tokio::test]
async fn a_document_that_comes_again_is_kept_where_the_file_of_the_first_is_gone_or_damaged() {
    let world = world().await;
    let large: String = (0..40_000).map(|number| format!("{number} ")).collect();
    for (round, is_gone) in [(0, true), (2, false)] {
        world.store.submit(outgoing(10 + round, &large)).await.unwrap();
        for fan in std::fs::read_dir(world.folder.join("blobs/acme")).unwrap() {
            for file in std::fs::read_dir(fan.unwrap().path()).unwrap() {
                let file = file.unwrap().path();
                match is_gone {
                    true => std::fs::remove_file(file).unwrap(),
                    false => std::fs::write(file, "damaged").unwrap(),
                }
            }
        }
        let again = world.store.submit(outgoing(11 + round, &large)).await.unwrap();
        assert!(matches!(again, Submitted::Accepted { .. }), "{again:?}");
        assert_eq!(blob_files(&world), 1, "the file of the first one is gone");
    }
    world.store.close().await;
    // What came a moment ago is remembered; after a start it is read from the disk.
    let store = Store::open(options(&world.folder)).await.unwrap();
    let bytes = store.blob(&acme(), BlobId::of(large.as_bytes())).await.unwrap().unwrap();
    assert_eq!(bytes, large.as_bytes());
}

#[tokio::test]
async fn a_message_is_stored_once_by_message_id_and_by_instance_id() {
    let world = world().await;
    let existing = world.arrive(1).await.transaction.id;
    let known = |by, repeat| RecordOutcome::Known { existing: existing.clone(), by, repeat };
    let mut same_message = incoming(2, "<Invoice n='1'/>");
    same_message.message_id = "1@ap.example.test".to_owned();
    let answer = world.store.receive(same_message.clone()).await.unwrap();
    assert_eq!(answer, known(RepeatedIdentifier::Message, Repeat::Same));
    let mut same_instance = incoming(3, "<Invoice n='1'/>");
    same_instance.instance_id = "instance-1".to_owned();
    let answer = world.store.receive(same_instance.clone()).await.unwrap();
    assert_eq!(answer, known(RepeatedIdentifier::Instance, Repeat::Same));
    // Another access point or sender may use the same ids without harm.
    same_message.access_point = "POP000002".to_owned();
    let answer = world.store.receive(same_message).await.unwrap();
    assert!(matches!(answer, RecordOutcome::Accepted(_)), "{answer:?}");
    same_instance.envelope_sender = "0106:11111111".to_owned();
    let answer = world.store.receive(same_instance).await.unwrap();
    assert!(matches!(answer, RecordOutcome::Accepted(_)), "{answer:?}");
}

/// An id that somebody gives a document that came to its organisation under it, another way, is
/// known; nothing is stored.
#[tokio::test]
async fn a_document_that_came_another_way_is_known_by_its_id() {
    let world = world().await;
    let existing = world.arrive(1).await.transaction.id;
    let handed_in = |content: &str| {
        let mut new = incoming(1, content);
        new.message_id = "acme/1".to_owned();
        new.instance_id = "acme/1".to_owned();
        new.access_point = "generic/receive".to_owned();
        new
    };
    for (content, repeat) in
        [("<Invoice n='1'/>", Repeat::Same), ("<Other/>", Repeat::OtherDocument)]
    {
        let answer = world.store.receive(handed_in(content)).await.unwrap();
        let (existing, by) = (existing.clone(), RepeatedIdentifier::Document);
        assert_eq!(answer, RecordOutcome::Known { existing, by, repeat });
    }
    assert_eq!(world.claim(TaskKind::Prepare, 10, 10).await.len(), 1, "nothing was stored");
}

/// What is known of a message is told without storing it.
#[tokio::test]
async fn a_message_is_known_by_its_identifiers() {
    let world = world().await;
    let existing = world.arrive(1).await.transaction.id;
    let new = incoming(1, "<Invoice n='1'/>");
    let ids = |message: &str| ArrivalIdentifiers {
        message_id: message.to_owned(),
        access_point: new.access_point.clone(),
        instance_id: new.instance_id.clone(),
        sender: new.envelope_sender.clone(),
        receiver: new.facts.receiver.clone().unwrap_or_default(),
    };
    let ask = async |ids, content: &str| {
        let content = Bytes::copy_from_slice(content.as_bytes());
        world.store.arrived_before(ids, content).await.unwrap()
    };
    let content = std::str::from_utf8(&new.content).unwrap();
    let known = |by, repeat| Some(RecordOutcome::Known { existing: existing.clone(), by, repeat });
    let found = ask(ids(&new.message_id), content).await;
    assert_eq!(found, known(RepeatedIdentifier::Message, Repeat::Same));
    let found = ask(ids("new@a"), content).await;
    assert_eq!(found, known(RepeatedIdentifier::Instance, Repeat::Same));
    let found = ask(ids(&new.message_id), "<Other/>").await;
    assert_eq!(found, known(RepeatedIdentifier::Message, Repeat::OtherDocument));
    let stranger = ArrivalIdentifiers {
        access_point: "POP000999".to_owned(),
        sender: "0106:11111111".to_owned(),
        ..ids(&new.message_id)
    };
    assert_eq!(ask(stranger, content).await, None);
}

/// Another document, or the same for somebody else, is never taken for what is stored.
#[tokio::test]
async fn pe_3_another_document_under_a_known_id_is_told_from_a_repeat() {
    let world = world().await;
    let existing = world.arrive(1).await.transaction.id;
    let known = |by, repeat| RecordOutcome::Known { existing: existing.clone(), by, repeat };
    let under = |message: &str, instance: &str, content: &str| {
        let mut new = incoming(2, content);
        new.message_id = message.to_owned();
        new.instance_id = instance.to_owned();
        new
    };
    let other = world.store.receive(under("n@x", "instance-1", "<Invoice n='2'/>")).await.unwrap();
    assert_eq!(other, known(RepeatedIdentifier::Instance, Repeat::OtherDocument));
    let mut elsewhere = under("n@x", "instance-1", "<Invoice n='1'/>");
    elsewhere.facts.receiver = Some("0106:55555555".to_owned());
    let elsewhere = world.store.receive(elsewhere).await.unwrap();
    assert_eq!(elsewhere, known(RepeatedIdentifier::Instance, Repeat::OtherReceiver));
    let message = "1@ap.example.test";
    let other = world.store.receive(under(message, "i", "<Invoice n='2'/>")).await.unwrap();
    assert_eq!(other, known(RepeatedIdentifier::Message, Repeat::OtherDocument));
    assert_eq!(world.claim(TaskKind::Prepare, 10, 10).await.len(), 1, "nothing else was stored");
}

#[tokio::test]
async fn a_step_is_one_commit() {
    let world = world().await;
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let mut done = completion(&claim, &record, &straight(), 2);
    done.attempt = Some(attempt("<Receipt/>"));
    done.report = Some(Bytes::from_static(b"{}"));
    done.facts.number = Some("2026-17".to_owned());
    let committed = world.store.commit(done).await.unwrap();
    assert_eq!((committed.version, committed.events.len()), (2, 1));
    let id = &record.transaction.id;
    let after = world.store.transaction(id).await.unwrap().unwrap();
    assert_eq!((after.transaction.status, after.transaction.attempts), (Status::Delivered, 1));
    assert_eq!(after.transaction.number.as_deref(), Some("2026-17"));
    assert_eq!(after.transaction.sender.as_deref(), Some(SENDER), "what was known stays");
    assert_eq!(after.transaction.target_document_type.as_deref(), Some("busdox-docid-qns::x"));
    let timeline = world.store.timeline_of(id).await.unwrap();
    let names: Vec<&str> = timeline.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["Pending", "Validated", "Routed", "Delivered"]);
    let attempts = world.store.attempts_of(id).await.unwrap();
    assert_eq!(attempts[0].report["http"]["status"], 200);
    let receipt = attempts[0].receipt_blob.unwrap();
    assert_eq!(world.store.blob(&acme(), receipt).await.unwrap().unwrap(), "<Receipt/>");
    let report = world.store.blob(&acme(), after.report.unwrap()).await.unwrap();
    assert_eq!(report.unwrap(), "{}");
    let events = world.store.events_since(&acme(), EventId(0), 10).await.unwrap();
    assert_eq!((events.len(), events[0].topic), (1, Topic::INVOICE_SENT));
    assert_eq!(events[0].seq, committed.events[0]);
    assert!(world.store.events_since(&acme(), events[0].seq, 10).await.unwrap().is_empty());
    assert!(world.claim(TaskKind::Prepare, 9_999, 10).await.is_empty());
}

#[tokio::test]
async fn a_decision_from_an_old_version_is_refused_and_leaves_no_trace() {
    let world = world().await;
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let mut done = completion(&claim, &record, &straight(), 2);
    done.transaction.version = 7;
    let refused = refusal(world.store.commit(done).await);
    assert!(matches!(refused, Refusal::VersionMoved { expected: 7, found: 1, .. }), "{refused}");
    assert_eq!(world.store.timeline_of(&record.transaction.id).await.unwrap().len(), 1);
    assert!(world.store.events_since(&acme(), EventId(0), 10).await.unwrap().is_empty());
    // The task is still held under the claim, so the step can be done again.
    let done = completion(&claim, &record, &straight(), 3);
    assert!(world.store.commit(done).await.is_ok());
}

#[tokio::test]
async fn an_ignored_event_only_finishes_the_task() {
    let world = world().await;
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let done = completion(&claim, &record, &[quoin_delivery::Event::Uploaded], 2);
    assert!(done.decision.ignored.is_some());
    world.store.commit(done).await.unwrap();
    let after = world.store.transaction(&record.transaction.id).await.unwrap().unwrap();
    assert_eq!(after, record);
    assert!(world.claim(TaskKind::Prepare, 9_999, 10).await.is_empty());
}

#[tokio::test]
async fn small_and_large_bytes_come_back_and_go_with_their_last_use() {
    let world = world().await;
    for (size, files) in [(1, 0), (INLINE_LIMIT, 0), (INLINE_LIMIT + 1, 1), (3_000_000, 1)] {
        let bytes = Bytes::from(vec![7; size]);
        let put = async || world.store.put_blob(&acme(), bytes.clone()).await;
        let (first, second) = (put().await.unwrap(), put().await.unwrap());
        assert_eq!(first, second);
        assert_eq!(blob_files(&world), files, "{size} bytes");
        assert_eq!(world.store.blob(&acme(), first).await.unwrap().unwrap(), bytes);
        let stranger = "other".parse().unwrap();
        assert_eq!(world.store.blob(&stranger, first).await.unwrap(), None);
        world.store.delete_blob(&acme(), first).await.unwrap();
        assert!(world.store.blob(&acme(), first).await.unwrap().is_some());
        world.store.delete_blob(&acme(), first).await.unwrap();
        assert_eq!(world.store.blob(&acme(), first).await.unwrap(), None);
        assert_eq!(blob_files(&world), 0, "{size} bytes");
    }
}

#[tokio::test]
async fn a_large_duplicate_leaves_no_file_behind() {
    let world = world().await;
    let large = "x".repeat(INLINE_LIMIT * 2);
    world.store.submit(outgoing(1, &large)).await.unwrap();
    let again = world.store.submit(outgoing(1, &large)).await.unwrap();
    assert!(matches!(again, Submitted::Duplicate { same_content: true, .. }));
    assert_eq!(blob_files(&world), 1);
}

#[tokio::test]
async fn an_arrived_document_is_downloaded_and_deleted_once() {
    let world = world().await;
    let record = world.arrive(1).await;
    let document = &record.transaction.document_id;
    let find = async || world.store.transaction_of(&acme(), Direction::Incoming, document).await;
    world.store.mark_downloaded(&acme(), document, at(5)).await.unwrap();
    world.store.mark_downloaded(&acme(), document, at(9)).await.unwrap();
    assert_eq!(find().await.unwrap().unwrap().downloaded_on, Some(at(5)));
    world.store.delete_incoming(&acme(), document, at(10)).await.unwrap();
    let after = find().await.unwrap().unwrap();
    assert_eq!((after.deleted_on, after.blob), (Some(at(10)), None));
    assert_eq!(after.sha256, record.sha256);
    assert_eq!(world.store.document(&after).await.unwrap(), None);
    assert_eq!(world.store.blob(&acme(), record.sha256).await.unwrap(), None);
    let timeline = world.store.timeline_of(&record.transaction.id).await.unwrap();
    assert_eq!(timeline.last().unwrap().name, "Deleted");
    let again = world.store.delete_incoming(&acme(), document, at(11)).await;
    assert!(matches!(refusal(again), Refusal::NotFound { .. }));
    let again = world.store.mark_downloaded(&acme(), document, at(11)).await;
    assert!(matches!(refusal(again), Refusal::NotFound { .. }));
}

#[tokio::test]
async fn what_was_sent_cannot_be_deleted() {
    let world = world().await;
    world.upload(1).await;
    let refused = world.store.delete_incoming(&acme(), &document(1), at(10)).await;
    assert!(matches!(refusal(refused), Refusal::NotFound { .. }));
}

#[tokio::test]
async fn lists_filter_and_go_on_page_by_page() {
    let world = world().await;
    for number in 1..=7 {
        world.arrive(number).await;
    }
    world.upload(8).await;
    world.store.delete_incoming(&acme(), &document(3), at(50)).await.unwrap();
    world.store.mark_downloaded(&acme(), &document(4), at(50)).await.unwrap();
    let all = ListFilter::new(acme(), Direction::Incoming);
    let mut seen = Vec::new();
    let mut filter = ListFilter { limit: 2, ..all.clone() };
    loop {
        let page = world.store.list(filter.clone()).await.unwrap();
        seen.extend(page.items.into_iter().map(|item| item.transaction.document_id));
        filter.continuation = page.continuation;
        if filter.continuation.is_none() {
            break;
        }
        world.arrive(90 + u32::try_from(seen.len()).unwrap()).await;
        filter.until = Some(at(20));
    }
    assert_eq!(seen, [1, 2, 4, 5, 6, 7].map(document));
    let count = async |filter: ListFilter| world.store.list(filter).await.unwrap().items.len();
    let until = Some(at(20));
    assert_eq!(count(ListFilter { not_downloaded: true, until, ..all.clone() }).await, 5);
    assert_eq!(count(ListFilter { from: Some(at(5)), until, ..all.clone() }).await, 3);
    assert_eq!(count(ListFilter { statuses: vec![Status::Failed], ..all.clone() }).await, 0);
    assert_eq!(count(ListFilter { party: Some(SENDER.to_owned()), ..all.clone() }).await, 0);
    for wrong in ["!", "abc", "MQ", "MSAy\n"] {
        let filter = ListFilter { continuation: Some(wrong.to_owned()), ..all.clone() };
        let refused = refusal(world.store.list(filter).await);
        assert!(matches!(refused, Refusal::Continuation { .. }), "{wrong}");
    }
}

/// A download beside the first look takes nothing from it, and the time of the document counts from
/// the download all the same.
#[tokio::test]
async fn a_download_leaves_the_first_look_alone() {
    let world = world().await;
    keep_for(&world.store, Keep::default()).await;
    let record = world.arrive(1).await;
    let claim = world.claim_one(TaskKind::Arrive, 1).await;
    let loaded = world.load(&claim).await;
    world.store.mark_downloaded(&acme(), &document(1), at(2)).await.unwrap();
    world.store.commit(completion(&claim, &loaded, &[valid()], 3)).await.unwrap();
    let after = world.store.transaction(&record.transaction.id).await.unwrap().unwrap();
    assert_eq!((after.transaction.status, after.downloaded_on), (Status::Delivered, Some(at(2))));
    let week = 7 * 24 * 3_600;
    assert_eq!(world.store.expire(at(week)).await.unwrap(), 0);
    assert_eq!(world.store.expire(at(week + 3)).await.unwrap(), 1);
}

/// The race for the last place of a package has one winner, and one file.
#[tokio::test]
async fn an_upload_that_is_refused_leaves_no_file() {
    let world = world().await;
    let submit = async |number: u32| {
        let content = format!("<Invoice n='{number}'>{}</Invoice>", "x".repeat(100_000));
        let new = outgoing(number, &content);
        world.store.submit_with(new, SubmitOptions::default(), None, Some(1)).await
    };
    let (one, two) = tokio::join!(submit(1), submit(2));
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1);
    assert_eq!(blob_files(&world), 1);
}

#[tokio::test]
async fn a_step_that_is_refused_leaves_no_file() {
    let world = world().await;
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let mut done = completion(&claim, &record, &straight(), 2);
    done.transaction.version = 7;
    done.report = Some(Bytes::from(vec![b'x'; 100_000]));
    assert!(world.store.commit(done).await.is_err());
    assert_eq!(blob_files(&world), 0);
}
