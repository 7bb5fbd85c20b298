//! FA(3) over every official document. Its seller has a Polish number for VAT, so most documents
//! are refused; the same documents with a Polish seller, zloty and rates of Poland are not.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use quoin_formats::convert::ConversionTarget;
use quoin_formats::readers::{self, read_invoice_at};
use quoin_formats::{Syntax, read};
use quoin_model::amount::Decimal;
use quoin_model::en16931::Invoice;
use quoin_xml::xsd::{Schema, SchemaFiles};

use super::{Outcome, documents};
use quoin_testing::shared;

/// The schema of the Ministry, whose parts it names by their addresses on the network.
#[allow(clippy::disallowed_methods, reason = "official schemas")]
fn schema() -> Option<Schema> {
    let folder = shared("ksef-data/xsd/FA")?;
    let mut files = SchemaFiles::new();
    for (part, base) in [("bazowe", true), ("", false)] {
        for entry in folder.join(part).read_dir().unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".xsd") && (base || name.starts_with("schemat_FA(3)")) {
                let text = std::fs::read_to_string(entry.path()).unwrap();
                let text = local(&text);
                files.add(name, text.into_bytes());
            }
        }
    }
    Some(Schema::load(&["schemat_FA(3)_v1-0E.xsd"], &files).unwrap())
}

/// A schema whose parts are beside it.
fn local(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once("schemaLocation=\"") {
        let (address, after) = tail.split_once('"').unwrap();
        let name = address.rsplit('/').next().unwrap();
        out.push_str(&format!("{head}schemaLocation=\"{name}\""));
        rest = after;
    }
    out + rest
}

/// Rates up to 30 per cent as they are written, each with one of Poland.
static RATES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let mut rates = HashMap::new();
    for percent in (1..=300).map(|tenth| Decimal::new(tenth, 1)) {
        let own = match percent {
            rate if rate > Decimal::new(14, 0) => "23",
            rate if rate > Decimal::new(9, 0) => "8",
            rate if rate > Decimal::new(6, 0) => "7",
            _ => "5",
        };
        for form in [format!("{percent}"), format!("{percent:.1}"), format!("{percent:.2}")] {
            rates.insert(form, own);
        }
    }
    rates
});

fn with_rates_of_poland(text: &str) -> String {
    let mut parts = text.split("Percent>");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (value, rest) = part.split_at(part.find('<').unwrap_or_default());
        out.push_str("Percent>");
        out.push_str(RATES.get(value).copied().unwrap_or(value));
        out.push_str(rest);
    }
    out
}

/// The document as a Polish seller would write it: the number for VAT, zloty, the rates of Poland,
/// and of what is corrected the day.
pub(super) fn polish(text: &str, invoice: &Invoice<'_>) -> String {
    let mut text = text.to_owned();
    let seller = invoice.seller.first();
    if let Some(id) = seller.and_then(|seller| seller.vat_identifiers().next()) {
        text = text.replace(&format!(">{}<", id.text()), ">PL5260001246<");
    }
    let other = invoice.tax_representative.first();
    if let Some(id) = other.and_then(|other| other.vat_identifiers().next()) {
        text = text.replace(&format!(">{}<", id.text()), ">PL1132191233<");
    }
    let code = invoice.tax_currency.text().or_else(|| invoice.currency.text());
    if let Some(code) = code.filter(|code| code.len() == 3) {
        text = text.replace(&format!("\"{code}\""), "\"PLN\"");
        text = text.replace(&format!(">{code}<"), ">PLN<");
    }
    text = with_rates_of_poland(&text);
    if text.contains("CreditNote-2\"") {
        let reference = "<cac:InvoiceDocumentReference><cbc:ID>FV/1</cbc:ID>\
            <cbc:IssueDate>2017-01-01</cbc:IssueDate></cac:InvoiceDocumentReference>";
        let place = "<cac:AccountingSupplierParty>";
        let whole = format!("<cac:BillingReference>{reference}</cac:BillingReference>{place}");
        match invoice.references.preceding_invoices.first() {
            None => text = text.replacen(place, &whole, 1),
            Some(one) if one.issue_date.is_absent() => {
                let day =
                    "<cbc:IssueDate>2017-01-01</cbc:IssueDate></cac:InvoiceDocumentReference>";
                text = text.replace("</cac:InvoiceDocumentReference>", day);
            }
            Some(_) => {}
        }
    }
    text
}

fn holds(outcomes: &BTreeMap<String, Outcome>) {
    println!("{outcomes:#?}");
    for (from, outcome) in outcomes {
        assert_eq!(outcome.unlisted, Vec::<String>::new(), "{from}");
        assert_eq!(outcome.of_other_structure, Vec::<String>::new(), "{from}");
    }
}

#[test]
fn all_syntaxes_become_fa() {
    let schema = schema();
    let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(own) = parsed.tree().ok().and_then(readers::syntax) else { continue };
        let Some(element) = parsed.root() else { continue };
        let outcome = outcomes.entry(format!("{:?}", own)).or_default();
        outcome.one(&path, element, ConversionTarget::KSEF, schema.as_ref());
    }
    holds(&outcomes);
    let converted: usize = outcomes.values().map(|one| one.converted).sum();
    assert!(outcomes.is_empty() || converted > 40, "{converted}");
}

#[test]
fn documents_of_polish_sellers_become_fa() {
    let schema = schema();
    let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
    for (path, bytes) in documents() {
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let parsed = read(&bytes);
        let Some(element) = parsed.root() else { continue };
        let Some(reading) = read_invoice_at(element) else { continue };
        let syntax = reading.syntax;
        if !syntax.is_ubl_invoice() && syntax != Syntax::Cii {
            continue;
        }
        let text = polish(text, &reading.invoice);
        let parsed = read(text.as_bytes());
        let Some(element) = parsed.root() else { continue };
        let outcome = outcomes.entry(format!("{syntax:?}")).or_default();
        outcome.one(&path, element, ConversionTarget::KSEF, schema.as_ref());
    }
    holds(&outcomes);
    let converted: usize = outcomes.values().map(|one| one.converted).sum();
    assert!(outcomes.is_empty() || converted > 400, "{converted}");
}
