//! Management of the SMP over HTTP, as the tools of the field do it, and what the network sees of
//! it: the SMP's answers, the AS4 door, the Directory and its search.

mod whole;

use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64;
use quoin_access_point::clock::Clock;
use quoin_access_point::net::{HttpAnswer, HttpCall, HttpClient};
use quoin_lab::lab::network::{Customer, LabNetwork};
use quoin_peppol::codelists::{CodeState, DOCUMENT_TYPES};
use quoin_peppol::identifiers::{self, DocumentTypeId, ParticipantId};
use quoin_peppol::smp::{self, service_metadata_path};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use serde_json::Value;

use crate::stage::{Folder, until};
use crate::world::As;

const NEW: &str = "0106:00000001";
const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const PROCESS: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const PINT: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1@jp-1*::2.1";

/// A tool that manages the SMP of corner 2.
struct Tool {
    http: HttpClient,
    api: String,
    smp: String,
    who: String,
}

impl Tool {
    fn of(network: &LabNetwork, customer: &Customer) -> Tool {
        Tool {
            http: network.around.client().unwrap(),
            api: network.one.api.as_ref().unwrap().url(),
            smp: network.one.parts.config.smp.public_url.clone().unwrap(),
            who: format!("{}:{}", customer.client, customer.secret),
        }
    }

    async fn call(&self, method: Method, path: &str, body: Option<String>) -> HttpAnswer {
        let url = format!("{}/smp{path}", self.api);
        let basic = format!("Basic {}", BASE64.encode(self.who.as_bytes()));
        let call = HttpCall {
            method,
            headers: vec![(AUTHORIZATION, HeaderValue::from_str(&basic).unwrap())],
            body: body.map(Bytes::from),
            ..HttpCall::get(&url, Duration::from_secs(20), 4 << 20)
        };
        self.http.call(call).await.unwrap()
    }

