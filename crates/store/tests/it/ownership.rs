//! Identifiers: one holder each, who changes only by its own will; nothing is published of what
//! nobody verified, and what should be published is.

use proptest::prelude::*;
use quoin_delivery::OrganisationId;
use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_delivery::ownership::ActingRight;
use quoin_delivery::registration::{DesiredState, Register, RegistrationProgress};
use quoin_store::{
    AccountRole, CardRecord, Expected, Organisation, PartyChange, PartyRecord, Permission, Publish,
    Refusal, Secret, Store, UserChange, Verification, Withdrawal,
};

use crate::world::*;

const P: &str = "0106:00000001";
const X: &str = "0088:8712345678937";
const D: &str = "0106:00000004";
const B3: &str = "0106:00000003";

fn other() -> OrganisationId {
    "other".parse().unwrap()
}

fn verification(identifiers: &[&str]) -> Option<Verification> {
    Some(Verification {
        verified_by: "J. Jansen".to_owned(),
        verified_on: at(0),
        identifiers: identifiers.iter().map(|id| (*id).to_owned()).collect(),
        notes: "Contract".to_owned(),
        recorded_by: "boss".to_owned(),
        recorded_on: at(0),
    })
}

fn card() -> CardRecord {
    CardRecord {
        names: vec!["Acme BV".to_owned()],
        country: "NL".to_owned(),
        address: Vec::new(),
        email: None,
        shown: [true; 3],
        published: true,
        submitted: None,
    }
}

/// A change of a party of an organisation that names identifiers, verified or not.
fn change(
    organisation: &OrganisationId,
    identifiers: &[&str],
    verified: bool,
    publish: Publish,
) -> PartyChange {
    PartyChange {
        organisation: organisation.clone(),
        id: identifiers[0].to_owned(),
        identifiers: identifiers.iter().map(|id| (*id).to_owned()).collect(),
        name: None,
        country: "NL".to_owned(),
        capabilities: States::from([("invoices".to_owned(), CapabilitySetting::On)]),
        card: None,
        verification: verification(&[]).filter(|_| verified),
        links: vec![Permission::all("alice", "")],
        hooks: Vec::new(),
        migration_key: None,
        publish,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now: at(1),
    }
}

/// Two organisations with a user each.
async fn two() -> World {
    let world = world().await;
    let organisation = Organisation { id: other(), name: "Other".into(), created_on: at(0) };
    world.store.put_organisation(organisation).await.unwrap();
    for owner in [acme(), other()] {
        let role = UserChange { role: Some(AccountRole::ApUser), ..UserChange::default() };
        world.store.put_user(&owner, "alice", role, at(0)).await.unwrap();
    }
    world
}

async fn party(store: &Store, owner: &OrganisationId, identifier: &str) -> PartyRecord {
    store.party_of_identifier(owner, identifier).await.unwrap().unwrap()
}

async fn standing(store: &Store, owner: &OrganisationId, identifier: &str) -> ActingRight {
    let party = party(store, owner, identifier).await;
    store.standing(&party, identifier).await.unwrap()
}

async fn wish(store: &Store, owner: &OrganisationId, identifier: &str) -> Option<DesiredState> {
    let all = store.registrations_of(owner, identifier).await.unwrap();
    all.into_iter().find(|one| one.register == Register::Sml).map(|one| one.wish)
}

async fn is_published(store: &Store, identifier: &str) -> bool {
    let found = store.publication(identifier).await.unwrap();
    found.is_some_and(|found| !found.services.is_empty())
}

#[tokio::test]
async fn te_1_recording_an_identifier_gives_no_right_to_speak_under_it() {
    let world = two().await;
    let store = &world.store;
    store.change_party(change(&other(), &[P], false, Publish::Unchanged)).await.unwrap();
    assert_eq!(standing(store, &other(), P).await, ActingRight::Unverified);
    store.change_party(change(&acme(), &[P], true, Publish::Demanded)).await.unwrap();
    assert_eq!(standing(store, &acme(), P).await, ActingRight::Speaks);
    assert_eq!(standing(store, &other(), P).await, ActingRight::Elsewhere);
    // And a claim on it, alone or as a second identifier, is refused.
    for (identifiers, publish) in [
        (vec![P], Publish::IfReady),
        (vec![P], Publish::Demanded),
        (vec![B3, P], Publish::Unchanged),
    ] {
        let refused = change(&other(), &identifiers, true, publish);
        let refused = refusal(store.change_party(refused).await);
        assert_eq!(refused, Refusal::Taken { what: "participant", key: P.to_owned() });
    }
    store.change_party(change(&acme(), &[D], true, Publish::Demanded)).await.unwrap();
    let bare = change(&other(), &[B3, D], false, Publish::Unchanged);
    let bare = refusal(store.change_party(bare).await);
    assert_eq!(bare, Refusal::Taken { what: "participant", key: D.to_owned() });
}

