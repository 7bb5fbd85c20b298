//! A party is its key, whatever identifiers it has by now: the one that it was recorded with may be
//! taken off, and be somebody else's afterwards.

use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_delivery::jobs::JobKind;
use quoin_store::{
    AccountRole, Expected, FeedFilter, FeedParties, HookScope, JobStep, NewIncoming, NewJob,
    PartyChange, PartyRecord, Permission, PublicationChange, Publish, Refusal, Store, UserChange,
    Verification, Withdrawal, Work,
};

use crate::hooks::hook;
use crate::world::*;

const FIRST: &str = "0106:00000011";
const SECOND: &str = "0088:8712345678937";
const OTHER: &str = "0106:00000022";
const ENTERPRISE: &str = "0208:0123456749";
const VAT: &str = "9925:be0123456749";

fn change(identifiers: &[&str], publish: Publish, now: i64) -> PartyChange {
    PartyChange {
        organisation: acme(),
        id: identifiers[0].to_owned(),
        identifiers: identifiers.iter().map(|id| (*id).to_owned()).collect(),
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

async fn party(store: &Store, identifier: &str) -> PartyRecord {
    store.party_of_identifier(&acme(), identifier).await.unwrap().unwrap()
}

/// A party that was recorded with an identifier that it has no more.
async fn bereft(store: &Store) -> PartyRecord {
    store.change_party(change(&[FIRST, SECOND], Publish::Demanded, 1)).await.unwrap();
    let known = party(store, FIRST).await;
    assert!(store.take_off(&known, FIRST, ("boss", at(2))).await.unwrap());
    let left = party(store, SECOND).await;
    assert_eq!((&left.id, &left.identifiers[..]), (&known.id, &[SECOND.to_owned()][..]));
    left
}

#[tokio::test]
async fn a_party_is_known_by_an_identifier_that_it_has() {
    let world = with_alice().await;
    let store = &world.store;
    let spelled = change(&["9944:NL123456782B01"], Publish::Unchanged, 1);
    let folded = vec!["9944:nl123456782b01".to_owned(), SECOND.to_owned()];
    store.change_party(PartyChange { identifiers: folded, ..spelled }).await.unwrap();
    let known = party(store, SECOND).await;
    assert_eq!(known.main(), "9944:NL123456782B01", "as it was written");
    store.take_off(&known, "9944:nl123456782b01", ("boss", at(2))).await.unwrap();
    let left = party(store, SECOND).await;
    assert_eq!((left.main(), &left.id), (SECOND.to_owned(), &known.id));
    assert_eq!(store.party_name(&acme(), &known.id).await.unwrap(), SECOND);
    assert_eq!(store.party_name(&acme(), "").await.unwrap(), "");
    // One that came later, and goes first, is no other name.
    store.change_party(change(&[SECOND, ENTERPRISE], Publish::Unchanged, 3)).await.unwrap();
    let after = party(store, SECOND).await;
    assert_eq!((after.main(), &after.identifiers[0][..]), (ENTERPRISE.to_owned(), ENTERPRISE));
}

/// Its old identifier is enrolled anew, alone or of another party: it is that one's, and nothing of
/// the first is.
#[tokio::test]
async fn an_identifier_that_was_taken_off_begins_anew() {
    let world = with_alice().await;
    let store = &world.store;
    let left = bereft(store).await;
    store.put_hook(hook("erp", HookScope::Party(left.id.clone()), &["*"])).await.unwrap();
    let anew = PartyChange { links: Vec::new(), ..change(&[FIRST], Publish::Unchanged, 3) };
    let made = store.change_party(anew).await.unwrap().party;
    assert_ne!(made.id, left.id);
    assert_eq!((made.main(), &made.identifiers[..]), (FIRST.to_owned(), &[FIRST.to_owned()][..]));
    assert_eq!(party(store, SECOND).await, left, "the first is what it was");
    assert_eq!(store.permission(&acme(), "alice", &made.id).await.unwrap(), None);
    assert_eq!(store.permission(&acme(), "alice", &left.id).await.unwrap().unwrap().party, left.id);
    // A document for it is its own, and no hook of the first hears of it.
    let new = NewIncoming { party: made.id.clone(), ..incoming(1, "<Invoice/>") };
    store.receive(new).await.unwrap();
    let claim = world.claim_one(quoin_delivery::TaskKind::Arrive, 10).await;
    let loaded = world.load(&claim).await;
    store.commit(completion(&claim, &loaded, &[valid()], 11)).await.unwrap();
    assert!(world.claim(quoin_delivery::TaskKind::Notify, 20, 10).await.is_empty());
    // The key that it would have is told before, for what is registered with it.
    assert_ne!(store.new_party_key(&acme(), FIRST).await.unwrap(), made.id);
    assert_eq!(store.new_party_key(&acme(), OTHER).await.unwrap(), OTHER);
}

/// What is told of a party names an identifier that it has when it is told.
#[tokio::test]
async fn events_name_their_party_as_it_is_known_by_now() {
    let world = with_alice().await;
    let store = &world.store;
    store.change_party(change(&[FIRST, SECOND], Publish::Demanded, 1)).await.unwrap();
    let known = party(store, FIRST).await;
    let filter = format!("partyId == \"{SECOND}\"");
    for (id, filter) in [("all", None), ("mine", Some(filter.parse().unwrap()))] {
        let mut own = hook(id, HookScope::Environment, &["*"]);
        own.filter = filter;
        store.put_hook(own).await.unwrap();
    }
    let tell = async |number: u32| {
        let new = NewIncoming { party: known.id.clone(), ..incoming(number, "<Invoice/>") };
        store.receive(new).await.unwrap();
        let now = i64::from(number) * 100;
        let claim = world.claim_one(quoin_delivery::TaskKind::Arrive, now).await;
        let loaded = world.load(&claim).await;
        store.commit(completion(&claim, &loaded, &[valid()], now)).await.unwrap();
    };
    let named = async || {
        let parties = FeedParties::AllBut(Default::default());
        let filter = FeedFilter { organisation: acme(), parties, topic: None };
        let page = store.feed(filter, 0, 10).await.unwrap();
        page.items.into_iter().map(|event| event.party_id).collect::<Vec<_>>()
    };
    tell(1).await;
    assert_eq!(named().await, [FIRST]);
    store.take_off(&known, FIRST, ("boss", at(150))).await.unwrap();
    store.change_party(change(&[OTHER, FIRST], Publish::Demanded, 151)).await.unwrap();
    assert_eq!(named().await, [SECOND]);
    tell(2).await;
    let calls = world.claim(quoin_delivery::TaskKind::Notify, 300, 10).await;
    let mut bodies = Vec::new();
    for claim in &calls {
        let Work::Call(call) = store.load(claim).await.unwrap() else { panic!("{claim:?}") };
        let body = call.event.payload(&call.hook.id, at(300));
        bodies.push((call.hook.id.to_string(), body.party_id.unwrap_or_default()));
    }
    bodies.sort();
    // Of one hook and party one call is made after the other.
    assert_eq!(bodies, [("all".to_owned(), SECOND.to_owned()), ("mine".into(), SECOND.into())]);
}

/// A job over all parties names each by what it has, and changes each once.
#[tokio::test]
async fn a_job_finds_each_party_by_what_it_has() {
    let world = with_alice().await;
    let store = &world.store;
    let left = bereft(store).await;
    store.change_party(change(&[OTHER, FIRST], Publish::Demanded, 3)).await.unwrap();
    let job = NewJob {
        id: "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f".to_owned(),
        organisation: acme(),
        kind: JobKind::Capabilities,
        settings: "{}".to_owned(),
        lines: None,
        digest: [7; 32],
        starts: true,
        created_by: "boss".to_owned(),
        now: at(4),
    };
    store.new_job(job).await.unwrap();
    let claim = world.claim_one(quoin_delivery::TaskKind::Job, 5).await;
    let Work::Job(Some(work)) = store.load(&claim).await.unwrap() else { panic!() };
    let JobStep::Plan(lines) = work.step else { panic!("{:?}", work.step) };
    let mut named: Vec<String> = lines.into_iter().map(|line| line.participant).collect();
    named.sort();
    assert_eq!(named, [SECOND, OTHER]);
    assert_eq!(party(store, SECOND).await.id, left.id);
}

/// What a party without an ApUser is refused with names it by what it has.
#[tokio::test]
async fn a_refusal_names_a_party_by_what_it_has() {
    let world = with_alice().await;
    let left = bereft(&world.store).await;
    let refused = refusal(world.store.remove_permission(&acme(), "alice", &left.id).await);
    assert_eq!(refused, Refusal::Unlinked { party: SECOND.to_owned() });
}

#[tokio::test]
async fn a_belgian_party_keeps_its_enterprise_number_for_as_long_as_its_vat_number() {
    let world = with_alice().await;
    let store = &world.store;
    store.change_party(change(&[ENTERPRISE, VAT, SECOND], Publish::Demanded, 1)).await.unwrap();
    let known = party(store, VAT).await;
    let off = async |identifier: &str| store.take_off(&known, identifier, ("boss", at(2))).await;
    let (identifier, vat) = (ENTERPRISE.to_owned(), VAT.to_owned());
    assert_eq!(refusal(off(ENTERPRISE).await), Refusal::EnterpriseNumber { identifier, vat });
    assert_eq!(party(store, SECOND).await.identifiers, known.identifiers, "nothing is taken off");
    assert!(off(VAT).await.unwrap());
    assert!(off(ENTERPRISE).await.unwrap());
    let identifier = SECOND.to_owned();
    assert_eq!(refusal(off(SECOND).await), Refusal::LastIdentifier { identifier });
    // One that is not published may lose either.
    store.change_party(change(&[SECOND, ENTERPRISE, VAT], Publish::Demanded, 3)).await.unwrap();
    let known = party(store, VAT).await;
    let (config, by) = (Withdrawal::Config, ("boss", at(4)));
    assert!(store.withdraw_party(known.clone(), config, Expected::Any, by).await.unwrap());
    assert!(store.take_off(&known, ENTERPRISE, by).await.unwrap());
}

async fn log(store: &Store, participant: &str) -> Vec<(String, String, String)> {
    let lines = store.publication_changes(&acme(), participant, 10).await.unwrap();
    let told = |line: PublicationChange| (line.action, line.subject, line.account);
    lines.into_iter().rev().map(told).collect()
}

/// Who enrolled, changed and withdrew a party stands in the log of each of its participants.
#[tokio::test]
async fn the_log_tells_who_enrolled_changed_and_withdrew() {
    let world = with_alice().await;
    let store = &world.store;
    let line = |action: &str, subject: &str, account: &str| {
        (action.to_owned(), subject.to_owned(), account.to_owned())
    };
    store.change_party(change(&[FIRST], Publish::Demanded, 1)).await.unwrap();
    store.change_party(change(&[FIRST], Publish::Demanded, 2)).await.unwrap();
    assert_eq!(log(store, FIRST).await, [line("enrol", "", "boss")], "once");
    let off = PartyChange {
        capabilities: States::from([("invoices".to_owned(), CapabilitySetting::Off)]),
        name: Some("Acme BV".to_owned()),
        account: Some("carol".to_owned()),
        ..change(&[FIRST, SECOND], Publish::IfReady, 3)
    };
    let made = store.change_party(off).await.unwrap();
    assert_eq!(made.party.name, "Acme BV");
    assert_eq!(log(store, SECOND).await, [line("enrol", "", "carol")]);
    store.take_off(&made.party, SECOND, ("dave", at(4))).await.unwrap();
    let (all, by) = (Withdrawal::Everything, ("erin", at(5)));
    assert!(store.withdraw_party(made.party.clone(), all, Expected::Any, by).await.unwrap());
    assert!(!store.withdraw_party(made.party, all, Expected::Any, by).await.unwrap());
    let first = [
        line("enrol", "", "boss"),
        line("change configuration", "name, capabilities", "carol"),
        line("withdraw", "", "erin"),
    ];
    assert_eq!(log(store, FIRST).await, first);
    let second = [line("enrol", "", "carol"), line("take off identifier", "", "dave")];
    assert_eq!(log(store, SECOND).await, second, "it was the party's no more");
    // A change that is refused leaves no line.
    let expected = Expected::Versions(vec![99]);
    let stale = PartyChange { expected, ..change(&[OTHER], Publish::Demanded, 6) };
    assert!(store.change_party(stale).await.is_err());
    assert_eq!(log(store, OTHER).await, []);
}

/// A name that was read and is written back says nothing against a new business card.
#[tokio::test]
async fn a_name_is_what_was_changed_last() {
    let world = with_alice().await;
    let store = &world.store;
    let named = async |name: Option<&str>, card: Option<&str>| {
        let card = card.map(|name| {
            Some(quoin_store::CardRecord {
                names: vec![name.to_owned()],
                country: "NL".to_owned(),
                address: Vec::new(),
                email: None,
                shown: [true; 3],
                published: true,
                submitted: None,
            })
        });
        let name = name.map(str::to_owned);
        let asked = PartyChange { name, card, ..change(&[FIRST], Publish::Unchanged, 1) };
        let made = store.change_party(asked).await.unwrap();
        (made.party.name, made.config.version)
    };
    assert_eq!(named(None, Some("Acme")).await, ("Acme".to_owned(), 1));
    assert_eq!(named(Some("Acme"), Some("Acme Two")).await, ("Acme Two".to_owned(), 2));
    assert_eq!(named(Some("Mine"), None).await, ("Mine".to_owned(), 3), "its version tells");
    assert_eq!(named(Some("Mine"), None).await, ("Mine".to_owned(), 3));
    assert_eq!(named(Some("Yours"), Some("Acme Three")).await.0, "Yours");
}
