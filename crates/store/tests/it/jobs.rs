//! Bulk jobs in the store: a preview that leaves nothing behind, steps that are taken once,
//! commands between them, and a process that is killed at any instant.

mod endings;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use quoin_delivery::TaskKind;
use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_delivery::jobs::{ItemState, JobCommand, JobKind, JobState};
use quoin_delivery::registration::{RegistrationOutcome, RegistrationProgress};
use quoin_store::{
    AccountRole, Expected, Job, JobChange, JobCount, JobLine, JobStep, JobTry, NewJob, PartyChange,
    Permission, Publish, Refusal, Secret, Store, UserChange, Verification, Work,
};

use crate::world::*;

const JOB: &str = "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f";
const FOLDER: &str = "QUOIN_JOB_FOLDER";
/// Parties of the job whose process is killed.
const KILLED: u32 = 600;
const KILLS: u32 = 5;

fn id(number: u32) -> String {
    format!("0106:{number:08}")
}

fn party(number: u32, publish: Publish) -> PartyChange {
    PartyChange {
        organisation: acme(),
        id: id(number),
        identifiers: vec![id(number)],
        name: None,
        country: "NL".to_owned(),
        capabilities: States::from([("invoices".to_owned(), CapabilitySetting::On)]),
        card: None,
        verification: Some(Verification {
            verified_by: "J. Jansen".to_owned(),
            verified_on: at(0),
            identifiers: Vec::new(),
            notes: "Contract".to_owned(),
            recorded_by: "boss".to_owned(),
            recorded_on: at(0),
        }),
        links: vec![Permission::all("alice", "")],
        hooks: Vec::new(),
        migration_key: None,
        publish,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now: at(1),
    }
}

fn job(kind: JobKind, numbers: Option<std::ops::Range<u32>>, starts: bool) -> NewJob {
    NewJob {
        id: JOB.to_owned(),
        organisation: acme(),
        kind,
        settings: "{}".to_owned(),
        lines: numbers.map(|n| n.map(|n| (id(n), Secret::new(format!("line {n}")))).collect()),
        digest: [7; 32],
        starts,
        created_by: "boss".to_owned(),
        now: at(2),
    }
}

async fn prepared() -> World {
    let world = world().await;
    let role = UserChange { role: Some(AccountRole::ApUser), ..UserChange::default() };
    world.store.put_user(&acme(), "alice", role, at(0)).await.unwrap();
    world
}

fn judge(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Unlinked { .. } => "unlinked",
        Refusal::NotFound { .. } => "nobody",
        _ => "other",
    }
}

/// What the test's jobs do for a line; a number that ends in 7 has no linked user.
fn tries(job: &Job, lines: &[JobLine]) -> Vec<JobTry> {
    let one = |line: &JobLine| {
        let number: u32 = line.participant[5..].parse().unwrap();
        let change = match job.kind {
            JobKind::Enrol => {
                let clear = line.line.as_ref().expect("a job with a list has its lines");
                assert_eq!(clear.reveal(), format!("line {number}"));
                let mut change = party(number, Publish::Demanded);
                if number % 10 == 7 {
                    change.links.clear();
                }
                JobChange::Enrol(Box::new(change))
            }
            JobKind::Capabilities => JobChange::Capabilities(States::from([(
                "orders".to_owned(),
                CapabilitySetting::On,
            )])),
            JobKind::Withdraw => JobChange::Withdraw,
            JobKind::MigrateOut => JobChange::Leave(Secret::new(format!("aB3$xY7#{number}"))),
            _ => JobChange::Endpoint(Some("spring".to_owned())),
        };
        JobTry {
            position: line.position,
            participant: line.participant.clone(),
            line: line.line.clone(),
            change: Ok(change),
            foreseen: None,
        }
    };
    lines.iter().map(one).collect()
}

/// Takes one step; answers whether there was one to take.
async fn step(store: &Store, now: i64) -> bool {
    let claims = store.claim(&[TaskKind::Job], at(now), LEASE, 1).await.unwrap();
    let Some(claim) = claims.into_iter().next() else { return false };
    let Work::Job(work) = store.load(&claim).await.unwrap() else { panic!("no job") };
    let now = at(now);
    let Some(work) = work else {
        store.rest_job(claim, now).await.unwrap();
        return true;
    };
    match work.step.clone() {
        JobStep::Plan(lines) => {
            let tries = tries(&work.job, &lines);
            store.plan_job(claim, *work, tries, judge, now).await.unwrap();
        }
        JobStep::Run(lines) => {
            let tries = tries(&work.job, &lines);
            store.run_job(claim, work.job, tries, judge, now).await.unwrap();
        }
        JobStep::Settle => store.settle_job(claim, work.job, now).await.unwrap(),
    }
    true
}

async fn steps(store: &Store, now: i64) {
    while step(store, now).await {}
}

async fn seen(store: &Store) -> (JobState, Vec<(ItemState, String, u32)>) {
    let (job, counts) = store.job(&acme(), JOB).await.unwrap();
    let brief = |count: JobCount| (count.state, count.code, count.items);
    (job.standing.state, counts.into_iter().map(brief).collect())
}