#[tokio::test]
async fn te_2_nothing_of_what_another_holds_is_touched() {
    let world = two().await;
    let store = &world.store;
    // B knew D before A came, as a second identifier that nobody verified.
    store.change_party(change(&other(), &[B3], true, Publish::Demanded)).await.unwrap();
    let mut knows = change(&other(), &[B3], true, Publish::Demanded);
    knows.identifiers = vec![B3.to_owned()];
    store.change_party(knows).await.unwrap();
    let mut b3 = party(store, &other(), B3).await;
    b3.identifiers.push(D.to_owned());
    store.put_party(b3).await.unwrap();
    let mut enrolled = change(&acme(), &[D], true, Publish::Demanded);
    enrolled.card = Some(Some(card()));
    store.change_party(enrolled).await.unwrap();
    let before = rows(&world, "acme");
    // B changes its card, goes on publishing, and ends it all.
    let mut carded = change(&other(), &[B3], true, Publish::Demanded);
    carded.card = Some(Some(card()));
    store.change_party(carded).await.unwrap();
    let b3 = party(store, &other(), B3).await;
    store.withdraw_party(b3, Withdrawal::Everything, Expected::Any, ("boss", at(3))).await.unwrap();
    assert_eq!(rows(&world, "acme"), before);
    assert!(is_published(store, D).await);
    // TE-3: B can be enrolled again, and the identifier can be taken off.
    store.change_party(change(&other(), &[B3], true, Publish::Demanded)).await.unwrap();
    let b3 = party(store, &other(), B3).await;
    assert!(store.take_off(&b3, D, ("boss", at(4))).await.unwrap());
    assert_eq!(party(store, &other(), B3).await.identifiers, [B3]);
    let last = refusal(store.take_off(&b3, B3, ("boss", at(4))).await);
    assert_eq!(last, Refusal::LastIdentifier { identifier: B3.to_owned() });
    assert_eq!(rows(&world, "acme"), before);
}

#[tokio::test]
async fn item_17_an_identifier_that_nobody_verified_is_not_published() {
    let world = two().await;
    let store = &world.store;
    store.change_party(change(&acme(), &[P], true, Publish::Demanded)).await.unwrap();
    for publish in [Publish::Unchanged, Publish::IfReady, Publish::Demanded] {
        let refused = refusal(store.change_party(change(&acme(), &[P, X], false, publish)).await);
        assert_eq!(refused, Refusal::Unverified { party: X.to_owned() }, "{publish:?}");
    }
    // A verification that names other identifiers does not cover it either.
    let mut named = change(&acme(), &[P, X], true, Publish::IfReady);
    named.verification = verification(&[P]);
    let refused = refusal(store.change_party(named).await);
    assert_eq!(refused, Refusal::Unverified { party: X.to_owned() });
    assert!(!is_published(store, X).await);
    assert_eq!(wish(store, &acme(), X).await, None);
    // One that covers it publishes it.
    store.change_party(change(&acme(), &[P, X], true, Publish::IfReady)).await.unwrap();
    assert!(is_published(store, X).await);
}

#[tokio::test]
async fn item_18_a_second_identifier_reaches_the_sml_with_the_change_that_brings_it() {
    let world = two().await;
    let store = &world.store;
    store.change_party(change(&acme(), &[P], true, Publish::Demanded)).await.unwrap();
    // A change that names no capabilities publishes nothing anew, and yet the identifier follows.
    store.change_party(change(&acme(), &[P, X], true, Publish::Unchanged)).await.unwrap();
    assert_eq!(wish(store, &acme(), X).await, Some(DesiredState::Present));
    assert!(is_published(store, X).await);
}

#[tokio::test]
async fn item_18_a_declared_party_is_wished_in_the_sml() {
    let world = two().await;
    let store = &world.store;
    store.change_party(change(&acme(), &[P], false, Publish::Declared)).await.unwrap();
    assert_eq!(wish(store, &acme(), P).await, Some(DesiredState::Present));
    assert_eq!(standing(store, &acme(), P).await, ActingRight::Speaks);
    // What was left out by an earlier version is found, once.
    sql(
        &world,
        "DELETE FROM registrations; DELETE FROM tasks; DELETE FROM services;
         DELETE FROM service_groups",
    );
    assert_eq!(store.reconcile(at(9)).await.unwrap(), 1);
    assert_eq!(wish(store, &acme(), P).await, Some(DesiredState::Present));
    assert!(is_published(store, P).await);
    assert_eq!(store.reconcile(at(10)).await.unwrap(), 0);
}

