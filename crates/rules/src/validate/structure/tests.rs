//! The light structure check: each kind of breach, at the place where it is.

use crate::{Report, validate};
use jiff::civil::date;
use quoin_formats::read;
use quoin_formats::samples::{CREDIT_NOTE, INVOICE};
use quoin_model::{Finding, ValidationStep};

fn report(text: &str) -> Report {
    validate(&read(text.as_bytes()), date(2026, 5, 20))
}

/// The only finding of the structure step.
fn only(text: &str) -> Finding {
    let report = report(text);
    let mut found = report.findings.into_iter().filter(|f| f.step == ValidationStep::Structure);
    let first = found.next().expect("a finding");
    assert_eq!(found.next(), None);
    first
}

fn edit(from: &str, to: &str) -> String {
    assert!(INVOICE.contains(from), "{from}");
    INVOICE.replacen(from, to, 1)
}

const ID: &str = "<cbc:ID>F2026-0001</cbc:ID>";

#[test]
fn an_element_twice() {
    let found = only(&edit(ID, &format!("{ID}<cbc:ID>F2</cbc:ID>")));
    assert_eq!(found.rule, "QUOIN-UBL-REPEATED");
    assert_eq!(found.location.unwrap().xpath, "/Invoice[1]/cbc:ID[2]");
    let total = "<cbc:PayableAmount currencyID=\"EUR\">79.21</cbc:PayableAmount>";
    let found = only(&edit(total, &format!("{total}{total}{total}")));
    assert_eq!(
        found.location.unwrap().xpath,
        "/Invoice[1]/cac:LegalMonetaryTotal[1]/cbc:PayableAmount[2]"
    );
    assert!(found.message.contains("3 times"), "{}", found.message);
}

#[test]
fn more_than_one_order() {
    let order = "<cac:OrderReference><cbc:ID>1</cbc:ID></cac:OrderReference>";
    let reference = "<cbc:BuyerReference>PO-2026-0417</cbc:BuyerReference>";
    assert!(report(INVOICE).is_valid() && INVOICE.contains("<cac:OrderReference>"));
    let found = only(&edit(reference, &format!("{reference}{order}")));
    assert_eq!(found.rule, "QUOIN-ORDER-REFERENCE");
}

#[test]
fn an_element_that_is_missing() {
    for (from, to, missing) in [
        ("cac:LegalMonetaryTotal", "cac:TaxTotal", "cac:LegalMonetaryTotal"),
        ("cac:AccountingSupplierParty", "cac:SellerSupplierParty", "cac:AccountingSupplierParty"),
    ] {
        let report = report(&INVOICE.replace(from, to));
        let finding = report.findings.iter().find(|finding| finding.rule == "QUOIN-UBL-MISSING");
        assert!(finding.expect(missing).message.contains(missing));
    }
    let group = "<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>\
                 </cac:AllowanceCharge>\n  <cac:TaxTotal>";
    let found = only(&edit("<cac:TaxTotal>", group));
    assert_eq!(found.rule, "QUOIN-UBL-MISSING");
    assert_eq!(found.location.unwrap().xpath, "/Invoice[1]/cac:AllowanceCharge[1]");
}

#[test]
fn an_absence_that_a_rule_reports_is_reported_once() {
    let report = report(&edit(ID, ""));
    let rules: Vec<_> = report.findings.iter().map(|finding| &*finding.rule).collect();
    assert_eq!(rules, ["BR-02"]);
}

#[test]
fn an_element_out_of_its_place() {
    let date = "<cbc:IssueDate>2026-05-15</cbc:IssueDate>";
    let found = only(&edit(&format!("{ID}\n  {date}"), &format!("{date}\n  {ID}")));
    assert_eq!(found.rule, "QUOIN-UBL-ORDER");
    assert_eq!(found.location.unwrap().xpath, "/Invoice[1]/cbc:ID[1]");
    assert!(found.message.contains("cbc:IssueDate"), "{}", found.message);
}

#[test]
fn an_element_that_does_not_belong_here() {
    for extra in ["<Note>x</Note>", "<cbc:Colour>x</cbc:Colour>", "<cac:Note/>"] {
        let found = only(&edit(ID, &format!("{ID}{extra}")));
        assert_eq!(found.rule, "QUOIN-UBL-UNKNOWN", "{extra}");
    }
    let due = "<cbc:IssueDate>2026-05-15</cbc:IssueDate>";
    let text = CREDIT_NOTE.replace(due, &format!("{due}<cbc:DueDate>2026-06-14</cbc:DueDate>"));
    assert_eq!(only(&text).rule, "QUOIN-UBL-UNKNOWN", "a credit note has no due date");
}

#[test]
fn scientific_notation_has_the_message_of_the_specification() {
    for (from, to) in [
        ("79.21</cbc:TaxInclusiveAmount>", "7.921E1</cbc:TaxInclusiveAmount>"),
        ("12.87</cbc:PriceAmount>", "1.287e+1</cbc:PriceAmount>"),
        ("25.74</cbc:LineExtensionAmount>", "2574E-2</cbc:LineExtensionAmount>"),
    ] {
        let finding = only(&edit(from, to));
        assert_eq!(finding.rule, "QUOIN-DECIMAL");
        let message = &finding.message;
        assert!(message.starts_with("Invalid payload"), "{message}");
        let price = from.contains("Price");
        for (part, there) in [
            ("is not a valid xs:decimal", true),
            ("Only fixed decimal notation", true),
            ("with at most 2 decimals", !price),
            ("no exponent", true),
            ("no thousands separators", true),
            ("fixed in the source system", true),
        ] {
            assert_eq!(message.contains(part), there, "{part}: {message}");
        }
        assert_eq!(finding.value.as_deref(), to.split('<').next());
    }
}

#[test]
fn a_number_that_is_none_silences_the_sums_that_need_it() {
    for wrong in ["1,000.00", "", "abc", "12 000", "INF", "1.2E3"] {
        let text = edit("79.21</cbc:PayableAmount>", &format!("{wrong}</cbc:PayableAmount>"));
        let report = report(&text);
        assert!(report.has("QUOIN-DECIMAL"), "{wrong}");
        assert!(!report.has("BR-CO-16"), "{wrong}");
        assert!(!report.is_valid());
    }
    let quantity = only(&edit(">2</cbc:InvoicedQuantity>", ">2,0</cbc:InvoicedQuantity>"));
    assert_eq!(quantity.rule, "QUOIN-DECIMAL");
    let long = "1".repeat(39) + "</cbc:PayableAmount>";
    let long = edit("79.21</cbc:PayableAmount>", &long);
    assert_eq!(only(&long).rule, "QUOIN-DECIMAL-RANGE");
}

#[test]
fn an_issue_date_that_is_none() {
    for wrong in ["15-05-2026", "2026-02-30", "2026-05-15+15:00", "2026-05-15T10:00:00"] {
        assert_eq!(only(&edit("2026-05-15<", &format!("{wrong}<"))).rule, "QUOIN-DATE");
    }
    // PE-10: a zone is right in an xs:date; it is for the rule sets to refuse it.
    for zone in ["Z", "+02:00", "-14:00"] {
        let text = edit("2026-05-15<", &format!("2026-05-15{zone}<"));
        let parsed = quoin_formats::read(text.as_bytes());
        let report = crate::validate(&parsed, jiff::civil::date(2026, 11, 22));
        assert!(report.has("PEPPOL-EN16931-F001") && !report.has("QUOIN-DATE"), "{zone}");
    }
}
