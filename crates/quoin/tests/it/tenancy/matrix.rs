//! The matrix: every operation of the interface, as its description lists them, tried with each
//! kind of caller. Whoever may not see a party hears of it what he hears of one that does not
//! exist.

mod table;

use quoin_store::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{As, World, answer, world};
pub use table::OPEN;
use table::{EITHER, ENVIRONMENT, LINKED, MANAGED, NEEDS, OWN, Right};

/// The party of acme, and one that nobody has.
const PARTY: &str = "0106:12345678";
const NOBODY: &str = "0106:99999999";

/// Operations that claim the party in their path.
pub const CLAIMS: &[(&str, &str)] = &[
    ("put", "/api/v1/peppol/config/party/{partyId}"),
    ("put", "/api/v1-beta/{partyId}/enroll"),
    ("put", "/smp/{partyId}"),
];

pub struct Operation {
    pub method: String,
    pub path: String,
}

impl Operation {
    fn is(&self, method: &str, path: &str) -> bool {
        let known =
            self.path.replace("/api/v1-beta/{partyId}/generic", "/api/v1/{partyId}/generic");
        self.method == method && known == path
    }

    fn is_in(&self, table: &[(&str, &str)]) -> bool {
        table.iter().any(|(method, path)| self.is(method, path))
    }

    fn of_party(&self) -> bool {
        self.path.contains("{partyId}")
    }

    /// The path for a party; what else it names exists nowhere.
    fn at(&self, party: &str) -> String {
        let document = Uuid::nil().to_string();
        let mut path = self.path.replace("{partyId}", party).replace("{documentId}", &document);
        while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
            path.replace_range(from..=to, "nothing");
        }
        path
    }

    /// What a caller hears about a party: the status and the problem, without what is its own.
    async fn try_as(&self, caller: &As, party: &str) -> (u16, Value) {
        let method = Method::from_bytes(self.method.to_uppercase().as_bytes()).unwrap();
        let mut request = caller.request(method.clone(), &self.at(party));
        if method != Method::GET && method != Method::DELETE {
            request = request.header("content-type", "application/json").body("{}");
        }
        let (status, body) = answer(request).await;
        let problem = json!({ "code": body["code"], "detail": body["detail"] });
        let text = problem.to_string().replace(party, "PARTY");
        (status, serde_json::from_str(&text).unwrap())
    }
}

/// Every operation of the description that needs a token.
pub async fn operations(world: &World) -> Vec<Operation> {
    let (_, document) = answer(world.http.get(format!("{}/openapi.json", world.base))).await;
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if !OPEN.contains(&path.as_str()) {
                found.push(Operation { method: method.clone(), path: path.clone() });
            }
        }
    }
    assert!(found.len() > 30);
    found
}

#[tokio::test]
async fn every_operation_has_one_place_in_the_matrix() {
    let world = world().await;
    let all = operations(&world).await;
    let needs: Vec<_> = NEEDS.iter().map(|(method, path, _)| (*method, *path)).collect();
    let tables: [&[(&str, &str)]; 6] = [MANAGED, OWN, ENVIRONMENT, EITHER, LINKED, &needs];
    for operation in &all {
        let places: usize = tables
            .iter()
            .map(|table| table.iter().filter(|row| operation.is(row.0, row.1)).count())
            .sum();
        assert_eq!(places, 1, "{} {}", operation.method, operation.path);
    }
    for (method, path) in tables.into_iter().flatten() {
        let found = all.iter().any(|operation| operation.is(method, path));
        assert!(found, "{method} {path} is not described");
    }
}

#[tokio::test]
async fn any_account_hears_of_itself_and_of_nobody_else() {
    let world = world().await;
    let alice = world.user("alice").await;
    for (method, path) in OWN.iter().filter(|(_, path)| !path.ends_with("/stream")) {
        let operation = Operation { method: (*method).to_owned(), path: (*path).to_owned() };
        let (status, problem) = operation.try_as(&alice, PARTY).await;
        assert!(![401, 403].contains(&status), "{method} {path} {problem}");
        let (_, body) = alice.get(path).await;
        assert!(!body.to_string().contains("12345678"), "{method} {path} {body}");
    }
}

