//! Documents that are wrong read too, and what is wrong can be seen.

use proptest::prelude::*;

use super::{CII, UBL_INVOICE, parsed, reading};
use quoin_model::amount::DecimalError;
use quoin_model::en16931::TaxRegistrationKind;

/// The UBL sample with one thing changed.
fn edit(from: &str, to: &str) -> quoin_xml::tree::Document {
    assert!(UBL_INVOICE.contains(from), "{from}");
    parsed(&UBL_INVOICE.replacen(from, to, 1))
}

const NUMBER: &str = "<cbc:ID>E-164</cbc:ID>";

#[test]
fn absent_empty_and_repeated_are_three_things() {
    let document = edit(NUMBER, "");
    let invoice = reading(&document).invoice;
    assert!(invoice.number.is_absent() && invoice.number.get().is_none());

    let document = edit(NUMBER, "<cbc:ID/>");
    let invoice = reading(&document).invoice;
    assert!(invoice.number.is_present() && !invoice.number.is_filled());
    assert_eq!(invoice.number.text(), None);

    let document = edit(NUMBER, &format!("{NUMBER}<cbc:ID> E-165 </cbc:ID>"));
    let invoice = reading(&document).invoice;
    assert!(invoice.number.is_repeated() && invoice.number.one().is_none());
    let second = invoice.number.all()[1];
    assert_eq!((second.text().as_ref(), second.trimmed().as_ref()), (" E-165 ", "E-165"));
    assert_eq!(second.path(), "/Invoice[1]/cbc:ID[2]");
    assert_eq!(second.position().line, 5);
}

#[test]
fn numbers_keep_their_text() {
    let amount = ">237.50</cbc:TaxInclusiveAmount>";
    for (text, value) in [
        ("237.500", Ok("237.5")),
        ("0.00", Ok("0")),
        ("2.375E2", Err(DecimalError::Exponent)),
        ("1,237.50", Err(DecimalError::Separator)),
        ("", Err(DecimalError::Empty)),
    ] {
        let document = edit(amount, &format!(">{text}</cbc:TaxInclusiveAmount>"));
        let invoice = reading(&document).invoice;
        let total = invoice.totals.one().and_then(|totals| totals.with_vat.get()).unwrap();
        assert_eq!(total.text(), text);
        let parsed = total.parse().map(|number| number.to_string());
        assert_eq!(parsed, value.map(str::to_owned), "{text}");
        assert!(total.currency().is_some_and(|currency| currency.is("EUR")));
    }
}

#[test]
fn what_stands_in_the_wrong_place_or_namespace_is_unread() {
    for (from, to, unread) in [
        (NUMBER, "<ID xmlns=\"\">E-164</ID>", "/Invoice[1]/ID[1]"),
        (NUMBER, "<cac:ID>E-164</cac:ID>", "/Invoice[1]/cac:ID[1]"),
        (NUMBER, "<cbc:ID id=\"x\">E-164</cbc:ID>", "/Invoice[1]/cbc:ID[1]/@id"),
        (NUMBER, "<cbc:ID>E-<cbc:ID>164</cbc:ID></cbc:ID>", "/Invoice[1]/cbc:ID[1]/cbc:ID[1]"),
        (NUMBER, "<cbc:ID><cbc:ID>164</cbc:ID></cbc:ID>", "/Invoice[1]/cbc:ID[1]/cbc:ID[1]"),
        (NUMBER, "E-164", "/Invoice[1]"),
        (
            "<cbc:Name>Colour</cbc:Name>",
            "<cbc:Colour>Black</cbc:Colour>",
            "/Invoice[1]/cac:InvoiceLine[1]/cac:Item[1]/cac:AdditionalItemProperty[1]/\
             cbc:Colour[1]",
        ),
    ] {
        let document = edit(from, to);
        let reading = reading(&document);
        let paths: Vec<_> = reading.residue.iter().map(|one| one.path()).collect();
        assert_eq!(paths, [unread], "{to}");
        let tally = reading.tally;
        assert_eq!(tally.read + tally.derived + 1, super::leaves(document.root()), "{to}");
    }
}

#[test]
fn what_is_derived_is_checked() {
    let line = "<cbc:AccountingCost>4025:123";
    for (count, derived) in [("1", 1), (" 1 ", 1), ("2", 0), ("", 0)] {
        let text = format!("<cbc:LineCountNumeric>{count}</cbc:LineCountNumeric>{line}");
        let document = edit(line, &text);
        let reading = reading(&document);
        assert_eq!((reading.tally.derived, reading.residue.len()), (derived, 1 - derived));
    }
    let root = "<Invoice ";
    let hint = "<Invoice xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
                xsi:schemaLocation=\"urn:oasis:names:specification:ubl:schema:xsd:";
    let document = edit(root, &format!("{hint}Invoice-2 Invoice.xsd\" "));
    assert_eq!(reading(&document).tally.regenerated, 1);
    let document = edit(root, &format!("{hint}Order-2 Order.xsd\" "));
    assert_eq!(reading(&document).residue[0].path(), "/Invoice[1]/@xsi:schemaLocation");
}

