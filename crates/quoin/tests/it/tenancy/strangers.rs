//! Attackers: a stranger who knows the ids of another organisation, or of a party that is not its
//! own, and tries them in every place where an id can stand: paths, queries, headers, bodies and
//! tokens of pages. What it hears is what it hears of ids that nobody has.

use quoin_store::{PartyRecord, Permission, User};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::matrix::{Operation, operations};
use crate::world::{As, World, answer, world};

/// A party of acme, the party of other, and one of acme that alice is not linked to.
pub(super) const THEIRS: &str = "0106:12345678";
pub(super) const OWN: &str = "0208:0123456749";
const SECOND: &str = "0106:23456789";

/// Ids of a victim, by the parameters that name such things.
pub(super) struct Victim {
    pub(super) party: &'static str,
    pub(super) ids: Vec<(&'static str, String)>,
}

/// What a parameter says of something that nobody has, in the shape of what somebody has.
fn nobodys(known: &str) -> String {
    match Uuid::parse_str(known) {
        Ok(_) => Uuid::now_v7().to_string(),
        Err(_) => format!("{known}x"),
    }
}

async fn id_of(caller: &As, method: Method, path: &str, body: &str) -> String {
    let kind = if body.starts_with('<') { "application/xml" } else { "application/json" };
    let request = caller.request(method, path).header("content-type", kind);
    let (status, made) = caller.send(request.body(body.to_owned())).await;
    assert!(status < 300, "{path} {made}");
    made["id"].as_str().unwrap().to_owned()
}

/// Fills a party of acme with one of each.
pub(super) async fn fill(world: &World, party: &'static str) -> Victim {
    let boss = world.client("acme-boss", "boss-secret").await;
    let invoice = quoin_formats::samples::invoice(party, OWN, "S-1");
    let at = |rest: &str| format!("/api/v1/{party}/{rest}");
    let sent = id_of(&boss, Method::POST, &at("salesInvoice/send"), &invoice).await;
    let arrived = quoin_formats::samples::invoice(OWN, party, "P-1");
    let arrived = id_of(&boss, Method::POST, &at("generic/receive"), &arrived).await;
    let order = quoin_formats::samples::order(party, OWN, "O-1");
    let ordered = id_of(&boss, Method::POST, &at("purchaseOrder/send"), &order).await;
    let hook = json!({ "id": format!("erp-{}", &party[5..]), "topics": ["*"],
        "action": "https://erp.example.org/e#secret" });
    let hook = id_of(&boss, Method::POST, &at("hook"), &hook.to_string()).await;
    boss.get(&at("hook/ping")).await;
    let (_, log) = boss.get(&at(&format!("hook/{hook}/deliveries"))).await;
    let call = log["items"][0]["id"].as_str().unwrap().to_owned();
    let job = json!({ "id": Uuid::now_v7(), "kind": "capabilities", "parties": [party],
        "capabilities": { "invoices": "on" } });
    let job = id_of(&boss, Method::POST, "/api/v1/jobs", &job.to_string()).await;
    Victim {
        party,
        ids: vec![
            ("documentId", sent.clone()),
            ("documentId", arrived.clone()),
            ("documentId", ordered),
            ("responseDocumentId", sent),
            ("batchId", arrived),
            ("hookId", hook),
            ("deliveryId", call),
            ("jobId", job),
        ],
    }
}

/// What is heard, without what was asked for.
async fn heard(caller: &As, method: &str, path: &str, asked: &[&str]) -> (u16, String) {
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let mut request = caller.request(method.clone(), path);
    if method != Method::GET && method != Method::DELETE {
        request = request.header("content-type", "application/json").body("{}");
    }
    let (status, body) = answer(request).await;
    let mut text = json!({ "code": body["code"], "detail": body["detail"] }).to_string();
    for id in asked {
        text = text.replace(id, "ID");
    }
    (status, text)
}

/// An operation that names something else than a party, with these ids in its path; what it names
/// besides is the stranger's own, and exists.
fn path_with(operation: &Operation, own: &[(&str, &str)], id: (&str, &str)) -> Option<String> {
    let hole = format!("{{{}}}", id.0);
    if !operation.path.contains(&hole) {
        return None;
    }
    let mut path = operation.path.replace(&hole, id.1);
    for (name, value) in own {
        path = path.replace(&format!("{{{name}}}"), value);
    }
    path = path.replace("{command}", "cancel").replace("{documentTypeId}", "x");
    path = path.replace("{name}", "head").replace("{clientId}", "other-erp");
    Some(path)
}

/// Tries every id of a victim in every path that has a place for it.
async fn try_all(world: &World, caller: &As, own: &[(&str, &str)], victim: &Victim) {
    let mut tried = 0;
    for operation in operations(world).await {
        for (name, known) in &victim.ids {
            let nothing = nobodys(known);
            let Some(about) = path_with(&operation, own, (name, known)) else { continue };
            let nobody = path_with(&operation, own, (name, &nothing)).unwrap();
            let found = heard(caller, &operation.method, &about, &[known]).await;
            let none = heard(caller, &operation.method, &nobody, &[&nothing]).await;
            let place = format!("{} {about}", operation.method);
            assert_eq!(found, none, "{place}");
            assert!(found.0 >= 400, "{place}: {found:?}");
            assert!(!found.1.contains(victim.party), "{place}: {found:?}");
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

#[tokio::test]
async fn ids_of_another_organisation_in_a_path_are_ids_that_nobody_has() {
    let world = world().await;
    let victim = fill(&world, THEIRS).await;
    let boss = world.manager("other").await;
    let hook = json!({ "id": "own", "topics": ["*"], "action": "https://x.example.org/" });
    assert_eq!(boss.json(Method::POST, &format!("/api/v1/{OWN}/hook"), hook).await.0, 200);
    let own = [("partyId", OWN), ("hookId", "own"), ("month", "2026-10"), ("kind", "x")];
    try_all(&world, &boss, &own, &victim).await;
    let erp = world.client("other-erp", "other-secret").await;
    try_all(&world, &erp, &own, &victim).await;
}

#[tokio::test]
async fn ids_of_another_party_of_the_organisation_are_ids_that_nobody_has() {
    let world = world().await;
    let acme: quoin_delivery::OrganisationId = "acme".parse().unwrap();
    let second = PartyRecord {
        id: SECOND.to_owned(),
        organisation: acme.clone(),
        identifiers: vec![SECOND.to_owned()],
        name: "Second".to_owned(),
        country: "NL".to_owned(),
        created_on: world.clock.now(),
    };
    world.store.put_party(second).await.unwrap();
    let boss = world.client("acme-boss", "boss-secret").await;
    let verified = json!({ "verification": { "notes": "Contract" } });
    let place = format!("/api/v1/peppol/config/party/{SECOND}");
    assert_eq!(boss.json(Method::PUT, &place, verified).await.0, 200);
    let victim = fill(&world, SECOND).await;
    let alice = world.user("alice").await;
    world.store.put_permission(&acme, Permission::all("alice", THEIRS)).await.unwrap();
    let hook = json!({ "id": "own", "topics": ["*"], "action": "https://x.example.org/" });
    assert_eq!(alice.json(Method::POST, &format!("/api/v1/{THEIRS}/hook"), hook).await.0, 200);
    let own = [("partyId", THEIRS), ("hookId", "own"), ("month", "2026-10"), ("kind", "x")];
    try_all(&world, &alice, &own, &victim).await;
    // An id that another party used is taken, and nothing is told of its document.
    let sent = quoin_formats::samples::invoice(SECOND, OWN, "S-1");
    let request = alice.xml(THEIRS, &sent).header("x-service-documentid", &victim.ids[0].1);
    let (status, taken) = alice.send(request).await;
    assert_eq!((status, &taken["id"]), (409, &json!(victim.ids[0].1)));
    assert_eq!(taken.get("sameContent"), None, "{taken}");
    // A hook that takes the id of a removed one learns nothing of what that one was told.
    let (_, id) = victim.ids.iter().find(|(name, _)| *name == "hookId").unwrap();
    let boss = world.client("acme-boss", "boss-secret").await;
    let place = format!("/api/v1/{SECOND}/hook/{id}");
    assert_eq!(boss.send(boss.request(Method::DELETE, &place)).await.0, 204);
    let hook = json!({ "id": id, "topics": ["*"], "action": "https://x.example.org/" });
    assert_eq!(alice.json(Method::POST, &format!("/api/v1/{THEIRS}/hook"), hook).await.0, 200);
    let own = [("partyId", THEIRS), ("hookId", id.as_str())];
    let calls = victim.ids.iter().filter(|(name, _)| *name == "deliveryId").cloned();
    let calls = Victim { party: SECOND, ids: calls.collect() };
    let place = format!("/api/v1/{THEIRS}/hook/{id}/deliveries");
    assert_eq!(alice.get(&place).await.1["items"], json!([]));
    for operation in operations(&world).await {
        let (name, known) = &calls.ids[0];
        let Some(about) = path_with(&operation, &own, (name, known)) else { continue };
        let found = heard(&alice, &operation.method, &about, &[known]).await;
        assert!([403, 404].contains(&found.0), "{about} {found:?}");
    }
}

#[tokio::test]
async fn ids_of_another_organisation_in_bodies_and_headers_are_the_strangers_own_choice() {
    let world = world().await;
    let victim = fill(&world, THEIRS).await;
    let boss = world.manager("other").await;
    let id = |name: &str| victim.ids.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let invoice = quoin_formats::samples::invoice(OWN, THEIRS, "S-2");
    let request = boss.xml(OWN, &invoice).header("x-service-documentid", id("documentId"));
    assert_eq!(boss.send(request).await.0, 200, "document ids are the organisation's own");
    let job = json!({ "id": id("jobId"), "kind": "capabilities", "parties": [THEIRS],
        "capabilities": { "invoices": "on" } });
    let (status, made) = boss.json(Method::POST, "/api/v1/jobs", job).await;
    assert_eq!((status, &made["id"]), (202, &json!(id("jobId"))), "and so are those of jobs");
    let hook = json!({ "id": "events", "action": "https://x.example.org/", "topics": ["*"] });
    assert_eq!(boss.json(Method::PUT, "/api/v1/hook", hook).await.0, 200, "and of hooks");
    let user = json!({ "name": "acme-erp", "password": "correct horse" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", user).await.0, 200, "and names");
    // Nothing of it is the victim's.
    let acme = world.client("acme-boss", "boss-secret").await;
    assert_eq!(acme.get("/api/v1/hook/events").await.1["action"], "https://erp.example.org/e");
    let job = acme.get(&format!("/api/v1/jobs/{}", id("jobId"))).await.1;
    assert_eq!(job["createdBy"], "acme-boss");
    let users: Vec<User> = world.store.users_of(&"acme".parse().unwrap()).await.unwrap();
    assert!(users.iter().all(|user| user.name != "acme-erp"));
}

#[tokio::test]
async fn accounts_of_another_organisation_in_a_body_are_accounts_that_nobody_has() {
    let world = world().await;
    let boss = world.manager("other").await;
    world.user("alice").await;
    let enrol = async |user: &str| {
        let path = "/api/v1-beta/0208:0123456749/enroll".to_owned();
        let body = json!({
            "services": { "peppol": { "verification": { "notes": "Contract" } } },
            "partyAuthorizations": [{ "userId": user }],
        });
        let (status, problem) = boss.json(Method::PUT, &path, body).await;
        let text = json!([problem["code"], problem["detail"]]).to_string();
        (status, text.replace(user, "USER"))
    };
    let nobody = enrol("nobody").await;
    assert!(nobody.0 >= 400, "{nobody:?}");
    for account in ["alice", "acme-erp", "acme-boss"] {
        assert_eq!(enrol(account).await, nobody, "{account}");
        for (method, path) in [
            (Method::GET, "party"),
            (Method::PUT, "party"),
            (Method::DELETE, "party/0208:0123456749"),
        ] {
            let place = |name: &str| format!("/api/v1/user/{name}/{path}");
            let body = json!({ "id": OWN });
            let theirs = boss.json(method.clone(), &place(account), body.clone()).await;
            let none = boss.json(method, &place("nobody"), body).await;
            assert_eq!((theirs.0, &theirs.1["code"]), (none.0, &none.1["code"]), "{path}");
        }
    }
}

#[tokio::test]
async fn queries_with_ids_and_tokens_of_another_organisation_find_nothing_of_it() {
    let world = world().await;
    for number in ["A-1", "A-2", "A-3"] {
        let invoice = quoin_formats::samples::invoice(THEIRS, OWN, number);
        let acme = world.acme().await;
        assert_eq!(acme.send(acme.xml(THEIRS, &invoice)).await.0, 200);
        acme.get(&format!("/api/v1/{THEIRS}/hook/ping")).await;
    }
    let (acme, boss) =
        (world.client("acme-boss", "boss-secret").await, world.manager("other").await);
    let lists = ["salesInvoice", "generic"];
    for list in lists {
        let way = if list == "generic" { "&direction=outgoing" } else { "" };
        let (_, page) = acme.get(&format!("/api/v1/{THEIRS}/{list}?limit=1{way}")).await;
        let token = page["continuationToken"].as_str().unwrap();
        let path = format!("/api/v1/{OWN}/{list}?continuationToken={token}{way}");
        assert_eq!(boss.get(&path).await, (200, json!({ "items": [] })), "{path}");
    }
    let (_, log) = acme.get("/api/v1/hook/events/deliveries?limit=1").await;
    let token = log["continuationToken"].as_str().unwrap();
    assert_eq!(token, "1", "it counts the events of the organisation, not those of all");
    let hook = json!({ "id": "events", "action": "https://x.example.org/", "topics": ["*"] });
    boss.json(Method::PUT, "/api/v1/hook", hook).await;
    let path = format!("/api/v1/hook/events/deliveries?continuationToken={token}");
    assert_eq!(boss.get(&path).await, (200, json!({ "items": [] })));
    for (query, other) in [("partyId=0106:12345678", "partyId=0106:99999999")] {
        let theirs = boss.get(&format!("/api/v1/events?{query}")).await;
        let none = boss.get(&format!("/api/v1/events?{other}")).await;
        assert_eq!((theirs.0, &theirs.1["code"]), (none.0, &none.1["code"]));
    }
    let (status, ahead) = boss.get("/api/v1/events?after=1").await;
    assert_eq!((status, &ahead["newest"]), (409, &json!(0)), "its own numbers: {ahead}");
}

#[tokio::test]
async fn channels_of_another_organisation_are_channels_that_nobody_has() {
    let world = world().await;
    let acme = world.client("acme-boss", "boss-secret").await;
    let (owner, events) = ("acme".parse().unwrap(), "events".parse().unwrap());
    let events = world.store.hook(&owner, &quoin_store::HookScope::Environment, &events);
    let archive = quoin_store::Hook {
        id: "archive".parse().unwrap(),
        action: "mailto:a@example.org".to_owned(),
        topics: vec!["Send*".parse().unwrap()],
        ..events.await.unwrap().unwrap()
    };
    world.store.put_hook(archive).await.unwrap();
    let boss = world.manager("other").await;
    let invoice = quoin_formats::samples::invoice(OWN, THEIRS, "C-1");
    let forced = async |caller: &As, party: &str, channel: &str| -> (u16, Value) {
        let path = format!("/api/v1/{party}/salesInvoice/send?channel={channel}");
        let request = caller.request(Method::POST, &path).header("content-type", "application/xml");
        let (status, body) = caller.send(request.body(invoice.clone())).await;
        let text = body["detail"].to_string().replace(channel, "CHANNEL");
        (status, json!([body["code"], text]))
    };
    let theirs = forced(&boss, OWN, "archive").await;
    assert_eq!(theirs, forced(&boss, OWN, "nothing").await);
    assert_eq!(theirs.0, 400);
    assert_eq!(forced(&acme, THEIRS, "archive").await.0, 200, "its own organisation has it");
}
