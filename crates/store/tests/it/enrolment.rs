//! Enrolment in the store: one commit, registrations with their tasks, and wishes that overtake.

use jiff::Timestamp;
use quoin_delivery::TaskKind;
use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_delivery::registration::{
    DesiredState, Register, RegistrationOutcome, RegistrationProgress,
};
use quoin_store::{
    AccountRole, CardRecord, Expected, PartyChange, Permission, Publish, Refusal, Registration,
    Secret, UserChange, Verification, Withdrawal, Work,
};

use crate::world::*;

const PARTICIPANT: &str = "0106:00000001";

fn change(publish: Publish, now: i64) -> PartyChange {
    PartyChange {
        organisation: acme(),
        id: PARTICIPANT.to_owned(),
        identifiers: vec![PARTICIPANT.to_owned()],
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
        now: at(now),
    }
}

async fn with_alice() -> World {
    let world = world().await;
    let role = UserChange { role: Some(AccountRole::ApUser), ..UserChange::default() };
    world.store.put_user(&acme(), "alice", role, at(0)).await.unwrap();
    world
}

/// The registration of the only task that is due.
async fn due(world: &World, now: i64) -> (quoin_store::Claim, Registration) {
    let claim = world.claim_one(TaskKind::Register, now).await;
    match world.store.load(&claim).await.unwrap() {
        Work::Registration(registration) => (claim, *registration),
        other => panic!("{other:?}"),
    }
}

fn outcome(progress: RegistrationProgress, next_on: Option<Timestamp>) -> RegistrationOutcome {
    RegistrationOutcome { progress, message: "so it is".to_owned(), next_on, left: false }
}