/// The SML says yes to everything.
async fn registered(store: &Store, now: i64) {
    loop {
        let claims = store.claim(&[TaskKind::Register], at(now), LEASE, 500).await.unwrap();
        if claims.is_empty() {
            return;
        }
        for claim in claims {
            let Work::Registration(registration) = store.load(&claim).await.unwrap() else {
                panic!("no registration")
            };
            let (progress, message) = (RegistrationProgress::Done, String::new());
            let outcome = RegistrationOutcome { progress, message, next_on: None, left: false };
            store.finish_registration(claim, *registration, outcome, at(now)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_preview_tells_everything_and_does_nothing() {
    let world = prepared().await;
    world.store.new_job(job(JobKind::Enrol, Some(0..450), false)).await.unwrap();
    steps(&world.store, 3).await;
    let (state, counts) = seen(&world.store).await;
    assert_eq!(state, JobState::Planned);
    let planned = (ItemState::Planned, String::new(), 405);
    assert_eq!(counts, [planned, (ItemState::Refused, "unlinked".to_owned(), 45)]);
    assert_eq!(world.store.parties_of(&acme()).await.unwrap(), []);
    assert_eq!(world.store.newest_verification(&acme(), &id(1)).await.unwrap(), None);
    assert_eq!(world.store.services_of(&id(1)).await.unwrap()[..], []);
    assert!(world.claim(TaskKind::Register, 99, 10).await.is_empty(), "nobody was asked");
    assert!(!step(&world.store, 99).await, "it waits for its start");

    world.store.command_job(&acme(), JOB, JobCommand::Start, at(4)).await.unwrap();
    steps(&world.store, 4).await;
    let (state, counts) = seen(&world.store).await;
    assert_eq!((state, counts[1].0, counts[1].2), (JobState::Running, ItemState::Waiting, 405));
    registered(&world.store, 5).await;
    steps(&world.store, 10).await;
    let (state, counts) = seen(&world.store).await;
    assert_eq!(state, JobState::Finished);
    let done = (ItemState::Done, String::new(), 405);
    assert_eq!(counts, [done, (ItemState::Refused, "unlinked".to_owned(), 45)]);
    assert_eq!(world.store.parties_of(&acme()).await.unwrap().len(), 405);
}

#[tokio::test]
async fn every_kind_changes_what_it_says_and_a_second_time_nothing() {
    let world = prepared().await;
    for number in 0..120 {
        world.store.change_party(party(number, Publish::Demanded)).await.unwrap();
    }
    registered(&world.store, 2).await;
    for kind in [JobKind::Capabilities, JobKind::Endpoint, JobKind::MigrateOut] {
        for (round, expected) in [(1, ItemState::Done), (2, ItemState::Unchanged)] {
            let id = format!("{}-{round}", kind.as_str());
            let new = NewJob { id: id.clone(), ..job(kind, None, true) };
            world.store.new_job(new).await.unwrap();
            steps(&world.store, 3).await;
            registered(&world.store, 4).await;
            steps(&world.store, 9).await;
            let (job, counts) = world.store.job(&acme(), &id).await.unwrap();
            assert_eq!((job.standing.state, job.items), (JobState::Finished, 120), "{id}");
            assert_eq!((counts.len(), counts[0].state), (1, expected), "{id}: {counts:?}");
        }
    }
    let services = world.store.services_of(&id(5)).await.unwrap();
    assert!(services.iter().any(|service| service.document_type.contains("Order-2")));
    let publication = world.store.publication(&id(5)).await.unwrap().unwrap();
    assert_eq!(publication.endpoint.as_deref(), Some("spring"));
    let sml = &world.store.registrations_of(&acme(), &id(5)).await.unwrap()[0];
    assert_eq!(sml.migration_key.as_ref().unwrap().reveal(), "aB3$xY7#5");
}

#[tokio::test]
async fn parties_that_are_not_there_fail_alone() {
    let world = prepared().await;
    world.store.change_party(party(1, Publish::Demanded)).await.unwrap();
    world.store.new_job(job(JobKind::Capabilities, Some(0..3), true)).await.unwrap();
    steps(&world.store, 3).await;
    let (state, counts) = seen(&world.store).await;
    assert_eq!(state, JobState::Finished);
    let refused = (ItemState::Refused, "nobody".to_owned(), 2);
    assert_eq!(counts, [(ItemState::Done, String::new(), 1), refused]);
    let (_, items) = world.store.job_items(&acme(), JOB, None, (None, 10)).await.unwrap();
    let states: Vec<_> = items.iter().map(|item| (item.position, item.state)).collect();
    let (refused, done) = (ItemState::Refused, ItemState::Done);
    assert_eq!(states, [(0, refused), (1, done), (2, refused)]);
    let (_, page) =
        world.store.job_items(&acme(), JOB, Some(refused), (Some(0), 10)).await.unwrap();
    assert_eq!(page.len(), 1);
}

#[tokio::test]
async fn commands_come_between_steps() {
    let world = prepared().await;
    world.store.new_job(job(JobKind::Enrol, Some(0..400), true)).await.unwrap();
    let owner = acme();
    let command = |command| world.store.command_job(&owner, JOB, command, at(3));
    assert!(step(&world.store, 3).await);
    command(JobCommand::Pause).await.unwrap();
    steps(&world.store, 4).await;
    let (state, counts) = seen(&world.store).await;
    assert_eq!((state, counts.iter().map(|c| c.2).sum::<u32>()), (JobState::Planning, 200));
    command(JobCommand::Resume).await.unwrap();
    for _ in 0..3 {
        assert!(step(&world.store, 5).await);
    }

    // A command while a step is in hand: the step is dropped, the command counts.
    let claim = world.claim_one(TaskKind::Job, 5).await;
    let Work::Job(Some(work)) = world.store.load(&claim).await.unwrap() else { panic!() };
    let JobStep::Run(lines) = work.step.clone() else { panic!("{:?}", work.step) };
    let before = world.store.parties_of(&acme()).await.unwrap().len();
    command(JobCommand::Cancel).await.unwrap();
    let tries = tries(&work.job, &lines);
    world.store.run_job(claim, work.job, tries, judge, at(6)).await.unwrap();
    steps(&world.store, 7).await;
    assert_eq!(world.store.parties_of(&acme()).await.unwrap().len(), before);
    assert_eq!(seen(&world.store).await.0, JobState::Cancelled);
    let refused = refusal(command(JobCommand::Start).await);
    assert!(matches!(refused, Refusal::NotNow(_)), "{refused:?}");
    // Those that were changed before it have their answer, and it takes no further step.
    registered(&world.store, 8).await;
    steps(&world.store, 9_998).await;
    assert!(!step(&world.store, 9_999).await);
    while world.store.forget_jobs(at(99_999)).await.unwrap() {}
    assert!(world.store.job(&acme(), JOB).await.is_err(), "it is forgotten");
}

#[tokio::test]
async fn the_same_job_again_is_the_same_and_others_see_nothing_of_it() {
    let world = prepared().await;
    let first = world.store.new_job(job(JobKind::Enrol, Some(0..3), false)).await.unwrap();
    let again = world.store.new_job(job(JobKind::Enrol, Some(0..3), false)).await.unwrap();
    assert_eq!(first, again);
    let other = NewJob { digest: [8; 32], ..job(JobKind::Enrol, Some(0..3), false) };
    assert!(matches!(refusal(world.store.new_job(other).await), Refusal::Taken { .. }));
    let stranger = "other".parse().unwrap();
    assert!(world.store.job(&stranger, JOB).await.is_err());
    assert!(world.store.job_items(&stranger, JOB, None, (None, 1)).await.is_err());
    let command = world.store.command_job(&stranger, JOB, JobCommand::Cancel, at(3)).await;
    assert!(matches!(refusal(command), Refusal::NotFound { .. }));
    assert_eq!(world.store.jobs_of(&stranger, (None, 10)).await.unwrap(), []);
    for number in 1..quoin_store::jobs::UNDER_WAY {
        let id = format!("job-{number}");
        world.store.new_job(NewJob { id, ..job(JobKind::Endpoint, None, false) }).await.unwrap();
    }
    let one_more = NewJob { id: "more".to_owned(), ..job(JobKind::Endpoint, None, false) };
    assert!(matches!(refusal(world.store.new_job(one_more).await), Refusal::TooMany { .. }));
}

/// The process to be killed; it does nothing unless the test below starts it.
#[tokio::test]
async fn job_victim() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = Store::open(options(&PathBuf::from(folder))).await.unwrap();
    store.end_leases().await.unwrap();
    println!("working");
    let mut now = 10;
    while seen(&store).await.0 != JobState::Finished {
        now += 2;
        step(&store, now).await;
    }
    println!("finished");
}

#[tokio::test]
async fn whatever_kills_the_process_each_party_is_changed_once() {
    let World { store, folder } = prepared().await;
    for number in 0..KILLED {
        store.change_party(party(number, Publish::Demanded)).await.unwrap();
    }
    registered(&store, 2).await;
    store.new_job(job(JobKind::Capabilities, None, true)).await.unwrap();
    drop(store);
    for round in 0..KILLS {
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "jobs::job_victim", "--nocapture", "--test-threads=1"])
            .env(FOLDER, &*folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("working")));
        std::thread::sleep(Duration::from_millis(u64::from(5 + 17 * round)));
        let _ = victim.kill();
        victim.wait().unwrap();
    }
    let store = Store::open(options(&folder)).await.unwrap();
    store.end_leases().await.unwrap();
    steps(&store, 100_000).await;
    let (state, counts) = seen(&store).await;
    assert_eq!(state, JobState::Finished);
    // What was done without being recorded would be unchanged now.
    assert_eq!(counts, [(ItemState::Done, String::new(), KILLED)]);
    let profile = store.parties_after(&acme(), "", 1).await.unwrap().remove(0);
    assert!(store.party_profile(profile).await.unwrap().has("orders"));
}
