//! The matrix over what is written: every operation of the description, with the bodies and
//! parameters that it shows as examples, as a neighbour, about what another organisation has. No
//! row of the other changes, and beside each call one about something that nobody has is answered
//! the same. A new operation enters by itself, with its example.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::matrix::{CLAIMS, OPEN};
use super::strangers::{OWN, THEIRS, Victim, fill};
use crate::world::{As, World, answer, world};

/// An operation as it is described, with an example of everything that it takes.
struct Described {
    method: String,
    path: String,
    /// A JSON body, or the media type of another one.
    body: Option<Result<Value, String>>,
    /// Parameters behind the path.
    query: Vec<(String, String)>,
    /// Codes that it is refused with.
    codes: Vec<String>,
}

fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(place) => document.pointer(&place[1..]).unwrap(),
        None => value,
    }
}

/// The example of a schema: its own, or that of its members.
fn example(document: &Value, schema: &Value, depth: usize) -> Value {
    let schema = resolved(document, schema);
    if let Some(shown) = schema.get("example").or(schema["examples"].get(0)) {
        return shown.clone();
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    for group in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema[group].as_array().and_then(|all| all.last()) {
            return example(document, first, depth);
        }
    }
    if let (Some(members), true) = (schema["properties"].as_object(), depth < 6) {
        let members = members.iter();
        return members.map(|(n, s)| (n.clone(), example(document, s, depth + 1))).collect();
    }
    match schema["type"].as_str() {
        Some("array") => json!([example(document, &schema["items"], depth + 1)]),
        Some("boolean") => json!(true),
        Some("integer") => json!(1),
        Some("object") => json!({}),
        _ => json!("text"),
    }
}

fn body(document: &Value, operation: &Value) -> Option<Result<Value, String>> {
    let content = operation["requestBody"]["content"].as_object()?;
    let Some(shown) = content.get("application/json") else {
        return Some(Err(content.keys().next()?.clone()));
    };
    let examples = shown["examples"].as_object().and_then(|all| all.values().next());
    let given = shown.get("example").or(examples.map(|one| &one["value"])).cloned();
    Some(Ok(given.unwrap_or_else(|| example(document, &shown["schema"], 0))))
}

async fn described(world: &World) -> Vec<Described> {
    let (_, document) = answer(world.http.get(format!("{}/openapi.json", world.base))).await;
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            // A stream does not end.
            if OPEN.contains(&path.as_str()) || path.ends_with("/stream") {
                continue;
            }
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let query = parameters.filter(|one| one["in"] == "query").filter_map(|one| {
                let shown = one.get("example").or(one["schema"].get("example"))?;
                let text = shown.as_str().map_or(shown.to_string(), str::to_owned);
                Some((one["name"].as_str()?.to_owned(), text))
            });
            let text = operation["responses"].to_string();
            let codes = text.split('"').filter(|word| word.starts_with("API4"));
            found.push(Described {
                method: method.clone(),
                path: path.clone(),
                body: body(&document, operation),
                query: query.collect(),
                codes: codes.map(str::to_owned).collect(),
            });
        }
    }
    assert!(found.len() > 100, "{}", found.len());
    found
}

/// What a call names.
struct Names<'n> {
    party: &'n str,
    ids: &'n BTreeMap<&'static str, String>,
}

