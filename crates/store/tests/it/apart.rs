//! What is kept apart: the events of parties in the feed, the logs of hooks that had one id one
//! after the other, and the jobs of organisations that chose one id.

use std::collections::{BTreeMap, BTreeSet};

use quoin_delivery::calls::HookDecision;
use quoin_delivery::jobs::{JobKind, JobState};
use quoin_delivery::{Notice, Topic};
use quoin_store::feed::LOOKED_AT;
use quoin_store::{
    CallState, EventPage, EventSubject, FeedFilter, FeedParties, HookScope, NewJob, Organisation,
    Refusal,
};

use crate::hooks::{due, finish, hook, id};
use crate::world::*;

async fn announce(world: &World, party: &str, topic: Topic) {
    let subject = EventSubject {
        organisation: acme(),
        party: party.to_owned(),
        transaction: None,
        document_id: document(1),
        origin: None,
        depth: 0,
    };
    let notice = Notice::new(topic, String::new(), BTreeMap::new());
    assert!(world.store.announce(subject, notice, at(1)).await.unwrap().is_some());
}

fn only(parties: &[&str]) -> FeedParties {
    FeedParties::Only(parties.iter().map(|party| (*party).to_owned()).collect())
}

async fn feed(world: &World, parties: FeedParties, after: u64, limit: usize) -> EventPage {
    let filter = FeedFilter { organisation: acme(), parties, topic: None };
    world.store.feed(filter, after, limit).await.unwrap()
}

fn numbers(page: &EventPage) -> Vec<u64> {
    page.items.iter().map(|event| event.number).collect()
}

#[tokio::test]
async fn who_sees_one_of_many_parties_does_not_read_past_the_events_of_all_others() {
    let world = world().await;
    announce(&world, "mine", Topic::PING).await;
    let world = std::sync::Arc::new(world);
    let mut theirs = tokio::task::JoinSet::new();
    for _ in 0..=LOOKED_AT {
        let world = world.clone();
        theirs.spawn(async move { announce(&world, "theirs", Topic::PING).await });
    }
    theirs.join_all().await;
    announce(&world, "mine", Topic::INVOICE_SENT).await;
    let last = LOOKED_AT as u64 + 3;
    let page = feed(&world, only(&["mine"]), 0, 100).await;
    assert_eq!((numbers(&page), page.next, page.more), (vec![1, last], last, false));
    let filter = FeedFilter {
        organisation: acme(),
        parties: only(&["mine", "nobody"]),
        topic: Some("InvoiceSent".parse().unwrap()),
    };
    let page = world.store.feed(filter, 0, 100).await.unwrap();
    assert_eq!((numbers(&page), page.more), (vec![last], false));
    // Who sees all but a few reads past those few, so many in a page and no more.
    let all_but = FeedParties::AllBut(["theirs".to_owned()].into());
    let page = feed(&world, all_but.clone(), 0, 100).await;
    assert_eq!((numbers(&page), page.next, page.more), (vec![1], LOOKED_AT as u64, true));
    let page = feed(&world, all_but, page.next, 100).await;
    assert_eq!((numbers(&page), page.next, page.more), (vec![last], last, false));
}

#[tokio::test]
async fn pages_of_several_parties_are_the_feed_without_the_others() {
    let world = world().await;
    let parties = ["a", "b", "c", "d"];
    let mut seed = 7_u32;
    let mut order = Vec::new();
    for _ in 0..60 {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        let party = parties[(seed >> 16) as usize % parties.len()];
        announce(&world, party, Topic::PING).await;
        order.push(party);
    }
    for seen in [vec!["a"], vec!["b", "d"], vec!["a", "b", "c", "d"], vec![]] {
        let places = order.iter().zip(1..).filter(|(party, _)| seen.contains(party));
        let expected: Vec<u64> = places.map(|(_, number)| number).collect();
        for limit in [1, 2, 7, 60, 100] {
            let (mut found, mut after) = (Vec::new(), 0);
            loop {
                let page = feed(&world, only(&seen), after, limit).await;
                assert!(page.items.len() <= limit);
                found.extend(numbers(&page));
                after = page.next;
                if !page.more {
                    break;
                }
            }
            assert_eq!(found, expected, "{seen:?} by {limit}");
        }
    }
    let all = feed(&world, FeedParties::AllBut(BTreeSet::new()), 0, 100).await;
    assert_eq!((all.items.len(), all.next, all.more), (60, 60, false));
}