async fn sml(world: &World) -> Registration {
    let mut all = world.store.registrations_of(&acme(), PARTICIPANT).await.unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[tokio::test]
async fn a_refused_change_leaves_nothing() {
    let world = with_alice().await;
    let unverified = PartyChange { verification: None, ..change(Publish::Demanded, 1) };
    let refused = refusal(world.store.change_party(unverified).await);
    assert_eq!(refused, Refusal::Unverified { party: PARTICIPANT.to_owned() });
    let unlinked = PartyChange { links: Vec::new(), ..change(Publish::Demanded, 1) };
    let refused = refusal(world.store.change_party(unlinked).await);
    assert_eq!(refused, Refusal::Unlinked { party: PARTICIPANT.to_owned() });
    let stale =
        PartyChange { expected: Expected::Versions(vec![7]), ..change(Publish::Demanded, 1) };
    let refused = refusal(world.store.change_party(stale).await);
    assert!(matches!(refused, Refusal::Changed { found: 0, .. }));
    assert_eq!(world.store.parties_of(&acme()).await.unwrap(), []);
    assert_eq!(world.store.newest_verification(&acme(), PARTICIPANT).await.unwrap(), None);
    assert!(world.claim(TaskKind::Register, 9, 10).await.is_empty());
}

#[tokio::test]
async fn a_registration_is_tried_until_it_is_done() {
    let world = with_alice().await;
    let profile = world.store.change_party(change(Publish::Demanded, 1)).await.unwrap();
    assert!(profile.config.enrolled && profile.has("invoices") && !profile.has("orders"));
    let (claim, registration) = due(&world, 2).await;
    assert_eq!((registration.register, registration.wish), (Register::Sml, DesiredState::Present));
    let later = outcome(RegistrationProgress::Retrying, Some(at(60)));
    world.store.finish_registration(claim, registration, later, at(3)).await.unwrap();
    assert_eq!(
        (sml(&world).await.progress, sml(&world).await.attempts),
        (RegistrationProgress::Retrying, 1)
    );
    assert!(world.claim(TaskKind::Register, 59, 10).await.is_empty());
    let (claim, registration) = due(&world, 60).await;
    let done = outcome(RegistrationProgress::Done, None);
    world.store.finish_registration(claim, registration, done, at(61)).await.unwrap();
    assert_eq!(sml(&world).await.progress, RegistrationProgress::Done);
    world.store.change_party(change(Publish::Demanded, 70)).await.unwrap();
    assert!(world.claim(TaskKind::Register, 999, 10).await.is_empty(), "nothing is asked again");
}

/// The Directory was told where the SML was somebody else's work. Once the SML leads here it is
/// told again, since it could not fetch the card before.
#[tokio::test]
async fn the_directory_is_told_again_once_the_sml_leads_here() {
    let world = with_alice().await;
    let card = CardRecord {
        names: vec!["Acme".to_owned()],
        country: "NL".to_owned(),
        address: Vec::new(),
        email: None,
        shown: [true; 3],
        published: true,
        submitted: None,
    };
    let carded = PartyChange { card: Some(Some(card)), ..change(Publish::Demanded, 1) };
    world.store.change_party(carded).await.unwrap();
    let mut both = Vec::new();
    for claim in world.claim(TaskKind::Register, 2, 10).await {
        match world.store.load(&claim).await.unwrap() {
            Work::Registration(registration) => both.push((claim, *registration)),
            other => panic!("{other:?}"),
        }
    }
    both.sort_by_key(|(_, registration)| std::cmp::Reverse(registration.register));
    let registers: Vec<Register> = both.iter().map(|(_, known)| known.register).collect();
    assert_eq!(registers, [Register::Directory, Register::Sml]);
    for (claim, registration) in both {
        let done = outcome(RegistrationProgress::Done, None);
        world.store.finish_registration(claim, registration, done, at(3)).await.unwrap();
    }
    let (claim, again) = due(&world, 4).await;
    assert_eq!((again.register, again.wish), (Register::Directory, DesiredState::Present));
    let done = outcome(RegistrationProgress::Done, None);
    world.store.finish_registration(claim, again, done, at(5)).await.unwrap();
    assert!(world.claim(TaskKind::Register, 999, 10).await.is_empty(), "and that is all");
}

#[tokio::test]
async fn a_newer_wish_overtakes_one_that_is_in_hand() {
    let world = with_alice().await;
    let profile = world.store.change_party(change(Publish::Demanded, 1)).await.unwrap();
    let (claim, registration) = due(&world, 2).await;
    let withdrawn = world.store.withdraw_party(
        profile.party,
        Withdrawal::Everything,
        Expected::Any,
        ("boss", at(3)),
    );
    assert!(withdrawn.await.unwrap());
    assert!(world.claim(TaskKind::Register, 4, 10).await.is_empty(), "one after the other");
    let later = outcome(RegistrationProgress::Retrying, Some(at(9_999)));
    world.store.finish_registration(claim, registration, later, at(5)).await.unwrap();
    assert_eq!(
        (sml(&world).await.wish, sml(&world).await.progress),
        (DesiredState::Absent, RegistrationProgress::Pending)
    );
    let (claim, registration) = due(&world, 6).await;
    assert_eq!(registration.wish, DesiredState::Absent);
    let done = outcome(RegistrationProgress::Done, None);
    world.store.finish_registration(claim, registration, done, at(7)).await.unwrap();
    assert_eq!(
        (sml(&world).await.wish, sml(&world).await.progress),
        (DesiredState::Absent, RegistrationProgress::Done)
    );
}

#[tokio::test]
async fn a_migration_key_is_sealed_and_stays_the_same() {
    let world = with_alice().await;
    world.store.change_party(change(Publish::Demanded, 1)).await.unwrap();
    world.registered(RegistrationProgress::Done, 1).await;
    let ask = async |key: &str, now: i64| {
        let key = Secret::new(key);
        world.store.let_leave(&acme(), PARTICIPANT, key, at(now)).await.unwrap()
    };
    assert_eq!(ask("First#Key12345678", 2).await.reveal(), "First#Key12345678");
    assert_eq!(ask("Other#Key12345678", 3).await.reveal(), "First#Key12345678");
    for entry in std::fs::read_dir(&*world.folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        let clear = bytes.windows(17).any(|part| part == b"First#Key12345678");
        assert!(!clear, "{}", path.display());
    }
    let other = "other".parse().unwrap();
    let refused =
        refusal(world.store.let_leave(&other, PARTICIPANT, Secret::new("x"), at(4)).await);
    assert!(matches!(refused, Refusal::NotFound { what: "registration", .. }));
}

/// A key is given for what the SML holds for us: it knows no other one.
#[tokio::test]
async fn only_who_is_registered_may_leave() {
    let world = with_alice().await;
    world.store.change_party(change(Publish::Demanded, 1)).await.unwrap();
    let ask = async || {
        let key = Secret::new("First#Key12345678");
        world.store.let_leave(&acme(), PARTICIPANT, key, at(2)).await
    };
    let states = |refused: Refusal| match refused {
        Refusal::Unregistered { state, advice, .. } => (state, !advice.is_empty()),
        other => panic!("{other:?}"),
    };
    assert_eq!(states(refusal(ask().await)), ("pending", false));
    for (now, progress, state) in [
        (2, RegistrationProgress::Blocked, "blocked"),
        (3, RegistrationProgress::Retrying, "retrying"),
        (4, RegistrationProgress::Failed, "failed"),
    ] {
        world.store.change_party(change(Publish::Demanded, now)).await.unwrap();
        let (claim, registration) = due(&world, now).await;
        let again = (progress != RegistrationProgress::Failed).then(|| at(now + 1));
        let done = outcome(progress, again);
        world.store.finish_registration(claim, registration, done, at(now)).await.unwrap();
        assert_eq!(states(refusal(ask().await)), (state, false));
        assert_eq!(sml(&world).await.wish, DesiredState::Present, "nothing is asked of the SML");
    }
    world.store.change_party(change(Publish::Demanded, 9)).await.unwrap();
    world.registered(RegistrationProgress::Done, 9).await;
    ask().await.unwrap();
    // Where the SML says no to it, it is taken back before it is prepared again.
    world.registered(RegistrationProgress::Failed, 10).await;
    assert_eq!(states(refusal(ask().await)), ("failed", true));
    assert!(world.store.let_stay(&acme(), PARTICIPANT, at(11)).await.unwrap());
    world.registered(RegistrationProgress::Done, 11).await;
    ask().await.unwrap();
}

/// The wish to keep a participant is told from the wish to take one over, however often it is
/// tried.
#[tokio::test]
async fn a_migration_that_is_taken_back_is_told_from_one_that_comes() {
    let world = with_alice().await;
    let key = || Secret::new("First#Key12345678");
    let comes = PartyChange { migration_key: Some(key()), ..change(Publish::Demanded, 1) };
    world.store.change_party(comes).await.unwrap();
    world.registered(RegistrationProgress::Done, 1).await;
    let seen = sml(&world).await;
    assert_eq!((seen.migration_key, seen.is_taken_back), (Some(key()), false));
    world.store.let_leave(&acme(), PARTICIPANT, key(), at(2)).await.unwrap();
    assert!(!sml(&world).await.is_taken_back);
    assert!(world.store.let_stay(&acme(), PARTICIPANT, at(3)).await.unwrap());
    let seen = sml(&world).await;
    assert_eq!((seen.wish, seen.is_taken_back), (DesiredState::Present, true));
    assert_eq!(seen.migration_key, Some(key()));
}

#[tokio::test]
async fn a_version_of_an_earlier_enrolment_never_comes_again() {
    let world = with_alice().await;
    let mut seen = Vec::new();
    for life in 0..3 {
        let profile = world.store.change_party(change(Publish::Demanded, life * 10)).await.unwrap();
        assert_eq!(profile.config.created_on, at(life * 10));
        assert!(!seen.contains(&profile.config.version), "{seen:?}");
        seen.push(profile.config.version);
        let off = PartyChange {
            capabilities: States::from([("invoices".to_owned(), CapabilitySetting::Off)]),
            expected: Expected::Versions(seen.clone()),
            ..change(Publish::Unchanged, life * 10 + 1)
        };
        let profile = world.store.change_party(off).await.unwrap();
        seen.push(profile.config.version);
        let (party, owner, now) = (profile.party, acme(), at(life * 10 + 2));
        let withdrawn = world.store.withdraw_party(
            party.clone(),
            Withdrawal::Config,
            Expected::Any,
            ("boss", now),
        );
        assert!(withdrawn.await.unwrap());
        let again =
            world.store.withdraw_party(party, Withdrawal::Config, Expected::Any, ("boss", now));
        assert!(!again.await.unwrap(), "there is none any more");
        let party = world.store.party(&owner, PARTICIPANT).await.unwrap().unwrap();
        let config = world.store.party_profile(party).await.unwrap().config;
        assert_eq!((config.version, config.enrolled, config.card), (0, false, None));
        assert!(config.capabilities.is_empty());
        let stale = PartyChange {
            expected: Expected::Versions(seen.clone()),
            ..change(Publish::Unchanged, 1)
        };
        assert!(world.store.change_party(stale).await.is_err());
    }
}
