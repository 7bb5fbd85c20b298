//! What both syntaxes have beyond EN 16931 is carried both ways.

use super::{ConversionTarget, Converted, LossKind, converted, to_cii, to_ubl};

fn is_lost(converted: &Converted, value: &str) -> bool {
    converted.losses.iter().any(|loss| loss.value == value && loss.kind == LossKind::Lost)
}

/// Each with a place in UBL, what is put before it, and what CII says.
const OF_UBL: &[(&str, &str, &str)] = &[
    (
        "<cbc:StreetName>",
        "<cbc:ID>7300010000001</cbc:ID><cbc:Postbox>PB 7</cbc:Postbox>",
        "<ram:PostOfficeBox>PB 7</ram:PostOfficeBox>",
    ),
    ("<cbc:CityName>", "<cbc:BuildingNumber>12b</cbc:BuildingNumber>", "<ram:BuildingNumber>12b<"),
    ("<cbc:CityName>", "<cbc:Department>Desk</cbc:Department>", "<ram:DepartmentName>Desk<"),
    (
        "<cac:Item>",
        "<cac:TaxTotal><cbc:TaxAmount currencyID=\"EUR\">47.50</cbc:TaxAmount></cac:TaxTotal>",
        "<ram:TaxTotalAmount>47.50</ram:TaxTotalAmount></ram:SpecifiedTradeSettlementLine",
    ),
    (
        "<cac:PaymentTerms><cbc:Note>Net 30 days</cbc:Note>",
        "",
        "<ram:Description>Net 30 days</ram:Description>",
    ),
    ("<cbc:BuyerReference>", "<cbc:PaymentCurrencyCode>USD</cbc:PaymentCurrencyCode>", "Code>USD<"),
];

#[test]
fn what_ubl_has_more_goes_to_cii_and_comes_back() {
    for (place, more, expected) in OF_UBL {
        let cii = to_cii(&[(place, &format!("{more}{place}"))]);
        assert!(cii.has(expected), "{expected}\n{}", cii.document);
        let back = converted(&cii.document, ConversionTarget::UBL).unwrap();
        assert!(back.has(more), "{more}\n{}", back.document);
    }
}

#[test]
fn a_discount_for_early_payment_goes_to_ubl_and_comes_back() {
    let place = "</ram:SpecifiedTradePaymentTerms>";
    let more = "<ram:ApplicableTradePaymentDiscountTerms>\
        <ram:BasisPeriodMeasure unitCode=\"DAY\">10</ram:BasisPeriodMeasure>\
        <ram:CalculationPercent>2.00</ram:CalculationPercent>\
        </ram:ApplicableTradePaymentDiscountTerms>";
    let ubl = to_ubl(&[(place, &format!("{more}{place}"))]);
    assert!(ubl.has(
        "<cbc:SettlementDiscountPercent>2.00</cbc:SettlementDiscountPercent>\
         <cac:SettlementPeriod><cbc:DurationMeasure unitCode=\"DAY\">10<"
    ));
    let back = converted(&ubl.document, ConversionTarget::CII).unwrap();
    assert!(back.has(more), "{}", back.document);
}

#[test]
fn the_kind_of_document_in_words_stands_beside_its_code() {
    let code = "<ram:TypeCode>380</ram:TypeCode>";
    let ubl = to_ubl(&[(code, &format!("<ram:Name>RECHNUNG</ram:Name>{code}"))]);
    assert!(ubl.has("<cbc:InvoiceTypeCode name=\"RECHNUNG\">380</cbc:InvoiceTypeCode>"));
    let back = converted(&ubl.document, ConversionTarget::CII).unwrap();
    assert!(back.has("<ram:Name>RECHNUNG</ram:Name><ram:TypeCode>380<"));
}

#[test]
fn the_day_of_all_means_is_the_due_date() {
    let due = "<cbc:DueDate>2026-06-03</cbc:DueDate>";
    let code = "</cbc:PaymentMeansCode>";
    let day = "<cbc:PaymentDueDate>2026-06-09</cbc:PaymentDueDate>";
    let cii = to_cii(&[(due, ""), (code, &format!("{code}{day}"))]);
    assert!(cii.has("<ram:DueDateDateTime><udt:DateTimeString format=\"102\">20260609<"));
    assert!(cii.rows().contains(&("BT-9", LossKind::Changed, "2026-06-09")));
    // What the document says itself is what counts.
    let cii = to_cii(&[(code, &format!("{code}{day}"))]);
    assert!(is_lost(&cii, "2026-06-09"));
}

#[test]
fn the_institution_of_an_account_is_its_provider() {
    let branch = "<cac:FinancialInstitutionBranch><cbc:ID>";
    let text = super::compact(super::UBL);
    let (head, rest) = text.split_once(branch).unwrap();
    let (provider, tail) = rest.split_once("</cbc:ID>").unwrap();
    let text = format!(
        "{head}<cac:FinancialInstitutionBranch><cac:FinancialInstitution><cbc:ID>{provider}\
         </cbc:ID></cac:FinancialInstitution>{tail}"
    );
    let cii = converted(&text, ConversionTarget::CII).unwrap();
    assert!(cii.has(&format!("<ram:BICID>{provider}</ram:BICID>")));
    assert!(cii.rows().contains(&("BT-86", LossKind::Changed, provider)));
}
