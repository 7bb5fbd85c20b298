//! The published schema is that of the reader, and every term is in it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::SAMPLE;
use crate::invoice_schema;

/// The schema as it is published.
const PUBLISHED: &str = include_str!("../../../../../docs/reference/invoice.schema.json");

#[test]
#[allow(clippy::disallowed_methods, reason = "UPDATE=1 writes the page anew")]
fn the_published_schema_is_that_of_the_reader() {
    let made = invoice_schema();
    if quoin_testing::writes_anew() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/invoice.schema.json");
        std::fs::write(page, &made).unwrap();
    } else {
        assert!(made == PUBLISHED, "run once with UPDATE=1");
    }
}

/// Every member of a schema, by its path of names.
fn members(schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    let items = schema.get("items").unwrap_or(schema);
    let Some(properties) = items.get("properties").and_then(Value::as_object) else { return };
    for (name, inner) in properties.iter().filter(|(name, _)| *name != "$schema") {
        let path = format!("{path}/{name}");
        members(inner, &path, found);
        found.insert(path);
    }
}

/// Every member of a text.
fn used(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(all) => {
            all.iter().filter(|(name, _)| *name != "$schema").for_each(|(name, inner)| {
                let path = format!("{path}/{name}");
                used(inner, &path, found);
                found.insert(path);
            })
        }
        Value::Array(all) => all.iter().for_each(|inner| used(inner, path, found)),
        _ => {}
    }
}

/// What the sample cannot have without a loss on the way to UBL and back, or what EN 16931 has of
/// the document level only.
const BESIDE: &[&str] = &[
    "/projectName",
    "/seller/contact/department",
    "/buyer/contact/department",
    "/lines/vatExemptionReason",
    "/lines/vatExemptionReasonCode",
    "/lines/allowances/vatCategory",
    "/lines/allowances/vatRate",
    "/lines/charges/vatCategory",
    "/lines/charges/vatRate",
];

/// What the group of a party has and EN 16931 does not in this role.
fn is_of_no_role(path: &str) -> bool {
    let [role, member] = ["payee", "taxRepresentative"]
        .map(|role| format!("/{role}/"))
        .into_iter()
        .find_map(|role| Some([role.clone(), path.strip_prefix(&role)?.to_owned()]))
        .unwrap_or_default();
    let of_payee = ["name", "identifiers", "legalRegistration"];
    let of_representative = ["name", "vatIdentifier", "address"];
    let known: &[&str] = if role == "/payee/" { &of_payee } else { &of_representative };
    let first = member.split('/').next().unwrap_or_default();
    let is_of_seller = ["/buyer/taxRegistration", "/buyer/legalInformation"];
    !role.is_empty() && !known.contains(&first) || is_of_seller.contains(&path)
}

#[test]
fn every_member_of_the_schema_is_in_the_sample_and_every_term_in_the_schema() {
    let schema: Value = serde_json::from_str(&invoice_schema()).unwrap();
    let (mut all, mut sample) = (BTreeSet::new(), BTreeSet::new());
    members(&schema, "", &mut all);
    used(&serde_json::from_str(SAMPLE).unwrap(), "", &mut sample);
    let foreign: Vec<_> = sample.difference(&all).collect();
    assert_eq!(foreign, Vec::<&String>::new());
    let missing = all.difference(&sample);
    let missing: Vec<_> =
        missing.filter(|path| !BESIDE.contains(&path.as_str()) && !is_of_no_role(path)).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// The pattern that a schema has for the member at a path.
fn pattern(schema: &Value, path: &[&str]) -> String {
    let at = path.iter().fold(schema, |at, name| {
        let at = at.get("items").unwrap_or(at);
        &at["properties"][*name]
    });
    at["pattern"].as_str().unwrap().to_owned()
}

/// Whether the whole of a text fits a pattern that has its own anchors.
fn fits(pattern: &str, text: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|inner| inner.strip_suffix('$')).unwrap();
    quoin_xml::pattern::Pattern::xsd(inner).unwrap().is_match(text)
}

#[test]
fn the_patterns_of_the_schema_take_what_the_reader_takes() {
    use crate::json::form::TextForm::{Base64, Day, Decimal};
    let schema: Value = serde_json::from_str(&invoice_schema()).unwrap();
    let number = pattern(&schema, &["totals", "due"]);
    let day = pattern(&schema, &["dueDate"]);
    let file = pattern(&schema, &["supportingDocuments", "file", "content"]);
    for (form, pattern, texts) in [
        (
            Decimal,
            &number,
            &["12", "-1.50", "+.5", "5.", "", "+", ".", "-.", "1E3", "1,50", " 1"][..],
        ),
        (
            Day,
            &day,
            &["2026-05-18", "2024-02-29", "2026-12-31", "", "2026-13-01", "2026-02-30"][..],
        ),
        (Day, &day, &["2026-04-31", "2026-00-10", "20260518", "2026-05-18x", "2026-5-18"][..]),
        (Day, &day, &["2026-05-18Z", "2026-05-18+02:00", "2026-05-18T00:00:00", " 2026-05-18"][..]),
        (
            Base64,
            &file,
            &["QUJD", "QUI=", "QQ==", "QU\nJD", "", " ", "no base64!", "=", "QUJD-_"][..],
        ),
    ] {
        for text in texts {
            let is_read = crate::json::lexical::unlike(form, text).is_none();
            assert_eq!(fits(pattern, text), is_read, "{form:?} {text:?}");
        }
    }
    for name in ["number", "typeCode", "currency"] {
        assert_eq!(pattern(&schema, &[name]), "[^ \\t\\r\\n]");
    }
}

/// `null` says that there is none, to the reader and in the schema; it is no item of a list.
#[test]
fn null_is_taken_of_a_member_and_of_no_item() {
    fn look(schema: &Value, path: &str, is_member: bool) {
        let Some(kind) = schema.get("type") else { return };
        if is_member && !path.ends_with("/$schema") {
            assert_eq!(kind[1], "null", "{path}");
        } else {
            assert!(kind.is_string(), "{path}");
        }
        if let Some(items) = schema.get("items") {
            look(items, &format!("{path}/0"), false);
        }
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            look(inner, &format!("{path}/{name}"), true);
        }
    }
    look(&serde_json::from_str(&invoice_schema()).unwrap(), "", false);
}
