//! The document that is checked in is the one that is served, and it is whole: every operation has
//! a name, examples that fit their types, and refusals that exist.

mod schema;

use std::collections::BTreeSet;

use quoin_delivery::tax::TaxState;
use serde_json::{Value, json};

use super::JSON;
use super::describe::examples::{BINARY, bodies, compose};
use super::describe::{self, description, text};
use crate::http::codes::{CODES, find};

/// Codes that no operation gives: they are about addresses and methods that are none.
const NO_OPERATION: &[&str] = &["API404.Path", "API405"];

#[test]
fn the_document_in_the_repository_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/openapi.json");
    if quoin_testing::writes_anew() {
        std::fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
        std::fs::write(path, text()).unwrap();
        return;
    }
    assert!(JSON == text(), "docs/reference/openapi.json is stale: run this test with UPDATE=1");
}

/// Every operation with its place, as in `get /health`.
fn operations() -> (Vec<(String, Value)>, Value) {
    let document = description();
    let mut found = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            found.push((format!("{method} {path}"), operation.clone()));
        }
    }
    (found, document)
}

#[test]
fn it_is_openapi_3_1_and_every_operation_is_described() {
    let (operations, document) = operations();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(operations.len() >= 70);
    let tags: BTreeSet<&str> =
        document["tags"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    let mut names = BTreeSet::new();
    for (place, operation) in &operations {
        assert!(operation["summary"].is_string(), "{place} has no summary");
        assert!(tags.contains(operation["tags"][0].as_str().unwrap()), "{place} has no group");
        let name = operation["operationId"].as_str().unwrap();
        assert!(names.insert(name.to_owned()), "{place}: {name} is taken");
        let named = place.matches('{').count();
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let in_path = parameters.iter().filter(|p| p["in"] == "path").count();
        assert_eq!(in_path, named, "{place}");
    }
}

#[test]
fn every_body_has_an_example_that_fits_its_type() {
    let (operations, document) = operations();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let kept = &document["components"]["examples"];
    let mut wrong = Vec::new();
    for (place, mut operation) in operations {
        for (kind, body) in bodies(&mut operation) {
            if BINARY.contains(&kind.as_str()) {
                continue;
            }
            let referred = body["examples"].as_object().into_iter().flatten().map(|(_, one)| {
                let (_, name) = one["$ref"].as_str().unwrap().rsplit_once('/').unwrap();
                assert!(kept[name].is_object(), "{place}: there is no example {name}");
                kept[name]["value"].clone()
            });
            let all: Vec<Value> = referred.chain(body.get("example").cloned()).collect();
            if all.is_empty() {
                wrong.push(format!("{place}: no example of {kind} {}", body["schema"]));
            }
            let misfits = all.iter().filter_map(|example| {
                let error = schema::check(example, &body["schema"], schemas).err()?;
                Some(format!("{place} {kind}: {error}"))
            });
            wrong.extend(misfits);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_part_of_a_type_has_an_example() {
    let (_, document) = operations();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut missing = Vec::new();
    for (name, schema) in schemas {
        for (part, schema) in schema["properties"].as_object().into_iter().flatten() {
            if compose(schema, schemas, 0).is_none() {
                missing.push(format!("{name}.{part}"));
            }
        }
    }
    assert!(missing.is_empty(), "without example: {}", missing.join(" "));
}

#[test]
fn every_parameter_has_an_example_that_fits_it() {
    let (operations, document) = operations();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut wrong = Vec::new();
    for (place, operation) in operations {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = &parameter["name"];
            let made = compose(&parameter["schema"], schemas, 0);
            match parameter.get("example").cloned().or(made) {
                None => wrong.push(format!("{place} {name} has no example")),
                Some(example) => {
                    if let Err(error) = schema::check(&example, &parameter["schema"], schemas) {
                        wrong.push(format!("{place} {name}: {error}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_is_refused_somewhere_and_every_refusal_is_a_code() {
    let (operations, _) = operations();
    let mut seen: BTreeSet<String> = NO_OPERATION.iter().map(|id| (*id).to_owned()).collect();
    for (place, operation) in operations {
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert_eq!(status.len(), 3, "{place}: {status}");
            assert!(status.parse::<u16>().is_ok(), "{place}: {status}");
            let examples = &response["content"]["application/problem+json"]["examples"];
            for id in examples.as_object().into_iter().flatten().map(|(id, _)| id) {
                let code = find(id).unwrap_or_else(|| panic!("{place}: {id} is no code"));
                assert_eq!(code.status.to_string(), *status, "{place}: {id}");
                seen.insert(id.clone());
            }
            let is_problem = response["content"]["application/problem+json"].is_object();
            assert!(!is_problem || examples.is_object(), "{place}: {status} names no code");
        }
    }
    let unseen: Vec<&str> =
        CODES.iter().map(|code| code.id).filter(|id| !seen.contains(*id)).collect();
    assert!(unseen.is_empty(), "no operation refuses with {unseen:?}");
}

#[test]
fn c_30_what_generated_clients_set_is_typed() {
    let document = description();
    let schemas = &document["components"]["schemas"];
    let states = &schemas["CapabilityStates"]["properties"];
    assert_eq!(states["invoices"]["$ref"], "#/components/schemas/CapabilityState");
    assert_eq!(states.as_object().unwrap().len(), quoin_peppol::codelists::CAPABILITIES.len());
    let words = &schemas["CapabilityState"]["anyOf"][0]["enum"];
    assert!(words.as_array().unwrap().contains(&json!("inherited")), "{words}");
    let named = |of: &str| schemas[of]["properties"]["capabilities"].to_string();
    assert!(named("PeppolConfigRequest").contains("CapabilityStates"));
    for hook in ["HookRequest", "HookView"] {
        let init = &schemas[hook]["properties"]["init"];
        assert!(
            init["additionalProperties"].is_object() || init["additionalProperties"] == true,
            "{init}"
        );
    }
    // No type is an object of which nothing can be said: generators make of it one without members.
    for (name, schema) in schemas.as_object().unwrap() {
        for (part, of) in schema["properties"].as_object().into_iter().flatten() {
            let bare = of["type"] == "object" || of["type"] == json!(["object", "null"]);
            let said = ["properties", "additionalProperties", "$ref"];
            assert!(!bare || said.iter().any(|key| !of[key].is_null()), "{name}.{part}: {of}");
        }
    }
}

#[test]
fn behind_a_proxy_with_a_path_callers_begin_there() {
    let url = |address: &str| {
        let shown: Value =
            serde_json::from_str(&super::Served::with("X-Own-", address).document()).expect("JSON");
        shown["servers"][0]["url"].clone()
    };
    for bare in ["https://api.example.org", "http://0.0.0.0:8080", "no address"] {
        assert_eq!(url(bare), "/", "{bare}");
    }
    assert_eq!(url("https://example.org/quoin"), "/quoin");
}

/// What web hooks are sent is described as it is, and the guide shows it.
#[test]
fn calls_of_web_hooks_are_described_as_they_are_made() {
    let document = description();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let call = &document["webhooks"]["event"]["post"];
    let body = &call["requestBody"]["content"]["application/json"];
    let example = describe::webhooks::example();
    assert_eq!(body["example"], example);
    let known = &schemas["HookEvent"];
    let mut answered = example.clone();
    answered["responseDocumentId"] = json!("0192f0c9-51aa-7c3b-9d20-6c1f0e7b8a94");
    let bare = ["topic", "hookId", "message", "details", "createdOn", "sentOn"];
    let bare: Value =
        bare.iter().map(|name| ((*name).to_owned(), example[*name].clone())).collect();
    for sent in [example.clone(), answered, bare] {
        let payload: quoin_delivery::HookPayload = serde_json::from_value(sent.clone()).unwrap();
        let made = serde_json::to_value(&payload).unwrap();
        assert_eq!(made, sent);
        for name in made.as_object().unwrap().keys() {
            assert!(known["properties"][name].is_object(), "{name}");
        }
        schema::check(&made, known, schemas).unwrap();
    }
    let guide = include_str!("../../../../../docs/guides/hooks.md");
    assert!(guide.contains(&format!("```json\n{example:#}\n```")), "{example:#}");
}

/// What is added to a problem is described with its code.
#[test]
fn members_of_problems_are_described() {
    let document = description();
    let problem = &document["components"]["schemas"]["Problem"]["properties"];
    for member in crate::http::members::MEMBERS {
        let text = problem[member.name]["description"].as_str().unwrap_or_default();
        assert!(text.starts_with(&format!("Of `{}`: ", member.code.id)), "{}", member.name);
    }
    let shown = |code: &str| document["components"]["examples"][code]["value"].clone();
    assert_eq!(shown("API409")["sameContent"], true);
    assert!(shown("API409.Cursor")["generation"].is_u64());
    assert!(shown("API503.Lookup")["partyId"].is_string());
    assert!(shown("API503").get("checks").is_none());
}

/// What a body may have besides what it changes is among its members.
#[test]
fn what_was_read_fits_the_body_that_takes_it_back() {
    let document = description();
    let schemas = &document["components"]["schemas"];
    for (name, member) in [
        ("HookRequest", "hasSecret"),
        ("HookRequest", "previousSecretUntil"),
        ("UserRequest", "kind"),
        ("ClientRequest", "isDeclared"),
        ("EnrolRequest", "id"),
    ] {
        assert_eq!(schemas[name]["properties"][member]["readOnly"], true, "{name}.{member}");
    }
    for (name, state) in [
        ("PeppolConfig", "CapabilityView"),
        ("PeppolConfigRequest", "CapabilityState"),
        ("PeppolOrganisationRequest", "CapabilityState"),
    ] {
        let own = &schemas[name]["properties"]["selfBilling"]["$ref"];
        assert_eq!(*own, format!("#/components/schemas/{state}"), "{name}");
    }
    assert_eq!(schemas["OutputRow"]["additionalProperties"], false);
    for name in ["CardText", "CodeItem"] {
        let forms = schemas[name]["oneOf"].as_array().unwrap();
        assert!(forms.iter().any(|form| form["additionalProperties"] == false), "{name}");
    }
    let card = &schemas["OrganisationCardRequest"];
    assert_eq!(card["additionalProperties"], false);
    assert!(card["properties"].get("names").is_none());
}

/// RFC 9110 section 13.1.2: `*` stands for whatever is there, and tags are compared weakly.
#[test]
fn a_caller_that_has_the_document_is_told_so() {
    let kept = |given: &'static str| {
        let asked = axum::http::HeaderMap::from_iter([(
            axum::http::header::IF_NONE_MATCH,
            axum::http::HeaderValue::from_static(given),
        )]);
        super::is_kept(&asked, "W/\"a-1\"")
    };
    for given in ["*", "W/\"a-1\"", "\"a-1\"", "\"b-2\", W/\"a-1\""] {
        assert!(kept(given), "{given}");
    }
    assert!(!kept("\"b-2\"") && !kept("a-1"));
}

/// A token that is shown is one of the list under which it is shown.
#[test]
fn tokens_that_are_shown_are_taken() {
    use crate::api::peppol::config::PartyList;
    let (operations, _) = operations();
    let mut seen = 0;
    for (place, operation) in operations {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|one| one["name"] == "continuationToken") {
            let token = parameter["example"].as_str().unwrap();
            let decoded = data_encoding::BASE64URL_NOPAD.decode(token.as_bytes());
            let decoded = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok());
            match place.as_str() {
                "get /api/v1/peppol/config/party" => {
                    assert_eq!(token, PartyList::Organisation.token("0106:12345678"));
                }
                "get /api/v1/me/party" => {
                    assert_eq!(token, PartyList::Mine.token("0106:12345678"));
                }
                "get /api/v1/user/{name}/party" => {
                    assert_eq!(token, PartyList::OfUser.token("0106:12345678"));
                }
                place if token == crate::api::documents::PAGE_TOKEN => {
                    let decoded = decoded.unwrap();
                    let (time, id) = decoded.split_once(' ').unwrap();
                    assert!(time.parse::<i64>().is_ok() && id.len() == 36, "{place}");
                }
                _ => continue,
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 9);
}

/// What can be asked for is told, in words and as a pattern.
#[test]
fn every_state_of_a_tax_report_can_be_asked_for() {
    let document = description();
    let asked = document["paths"]["/api/v1/{partyId}/taxReport"]["get"]["parameters"].as_array();
    let state = asked.unwrap().iter().find(|one| one["name"] == "state").unwrap();
    let pattern = state["schema"]["pattern"].as_str().unwrap();
    for word in TaxState::ALL.map(TaxState::as_str) {
        assert!(state["description"].as_str().unwrap().contains(&format!("`{word}`")), "{word}");
        assert_eq!(pattern.split(['(', '|', ')']).filter(|one| *one == word).count(), 2, "{word}");
    }
}

#[test]
fn c_30_servers_and_open_operations_are_said() {
    let (operations, document) = operations();
    assert_eq!(document["servers"][0]["url"], "/");
    for (place, operation) in operations {
        assert!(operation["security"].is_array(), "{place} does not say who may call it");
    }
    let health = &document["paths"]["/health"]["get"]["security"];
    assert_eq!(health, &json!([]));
}

/// What an answer tells beside its body is described where it is told.
#[test]
fn headers_are_described_where_they_are_told() {
    let (operations, document) = operations();
    let kept = document["components"]["headers"].as_object().unwrap();
    let mut told: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    for (place, operation) in &operations {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let headers = response["headers"].as_object().unwrap();
            assert!(headers.contains_key("X-Request-Id"), "{place} {status}");
            for (name, header) in headers {
                if let Some(key) = header["$ref"].as_str() {
                    let (_, key) = key.rsplit_once('/').unwrap();
                    assert!(kept.contains_key(key), "{place} {status}: {name}");
                }
                told.entry(name.clone()).or_default().push(format!("{place} {status}"));
            }
        }
    }
    let party = "/api/v1/{partyId}";
    let sends = [
        "salesInvoice/send",
        "salesInvoice/recognize",
        "purchaseInvoice/{documentId}/response",
        "purchaseOrder/send",
        "purchaseOrder/{documentId}/cancel",
        "salesOrder/{documentId}/response",
        "generic/send",
    ];
    for status in ["200", "409"] {
        for path in sends {
            let place = format!("post {party}/{path} {status}");
            assert!(told["Location"].contains(&place), "{place}");
        }
    }
    // With their other names of the beta, and the place of a client.
    assert_eq!(told["Location"].len(), 2 * (sends.len() + 1) + 1, "{:?}", told["Location"]);
    for path in [
        "generic/{documentId}/download",
        "generic/{documentId}/sentDossier",
        "purchaseInvoice/{documentId}/download",
        "purchaseOrder/{documentId}/response/{responseDocumentId}/download",
        "salesInvoice/{documentId}/clearance/upo",
        "batch/{batchId}/download",
    ] {
        let place = format!("get {party}/{path} 200");
        assert!(told["Content-Disposition"].contains(&place), "{place}");
    }
    for name in ["RateLimit", "RateLimit-Policy"] {
        let of = |path: &str| told[name].iter().any(|place| place.contains(path));
        assert!(of("/salesInvoice/send 429") && of("/generic/{documentId}/status 200"), "{name}");
        assert!(!of("queryRecipientParty") && !of("/health") && !of(" 401"), "{name}");
    }
}