    async fn put(&self, path: &str, body: String) -> (u16, Value) {
        let answer = self.call(Method::PUT, path, Some(body)).await;
        (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let answer = self.call(Method::GET, path, None).await;
        (answer.status, String::from_utf8(answer.body.to_vec()).unwrap())
    }

    async fn delete(&self, path: &str) -> u16 {
        self.call(Method::DELETE, path, None).await.status
    }

    /// What the network is told.
    async fn published(&self, path: &str) -> (u16, String) {
        let url = format!("{}{path}", self.smp);
        let call = HttpCall::get(&url, Duration::from_secs(20), 4 << 20);
        let answer = self.http.call(call).await.unwrap();
        (answer.status, String::from_utf8(answer.body.to_vec()).unwrap())
    }
}

fn group(id: &str) -> String {
    format!(
        "<smp:ServiceGroup xmlns:smp=\"{}\" xmlns:ids=\"{}\"><ids:ParticipantIdentifier \
         scheme=\"iso6523-actorid-upis\">{id}</ids:ParticipantIdentifier>\
         <smp:ServiceMetadataReferenceCollection/></smp:ServiceGroup>",
        smp::NAMESPACE,
        identifiers::IDENTIFIERS_NAMESPACE
    )
}

fn metadata(document_type: &str, process: &str, address: &str, certificate: &str) -> String {
    let (scheme, value) = document_type.split_once("::").unwrap();
    format!(
        "<ServiceMetadata xmlns=\"{}\" xmlns:ids=\"{}\" xmlns:wsa=\"{}\"><ServiceInformation>\
         <ids:ParticipantIdentifier scheme=\"iso6523-actorid-upis\">{NEW}\
         </ids:ParticipantIdentifier><ids:DocumentIdentifier scheme=\"{scheme}\">{value}\
         </ids:DocumentIdentifier><ProcessList><Process><ids:ProcessIdentifier \
         scheme=\"cenbii-procid-ubl\">{process}</ids:ProcessIdentifier><ServiceEndpointList>\
         <Endpoint transportProfile=\"peppol-transport-as4-v2_0\"><wsa:EndpointReference>\
         <wsa:Address>{address}</wsa:Address></wsa:EndpointReference>\
         <RequireBusinessLevelSignature>false</RequireBusinessLevelSignature>\
         <Certificate>{certificate}</Certificate><ServiceDescription>d</ServiceDescription>\
         <TechnicalContactUrl>mailto:a@example.org</TechnicalContactUrl></Endpoint>\
         </ServiceEndpointList></Process></ProcessList></ServiceInformation></ServiceMetadata>",
        smp::NAMESPACE,
        identifiers::IDENTIFIERS_NAMESPACE,
        smp::ADDRESSING_NAMESPACE
    )
}

fn redirect(href: &str, uid: &str) -> String {
    format!(
        "<ServiceMetadata xmlns=\"{}\"><Redirect href=\"{href}\"><CertificateUID>{uid}\
         </CertificateUID></Redirect></ServiceMetadata>",
        smp::NAMESPACE
    )
}

fn card(name: &str) -> String {
    format!(
        "<BusinessCard xmlns=\"{}\"><ParticipantIdentifier scheme=\"iso6523-actorid-upis\">{NEW}\
         </ParticipantIdentifier><BusinessEntity registrationDate=\"2026-01-15\">\
         <Name language=\"nl\">{name}</Name><CountryCode>NL</CountryCode>\
         <GeographicalInformation>Straat 1, Utrecht</GeographicalInformation>\
         <Identifier scheme=\"vat\">NL123456782B90</Identifier>\
         <WebsiteURI>https://example.org</WebsiteURI><Contact><Type>support</Type>\
         <Email>help@example.org</Email></Contact></BusinessEntity></BusinessCard>",
        smp::BUSINESS_CARD_NAMESPACE
    )
}

fn services(document_type: &str) -> String {
    let id: ParticipantId = NEW.parse().unwrap();
    service_metadata_path(&id, &document_type.parse::<DocumentTypeId>().unwrap())
}

/// A network whose first customer has a user and a verified, unpublished party.
async fn open() -> (LabNetwork, Tool, Folder) {
    let folder = Folder::new();
    let network = LabNetwork::start(folder.path(), Clock::default()).await.unwrap();
    let tool = Tool::of(&network, &network.sender);
    let boss = As::fetch(&tool.api, &network.sender.client, &network.sender.secret).await;
    let user = serde_json::json!({ "name": "alice" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", user).await.0, 200);
    let path = format!("/api/v1/peppol/config/party/{NEW}");
    let verified = serde_json::json!({ "verification": { "notes": "Contract" } });
    let (status, answer) = boss.json(Method::PUT, &path, verified).await;
    assert_eq!(status, 200, "{answer}");
    (network, tool, folder)
}

fn own_certificate(network: &LabNetwork) -> String {
    let file = network.one.parts.config.access_point.certificate_file.clone().unwrap();
    let pem = std::fs::read_to_string(file).unwrap();
    pem.lines().filter(|line| !line.starts_with("-----")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_participant_is_registered_record_by_record_and_removed() {
    let (network, tool, _folder) = open().await;
    let own = format!("/iso6523-actorid-upis%3A%3A{NEW}");
    assert_eq!(tool.get(&own).await.0, 404);
    let unlinked = tool.put(&own, group(NEW)).await;
    assert_eq!((unlinked.0, &unlinked.1["code"]), (409, &"API409.LinkedUser".into()));
    for _ in 0..2 {
        let (status, answer) = tool.put(&format!("{own}?user=alice"), group(NEW)).await;
        assert_eq!(status, 200, "{answer}");
    }
    let (status, empty) = tool.published(&own).await;
    assert!(status == 200 && !empty.contains("href"), "an empty group is legal: {empty}");
    // Who is linked already needs nobody else: unmodified clients cannot name a user (PE-14).
    assert_eq!(tool.put(&own, group(NEW)).await.0, 200);

    let certificate = own_certificate(&network);
    let address = network.one.parts.config.access_point.public_url.clone().unwrap();
    let ours = metadata(BILLING, PROCESS, &address, &certificate);
    let (status, answer) = tool.put(&services(BILLING), ours).await;
    assert_eq!(status, 200, "{answer}");
    let (status, signed) = tool.published(&services(BILLING)).await;
    assert!(status == 200 && signed.contains(&address), "{signed}");
    let pattern =
        metadata(PINT, "urn:peppol:bis:billing", "https://ap.other.test/as4", &certificate);
    assert_eq!(tool.put(&services(PINT), pattern).await.0, 200);
    let (_, shown) = tool.published(&services(PINT)).await;
    assert!(shown.contains("https://ap.other.test/as4"), "{shown}");

    let elsewhere = format!("https://other.example.org{}", services(BILLING));
    let moved = tool.put(&services(BILLING), redirect(&elsewhere, "CN=PSG000001,O=X,C=SG")).await;
    assert_eq!(moved.0, 200, "{}", moved.1);
    let (_, signed) = tool.published(&services(BILLING)).await;
    assert!(signed.contains("<smp:Redirect href=") && !signed.contains("ProcessList"), "{signed}");
    let (_, whole) = tool.get(&format!("/complete/{NEW}")).await;
    assert!(whole.contains("Redirect") && whole.contains("jp-1*"), "{whole}");
    assert!(tool.get("/list").await.1.contains("00000001"));

    assert_eq!(tool.delete(&services(BILLING)).await, 200);
    assert_eq!(tool.delete(&services(BILLING)).await, 404);
    assert_eq!(tool.published(&services(BILLING)).await.0, 404);
    assert_eq!(tool.delete(&own).await, 200);
    assert_eq!(tool.published(&own).await.0, 404);
    let (status, log) = tool.get(&format!("{own}/changes")).await;
    let log: Value = serde_json::from_str(&log).unwrap();
    let actions: Vec<&str> =
        log.as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(status, 200);
    assert_eq!(
        actions,
        [
            "delete group",
            "delete metadata",
            "put redirect",
            "put metadata",
            "put metadata",
            "put group",
            "put group",
            "put group",
        ]
    );
    assert!(log[0]["account"] == network.sender.client.as_str(), "{log}");
    network.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_that_nobody_may_publish_are_refused() {
    let (network, tool, _folder) = open().await;
    let own = format!("/{NEW}");
    assert_eq!(tool.put(&format!("{own}?user=alice"), group(NEW)).await.0, 200);
    let certificate = own_certificate(&network);
    let good = |id: &str| metadata(id, PROCESS, "https://ap.test/as4", &certificate);
    let row = |state: CodeState| {
        let has = |row: &&quoin_peppol::codelists::DocumentType| {
            row.state == state && !row.value.contains("urn:peppol:pint:")
        };
        DOCUMENT_TYPES.iter().find(has).unwrap()
    };
    let [deprecated, removed] = [CodeState::Deprecated, CodeState::Removed].map(|state| {
        let row = row(state);
        (format!("{}::{}", row.scheme, row.value), row.name)
    });
    let busdox_pint = PINT.replace("peppol-doctype-wildcard", "busdox-docid-qns").replace('*', "");
    let bare = PINT.replace("@jp-1*", "");
    let longer = |tag: &str, text: String| good(BILLING).replace(tag, &text);
    let cases = [
        (BILLING, good(BILLING).replace(NEW, "0106:00000002"), "the body is about"),
        (BILLING, good(PINT), "the body is about"),
        (BILLING, good(BILLING).replace(PROCESS, "urn:other"), "is exchanged in"),
        (BILLING, good(BILLING).replace("as4-v2_0", "as4-v1_0"), "transportProfile"),
        (BILLING, good(BILLING).replace("https://ap", "http://ap"), "https"),
        (BILLING, good(BILLING).replace(&certificate, "AAAA"), "Certificate"),
        (BILLING, good(BILLING).replace("<Certificate>", "<Cert>"), "cannot be read"),
        (
            BILLING,
            good(BILLING).replace("<ServiceDescription>d</ServiceDescription>", ""),
            "expected",
        ),
        (BILLING, longer(">d<", format!(">{}<", "d".repeat(4_001))), "has 4001 characters"),
        (BILLING, longer(&certificate, "A".repeat(16_385)), "has 16385 characters"),
        (BILLING, format!("<!DOCTYPE a>{}", good(BILLING)), "document type"),
        (BILLING, group(NEW), "ServiceMetadata"),
        (BILLING, redirect("https://other.test/x", "CN=A"), "same record"),
        (BILLING, redirect(&format!("https://o.test{}", services(BILLING)), "nobody"), "UID"),
        (BILLING, redirect(&format!("{}{}", tool.smp, services(BILLING)), "CN=A"), "this SMP"),
        (&deprecated.0, good(&deprecated.0), "deprecated"),
        (&removed.0, good(&removed.0), "removed"),
        (&busdox_pint, good(&busdox_pint), "scheme peppol-doctype-wildcard"),
        (&bare, good(&bare), "abstract"),
    ];
    for (id, body, told) in &cases {
        let (status, problem) = tool.put(&services(id), body.clone()).await;
        assert_eq!((status, &problem["code"]), (400, &"API400.Smp".into()), "{told}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(told), "{told}: {problem}");
    }
    for (path, body) in [
        (own.clone(), group("0106:00000002")),
        (own.clone(), "{}".to_owned()),
        (format!("/businesscard/{NEW}"), card("A").replace(NEW, "0106:00000002")),
        (format!("/businesscard/{NEW}"), card("A").replace("NL</Country", "NLD</Country")),
        (format!("/businesscard/{NEW}"), card("A").replace("NL</Country", "ZZ</Country")),
        (format!("/businesscard/{NEW}"), group(NEW)),
    ] {
        let (status, problem) = tool.put(&path, body).await;
        assert_eq!((status, &problem["code"]), (400, &"API400.Smp".into()), "{path}: {problem}");
    }
    let stranger = Tool { who: "nobody:nothing".to_owned(), ..Tool::of(&network, &network.sender) };
    assert_eq!(stranger.get("/list").await.0, 401);
    let (status, _) = tool.get("/0106:87654321").await;
    assert_eq!(status, 404, "what another provider publishes");
    let record = services(BILLING);
    let held = format!("/0106:12345678{}", &record[record.find("/services").unwrap()..]);
    assert_eq!(tool.delete(&held).await, 409, "a capability stands for it");
    network.stop().await;
}

/// Everybody who looks a participant up reads the redirects of all its types.
#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_names_a_subject_of_some_length() {
    let (network, tool, _folder) = open().await;
    assert_eq!(tool.put(&format!("/{NEW}?user=alice"), group(NEW)).await.0, 200);
    let there = format!("https://o.test{}", services(BILLING));
    for (length, expected) in [(997, 200), (998, 400)] {
        let uid = format!("CN={}", "A".repeat(length));
        let (status, problem) = tool.put(&services(BILLING), redirect(&there, &uid)).await;
        assert_eq!(status, expected, "{problem}");
    }
    network.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_business_card_is_announced_fetched_and_found() {
    let (network, tool, _folder) = open().await;
    let own = format!("/{NEW}");
    let place = format!("/businesscard/{NEW}");
    assert_eq!(tool.put(&place, card("Voorbeeld B.V.")).await.0, 404, "no group yet");
    assert_eq!(tool.put(&format!("{own}?user=alice"), group(NEW)).await.0, 200);
    let certificate = own_certificate(&network);
    let service = metadata(BILLING, PROCESS, "https://ap.other.test/as4", &certificate);
    assert_eq!(tool.put(&services(BILLING), service).await.0, 200);
    assert_eq!(tool.get(&place).await.0, 404);
    let (status, answer) = tool.put(&place, card("Voorbeeld B.V.")).await;
    assert_eq!(status, 200, "{answer}");
    let (_, published) = tool.published(&place).await;
    assert!(published.contains("<Identifier scheme=\"vat\">NL123456782B90"), "{published}");

    let search = async |terms: &str| {
        let url = format!("{}/search/1.0/json?{terms}", network.around.search_url);
        let call = HttpCall::get(&url, Duration::from_secs(10), 1 << 20);
        let answer = tool.http.call(call).await.unwrap();
        serde_json::from_slice::<Value>(&answer.body).unwrap_or_default()
    };
    until("indexed", || async { network.around.directory.card(NEW) }).await;
    let encoded = BILLING.replace('#', "%23");
    for terms in [
        "name=voorbeeld".to_owned(),
        "country=NL&name=B.V.".to_owned(),
        "identifierScheme=vat&identifierValue=NL123456782B90".to_owned(),
        format!("participant=iso6523-actorid-upis::{NEW}"),
        format!("doctype={encoded}"),
        "q=utrecht".to_owned(),
        "contact=help@".to_owned(),
    ] {
        let found = search(&terms).await;
        assert_eq!(found["total-result-count"], 1, "{terms}: {found}");
        assert_eq!(found["matches"][0]["participantID"]["value"], NEW, "{terms}");
        assert_eq!(found["matches"][0]["docTypes"].as_array().unwrap().len(), 1, "{terms}");
    }
    assert_eq!(search("name=voorbeeld&country=BE").await["total-result-count"], 0);
    assert_eq!(search("").await, Value::Null, "400 without a term");
    let url = format!("{}/search/1.0/xml?q=voorbeeld", network.around.search_url);
    let xml = tool.http.call(HttpCall::get(&url, Duration::from_secs(10), 1 << 20)).await.unwrap();
    let text = String::from_utf8(xml.body.to_vec()).unwrap();
    assert!(text.contains("<name language=\"nl\">Voorbeeld B.V.</name>"), "{text}");

    assert_eq!(tool.put(&place, card("Nieuwe Naam")).await.0, 200);
    let renamed = async || search("name=nieuwe").await["total-result-count"] == 1;
    until("the new card", || async { renamed().await.then_some(()) }).await;
    assert_eq!(tool.call(Method::POST, &format!("{place}/push"), None).await.status, 200);
    assert_eq!(tool.delete(&place).await, 200);
    assert_eq!(tool.published(&place).await.0, 404);
    let gone = async || search("name=nieuwe").await["total-result-count"] == 0;
    until("removed", || async { gone().await.then_some(()) }).await;
    network.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_indexer_opens_to_smps_only() {
    let (network, tool, _folder) = open().await;
    let url = format!("{}/indexer/1.0/", network.around.directory_url);
    let call = HttpCall {
        method: Method::PUT,
        body: Some(Bytes::from(format!("iso6523-actorid-upis::{NEW}"))),
        ..HttpCall::get(&url, Duration::from_secs(10), 1 << 20)
    };
    assert!(tool.http.call(call).await.is_err(), "no certificate, no connection");
    network.stop().await;
}
