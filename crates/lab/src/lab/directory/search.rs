//! The search of the lab's Directory (Peppol Directory 1.1.1, section 4): terms that must all hold,
//! pages, answers as XML or JSON.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use quoin_peppol::identifiers::META_SCHEME;
use quoin_peppol::smp::BusinessEntity;
use quoin_xml::write::{escape_attribute, escape_text};
use serde_json::{Value, json};

use super::{DirectoryEntry, LabDirectory};

/// Matches of a page, where nothing is asked for.
const USUAL_PAGE: usize = 20;
/// Matches that can be reached at all.
const REACHABLE: usize = 1_000;
/// What can be asked.
const TERMS: &[&str] = &[
    "q",
    "participant",
    "name",
    "country",
    "geoinfo",
    "identifierScheme",
    "identifierValue",
    "website",
    "contact",
    "addinfo",
    "regdate",
    "doctype",
];

type Terms = Vec<(String, String)>;

/// A page of matches.
struct MatchPage {
    total: usize,
    index: usize,
    size: usize,
    terms: String,
    matches: Vec<DirectoryEntry>,
}

pub(super) fn routes(directory: LabDirectory) -> Router {
    Router::new().route("/search/1.0/{form}", get(search)).with_state(directory)
}

async fn search(
    State(directory): State<LabDirectory>,
    Path(form): Path<String>,
    Query(query): Query<Terms>,
) -> Response {
    let terms: Terms =
        query.iter().filter(|(name, _)| TERMS.contains(&name.as_str())).cloned().collect();
    if terms.is_empty() {
        return (StatusCode::BAD_REQUEST, "give at least one term").into_response();
    }
    let number = |names: [&str; 2], usual: usize| {
        let given = query.iter().find(|(name, _)| names.contains(&name.as_str()));
        given.map_or(Some(usual), |(_, value)| value.parse().ok())
    };
    let index = number(["resultPageIndex", "rpi"], 0);
    let size = number(["resultPageCount", "rpc"], USUAL_PAGE);
    let (Some(index), Some(size @ 1..)) = (index, size) else {
        return (StatusCode::BAD_REQUEST, "a page is a number").into_response();
    };
    if index.saturating_mul(size) >= REACHABLE {
        return (StatusCode::BAD_REQUEST, "only the first 1000 matches can be reached")
            .into_response();
    }
    let found = find(&directory, &terms, index, size);
    match form.as_str() {
        "json" => {
            ([(CONTENT_TYPE, "application/json")], json_of(&found).to_string()).into_response()
        }
        "xml" => ([(CONTENT_TYPE, "application/xml")], xml_of(&found)).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn find(directory: &LabDirectory, terms: &Terms, index: usize, size: usize) -> MatchPage {
    let all: Vec<DirectoryEntry> = directory
        .entries()
        .values()
        .filter(|entry| terms.iter().all(|(name, value)| holds(entry, name, value)))
        .cloned()
        .collect();
    let terms = terms.iter().map(|(name, value)| format!("{name}={value}"));
    MatchPage {
        total: all.len(),
        index,
        size,
        terms: terms.collect::<Vec<_>>().join("&"),
        matches: all.into_iter().skip(index * size).take(size).collect(),
    }
}

/// Whether a term holds for what is known of a participant.
fn holds(entry: &DirectoryEntry, term: &str, value: &str) -> bool {
    let wanted = value.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let is = |text: &str| text.to_lowercase() == wanted;
    let any = |test: &dyn Fn(&BusinessEntity) -> bool| entry.card.entities.iter().any(test);
    match term {
        "participant" => is(&entry.card.participant.uri()),
        "doctype" => entry.document_types.iter().any(|id| id.to_string() == value),
        "country" => any(&|entity| is(&entity.country)),
        "name" => any(&|entity| entity.names.iter().any(|name| has(&name.text))),
        "geoinfo" => any(&|entity| entity.geographical_information.iter().any(|text| has(text))),
        "identifierScheme" => any(&|entity| entity.identifiers.iter().any(|id| is(&id.scheme))),
        "identifierValue" => any(&|entity| entity.identifiers.iter().any(|id| is(&id.value))),
        "website" => any(&|entity| entity.websites.iter().any(|url| has(url))),
        "addinfo" => any(&|entity| entity.additional_information.iter().any(|text| has(text))),
        "regdate" => any(&|entity| entity.registration_date.as_deref() == Some(value)),
        "contact" => any(&|entity| {
            let texts = |contact: &quoin_peppol::smp::BusinessContact| {
                [&contact.kind, &contact.name, &contact.phone, &contact.email]
                    .into_iter()
                    .flatten()
                    .any(|text| has(text))
            };
            entity.contacts.iter().any(texts)
        }),
        // Anything: a participant, or a word of a card.
        _ => {
            has(entry.card.participant.as_str())
                || ["name", "geoinfo", "identifierValue", "website", "addinfo", "contact"]
                    .iter()
                    .any(|term| holds(entry, term, value))
        }
    }
}

fn json_of(found: &MatchPage) -> Value {
    let id = |scheme: &str, value: &str| json!({ "scheme": scheme, "value": value });
    let entity = |entity: &BusinessEntity| {
        let name = |name: &quoin_peppol::smp::BusinessName| json!({ "name": name.text, "language": name.language });
        let contact = |contact: &quoin_peppol::smp::BusinessContact| {
            json!({
                "type": contact.kind, "name": contact.name, "phone": contact.phone,
                "email": contact.email,
            })
        };
        json!({
            "name": entity.names.iter().map(name).collect::<Vec<_>>(),
            "countryCode": entity.country,
            "geoInfo": entity.geographical_information,
            "identifiers": entity.identifiers.iter().map(|own| id(&own.scheme, &own.value))
                .collect::<Vec<_>>(),
            "websites": entity.websites,
            "contacts": entity.contacts.iter().map(contact).collect::<Vec<_>>(),
            "additionalInfo": entity.additional_information,
            "regDate": entity.registration_date,
        })
    };
    let one = |entry: &DirectoryEntry| {
        json!({
            "participantID": id(META_SCHEME, entry.card.participant.as_str()),
            "docTypes": entry.document_types.iter()
                .map(|own| id(own.scheme().as_str(), own.value())).collect::<Vec<_>>(),
            "entities": entry.card.entities.iter().map(entity).collect::<Vec<_>>(),
        })
    };
    let (first, last) = found.range();
    json!({
        "version": "1.0",
        "total-result-count": found.total,
        "used-result-count": found.matches.len(),
        "result-page-index": found.index,
        "result-page-count": found.size,
        "first-result-index": first,
        "last-result-index": last,
        "query-terms": found.terms,
        "creation-dt": Timestamp::now().to_string(),
        "matches": found.matches.iter().map(one).collect::<Vec<_>>(),
    })
}

impl MatchPage {
    /// The places of the first and the last match of the page.
    fn range(&self) -> (usize, usize) {
        let first = self.index * self.size;
        (first, (first + self.matches.len()).saturating_sub(1).max(first))
    }
}

fn xml_of(found: &MatchPage) -> String {
    let (first, last) = found.range();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<resultlist version=\"1\" total-result-count=\"{}\" used-result-count=\"{}\" result-page-index=\"{}\" \
         result-page-count=\"{}\" first-result-index=\"{first}\" last-result-index=\"{last}\" \
         query-terms=\"",
        found.total,
        found.matches.len(),
        found.index,
        found.size,
    );
    escape_attribute(&found.terms, &mut out);
    out.push_str(&format!("\" creation-dt=\"{}\">", Timestamp::now()));
    for entry in &found.matches {
        out.push_str("<match>");
        let participant = entry.card.participant.as_str();
        element(&mut out, "participantID", &[("scheme", META_SCHEME)], participant);
        for id in &entry.document_types {
            element(&mut out, "docTypeID", &[("scheme", id.scheme().as_str())], id.value());
        }
        entry.card.entities.iter().for_each(|entity| business(&mut out, entity));
        out.push_str("</match>");
    }
    out.push_str("</resultlist>");
    out
}

fn business(out: &mut String, entity: &BusinessEntity) {
    out.push_str("<entity>");
    for name in &entity.names {
        let language = name.language.as_deref().map(|code| ("language", code));
        element(out, "name", language.as_slice(), &name.text);
    }
    element(out, "countryCode", &[], &entity.country);
    optional(out, "geoInfo", entity.geographical_information.as_deref());
    for id in &entity.identifiers {
        element(out, "identifier", &[("scheme", &id.scheme)], &id.value);
    }
    for url in &entity.websites {
        element(out, "website", &[], url);
    }
    for contact in &entity.contacts {
        let attributes = [
            ("type", &contact.kind),
            ("name", &contact.name),
            ("phone", &contact.phone),
            ("email", &contact.email),
        ];
        let given = attributes.into_iter().filter_map(|(key, text)| Some((key, text.as_deref()?)));
        element(out, "contact", &given.collect::<Vec<_>>(), "");
    }
    optional(out, "additionalInfo", entity.additional_information.as_deref());
    optional(out, "regDate", entity.registration_date.as_deref());
    out.push_str("</entity>");
}

fn optional(out: &mut String, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        element(out, name, &[], text);
    }
}

fn element(out: &mut String, name: &str, attributes: &[(&str, &str)], text: &str) {
    out.push_str(&format!("<{name}"));
    for (key, value) in attributes {
        out.push_str(&format!(" {key}=\""));
        escape_attribute(value, out);
        out.push('"');
    }
    out.push('>');
    escape_text(text, out);
    out.push_str(&format!("</{name}>"));
}
