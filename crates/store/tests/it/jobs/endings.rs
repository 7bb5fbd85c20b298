//! What the network says beforehand, and how parties and jobs end.

use quoin_delivery::jobs::{Foreseen, ItemState, JobCommand, JobKind, JobState};
use quoin_delivery::{EventId, OrganisationId, TaskKind, Topic};
use quoin_store::{
    AccountRole, Declared, Expected, JobItem, JobStep, NewJob, Organisation, PartyChange, Publish,
    UserChange, Withdrawal, Work,
};

use super::{JOB, id, job, judge, party, prepared, registered, seen, step, steps, tries};
use crate::world::*;

#[tokio::test]
async fn a_withdrawal_waits_until_the_sml_has_let_go() {
    let world = prepared().await;
    for number in 0..3 {
        world.store.change_party(party(number, Publish::Demanded)).await.unwrap();
    }
    registered(&world.store, 2).await;
    world.store.new_job(job(JobKind::Withdraw, Some(0..4), false)).await.unwrap();
    steps(&world.store, 3).await;
    let planned = (ItemState::Planned, String::new(), 3);
    let nobody = (ItemState::Refused, "nobody".to_owned(), 1);
    assert_eq!(seen(&world.store).await, (JobState::Planned, vec![planned, nobody.clone()]));
    assert!(!world.store.services_of(&id(1)).await.unwrap().is_empty(), "a preview ends nothing");
    world.store.command_job(&acme(), JOB, JobCommand::Start, at(4)).await.unwrap();
    steps(&world.store, 4).await;
    let (state, counts) = seen(&world.store).await;
    assert_eq!((state, counts[1].0, counts[1].2), (JobState::Running, ItemState::Waiting, 3));
    assert_eq!(world.store.services_of(&id(1)).await.unwrap()[..], [], "it is published no more");
    registered(&world.store, 5).await;
    steps(&world.store, 10).await;
    let done = (ItemState::Done, String::new(), 3);
    assert_eq!(seen(&world.store).await, (JobState::Finished, vec![done, nobody]));
    assert_eq!(world.store.parties_of(&acme()).await.unwrap().len(), 3, "the parties stay");

    let again = NewJob { id: "again".to_owned(), ..job(JobKind::Withdraw, Some(0..3), true) };
    world.store.new_job(again).await.unwrap();
    steps(&world.store, 11).await;
    let (_, counts) = world.store.job(&acme(), "again").await.unwrap();
    assert_eq!((counts.len(), counts[0].state, counts[0].items), (1, ItemState::Unchanged, 3));
}

/// Parties that a job has changed get their answer, whatever becomes of the job.
#[tokio::test]
async fn what_the_registers_did_is_seen_of_a_job_that_is_paused_or_cancelled() {
    for (command, after) in
        [(JobCommand::Pause, JobState::Running), (JobCommand::Cancel, JobState::Cancelled)]
    {
        let world = prepared().await;
        world.store.new_job(job(JobKind::Enrol, Some(0..60), true)).await.unwrap();
        let ended = async || {
            let told = world.store.events_since(&acme(), EventId(0), 100).await.unwrap();
            told.into_iter().filter(|event| event.topic == Topic::JOB_ENDED).collect::<Vec<_>>()
        };
        let waiting = |counts: &[(ItemState, String, u32)]| {
            counts.iter().filter(|count| count.0 == ItemState::Waiting).map(|c| c.2).sum::<u32>()
        };
        // The plan, and the first part of the parties.
        for now in 3.. {
            if waiting(&seen(&world.store).await.1) > 0 {
                break;
            }
            step(&world.store, now).await;
        }
        world.store.command_job(&acme(), JOB, command, at(20)).await.unwrap();
        step(&world.store, 21).await;
        assert!(waiting(&seen(&world.store).await.1) > 0, "the SML has not answered");
        assert_eq!(ended().await, [], "it is not over while a party waits");
        registered(&world.store, 22).await;
        steps(&world.store, 30).await;
        let (state, counts) = seen(&world.store).await;
        assert_eq!((state, waiting(&counts)), (after, 0), "{counts:?}");
        assert!(counts.iter().any(|count| count.0 == ItemState::Planned), "no further party");
        let told = ended().await;
        let states: Vec<&str> = told.iter().map(|event| &*event.details["state"]).collect();
        match command {
            JobCommand::Cancel => assert_eq!(states, ["cancelled"], "once"),
            _ => assert!(states.is_empty(), "{states:?}"),
        }
    }
}

