//! The matrix: every operation of the interface, as its description lists them, tried with each
//! kind of caller. Whoever may not see a party hears of it what he hears of one that does not
//! exist.

use quoin_store::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{As, World, answer, world};

/// The party of acme, and one that nobody has.
const PARTY: &str = "0106:12345678";
const NOBODY: &str = "0106:99999999";

/// Operations without a token.
const OPEN: &[&str] = &["/connect/token", "/health", "/openapi.json"];
/// Operations for the role ApManager only: method, path.
const MANAGED: &[(&str, &str)] = &[
    ("get", "/api/v1/user"),
    ("put", "/api/v1/user"),
    ("delete", "/api/v1/user/{name}"),
    ("get", "/api/v1/user/{name}/party"),
    ("put", "/api/v1/user/{name}/party"),
    ("delete", "/api/v1/user/{name}/party/{partyId}"),
    ("put", "/api/v1/peppol/config"),
    ("get", "/api/v1/peppol/config/party"),
    ("put", "/api/v1/peppol/config/party/{partyId}"),
    ("delete", "/api/v1/peppol/config/party/{partyId}"),
    ("get", "/api/v1/peppol/{partyId}/prepareToMigrate"),
    ("put", "/api/v1-beta/{partyId}/enroll"),
    ("delete", "/api/v1-beta/{partyId}/enroll"),
    ("get", "/api/v1/service/trust"),
];
/// Operations that any linked user may do, whatever its permissions.
const LINKED: &[(&str, &str)] = &[("get", "/api/v1/peppol/config/party/{partyId}")];
/// The permission that an operation needs.
const NEEDS: &[(&str, &str, Right)] = &[
    ("post", "/api/v1/{partyId}/salesInvoice/send", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/status", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseInvoice", Right::Receive),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}", Right::Receive),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/status", Right::Receive),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/download", Right::Receive),
    ("delete", "/api/v1/{partyId}/purchaseInvoice/{documentId}", Right::Remove),
    ("get", "/api/v1/{partyId}/endpoint", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/dossier", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/dossier", Right::Receive),
    ("get", "/api/v1/{partyId}/generic/{documentId}/dossier", Right::Receive),
    ("get", "/api/v1/{partyId}/generic/{documentId}/sentDossier", Right::Send),
    ("post", "/api/v1/{partyId}/salesInvoice/sendDryRun", Right::Send),
    ("post", "/api/v1/{partyId}/salesInvoice/queryRecipientParty", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/response", Right::Send),
    (
        "get",
        "/api/v1/{partyId}/salesInvoice/{documentId}/response/{responseDocumentId}/download",
        Right::Send,
    ),
    ("post", "/api/v1/{partyId}/purchaseInvoice/queryRecipientParty", Right::Receive),
    ("post", "/api/v1/{partyId}/purchaseInvoice/{documentId}/response", Right::ChangeStatus),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/response", Right::Receive),
    (
        "get",
        "/api/v1/{partyId}/purchaseInvoice/{documentId}/response/{responseDocumentId}/status",
        Right::Receive,
    ),
    ("post", "/api/v1/{partyId}/purchaseOrder/send", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder/{documentId}", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder/{documentId}/status", Right::Send),
    ("post", "/api/v1/{partyId}/purchaseOrder/{documentId}/cancel", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder/{documentId}/response", Right::Send),
    ("post", "/api/v1/{partyId}/purchaseOrder/queryRecipientParty", Right::Send),
    ("get", "/api/v1/{partyId}/salesOrder", Right::Receive),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}", Right::Receive),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}/status", Right::Receive),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}/download", Right::Receive),
    ("delete", "/api/v1/{partyId}/salesOrder/{documentId}", Right::Remove),
    ("post", "/api/v1/{partyId}/salesOrder/{documentId}/response", Right::ChangeStatus),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}/response", Right::Receive),
    ("post", "/api/v1/{partyId}/salesOrder/queryRecipientParty", Right::Receive),
    ("post", "/api/v1/{partyId}/generic/send", Right::Send),
    ("post", "/api/v1/{partyId}/generic/receive", Right::Receive),
    ("get", "/api/v1/{partyId}/generic", Right::Receive),
    ("delete", "/api/v1/{partyId}/generic/{documentId}", Right::Remove),
    ("get", "/api/v1/{partyId}/hook", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook", Right::ManageHook),
    ("get", "/api/v1/{partyId}/hook/{hookId}", Right::ManageHook),
    ("delete", "/api/v1/{partyId}/hook/{hookId}", Right::ManageHook),
    ("get", "/api/v1/{partyId}/hook/{hookId}/deliveries", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook/{hookId}/deliveries/{deliveryId}/replay", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook/{hookId}/replay", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook/{hookId}/rotate", Right::ManageHook),
    ("get", "/api/v1/{partyId}/hook/ping", Right::ManageHook),
    ("get", "/api/v1/{partyId}/batch/{batchId}/download", Right::Receive),
];

#[derive(Clone, Copy, PartialEq)]
enum Right {
    Send,
    Receive,
    Remove,
    ManageHook,
    ChangeStatus,
}

impl Right {
    const ALL: [Right; 5] =
        [Right::Send, Right::Receive, Right::Remove, Right::ManageHook, Right::ChangeStatus];

    /// This right alone, or all others.
    fn permission(self, alone: bool) -> Permission {
        let set = |right: Right| (right == self) == alone;
        let [can_send, can_receive, can_remove, can_manage_hook, can_change_status] =
            Right::ALL.map(set);
        let link = Permission::all("alice", PARTY);
        Permission { can_send, can_receive, can_remove, can_manage_hook, can_change_status, ..link }
    }
}

struct Operation {
    method: String,
    path: String,
}

impl Operation {
    fn is_in(&self, table: &[(&str, &str)]) -> bool {
        table.iter().any(|(method, path)| self.method == *method && self.path == *path)
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

/// Every operation of the description.
async fn operations(world: &World) -> Vec<Operation> {
    let (_, document) = answer(world.http.get(format!("{}/openapi.json", world.base))).await;
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let (method, path) = (method.clone(), path.clone());
            if !OPEN.contains(&path.as_str()) {
                found.push(Operation { method, path });
            }
        }
    }
    assert!(found.len() > 30);
    found
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
        let operation = all.iter().find(|o| o.method == *method && o.path == *path);
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
        let operation = all.iter().find(|o| o.method == *method && o.path == *path);
        let operation = operation.unwrap_or_else(|| panic!("{method} {path} is not described"));
        for alone in [true, false] {
            world.store.put_permission(&owner, right.permission(alone)).await.unwrap();
            let (status, problem) = operation.try_as(&alice, PARTY).await;
            assert_eq!(status != 403, alone, "{method} {path} {problem}");
        }
    }
}