#[tokio::test]
async fn item_19_identifiers_of_a_party_that_was_withdrawn_are_free() {
    let world = two().await;
    let store = &world.store;
    store.change_party(change(&acme(), &[X], true, Publish::Demanded)).await.unwrap();
    let document = world.upload(1).await;
    sql(&world, &format!("UPDATE transactions SET party = '{X}'"));
    let gone = party(store, &acme(), X).await;
    store.withdraw_party(gone, Withdrawal::Config, Expected::Any, ("boss", at(3))).await.unwrap();
    // Another party of the organisation takes it over, with the documents.
    store.change_party(change(&acme(), &[P], true, Publish::Demanded)).await.unwrap();
    store.change_party(change(&acme(), &[P, X], true, Publish::IfReady)).await.unwrap();
    assert_eq!(party(store, &acme(), X).await.id, P);
    let moved = store.transaction(&document.transaction.id).await.unwrap().unwrap();
    assert_eq!(moved.transaction.party, P);
    assert!(is_published(store, X).await);
    // And another organisation that verifies it, once it is free.
    let gone = party(store, &acme(), X).await;
    store
        .withdraw_party(gone, Withdrawal::Everything, Expected::Any, ("boss", at(5)))
        .await
        .unwrap();
    store.change_party(change(&other(), &[X], true, Publish::Demanded)).await.unwrap();
    assert_eq!(standing(store, &other(), X).await, ActingRight::Speaks);
    assert_eq!(standing(store, &acme(), X).await, ActingRight::Elsewhere);
}

/// Changes the database behind the store's back.
fn sql(world: &World, statements: &str) {
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    db.execute_batch(statements).unwrap();
}

/// Every row of every table that is an organisation's, as text.
fn rows(world: &World, organisation: &str) -> Vec<String> {
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    let mut tables = db
        .prepare(
            "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.name = 'organisation' ORDER BY 1",
        )
        .unwrap();
    let names: Vec<String> =
        tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    let mut found = Vec::new();
    for name in names {
        let query = format!("SELECT * FROM {name} WHERE organisation = ?1");
        let mut statement = db.prepare(&query).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([organisation]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values = (0..columns).map(|at| format!("{:?}", row.get_ref(at).unwrap()));
            found.push(format!("{name}: {}", values.collect::<Vec<_>>().join(" ")));
        }
    }
    assert!(found.len() > 5, "{found:?}");
    found
}

/// What B does.
#[derive(Debug, Clone)]
enum Act {
    Change(Vec<&'static str>, bool, Publish, bool),
    Withdraw(&'static str),
    TakeOff(&'static str, &'static str),
    Leave(&'static str),
}

fn act() -> impl Strategy<Value = Act> {
    let id = prop::sample::select(vec![P, X, D, B3]);
    let ids = prop::sample::subsequence(vec![B3, P, X, D], 1..4);
    let publish = prop::sample::select(vec![
        Publish::Unchanged,
        Publish::IfReady,
        Publish::Demanded,
        Publish::Here,
        Publish::Declared,
    ]);
    prop_oneof![
        4 => (ids, any::<bool>(), publish, any::<bool>())
            .prop_map(|(ids, verified, publish, key)| Act::Change(ids, verified, publish, key)),
        1 => id.clone().prop_map(Act::Withdraw),
        1 => (id.clone(), id.clone()).prop_map(|(party, id)| Act::TakeOff(party, id)),
        1 => id.prop_map(Act::Leave),
    ]
}

async fn carry_out(store: &Store, act: &Act) {
    let of = async |id: &str| store.party_of_identifier(&other(), id).await.unwrap();
    match act {
        Act::Change(ids, verified, publish, key) => {
            let mut change = change(&other(), ids, *verified, *publish);
            change.card = Some(Some(card()));
            change.migration_key = key.then(|| Secret::new("guessed-key-1234"));
            let _ = store.change_party(change).await;
        }
        Act::Withdraw(id) => {
            if let Some(party) = of(id).await {
                let all = Withdrawal::Everything;
                let _ = store.withdraw_party(party, all, Expected::Any, ("boss", at(7))).await;
            }
        }
        Act::TakeOff(of_party, id) => {
            if let Some(party) = of(of_party).await {
                let _ = store.take_off(&party, id, ("boss", at(7))).await;
            }
        }
        Act::Leave(id) => {
            let key = Secret::new("some-key-12345678");
            let _ = store.let_leave(&other(), id, key, at(7)).await;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A holds P, with a card, and D, which it lets go with a key that B does not have.
    #[test]
    fn te_2_no_write_of_b_changes_a_row_of_a(acts in prop::collection::vec(act(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let world = two().await;
            let store = &world.store;
            for id in [P, D] {
                let mut enrolled = change(&acme(), &[id], true, Publish::Demanded);
                enrolled.card = Some(Some(card()));
                store.change_party(enrolled).await.unwrap();
            }
            world.registered(RegistrationProgress::Done, 2).await;
            let key = Secret::new("the-real-key-1234");
            store.let_leave(&acme(), D, key, at(2)).await.unwrap();
            let before = rows(&world, "acme");
            for act in &acts {
                carry_out(store, act).await;
                assert_eq!(rows(&world, "acme"), before, "{act:?}");
            }
            for id in [P, D] {
                assert!(is_published(store, id).await);
                if let Some(party) = store.party_of_identifier(&other(), id).await.unwrap() {
                    let standing = store.standing(&party, id).await.unwrap();
                    assert_eq!(standing, ActingRight::Elsewhere);
                }
            }
        });
    }
}
