//! Rights are given by links and by nothing else: whatever ends, nobody may do more than before.

use quoin_store::{
    AccountRole, Client, ClientChange, Error, Expected, NewSecret, PartyChange, PartyRecord,
    Permission, Publish, Refusal, Withdrawal, secret_digest,
};

use crate::world::*;

const PARTY: &str = "0106:00000001";
const OTHER: &str = "0106:00000002";
/// Every way in which five rights are given or not.
const WAYS: u8 = 32;

fn link(account: &str, party: &str, way: u8) -> Permission {
    let has = |right: u8| way & (1 << right) != 0;
    Permission {
        account: account.to_owned(),
        party: party.to_owned(),
        can_send: has(0),
        can_receive: has(1),
        can_remove: has(2),
        can_manage_hook: has(3),
        can_change_status: has(4),
    }
}

fn name(all_parties: bool, way: u8) -> String {
    format!("{}-{way}", if all_parties { "all" } else { "some" })
}

/// Both kinds of clients with every way of rights on one party, and its reverse on another.
async fn linked() -> World {
    let world = world().await;
    for id in [PARTY, OTHER] {
        let party = PartyRecord {
            id: id.to_owned(),
            organisation: acme(),
            identifiers: vec![id.to_owned()],
            name: "Acme".to_owned(),
            country: "NL".to_owned(),
            created_on: at(0),
        };
        world.store.put_party(party).await.unwrap();
    }
    for (all_parties, way) in accounts() {
        let client = Client {
            client_id: name(all_parties, way),
            organisation: acme(),
            name: String::new(),
            secret_sha256: secret_digest("s"),
            previous: None,
            role: AccountRole::ApUser,
            active: true,
            all_parties,
            declared: false,
            created_on: at(0),
            tokens_since: at(0),
        };
        let account = client.client_id.clone();
        world.store.put_client(client).await.unwrap();
        world.store.put_permission(&acme(), link(&account, PARTY, way)).await.unwrap();
        // Some have no link to the other one.
        if way % 3 > 0 {
            let reverse = link(&account, OTHER, way.reverse_bits() >> 3);
            world.store.put_permission(&acme(), reverse).await.unwrap();
        }
    }
    world
}

fn accounts() -> impl Iterator<Item = (bool, u8)> {
    [true, false].into_iter().flat_map(|all| (0..WAYS).map(move |way| (all, way)))
}

/// What an account may do for a party, as the interface asks it.
async fn rights(world: &World, (all_parties, way): (bool, u8), party: &str) -> [bool; 5] {
    let known = world.store.permission(&acme(), &name(all_parties, way), party).await.unwrap();
    known.map_or([all_parties; 5], |p| {
        [p.can_send, p.can_receive, p.can_remove, p.can_manage_hook, p.can_change_status]
    })
}

fn is_within(after: [bool; 5], before: [bool; 5]) -> bool {
    after.iter().zip(before).all(|(after, before)| before || !after)
}

#[tokio::test]
async fn a_party_that_is_withdrawn_is_opened_to_nobody() {
    for withdrawal in [Withdrawal::Everything, Withdrawal::Config, Withdrawal::Here] {
        let world = linked().await;
        let party = world.store.party(&acme(), PARTY).await.unwrap().unwrap();
        let mut before = Vec::new();
        for account in accounts() {
            before.push(rights(&world, account, PARTY).await);
        }
        world
            .store
            .withdraw_party(party, withdrawal, Expected::Any, ("boss", at(1)))
            .await
            .unwrap();
        for (account, before) in accounts().zip(before) {
            let after = rights(&world, account, PARTY).await;
            assert!(is_within(after, before), "{withdrawal:?} {account:?} {before:?} {after:?}");
            if withdrawal == Withdrawal::Everything {
                let kept = account == (true, WAYS - 1);
                assert_eq!(after, [kept; 5], "links end, and what holds somebody back stays");
            }
        }
    }
}

#[tokio::test]
async fn who_is_unlinked_may_do_nothing() {
    let world = linked().await;
    for (all_parties, way) in accounts() {
        let account = name(all_parties, way);
        for party in [PARTY, OTHER] {
            world.store.remove_permission(&acme(), &account, party).await.unwrap();
            let after = rights(&world, (all_parties, way), party).await;
            assert_eq!(after, [false; 5], "{account} {party}");
        }
    }
    world.store.put_permission(&acme(), Permission::all("all-0", PARTY)).await.unwrap();
    assert_eq!(rights(&world, (true, 0), PARTY).await, [true; 5], "until it is linked again");
}

fn enrolment(
    id: &str,
    identifiers: &[&str],
    publish: Publish,
    links: Vec<Permission>,
) -> PartyChange {
    PartyChange {
        organisation: acme(),
        id: id.to_owned(),
        identifiers: identifiers.iter().map(|id| (*id).to_owned()).collect(),
        name: None,
        country: "NL".to_owned(),
        capabilities: Default::default(),
        card: None,
        verification: Some(quoin_store::Verification {
            verified_by: "J. Jansen".to_owned(),
            verified_on: at(0),
            identifiers: Vec::new(),
            notes: "Contract".to_owned(),
            recorded_by: "boss".to_owned(),
            recorded_on: at(0),
        }),
        links,
        hooks: Vec::new(),
        migration_key: None,
        publish,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now: at(2),
    }
}