#[tokio::test]
async fn hooks_of_the_environment_are_for_who_acts_for_every_party() {
    let world = world().await;
    let owner = "acme".parse().unwrap();
    let alice = world.user("alice").await;
    world.store.put_permission(&owner, Permission::all("alice", PARTY)).await.unwrap();
    let client = world.store.client("acme-erp").await.unwrap().unwrap();
    let erp = world.acme().await;
    let other = world.manager("other").await;
    for (method, path) in ENVIRONMENT {
        let operation = Operation { method: (*method).to_owned(), path: (*path).to_owned() };
        for (all_parties, held) in [(true, false), (false, true)] {
            let client = quoin_store::Client { all_parties, ..client.clone() };
            world.store.put_client(client).await.unwrap();
            let (status, problem) = operation.try_as(&erp, PARTY).await;
            assert_eq!(status == 403, held, "{method} {path} {problem}");
        }
        // It acts for every party, and a link takes all from it at one of them.
        world.store.put_client(client.clone()).await.unwrap();
        let nothing =
            Permission { account: "acme-erp".into(), party: PARTY.into(), ..Permission::default() };
        world.store.put_permission(&owner, nothing).await.unwrap();
        let (status, problem) = operation.try_as(&erp, PARTY).await;
        assert_eq!((status, &problem["code"]), (403, &json!("API403.Role")), "{method} {path}");
        world.store.remove_permission(&owner, "acme-erp", PARTY).await.unwrap();
        assert_eq!(operation.try_as(&erp, PARTY).await.0, 403, "what takes away gives nothing");
        world.store.put_permission(&owner, Permission::all("acme-erp", PARTY)).await.unwrap();
        let (status, problem) = operation.try_as(&alice, PARTY).await;
        assert_eq!((status, &problem["code"]), (403, &json!("API403.Role")), "{method} {path}");
        // The hook `events` of acme is nothing to the manager of another organisation.
        if path.contains("{hookId}") {
            let named = path.replace("{hookId}", "events");
            let own = Operation { method: (*method).to_owned(), path: named };
            let (status, theirs) = own.try_as(&other, PARTY).await;
            let (_, nobodys) = operation.try_as(&other, PARTY).await;
            let theirs = theirs.to_string().replace("events", "nothing");
            assert_ne!(status, 200, "{method} {path}");
            assert_eq!(theirs, nobodys.to_string(), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn to_send_or_to_receive_is_enough_for_documents_of_either_way() {
    let world = world().await;
    let alice = world.user("alice").await;
    let owner = "acme".parse().unwrap();
    for operation in operations(&world).await.iter().filter(|operation| operation.is_in(EITHER)) {
        for right in Right::ALL {
            world.store.put_permission(&owner, right.permission(true)).await.unwrap();
            let (status, problem) = operation.try_as(&alice, PARTY).await;
            let opens = [Right::Send, Right::Receive].contains(&right);
            assert_eq!(status != 403, opens, "{} {problem}", operation.path);
        }
    }
}

#[tokio::test]
async fn nothing_is_answered_without_a_good_token() {
    let world = world().await;
    let garbage = As::with_token(&world.base, "a.b.c");
    for operation in operations(&world).await {
        let place = format!("{} {}", operation.method, operation.path);
        let method = operation.method.to_uppercase();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let url = format!("{}{}", world.base, operation.at(PARTY));
        let (status, body) = answer(world.http.request(method, url).body("{}")).await;
        assert_eq!((status, &body["code"]), (401, &json!("API401")), "{place}");
        let (status, problem) = operation.try_as(&garbage, PARTY).await;
        assert_eq!((status, &problem["code"]), (401, &json!("API401.Malformed")), "{place}");
    }
}

#[tokio::test]
async fn another_organisation_cannot_tell_a_party_from_nothing() {
    let world = world().await;
    let callers = [
        ("ApUser", world.client("other-erp", "other-secret").await),
        ("ApManager", world.manager("other").await),
    ];
    for operation in operations(&world).await.iter().filter(|operation| operation.of_party()) {
        for (role, caller) in &callers {
            let place = format!("{role} {} {}", operation.method, operation.path);
            let about = operation.try_as(caller, PARTY).await;
            // What is verified for another organisation is nobody else's; the SMP tells it too.
            if CLAIMS.contains(&(&operation.method, &operation.path)) && about.0 == 409 {
                assert_eq!(about.1["code"], "API409.Participant", "{place}");
                continue;
            }
            // What a manager makes of a party of its own is its own, whatever others have.
            assert_eq!(about, operation.try_as(caller, NOBODY).await, "{place}");
        }
    }
    for (role, caller) in &callers {
        for path in ["/api/v1/me", "/api/v1/me/party", "/api/v1/user", "/api/v1/hook"] {
            let (_, body) = caller.get(path).await;
            assert!(!body.to_string().to_lowercase().contains("acme"), "{role} {path} {body}");
        }
    }
}

#[tokio::test]
async fn an_unlinked_user_cannot_tell_a_party_from_nothing() {
    let world = world().await;
    let alice = world.user("alice").await;
    for operation in operations(&world).await.iter().filter(|operation| operation.of_party()) {
        let place = format!("{} {}", operation.method, operation.path);
        let (status, problem) = operation.try_as(&alice, PARTY).await;
        assert_eq!(status, 403, "{place} {problem}");
        assert_eq!((status, problem), operation.try_as(&alice, NOBODY).await, "{place}");
    }
}

#[tokio::test]
async fn the_role_decides_about_registrations_and_users() {
    let world = world().await;
    let alice = world.user("alice").await;
    let erp = world.acme().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let all = operations(&world).await;
    for (method, path) in MANAGED {
        let operation = all.iter().find(|operation| operation.is(method, path));
        let operation = operation.unwrap_or_else(|| panic!("{method} {path} is not described"));
        for caller in [&alice, &erp] {
            let (status, problem) = operation.try_as(caller, PARTY).await;
            assert_eq!((status, &problem["code"]), (403, &json!("API403.Role")), "{method} {path}");
        }
        let (_, problem) = operation.try_as(&boss, NOBODY).await;
        assert_ne!(problem["code"], "API403.Role", "{method} {path}");
    }
    let hooks = alice.get("/api/v1/hook").await;
    assert_eq!(hooks.1["code"], "API403.Role", "a user has no say in the environment");
}

#[tokio::test]
async fn a_linked_user_without_permissions_may_do_nothing() {
    let world = world().await;
    let alice = world.user("alice").await;
    let owner = "acme".parse().unwrap();
    let link = Permission { account: "alice".into(), party: PARTY.into(), ..Permission::default() };
    world.store.put_permission(&owner, link).await.unwrap();
    for operation in operations(&world).await.iter().filter(|operation| operation.of_party()) {
        let (status, problem) = operation.try_as(&alice, PARTY).await;
        let place = format!("{} {} {problem}", operation.method, operation.path);
        match operation.is_in(LINKED) {
            true => assert_eq!(status, 200, "{place}"),
            false => assert_eq!(status, 403, "{place}"),
        }
    }
}

#[tokio::test]
async fn each_permission_opens_its_operations_and_no_other_does() {
    let world = world().await;
    let alice = world.user("alice").await;
    let owner = "acme".parse().unwrap();
    let all = operations(&world).await;
    for (method, path, right) in NEEDS {
        let operation = all.iter().find(|operation| operation.is(method, path));
        let operation = operation.unwrap_or_else(|| panic!("{method} {path} is not described"));
        for alone in [true, false] {
            world.store.put_permission(&owner, right.permission(alone)).await.unwrap();
            let (status, problem) = operation.try_as(&alice, PARTY).await;
            assert_eq!(status != 403, alone, "{method} {path} {problem}");
        }
    }
}