impl Described {
    fn path_of(&self, names: &Names<'_>, with_query: bool) -> String {
        let mut path = self.path.replace("{partyId}", names.party);
        for (name, id) in names.ids {
            path = path.replace(&format!("{{{name}}}"), id);
        }
        path = path.replace("{command}", "cancel").replace("{identifier}", names.party);
        path = path.replace("{month}", "2026-10").replace("{kind}", "tsr");
        while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
            path.replace_range(from..=to, "nothing");
        }
        if with_query && !self.query.is_empty() {
            let mut pairs = url::form_urlencoded::Serializer::new(String::new());
            for (name, value) in &self.query {
                pairs.append_pair(name, &value.replace(THEIRS, names.party));
            }
            path = format!("{path}?{}", pairs.finish());
        }
        path
    }

    /// What is heard: the status and the code, without what was named.
    async fn try_as(&self, caller: &As, names: &Names<'_>, with_query: bool) -> (u16, String) {
        let method = Method::from_bytes(self.method.to_uppercase().as_bytes()).unwrap();
        let path = self.path_of(names, with_query);
        let mut request = caller.request(method, &path);
        match &self.body {
            None => {}
            Some(Ok(shown)) => {
                let text = shown.to_string().replace(THEIRS, names.party);
                request = request.header("content-type", "application/json").body(text);
            }
            Some(Err(kind)) => {
                let invoice = quoin_formats::samples::invoice(names.party, OWN, "M-1");
                request = request.header("content-type", kind).body(invoice);
            }
        }
        let (status, body) = answer(request).await;
        (status, body["code"].as_str().unwrap_or_default().to_owned())
    }
}

/// A party that nobody has, another one each time, since a manager may make it its own.
fn nobody(number: usize) -> String {
    format!("0106:{:08}", 90_000_000 + number)
}

fn ids(victim: &Victim, known: bool) -> BTreeMap<&'static str, String> {
    let id = |id: &String| if known { id.clone() } else { Uuid::now_v7().to_string() };
    let mut ids: BTreeMap<_, _> = victim.ids.iter().map(|(name, own)| (*name, id(own))).collect();
    let accounts = [("clientId", "acme-erp"), ("name", "alice")];
    for (name, account) in accounts {
        ids.insert(name, if known { account.to_owned() } else { "nobody".to_owned() });
    }
    ids
}

#[tokio::test]
async fn item_16_no_operation_changes_a_row_of_another_organisation() {
    let world = world().await;
    world.user("alice").await;
    let victim = fill(&world, THEIRS).await;
    let (known, unknown) = (ids(&victim, true), ids(&victim, false));
    let callers = [
        ("ApManager", world.manager("other").await),
        ("ApUser", world.client("other-erp", "other-secret").await),
    ];
    let before = world.rows("acme");
    assert!(before.len() > 15, "{before:#?}");
    let mut number = 0;
    for operation in described(&world).await {
        for (role, caller) in &callers {
            for with_query in [false, true] {
                number += 1;
                let place = format!("{role} {} {}", operation.method, operation.path);
                let theirs = Names { party: THEIRS, ids: &known };
                let found = operation.try_as(caller, &theirs, with_query).await;
                assert_eq!(world.rows("acme"), before, "{place}: {found:?}");
                let party = nobody(number);
                let absent = Names { party: &party, ids: &unknown };
                let none = operation.try_as(caller, &absent, with_query).await;
                let claims = CLAIMS.contains(&(&operation.method, &operation.path));
                if claims && found.1 == "API409.Participant" {
                    continue;
                }
                assert_eq!(found, none, "{place}");
                // The same with a party of its own, and ids of the other.
                let mixed = Names { party: OWN, ids: &known };
                operation.try_as(caller, &mixed, with_query).await;
                assert_eq!(world.rows("acme"), before, "{place}, with a party of its own");
            }
        }
    }
}