#[tokio::test]
async fn a_hook_shows_nothing_of_one_that_had_its_id_before_for_another_party() {
    let world = world().await;
    let place = |party: &str| HookScope::Party(party.to_owned());
    let (a, b) = (place("a"), place("b"));
    world.store.put_hook(hook("erp", a.clone(), &["*"])).await.unwrap();
    let key = async |scope: &HookScope| {
        world.store.hook(&acme(), scope, &id("erp")).await.unwrap().unwrap().key
    };
    let key_a = key(&a).await;
    announce(&world, "a", Topic::PING).await;
    let told = due(&world, 1_000).await.remove(0);
    finish(&world, &told, 200, HookDecision::Delivered, 1_000).await.unwrap();
    announce(&world, "a", Topic::PING).await;
    assert_eq!(due(&world, 1_001).await.len(), 1, "one is owed when the hook goes");
    world.store.remove_hook(&acme(), &a, &id("erp"), at(1_002)).await.unwrap();

    let mut other = hook("erp", b.clone(), &["*"]);
    other.action = "https://b.example.test/".to_owned();
    world.store.put_hook(other.clone()).await.unwrap();
    announce(&world, "b", Topic::PING).await;
    let key_b = key(&b).await;
    let of = |scope: &HookScope| if *scope == a { &key_a } else { &key_b };
    let log = async |scope: &HookScope, after| {
        world.store.hook_log(&acme(), of(scope), scope, after, 10).await.unwrap()
    };
    let theirs = log(&b, 0).await;
    assert_eq!((theirs.len(), theirs[0].event.party.as_str()), (1, "b"));
    assert_eq!(log(&b, theirs[0].event.number).await, []);
    assert_eq!(log(&a, 0).await.len(), 2);
    assert_eq!(log(&HookScope::Environment, 0).await.len(), 1, "the keys are two");
    let has = async |scope: &HookScope, call: &str| {
        world.store.has_call(&acme(), of(scope), scope, call).await.unwrap()
    };
    assert!(has(&a, &told.subject).await);
    assert!(!has(&b, &told.subject).await, "it cannot be made again for somebody else");

    // Made anew, it is owed what it was owed, and not what its namesake was.
    world.store.remove_hook(&acme(), &b, &id("erp"), at(1_003)).await.unwrap();
    other.changed_on = at(1_004);
    world.store.put_hook(other).await.unwrap();
    let states = |log: &[quoin_store::HookCallRecord]| -> Vec<CallState> {
        log.iter().map(|call| call.state).collect()
    };
    assert_eq!(states(&log(&b, 0).await), [CallState::Pending]);
    assert_eq!(states(&log(&a, 0).await), [CallState::Delivered, CallState::Stopped]);
}

#[tokio::test]
async fn a_job_of_another_organisation_may_have_the_same_id_and_tells_nothing() {
    let world = world().await;
    let stranger: quoin_delivery::OrganisationId = "other".parse().unwrap();
    let name = "Other".to_owned();
    let organisation = Organisation { id: stranger.clone(), name, created_on: at(0) };
    world.store.put_organisation(organisation).await.unwrap();
    let job = |organisation: &quoin_delivery::OrganisationId, digest: u8| NewJob {
        id: "job".to_owned(),
        organisation: organisation.clone(),
        kind: JobKind::Endpoint,
        settings: "{}".to_owned(),
        lines: None,
        digest: [digest; 32],
        starts: false,
        created_by: "boss".to_owned(),
        now: at(0),
    };
    let first = world.store.new_job(job(&acme(), 1)).await.unwrap();
    let theirs = world.store.new_job(job(&stranger, 2)).await.unwrap();
    assert_eq!((first.id.as_str(), theirs.id.as_str()), ("job", "job"));
    let again = world.store.new_job(job(&stranger, 1)).await.unwrap_err();
    assert!(matches!(refusal::<()>(Err(again)), Refusal::Taken { .. }), "their own");
    let cancel = quoin_delivery::jobs::JobCommand::Cancel;
    world.store.command_job(&stranger, "job", cancel, at(1)).await.unwrap();
    let (mine, _) = world.store.job(&acme(), "job").await.unwrap();
    assert_eq!((&mine.organisation, mine.standing.state), (&acme(), JobState::Planning));
    let (theirs, _) = world.store.job(&stranger, "job").await.unwrap();
    assert_eq!(theirs.standing.state, JobState::Cancelled);
}

/// A topic is found behind events of others, page by page, and what was looked at is bounded.
#[tokio::test]
async fn pages_of_a_topic_are_the_feed_without_the_others() {
    let world = world().await;
    let mut expected = std::collections::BTreeMap::<&str, Vec<u64>>::new();
    for number in 1..=90_u64 {
        let party = ["a", "b", "c"][number as usize % 3];
        let topic = if number % 4 == 0 { Topic::INVOICE_SENT } else { Topic::PING };
        announce(&world, party, topic).await;
        if topic == Topic::INVOICE_SENT {
            expected.entry(party).or_default().push(number);
        }
    }
    let all: BTreeSet<u64> = expected.values().flatten().copied().collect();
    let but_b: BTreeSet<u64> =
        all.iter().copied().filter(|number| !expected["b"].contains(number)).collect();
    let of_b: BTreeSet<u64> = expected["b"].iter().copied().collect();
    let but = FeedParties::AllBut(["b".to_owned()].into());
    for (parties, expected) in [
        (FeedParties::AllBut([].into()), &all),
        (only(&["a", "b", "c"]), &all),
        (only(&["b"]), &of_b),
        (but, &but_b),
    ] {
        for (topic, expected) in
            [("InvoiceSent", expected), ("InvoiceS*", expected), ("OrderSent", &BTreeSet::new())]
        {
            for limit in [1, 2, 5, 30] {
                let (mut found, mut after) = (BTreeSet::new(), 0);
                loop {
                    let filter = FeedFilter {
                        organisation: acme(),
                        parties: parties.clone(),
                        topic: Some(topic.parse().unwrap()),
                    };
                    let page = world.store.feed(filter, after, limit).await.unwrap();
                    assert!(page.items.len() <= limit && page.next >= after);
                    found.extend(numbers(&page));
                    after = page.next;
                    if !page.more {
                        break;
                    }
                }
                assert_eq!(&found, expected, "{parties:?} {topic} by {limit}");
            }
        }
    }
}
