//! The JSON form: every term of the model has a member, every member is read and written, and what
//! is wrong is refused with its place.

mod refused;
mod schema;

use quoin_xml::tree::{Document, Limits, ParseError};

use super::{NAMESPACE, tree};
use crate::convert::{ConversionTarget, LossKind, convert};
use crate::readers::{read_invoice, unread};

/// Every member once.
const SAMPLE: &str = include_str!("../../samples/every-term.json");

fn parsed(text: &str) -> Result<Document, ParseError> {
    tree(text.as_bytes(), &Limits::default())
}

#[test]
fn the_sample_is_recognised_and_read_whole() {
    let parsed = crate::read(SAMPLE.as_bytes());
    assert_eq!(parsed.detection().syntax, Some(crate::Syntax::InvoiceJson));
    let reading = read_invoice(parsed.tree().unwrap()).unwrap();
    assert_eq!(reading.syntax, crate::Syntax::InvoiceJson);
    let residue: Vec<_> = reading.residue.iter().map(|leaf| leaf.path()).collect();
    assert_eq!(residue, Vec::<String>::new());
    let ids: std::collections::BTreeSet<_> =
        reading.invoice.terms().iter().map(|term| term.id).collect();
    let wanted = (1..=165).filter(|number| *number != 4).map(|number| format!("BT-{number}"));
    let missing: Vec<_> = wanted.filter(|id| !ids.contains(id.as_str())).collect();
    assert_eq!(missing, Vec::<String>::new());
    assert_eq!(ids.len(), 180);
}

#[test]
fn the_sample_becomes_ubl_and_comes_back_without_a_loss() {
    let document = parsed(SAMPLE).unwrap();
    let there = convert(&document, ConversionTarget::UBL).unwrap();
    assert_eq!(there.losses, []);
    let middle = Document::parse(there.document.as_bytes(), &Limits::default()).unwrap();
    let back = convert(&middle, ConversionTarget::JSON).unwrap();
    assert_eq!(back.losses, []);
    assert_eq!(back.document, SAMPLE);
}

#[test]
fn json_is_written_anew_from_json() {
    let again = convert(&parsed(SAMPLE).unwrap(), ConversionTarget::JSON).unwrap();
    assert_eq!((again.document.as_str(), again.losses.as_slice()), (SAMPLE, &[][..]));
}

/// A later form may mean something else by the same members.
#[test]
fn another_form_is_not_read_as_this_one() {
    for named in ["urn:x", "urn:quoin:json:invoice:2", "urn:quoin:json:invoice:10", ""] {
        let text = SAMPLE.replacen(NAMESPACE, named, 1);
        assert_ne!(text, SAMPLE);
        let refused = parsed(&text).err().map(|refused| refused.to_string());
        assert!(refused.is_some_and(|refused| refused.contains(NAMESPACE)), "{named}");
    }
}

#[test]
fn unknown_members_are_listed_by_their_pointers() {
    let text = r#"{"$schema": "urn:quoin:json:invoice:1", "number": "1", "issueDate": "2026-05-18",
        "typeCode": "380", "currency": "EUR", "a/b": [1.10, {"c": true}, [null, "x"]],
        "seller": {"name": "S", "vat": null, "colour": "red"}, "lines": [{}, {"quantity":
        {"value": "1", "unit": "C62", "weight": {"kg": "3"}}}]}"#;
    let document = parsed(text).unwrap();
    let list = unread(document.root()).unwrap();
    let found: Vec<_> =
        list.leaves.iter().map(|one| (one.path.as_str(), one.value.as_str())).collect();
    let wanted = [
        ("/a~1b/0", "1.10"),
        ("/a~1b/1/c", "true"),
        ("/a~1b/2/0", ""),
        ("/a~1b/2/1", "x"),
        ("/seller/colour", "red"),
        ("/lines/1/quantity/weight/kg", "3"),
    ];
    assert_eq!(found, wanted);
    let converted = convert(&document, ConversionTarget::CII).unwrap();
    let lost = converted.losses.iter().filter(|loss| loss.kind == LossKind::Lost);
    let lost: Vec<_> = lost.map(|loss| loss.source_path.as_str()).collect();
    let wanted: Vec<_> =
        wanted.iter().filter(|(_, value)| !value.is_empty()).map(|(path, _)| *path).collect();
    assert_eq!(lost, wanted);
}

#[test]
fn losses_of_what_becomes_json_have_pointers_as_targets() {
    let cii = convert(&parsed(SAMPLE).unwrap(), ConversionTarget::CII).unwrap();
    let cii = Document::parse(cii.document.as_bytes(), &Limits::default()).unwrap();
    let back = convert(&cii, ConversionTarget::JSON).unwrap();
    for loss in &back.losses {
        let target = loss.target_path.as_deref().unwrap_or("/");
        assert!(target.starts_with('/') && !target.contains(':'), "{loss:?}");
    }
}

#[test]
fn an_amount_in_another_currency_is_not_told_as_one_of_the_document() {
    let text = include_str!("../../samples/bis3-invoice.xml");
    let place = "<cbc:LineExtensionAmount currencyID=\"EUR\">";
    assert!(text.contains(place));
    let text = text.replace(place, &place.replace("EUR", "USD"));
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let converted = convert(&document, ConversionTarget::JSON).unwrap();
    let lost = |term: &str| converted.losses.iter().any(|loss| loss.term == Some(term));
    assert!(lost("BT-106") && lost("BT-131"), "{:?}", converted.losses);
    assert!(!converted.document.contains("netAmount"));
}