#[tokio::test]
async fn a_paused_job_of_which_nothing_is_left_is_finished() {
    let world = prepared().await;
    world.store.new_job(job(JobKind::Enrol, Some(0..3), true)).await.unwrap();
    steps(&world.store, 3).await;
    world.store.command_job(&acme(), JOB, JobCommand::Pause, at(4)).await.unwrap();
    registered(&world.store, 5).await;
    steps(&world.store, 9).await;
    let (job, _) = world.store.job(&acme(), JOB).await.unwrap();
    assert_eq!((job.standing.state, job.standing.shown()), (JobState::Finished, "finished"));
}

#[tokio::test]
async fn the_end_of_a_job_is_told_once() {
    let world = prepared().await;
    world.store.new_job(job(JobKind::Enrol, Some(0..10), true)).await.unwrap();
    steps(&world.store, 3).await;
    let events = async || world.store.events_since(&acme(), EventId(0), 100).await.unwrap();
    assert_eq!(events().await, [], "it is not over while the SML has not answered");
    registered(&world.store, 4).await;
    steps(&world.store, 9).await;
    let told = events().await;
    let [ended] = &told[..] else { panic!("{told:?}") };
    assert_eq!((ended.topic, ended.document_id.as_str()), (Topic::JOB_ENDED, JOB));
    let fact = |name: &str| ended.details.get(name).map(String::as_str);
    assert_eq!((fact("jobId"), fact("kind")), (Some(JOB), Some("enrol")));
    assert_eq!((fact("state"), fact("total")), (Some("finished"), Some("10")));
    assert_eq!((fact("done"), fact("refused"), fact("failed")), (Some("9"), Some("1"), None));
    assert!(ended.message.contains("is finished: 9 done, 1 refused"), "{}", ended.message);

    let idle = NewJob { id: "idle".to_owned(), ..job(JobKind::Withdraw, Some(0..3), false) };
    world.store.new_job(idle).await.unwrap();
    for _ in 0..2 {
        let cancel = world.store.command_job(&acme(), "idle", JobCommand::Cancel, at(10)).await;
        cancel.unwrap();
    }
    steps(&world.store, 11).await;
    let told = events().await;
    assert_eq!(told.len(), 2, "twice is once");
    assert_eq!(told[1].details["state"], "cancelled");
    assert!(told[1].message.ends_with("is cancelled: no parties."), "{}", told[1].message);
}

/// What the network says is added to the preview; a refusal of ours stays one.
#[tokio::test]
async fn what_the_network_says_is_in_the_preview() {
    let world = prepared().await;
    world.store.new_job(job(JobKind::Enrol, Some(5..9), false)).await.unwrap();
    let claim = world.claim_one(TaskKind::Job, 3).await;
    let Work::Job(Some(work)) = world.store.load(&claim).await.unwrap() else { panic!() };
    let JobStep::Plan(lines) = work.step.clone() else { panic!("{:?}", work.step) };
    let mut tries = tries(&work.job, &lines);
    let foreseen = |is_refused| {
        let message = format!("foreseen {is_refused}");
        Some(Foreseen { is_refused, code: "sml", message })
    };
    // 5 is refused by the network, 6 noted, 7 has no linked user, and nothing is said of 8.
    tries[0].foreseen = foreseen(true);
    tries[1].foreseen = foreseen(false);
    tries[2].foreseen = foreseen(false);
    world.store.plan_job(claim, *work, tries, judge, at(3)).await.unwrap();
    let (_, items) = world.store.job_items(&acme(), JOB, None, (None, 10)).await.unwrap();
    let brief = |item: &JobItem| (item.state, item.code.clone());
    let (planned, refused) = (ItemState::Planned, ItemState::Refused);
    let word = |word: &str| word.to_owned();
    assert_eq!(
        items.iter().map(brief).collect::<Vec<_>>(),
        [
            (refused, word("sml")),
            (planned, word("sml")),
            (refused, word("unlinked")),
            (planned, word("")),
        ]
    );
    assert_eq!(items[0].message, "foreseen true");
}

