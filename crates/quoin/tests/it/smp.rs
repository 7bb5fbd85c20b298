//! The SMP's door over TLS: every form of an address, every form of an answer, validators, and
//! changes that are published at once.

use std::time::Duration;

use bytes::Bytes;
use quoin_access_point::net::{HttpAnswer, HttpCall};
use quoin_delivery::OrganisationId;
use quoin_formats::structure_tables;
use quoin_lab::lab::network::RECEIVER;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::smp::{service_group_url, service_metadata_path};
use quoin_store::PublishedService;
use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::enveloped;
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};

use crate::stage::{Play, Stage, unpublish};

const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const PINT: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1@jp-1*::2.1";

fn receiver() -> ParticipantId {
    RECEIVER.parse().unwrap()
}

fn billing() -> DocumentTypeId {
    BILLING.parse().unwrap()
}

/// Asks the SMP of corner 3 for a path below its base address.
async fn ask(
    stage: &Stage,
    method: Method,
    path: &str,
    headers: &[(&'static str, &str)],
) -> HttpAnswer {
    let url = format!("{}{path}", stage.two.smp_url);
    let headers = headers.iter().map(|(name, value)| {
        (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
    });
    let call = HttpCall {
        method,
        headers: headers.collect(),
        ..HttpCall::get(&url, Duration::from_secs(20), 1 << 20)
    };
    stage.around.client().unwrap().call(call).await.unwrap()
}

async fn get(stage: &Stage, path: &str) -> HttpAnswer {
    ask(stage, Method::GET, path, &[]).await
}

fn header<'a>(answer: &'a HttpAnswer, name: &str) -> &'a str {
    answer.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

fn parsed(body: &Bytes) -> Document {
    Document::parse(body, &Limits::default()).unwrap()
}

/// The document is one of its schema, by our own tables.
fn assert_structure(body: &Bytes) {
    let document = parsed(body);
    let root = document.root();
    let structure = structure_tables::find(root.namespace(), root.local(), None);
    let structure = structure.unwrap_or_else(|| panic!("no structure of {}", root.local()));
    let verdict = structure.schema().unwrap().validate(root);
    assert!(verdict.is_valid(), "{verdict:?} in {}", String::from_utf8_lossy(body));
}

#[tokio::test(flavor = "multi_thread")]
async fn ta10_ta11_every_spelling_of_an_address_has_the_same_answer() {
    let play = Play::begin().await;
    let stage = &play.stage;
    let encoded = service_metadata_path(&receiver(), &billing());
    let expected = get(stage, &encoded).await;
    assert_eq!(
        (expected.status, header(&expected, "content-type")),
        (200, "text/xml; charset=utf-8")
    );
    assert!(expected.body.starts_with(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    let raw = BILLING.replace('#', "%23");
    for path in [
        encoded.replace("%3A", "%3a"),
        encoded.replace("%3A", ":"),
        format!("/iso6523-actorid-upis::{RECEIVER}/services/{raw}"),
        format!("/iso6523-actorid-upis%3A%3A{RECEIVER}/services/{raw}"),
    ] {
        let found = get(stage, &path).await;
        assert_eq!((found.status, &found.body), (200, &expected.body), "{path}");
    }
    let owner: OrganisationId = stage.receiver.organisation.parse().unwrap();
    let service = PublishedService {
        participant: "9925:be0848934496".to_owned(),
        document_type: BILLING.to_owned(),
        process: "cenbii-procid-ubl::p".to_owned(),
        organisation: owner,
        explicit: true,
        endpoints: None,
        created_on: stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![service]).await.unwrap();
    let lower = get(stage, "/iso6523-actorid-upis::9925:be0848934496").await;
    let upper = get(stage, "/iso6523-actorid-upis::9925:BE0848934496").await;
    assert_eq!((upper.status, &upper.body), (200, &lower.body), "TA12");
}

#[tokio::test(flavor = "multi_thread")]
async fn ta14_ta18_what_is_not_there_is_404_and_what_is_no_request_400() {
    let play = Play::begin().await;
    let group = "/iso6523-actorid-upis::0106:87654321";
    let cased = service_metadata_path(
        &receiver(),
        &BILLING.replace("::Invoice##", "::INVOICE##").parse().unwrap(),
    );
    for (path, status) in [
        (group.to_owned(), 200),
        ("/iso6523-actorid-upis::0106:00000000".to_owned(), 404),
        (cased, 404),
        (format!("{group}/services/bdx-docid-qns::a::b%23%23c::1"), 404),
        (format!("{group}/services"), 404),
        (format!("{group}/other/x"), 404),
        ("/".to_owned(), 404),
        ("/bdxr-smp-3/0106:87654321".to_owned(), 404),
        ("/businesscard/0106:87654321".to_owned(), 404),
        (format!("{group}%zz"), 400),
        (format!("{group}%FF"), 400),
    ] {
        assert_eq!(get(&play.stage, &path).await.status, status, "{path}");
    }
    for method in [Method::PUT, Method::DELETE, Method::POST] {
        let answer = ask(&play.stage, method.clone(), group, &[]).await;
        assert_eq!(answer.status, 405, "{method}: the door only tells");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ta01_ta05_every_answer_is_one_of_its_schema_and_every_reference_resolves() {
    let play = Play::begin().await;
    let stage = &play.stage;
    let group = get(stage, "/iso6523-actorid-upis::0106:87654321").await;
    assert_structure(&group.body);
    let document = parsed(&group.body);
    let references: Vec<String> = document
        .root()
        .descendants()
        .filter_map(|e| e.attribute("href"))
        .map(str::to_owned)
        .collect();
    assert!(references.len() >= 5, "{references:?}");
    for href in references {
        let path = href.strip_prefix(&stage.two.smp_url).unwrap();
        let metadata = get(stage, path).await;
        assert_eq!(metadata.status, 200, "{href}");
        assert_structure(&metadata.body);
        enveloped::verify(&parsed(&metadata.body)).unwrap();
    }
    let base = quoin_peppol::sml::SmpBase::new(&stage.two.smp_url, play.two.parts.uri_policy());
    assert!(service_group_url(&base.unwrap(), &receiver()).starts_with(&stage.two.smp_url));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_forms_of_oasis_are_answered_from_the_same_domain() {
    let play = Play::begin().await;
    let stage = &play.stage;
    let metadata = service_metadata_path(&receiver(), &billing());
    for (prefix, root, namespace) in [
        ("/bdxr-smp-1", "SignedServiceMetadata", "http://docs.oasis-open.org/bdxr/ns/SMP/2016/05"),
        (
            "/bdxr-smp-2",
            "ServiceMetadata",
            "http://docs.oasis-open.org/bdxr/ns/SMP/2/ServiceMetadata",
        ),
    ] {
        let group = get(stage, &format!("{prefix}/iso6523-actorid-upis::{RECEIVER}")).await;
        assert_eq!(group.status, 200, "{prefix}");
        assert_structure(&group.body);
        let answer = get(stage, &format!("{prefix}{metadata}")).await;
        assert_eq!(answer.status, 200, "{prefix}");
        assert_structure(&answer.body);
        let document = parsed(&answer.body);
        assert_eq!((document.root().namespace(), document.root().local()), (namespace, root));
        let text = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(text.contains(&stage.two.as4_url), "{text}");
        // Version 2.0 names canonical XML 1.1; its bytes are the same here, which the suite of
        // interoperability checks with another implementation.
        let plain = text.replace("http://www.w3.org/2006/12/xml-c14n11", C14N_10);
        let same = prefix == "/bdxr-smp-1";
        assert_eq!(enveloped::verify(&parsed(&Bytes::from(plain))).is_ok(), same, "{prefix}");
    }
    let one = get(stage, &format!("/bdxr-smp-1/iso6523-actorid-upis::{RECEIVER}")).await;
    let text = String::from_utf8(one.body.to_vec()).unwrap();
    assert!(text.contains(&format!("href=\"{}/bdxr-smp-1/iso6523", stage.two.smp_url)), "{text}");
}

const C14N_10: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_still_holds_is_not_sent_again() {
    let play = Play::begin().await;
    let stage = &play.stage;
    let path = service_metadata_path(&receiver(), &billing());
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    let first = get(stage, &path).await;
    let (tag, date) = (header(&first, "etag"), header(&first, "last-modified"));
    assert!(tag.starts_with('"') && date.ends_with(" GMT"), "{:?}", first.headers);
    assert_eq!(header(&first, "cache-control"), "public, no-cache");
    let head = ask(stage, Method::HEAD, &path, &[]).await;
    assert_eq!((head.status, header(&head, "etag"), head.body.len()), (200, tag, 0));
    assert_eq!(header(&head, "content-length"), first.body.len().to_string());
    let weak = format!("W/{tag}, \"other\"");
    for (name, value, status) in [
        ("if-none-match", tag, 304),
        ("if-none-match", weak.as_str(), 304),
        ("if-none-match", "*", 304),
        ("if-none-match", "\"other\"", 200),
        ("if-modified-since", date, 304),
        ("if-modified-since", "Sat, 01 Jan 2000 00:00:00 GMT", 200),
        ("if-modified-since", "yesterday", 200),
    ] {
        let answer = ask(stage, Method::GET, &path, &[(name, value)]).await;
        assert_eq!(answer.status, status, "{name}: {value}");
        assert_eq!(answer.body.is_empty(), status == 304, "{name}: {value}");
        assert_eq!(header(&answer, "etag"), tag);
    }
    let both = [("if-none-match", "\"other\""), ("if-modified-since", date)];
    assert_eq!(ask(stage, Method::GET, &path, &both).await.status, 200, "the tag decides");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_published_at_once_and_a_restart_is_none() {
    let play = Play::begin().await;
    let stage = &play.stage;
    let owner: OrganisationId = stage.receiver.organisation.parse().unwrap();
    let group = "/iso6523-actorid-upis::0106:87654321";
    let (before, metadata) =
        (get(stage, group).await, service_metadata_path(&receiver(), &billing()));
    let signed = get(stage, &metadata).await;
    let service = PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: PINT.to_owned(),
        process: "cenbii-procid-ubl::urn:peppol:bis:billing".to_owned(),
        organisation: owner.clone(),
        explicit: true,
        endpoints: None,
        created_on: stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![service]).await.unwrap();
    let after = get(stage, group).await;
    assert_ne!(after.body, before.body);
    let tag = header(&before, "etag");
    let asked = ask(stage, Method::GET, group, &[("if-none-match", tag)]).await;
    assert_eq!(asked.status, 200, "what was kept no longer holds");
    let pattern = service_metadata_path(&receiver(), &PINT.parse().unwrap());
    for path in [pattern.clone(), pattern.replace("%2A", "*")] {
        let answer = get(stage, &path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_structure(&answer.body);
    }
    let again = get(stage, &metadata).await;
    assert_eq!((header(&again, "etag"), &again.body), (header(&signed, "etag"), &signed.body));
    let Play { stage, one, two } = play;
    two.stop().await;
    let two = stage.start(stage.config_two()).await;
    let restarted = get(&stage, &metadata).await;
    assert_eq!(restarted.body, signed.body, "the same bytes, signed again");
    unpublish(&two, &owner, RECEIVER).await;
    for path in [group, &metadata] {
        assert_eq!(get(&stage, path).await.status, 404, "{path}");
    }
    two.stop().await;
    one.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_that_ask_at_once_get_one_answer() {
    let play = Play::begin().await;
    let path = service_metadata_path(&receiver(), &billing());
    let all = (0..64).map(|_| get(&play.stage, &path));
    let answers = futures::future::join_all(all).await;
    let first = &answers[0].body;
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.body == *first));
}
