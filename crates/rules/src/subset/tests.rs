//! The tables and the walk: every row reads, every kind of row fires and holds, the first rule of
//! a pattern hides the others, and each kind has its words.

use std::collections::{BTreeMap, BTreeSet};

use quoin_xml::tree::{Document, Limits};

use super::message::{Language, MessageKey, template};
use super::*;

fn document(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).expect("well-formed")
}

/// The rows that are broken in a document, with the place of each.
fn broken(table: &SubsetTable, text: &str) -> BTreeSet<(String, String)> {
    let document = document(text);
    let outline = Outline::new(&document);
    let mut found = BTreeSet::new();
    table.walk(&outline, &mut |row, element, answer| {
        if answer == RowOutcome::Broken {
            assert!(found.insert((row.id.to_owned(), element.path())), "{} twice", row.id);
        }
    });
    found
}

fn ids(table: &SubsetTable, text: &str) -> BTreeSet<String> {
    broken(table, text).into_iter().map(|(id, _)| id).collect()
}

fn order(body: &str) -> String {
    format!(
        "<Order xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Order-2\" \
         xmlns:c=\"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2\" \
         xmlns:b=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
         {body}</Order>"
    )
}

fn invoice(body: &str) -> String {
    order(body).replace("Order", "Invoice")
}

#[test]
fn every_row_of_every_table_reads_and_is_unique() {
    let mut rows = 0;
    for set in sets() {
        let table = table(set.id, set.release).unwrap_or_else(|| panic!("{set:?}"));
        for rule in &table.patterns.rules {
            let mut seen = BTreeMap::new();
            for row in &rule.rows {
                assert!(!row.id.is_empty());
                let same = seen.insert(row.id, &row.test);
                assert!(same.is_none_or(|test| *test != row.test), "{} {}", set.id, row.id);
            }
            assert!(!rule.places.is_empty() && rule.places.iter().all(|p| !p.steps.is_empty()));
        }
        rows += table.rows().filter(|row| !row.is_by_hand()).count();
        assert!(table.rows().count() > 2, "{set:?}");
    }
    assert!(rows > 10_000, "{rows}");
    assert!(table("peppol-t01", "1999-01").is_none());
}

#[test]
fn a_row_fires_where_it_is_broken_and_nowhere_else() {
    let table = table("peppol-t01", "2026-05").expect("T01");
    let broken = broken(table, &order("<b:ID>1</b:ID><c:Strange/><c:OrderLine/>"));
    let has = |id: &str, path: &str| broken.contains(&(id.to_owned(), path.to_owned()));
    assert!(has("PEPPOL-T01-B00101", "/Order[1]"), "no CustomizationID: {broken:?}");
    assert!(has("PEPPOL-T01-B00110", "/Order[1]/c:Strange[1]"), "no such element");
    assert!(!broken.iter().any(|(id, _)| id == "PEPPOL-T01-B00103"), "there is an ID");
    assert!(!has("PEPPOL-T01-B00110", "/Order[1]/c:OrderLine[1]"));
}

#[test]
fn codes_and_attributes_are_looked_at() {
    let table = table("peppol-t01", "2026-05").expect("T01");
    let party = |scheme: &str| {
        let endpoint = format!("<b:EndpointID {scheme}>1</b:EndpointID>");
        let party = format!("<c:Party>{endpoint}</c:Party>");
        ids(table, &order(&format!("<c:BuyerCustomerParty>{party}</c:BuyerCustomerParty>")))
    };
    assert!(party("").contains("PEPPOL-T01-B03801"), "schemeID is asked for");
    assert!(!party("").contains("PEPPOL-T01-B03802"));
    assert!(party("schemeID='9999x'").contains("PEPPOL-T01-B03802"), "no such scheme");
    let right = party("schemeID='0088'");
    assert!(!right.contains("PEPPOL-T01-B03801") && !right.contains("PEPPOL-T01-B03802"));
    let currency = |code: &str| {
        ids(table, &order(&format!("<b:DocumentCurrencyCode>{code}</b:DocumentCurrencyCode>")))
    };
    assert!(currency("eur").contains("PEPPOL-T01-B01001"));
    assert!(!currency(" EUR\n").contains("PEPPOL-T01-B01001"), "space around is passed over");
}

#[test]
fn cardinalities_and_conditions_of_an_invoice() {
    let table = table("en16931-ubl", "1.3.16").expect("EN 16931");
    let two = "<c:InvoicePeriod/><c:InvoicePeriod/>";
    assert!(ids(table, &invoice(two)).contains("UBL-SR-08"));
    assert!(!ids(table, &invoice("<c:InvoicePeriod/>")).contains("UBL-SR-08"));
    let tax = |scheme: &str| {
        format!(
            "<c:PartyTaxScheme><b:CompanyID>X</b:CompanyID><c:TaxScheme><b:ID>{scheme}</b:ID>\
             </c:TaxScheme></c:PartyTaxScheme>"
        )
    };
    let supplier = |body: String| {
        let party = format!("<c:Party>{body}</c:Party>");
        let body = format!("<c:AccountingSupplierParty>{party}</c:AccountingSupplierParty>");
        ids(table, &invoice(&body))
    };
    assert!(supplier(tax("VAT") + &tax("vat")).contains("UBL-SR-12"), "two VAT identifiers");
    assert!(!supplier(tax("VAT") + &tax("TAX")).contains("UBL-SR-12"));
    let card = "<c:PaymentMeans><c:CardAccount><b:PrimaryAccountNumberID>12345678901\
                </b:PrimaryAccountNumberID></c:CardAccount></c:PaymentMeans>";
    assert!(ids(table, &invoice(card)).contains("BR-51"));
    assert!(!ids(table, &invoice(&card.replace("12345678901", "5678901"))).contains("BR-51"));
}