/// What is written must be read again: a value that the form has no place for has a row.
#[test]
fn what_is_no_number_and_no_file_in_xml_is_listed() {
    let file = "mimeCode=\"text/csv\" filename=\"hours.csv\">";
    let sample = include_str!("../../samples/every-term-ubl-invoice.xml");
    let changes = [
        (">10</cbc:InvoicedQuantity>", ">ten</cbc:InvoicedQuantity>"),
        (">138.00</cbc:PayableAmount>", ">1E3</cbc:PayableAmount>"),
        ("<cbc:Percent>25</cbc:Percent>", "<cbc:Percent>25,0</cbc:Percent>"),
        (file, "mimeCode=\"text/csv\" filename=\"hours.csv\">*"),
    ];
    let text = changes.iter().fold(sample.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let json = convert(&document, ConversionTarget::JSON).unwrap();
    for (value, reason) in [
        ("ten", "it is no number, and the target has a number there"),
        ("1E3", "it is no number, and the target has a number there"),
        ("25,0", "it is no number, and the target has a number there"),
    ] {
        let is_it = |loss: &&crate::convert::Loss| loss.value == value && loss.reason == reason;
        let loss = json.losses.iter().find(is_it).expect(value);
        assert_eq!(loss.kind, LossKind::Lost);
    }
    let is_file = |loss: &&crate::convert::Loss| loss.reason.starts_with("it is no base64");
    assert!(json.losses.iter().any(|loss| is_file(&loss)), "{:?}", json.losses);
    assert!(parsed(&json.document).is_ok(), "{}", json.document);
}

/// What every document must have is named, so that it is read again, and told as missing after it.
#[test]
fn what_a_source_has_not_is_null_and_comes_back_as_missing() {
    let sample = include_str!("../../samples/every-term-ubl-invoice.xml");
    let changes = [
        ("<cbc:ID>E-164</cbc:ID>", ""),
        ("<cbc:IssueDate>2026-05-04<", "<cbc:IssueDate>yesterday<"),
        ("<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>", ""),
    ];
    let text = changes.iter().fold(sample.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let json = convert(&document, ConversionTarget::JSON).unwrap();
    for name in ["number", "issueDate", "currency"] {
        assert!(json.document.contains(&format!("  \"{name}\": null,\n")), "{}", json.document);
    }
    let again = convert(&parsed(&json.document).unwrap(), ConversionTarget::UBL).unwrap();
    let missing = again.losses.iter().filter(|loss| loss.kind == LossKind::Missing);
    let missing: Vec<_> = missing.filter_map(|loss| loss.term).collect();
    // Without the currency of the document no amount is in it.
    let totals = ["BT-109", "BT-112", "BT-115", "BT-106"];
    let amounts = ["BT-92", "BT-99", "BT-116", "BT-117", "BT-131", "BT-136", "BT-141", "BT-146"];
    assert_eq!(missing, [&["BT-1", "BT-2", "BT-5"], &totals[..], &amounts].concat());
}

/// A total in the currency of VAT accounting is BT-111 by the name of its member, and never the VAT
/// of the invoice, where the invoice names no such currency of its own.
#[test]
fn a_total_in_a_tax_currency_that_nobody_names_is_lost_by_its_own_term() {
    let own = "\"taxCurrency\": \"";
    let at = SAMPLE.find(own).unwrap() + own.len();
    let named = &SAMPLE[at..at + 3];
    let currency = "\"currency\": \"";
    let currency = &SAMPLE[SAMPLE.find(currency).unwrap() + currency.len()..][..3];
    let without = SAMPLE.replacen(&format!("{own}{named}\","), "", 1);
    let same = SAMPLE.replacen(&format!("{own}{named}"), &format!("{own}{currency}"), 1);
    for text in [without, same] {
        assert_ne!(text, SAMPLE);
        let there = convert(&parsed(&text).unwrap(), ConversionTarget::UBL).unwrap();
        let lost: Vec<_> = there.losses.iter().filter(|row| row.kind == LossKind::Lost).collect();
        let [row] = lost[..] else { panic!("{:?}", there.losses) };
        assert_eq!((row.term, &*row.source_path), (Some("BT-111"), "/totals/vatInTaxCurrency"));
        assert!(row.reason.contains("taxCurrency"), "{}", row.reason);
        // Nor is it taken for the VAT of an invoice that says none.
        let vat = "\"vat\": \"";
        let at = text.rfind("\"totals\"").unwrap();
        let at = at + text[at..].find(vat).unwrap();
        let line = &text[at..][..text[at..].find(',').unwrap() + 1];
        let none = text.replacen(line, "", 1);
        let there = convert(&parsed(&none).unwrap(), ConversionTarget::UBL).unwrap();
        let totals = there.document.matches("<cac:TaxTotal>").count();
        let has_term = there.losses.iter().any(|row| row.term == Some("BT-111"));
        assert!(has_term && totals <= 1, "{totals}");
    }
}