/// What is only recorded cannot be sent under, whatever operation sends (TE-1).
#[tokio::test]
async fn te_1_nothing_is_sent_under_an_identifier_that_nobody_verified() {
    let world = world().await;
    let other = world.manager("other").await;
    let place = |party: &str| format!("/api/v1/peppol/config/party/{party}");
    // The identifier of another organisation cannot even be recorded.
    let (status, taken) = other.json(Method::PUT, &place(THEIRS), json!({})).await;
    assert_eq!((status, &taken["code"]), (409, &json!("API409.Participant")));
    const BARE: &str = "0106:90000001";
    assert_eq!(other.json(Method::PUT, &place(BARE), json!({})).await.0, 200);
    let ids = BTreeMap::from([("documentId", arrived(&world, &other).await)]);
    let mut refused = 0;
    for operation in described(&world).await {
        let names = Names { party: BARE, ids: &ids };
        let (status, code) = operation.try_as(&other, &names, false).await;
        let sends = operation.codes.iter().any(|code| code == "API403.Identifier");
        if sends {
            let place = format!("{} {}", operation.method, operation.path);
            assert_eq!((status, &*code), (403, "API403.Identifier"), "{place}");
            refused += 1;
        }
        // An operation that sends and does not say so is found by what it wrote.
        let sent = world.rows("other").into_iter().filter(|row| {
            row.starts_with("transactions: ") && row.contains(BARE) && row.contains("outgoing")
        });
        let place = format!("{} {} {status} {code}", operation.method, operation.path);
        assert_eq!(sent.count(), 0, "{place}");
    }
    assert!(refused >= 9, "{refused}");
    // A second identifier that nobody verified is not spoken under either: see the worker's story.
    // DELETE leaves no claim behind.
    let gone = other.request(Method::DELETE, &place(BARE));
    assert_eq!(other.send(gone).await.0, 204);
    let invoice = quoin_formats::samples::invoice(BARE, OWN, "T-1");
    assert_eq!(other.send(other.xml(BARE, &invoice)).await.0, 403);
    // One that is verified is.
    let verified = json!({ "verification": { "notes": "Contract" } });
    assert_eq!(other.json(Method::PUT, &place(BARE), verified).await.0, 200);
    assert_eq!(other.send(other.xml(BARE, &invoice)).await.0, 200);
}

/// A document that arrived for the party that nobody verified.
async fn arrived(world: &World, caller: &As) -> String {
    let invoice = quoin_formats::samples::invoice(THEIRS, "0106:90000001", "A-1");
    let path = "/api/v1/0106:90000001/generic/receive";
    let request = caller.request(Method::POST, path).header("content-type", "application/xml");
    let (status, made) = caller.send(request.body(invoice)).await;
    assert_eq!(status, 200, "{made} {}", world.base);
    made["id"].as_str().unwrap().to_owned()
}

/// Figures of the organisation are not for who is linked to some of its parties (TE-4).
#[tokio::test]
async fn te_4_figures_and_verifications_are_for_who_acts_for_all() {
    let world = world().await;
    let alice = world.user("alice").await;
    let owner = "acme".parse().unwrap();
    let link = quoin_store::Permission {
        account: "alice".into(),
        party: THEIRS.into(),
        ..Default::default()
    };
    world.store.put_permission(&owner, link).await.unwrap();
    let boss = world.client("acme-boss", "boss-secret").await;
    for path in ["/api/v1/usage", "/api/v1/serviceLevels"] {
        let (status, problem) = alice.get(path).await;
        assert_eq!((status, &problem["code"]), (403, &json!("API403.Role")), "{path}");
        assert_eq!(boss.get(path).await.0, 200);
    }
    let place = format!("/api/v1/peppol/config/party/{THEIRS}");
    let body = json!({ "verification": { "notes": "Passport 123 of the director" } });
    assert_eq!(boss.json(Method::PUT, &place, body).await.0, 200);
    assert!(boss.get(&place).await.1.to_string().contains("Passport"));
    let (status, seen) = alice.get(&place).await;
    assert_eq!((status, seen.get("verification")), (200, None), "{seen}");
}

/// Wrong passwords of one organisation close nobody of another (TE-5).
#[tokio::test]
async fn te_5_wrong_passwords_for_one_organisation_close_nobody_of_another() {
    let world = world().await;
    world.user("alice").await;
    for _ in 0..8 {
        let form = "grant_type=password&username=other/alice&password=wrong";
        world.token(form).await;
    }
    let form = "grant_type=password&username=other/alice&password=wrong";
    assert_eq!(world.token(form).await.0, 429);
    let form = "grant_type=password&username=acme/alice&password=correct+horse";
    let (status, body) = world.token(form).await;
    assert_eq!(status, 200, "{body}");
}