#[test]
fn dates_are_days_in_the_form_of_their_syntax() {
    for (from, to, day) in [
        ("2026-05-04", "20260504", None),
        ("2026-05-04", "2026-02-30", None),
        ("2026-05-04", " 2026-05-04 ", Some("2026-05-04")),
    ] {
        let document = edit(from, to);
        let date = reading(&document).invoice.issue_date.day();
        assert_eq!(date.map(|date| date.to_string()).as_deref(), day, "{to}");
    }
    let issued = "format=\"102\">20260504";
    for (to, day) in [
        ("format=\"102\">2026-05-04", None),
        ("format=\"203\">20260504", None),
        ("format=\"102\">20260230", None),
        (issued, Some("2026-05-04")),
    ] {
        let document = parsed(&CII.replacen(issued, to, 1));
        let date = reading(&document).invoice.issue_date.day();
        assert_eq!(date.map(|date| date.to_string()).as_deref(), day, "{to}");
    }
}

#[test]
fn a_creditor_identifier_is_of_seller_or_payee_and_no_party_identifier() {
    let document = parsed(UBL_INVOICE);
    let invoice = reading(&document).invoice;
    assert!(invoice.payment.creditor_identifier.is("NL00ZZZ123"));
    assert!(!invoice.seller.first().unwrap().identifiers.is("NL00ZZZ123"));
    let buyer = "<cbc:ID schemeID=\"0088\">Buyer-ID";
    let document = edit(buyer, "<cbc:ID schemeID=\"SEPA\">Buyer-ID");
    let invoice = reading(&document).invoice;
    assert_eq!(invoice.payment.creditor_identifier.count(), 1);
    assert!(invoice.buyer.first().unwrap().identifiers.is("Buyer-ID"));
}

#[test]
fn registrations_are_told_apart_by_their_scheme() {
    for text in [UBL_INVOICE, CII] {
        let document = parsed(text);
        let invoice = reading(&document).invoice;
        let seller = invoice.seller.one().unwrap();
        let vat: Vec<_> = seller.vat_identifiers().map(|id| id.trimmed()).collect();
        let other: Vec<_> = seller.other_tax_registrations().map(|id| id.trimmed()).collect();
        assert_eq!(
            (vat[..].join(" "), other[..].join(" ")),
            ("NL123456789".into(), "TAX-77".into())
        );
        let schemes = seller.tax_registrations.iter().filter_map(|one| one.scheme_source());
        assert_eq!(schemes.count(), 2);
    }
    let document = edit("<cbc:ID>VAT</cbc:ID>", "<cbc:ID>vat</cbc:ID>");
    let kind = reading(&document).invoice.seller.one().unwrap().tax_registrations[0].kind();
    assert_eq!(kind, TaxRegistrationKind::Vat);
}

#[test]
fn a_total_of_vat_is_told_by_its_currency() {
    for text in [UBL_INVOICE, CII] {
        let document = parsed(text);
        let invoice = reading(&document).invoice;
        assert!(invoice.vat_total().map(|amount| amount.trimmed()).eq(["47.50"]));
        let other = invoice.vat_total_in_tax_currency().map(|amount| amount.trimmed());
        assert!(other.eq(["530.10"]));
    }
    let document = parsed(UBL_INVOICE);
    let invoice = reading(&document).invoice;
    let sizes: Vec<_> =
        invoice.tax_totals.iter().map(|total| invoice.breakdown_of(total).len()).collect();
    assert_eq!(sizes, [1, 0]);
}

/// A sample with some of its lines left out, written twice or swapped.
pub(super) fn disturbed(text: &str, picks: &[(usize, u8)]) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for &(pick, how) in picks {
        let at = 2 + pick % (lines.len() - 3);
        match how % 3 {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at]),
            _ => lines.swap(at, at + 1),
        }
    }
    lines.join("\n")
}

proptest! {
    #[test]
    fn whatever_is_disturbed_every_leaf_has_a_fate(
        which in 0_usize..3,
        picks in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6),
    ) {
        let text = disturbed([UBL_INVOICE, super::UBL_CREDIT_NOTE, CII][which], &picks);
        let Some(document) = super::parse(text.as_bytes()) else { return Ok(()) };
        let reading = reading(&document);
        let tally = reading.tally;
        let sum = tally.read + tally.derived + tally.regenerated + tally.unread;
        prop_assert_eq!(sum, super::leaves(document.root()));
        prop_assert!(reading.invoice.terms().len() < 400);
    }
}
