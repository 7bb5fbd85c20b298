//! What both syntaxes have beyond EN 16931 is carried both ways.

use super::{ConversionTarget, Converted, LossKind, converted, to_cii, to_ubl};

fn is_lost(converted: &Converted, value: &str) -> bool {
    converted.losses.iter().any(|loss| loss.value == value && loss.kind == LossKind::Lost)
}

#[test]
fn the_tax_of_a_line_goes_to_cii_and_comes_back() {
    let place = "<cac:Item>";
    let more = "<cac:TaxTotal><cbc:TaxAmount currencyID=\"EUR\">50.00</cbc:TaxAmount>\
        <cac:TaxSubtotal><cbc:TaxableAmount currencyID=\"EUR\">200.00</cbc:TaxableAmount>\
        <cbc:TaxAmount currencyID=\"EUR\">50.00</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID>\
        <cbc:Percent>25</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>\
        </cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>";
    let cii = to_cii(&[(place, &format!("{more}{place}"))]);
    assert!(cii.has(
        "<ram:ApplicableTradeTax><ram:CalculatedAmount>50.00</ram:CalculatedAmount>\
         <ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>200.00</ram:BasisAmount>"
    ));
    assert!(
        cii.has("<ram:TaxTotalAmount>50.00</ram:TaxTotalAmount></ram:SpecifiedTradeSettlementL")
    );
    assert_eq!(cii.tally.listed, 0);
    let back = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert!(back.has(more), "{}", back.document);
}

#[test]
fn what_only_an_address_of_ubl_has_is_listed_and_what_cii_has_more_goes_to_ubl() {
    // The rules of EN 16931 forbid it in CII (CII-DT-082 to 096) and not in UBL.
    let place = "<cbc:CityName>";
    let more = "<cbc:BuildingNumber>12b</cbc:BuildingNumber>";
    let cii = to_cii(&[(place, &format!("{more}{place}"))]);
    assert!(is_lost(&cii, "12b"));
    let city = "<ram:CityName>";
    let ubl = to_ubl(&[
        (city, &format!("<ram:BuildingName>Tower</ram:BuildingName>{city}")),
        ("<ram:CountryID>", "<ram:CountryName>Norge</ram:CountryName><ram:CountryID>"),
    ]);
    assert!(ubl.has("<cbc:BuildingName>Tower</cbc:BuildingName>"));
    assert!(ubl.has("</cbc:IdentificationCode><cbc:Name>Norge</cbc:Name></cac:Country>"));
}

#[test]
fn the_currency_of_payment_goes_to_cii_and_comes_back() {
    let place = "<cbc:BuyerReference>";
    let more = "<cbc:PaymentCurrencyCode>USD</cbc:PaymentCurrencyCode>";
    let cii = to_cii(&[(place, &format!("{more}{place}"))]);
    assert!(cii.has("<ram:PaymentCurrencyCode>USD</ram:PaymentCurrencyCode>"));
    let back = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert!(back.has(more));
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