#[test]
fn of_one_pattern_the_first_rule_that_matches_is_run() {
    // An AllowanceCharge with a factor and no base is told so; the rule for others is not run.
    let table = table("peppol-t01", "2026-05").expect("T01");
    let charge = |body: &str| {
        let text = order(&format!("<c:AllowanceCharge>{body}</c:AllowanceCharge>"));
        let document = document(&text);
        let mut tests = BTreeSet::new();
        let mut broken = BTreeSet::new();
        table.walk(&Outline::new(&document), &mut |row, _, answer| {
            match answer {
                RowOutcome::Broken => broken.insert(row.id),
                RowOutcome::Test => tests.insert(row.id),
                RowOutcome::Failed => false,
            };
        });
        (tests, broken)
    };
    let factor = "<b:MultiplierFactorNumeric>1</b:MultiplierFactorNumeric>";
    let (tests, broken) = charge(factor);
    assert!(broken.contains("PEPPOL-T01-R020") && !broken.contains("PEPPOL-T01-R023"));
    assert!(!tests.contains("PEPPOL-T01-R022"));
    let (tests, broken) = charge(&format!("{factor}<b:BaseAmount>1</b:BaseAmount>"));
    assert!(!broken.contains("PEPPOL-T01-R020") && broken.contains("PEPPOL-T01-R023"));
    assert!(tests.contains("PEPPOL-T01-R022"), "a row to be tested by hand has its place");
}

#[test]
fn a_document_of_many_names_and_attributes_stays_cheap() {
    let mut body = String::new();
    for number in 0..20_000 {
        body.push_str(&format!("<n{number} a{number}='1'/>"));
    }
    let table = table("peppol-t01", "2026-05").expect("T01");
    let document = document(&order(&body));
    let mut broken = 0;
    table.walk(&Outline::new(&document), &mut |_, _, _| broken += 1);
    assert!(broken > 20_000, "each is strange to an order");
}

#[test]
fn pe_19_each_kind_has_words_in_every_language() {
    let table = table("en16931-ubl", "1.3.16").expect("EN 16931");
    let text = invoice(
        "<b:DocumentCurrencyCode>EURO</b:DocumentCurrencyCode><b:UUID>1</b:UUID>\
         <c:InvoicePeriod/><c:InvoicePeriod/>",
    );
    let document = document(&text);
    let outline = Outline::new(&document);
    let mut texts = BTreeMap::new();
    table.walk(&outline, &mut |row, element, answer| {
        if answer == RowOutcome::Broken {
            texts.insert(row.id, table.message(row, element, &outline, Language::En));
        }
    });
    let text = |id: &str| texts.get(id).map(|message| message.text.as_str()).unwrap_or_default();
    assert_eq!(
        text("BR-CL-04"),
        "\"EURO\" is not a code that b:DocumentCurrencyCode may have. \
         Allowed: ISO 4217 Currency codes."
    );
    assert_eq!(text("UBL-CR-005"), "cbc:UUID is not used in Invoice: take it out.");
    assert_eq!(text("UBL-SR-08"), "Invoice has cac:InvoicePeriod 2 times; allowed: 0…1.");
    assert_eq!(text("BR-02"), "Invoice must have a value at cbc:ID; it is missing or empty.");
    let languages = [Language::En, Language::Nl, Language::De, Language::Fr, Language::Pl];
    let kinds: BTreeSet<MessageKey> = texts.values().map(|message| message.kind).collect();
    for kind in
        kinds.into_iter().chain([MessageKey::Combination, MessageKey::Date, MessageKey::Prefix])
    {
        let texts: BTreeSet<&str> = languages.iter().map(|&l| template(kind, l)).collect();
        assert!(texts.len() == 5 && !texts.contains(""), "{kind:?}");
        assert!(texts.iter().all(|text| text.contains("{element}")), "{kind:?}");
    }
}

/// What a rule takes as wrong wherever it is, is told by what the rule says of it.
#[test]
fn who_breaks_a_rule_that_never_holds_is_told_why() {
    let table = table("peppol-t01", "2026-05").unwrap();
    let text = |inside: &str| {
        let text = format!(
            "<Order xmlns='urn:oasis:names:specification:ubl:schema:xsd:Order-2' \
             xmlns:cac='urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2' \
             xmlns:cbc='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'>\
             {inside}</Order>"
        );
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let outline = Outline::new(&document);
        let mut texts = BTreeMap::new();
        table.walk(&outline, &mut |row, element, answer| {
            if answer == RowOutcome::Broken {
                texts.insert(row.id, table.message(row, element, &outline, Language::En).text);
            }
        });
        texts
    };
    let empty = text("<cbc:ID/>");
    assert_eq!(
        empty.get("PEPPOL-COMMON-R001").map(String::as_str),
        Some("cbc:ID has nothing in it: fill it in, or leave it out where it may be left out.")
    );
    let rate = "<cac:AllowanceCharge><cbc:MultiplierFactorNumeric>1</cbc:MultiplierFactorNumeric>\
                </cac:AllowanceCharge>";
    assert_eq!(
        text(rate).get("PEPPOL-T01-R020").map(String::as_str),
        Some(
            "cac:AllowanceCharge must have cbc:BaseAmount, which is missing. This is asked for \
             because cbc:MultiplierFactorNumeric is there."
        )
    );
}