/// Which endpoint is published ends with what is published: whoever publishes the participant next
/// begins at the first one.
#[tokio::test]
async fn an_endpoint_ends_with_what_names_it() {
    let world = prepared().await;
    let other: OrganisationId = "other".parse().unwrap();
    let organisation = Organisation { id: other.clone(), name: "Other".into(), created_on: at(0) };
    world.store.put_organisation(organisation).await.unwrap();
    let role = UserChange { role: Some(AccountRole::ApUser), ..UserChange::default() };
    world.store.put_user(&other, "alice", role, at(0)).await.unwrap();
    let published = async |owner: OrganisationId| {
        let change = PartyChange { organisation: owner, ..party(1, Publish::Demanded) };
        world.store.change_party(change).await.unwrap();
        registered(&world.store, 2).await;
        let found = world.store.publication(&id(1)).await.unwrap().unwrap();
        (found.group.organisation, found.endpoint)
    };
    assert_eq!(published(acme()).await, (acme(), None));
    world.store.new_job(job(JobKind::Endpoint, Some(1..2), true)).await.unwrap();
    steps(&world.store, 3).await;
    assert_eq!(published(acme()).await, (acme(), Some("spring".to_owned())));
    let party = world.store.party(&acme(), &id(1)).await.unwrap().unwrap();
    let all = Withdrawal::Everything;
    assert!(world.store.withdraw_party(party, all, Expected::Any, ("boss", at(4))).await.unwrap());
    registered(&world.store, 5).await;
    assert_eq!(published(other.clone()).await, (other.clone(), None));

    // A row that an earlier version left says nothing, and the endpoint can be chosen.
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    let left = "INSERT INTO published_endpoints (participant, organisation, endpoint, changed_on)
        VALUES (?1, 'acme', 'spring', 0)";
    db.execute(left, [id(1)]).unwrap();
    assert_eq!(published(other.clone()).await, (other.clone(), None));
    let chosen = NewJob { organisation: other.clone(), ..job(JobKind::Endpoint, Some(1..2), true) };
    world.store.new_job(NewJob { id: "again".to_owned(), ..chosen }).await.unwrap();
    steps(&world.store, 6).await;
    assert_eq!(published(other.clone()).await, (other, Some("spring".to_owned())));
}

/// The job of an organisation that is closed takes no party until it is open again.
#[tokio::test]
async fn the_job_of_a_closed_organisation_rests() {
    let world = prepared().await;
    world.store.new_job(job(JobKind::Enrol, Some(0..120), true)).await.unwrap();
    // The plan, and some of the parties.
    for now in 3..5 {
        step(&world.store, now).await;
    }
    let taken = async || world.store.parties_of(&acme()).await.unwrap().len();
    let before = taken().await;
    assert!((1..100).contains(&before), "{before}");
    world.store.close_undeclared(Declared::default(), at(10)).await.unwrap();
    for now in 11..20 {
        for claim in world.store.claim(&[TaskKind::Job], at(now), LEASE, 1).await.unwrap() {
            match world.store.load(&claim).await.unwrap() {
                Work::Job(None) => world.store.rest_job(claim, at(now)).await.unwrap(),
                // What the registers did for those that it took is seen.
                Work::Job(Some(work)) => {
                    assert!(matches!(work.step, JobStep::Settle), "{:?}", work.step);
                    world.store.settle_job(claim, work.job, at(now)).await.unwrap();
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(taken().await, before);
    let acme = Organisation { id: acme(), name: "Acme".to_owned(), created_on: at(20) };
    world.store.put_organisation(acme).await.unwrap();
    steps(&world.store, 21).await;
    assert_eq!(taken().await, 120 - 12, "but for those without a user");
}