#[tokio::test]
async fn a_party_that_becomes_part_of_another_gives_nobody_rights_on_that_one() {
    let world = linked().await;
    let mut before = Vec::new();
    for account in accounts() {
        let both = (rights(&world, account, PARTY).await, rights(&world, account, OTHER).await);
        before.push(both);
    }
    let change = enrolment(OTHER, &[OTHER, PARTY], Publish::Unchanged, Vec::new());
    world.store.change_party(change).await.unwrap();
    assert_eq!(world.store.party(&acme(), PARTY).await.unwrap(), None);
    for (account, (gone, kept)) in accounts().zip(before) {
        let after = rights(&world, account, OTHER).await;
        assert!(is_within(after, kept), "{account:?} {kept:?} {after:?}");
        // Documents of the first are the other's: who was held from them is held from both.
        assert!(!account.0 || is_within(after, gone), "{account:?} {gone:?} {after:?}");
        assert!(account.0 || after == kept, "{account:?} {kept:?} {after:?}");
    }
}

/// What cannot take a user away from a party asks nothing of it, however many there are.
#[tokio::test]
async fn only_who_may_be_no_user_any_more_is_held_to_its_parties() {
    let world = linked().await;
    let party = "0106:00000003";
    let links = vec![link("all-1", "", 1)];
    world.store.change_party(enrolment(party, &[party], Publish::Demanded, links)).await.unwrap();
    let change = async |change: ClientChange| {
        world.store.change_client(&acme(), "all-1", change, at(9)).await.map(|_| ())
    };
    let before = world.store.work_done().statements;
    change(ClientChange { name: Some("other".to_owned()), ..ClientChange::default() })
        .await
        .unwrap();
    let asked = world.store.work_done().statements - before;
    for refused in [
        ClientChange { active: Some(false), ..ClientChange::default() },
        ClientChange { role: Some(AccountRole::ApManager), ..ClientChange::default() },
    ] {
        assert!(matches!(refusal(change(refused).await), Refusal::Unlinked { .. }));
    }
    let removed = world.store.remove_client(&acme(), "all-1").await;
    assert!(matches!(refusal(removed), Refusal::Unlinked { .. }));
    assert!(asked < 8, "{asked} statements");
}

/// Who is held from a party is no user that it could be enrolled with.
#[tokio::test]
async fn a_client_that_is_held_from_a_party_is_not_its_linked_user() {
    let world = linked().await;
    let demanded = |links| enrolment("0106:00000003", &["0106:00000003"], Publish::Demanded, links);
    let held = demanded(vec![link("all-0", "", 0)]);
    let refused = refusal(world.store.change_party(held).await);
    assert_eq!(refused, Refusal::Unlinked { party: "0106:00000003".to_owned() });
    let linked = demanded(vec![link("all-1", "", 1)]);
    world.store.change_party(linked).await.unwrap();
    let last = world.store.remove_permission(&acme(), "all-1", "0106:00000003").await;
    assert!(matches!(refusal(last), Refusal::Unlinked { .. }), "its last one stays");
    assert!(rights(&world, (true, 1), "0106:00000003").await[0]);
}

/// What is taken beside a new secret is decided in the commit that records it, whatever was read
/// before.
#[tokio::test]
async fn a_secret_that_was_ended_stays_ended_and_two_are_taken_at_most() {
    let world = world().await;
    let client = Client {
        client_id: "erp".to_owned(),
        organisation: acme(),
        name: String::new(),
        secret_sha256: secret_digest("first"),
        previous: None,
        role: AccountRole::ApUser,
        active: true,
        all_parties: true,
        declared: false,
        created_on: at(0),
        tokens_since: at(0),
    };
    world.store.put_client(client).await.unwrap();
    let change = async |secret: &str, overlap: Option<i64>, now: i64| {
        let new = NewSecret { sha256: secret_digest(secret), overlap: overlap.map(at) };
        let change = ClientChange { secret: Some(new), ..ClientChange::default() };
        world.store.change_client(&acme(), "erp", change, at(now)).await
    };
    let ended = change("second", None, 10).await.unwrap();
    assert_eq!((ended.secret_sha256, ended.previous), (secret_digest("second"), None));
    let third = change("third", Some(100), 11).await.unwrap();
    let before = third.previous.map(|previous| (previous.sha256, previous.until));
    assert_eq!(before, Some((secret_digest("second"), at(100))), "the first was known to others");
    let refused = change("fourth", Some(200), 99).await.unwrap_err();
    let until = match refused {
        Error::Refusal(Refusal::Rotating { until }) => until,
        other => panic!("{other}"),
    };
    assert_eq!(until, at(100));
    let fourth = change("fourth", Some(200), 100).await.unwrap();
    assert_eq!(fourth.previous.map(|previous| previous.sha256), Some(secret_digest("third")));
}
