//! Money changed in silence.

use super::{CII, ConversionTarget, LossKind, UBL, compact, converted, edit, to_cii, to_ubl};

/// BR-AF-05 to BR-AF-07 ask for a rate above nought in CII, and for nought or more in UBL.
#[test]
fn a_rate_of_nought_in_the_canary_islands_is_announced() {
    let taxed = |code: &str, rate: &str| {
        let own = compact(UBL).replace("<cbc:ID>S</cbc:ID>", &format!("<cbc:ID>{code}</cbc:ID>"));
        let own = own.replace("Percent>25<", &format!("Percent>{rate}<"));
        let cii = converted(&own, ConversionTarget::CII).expect("it has a place");
        let rows = cii.losses.iter().filter(|loss| loss.reason.contains("BR-AF-"));
        let told = rows.map(|loss| (loss.term.unwrap_or_default(), loss.reason.contains("-05")));
        told.collect::<Vec<_>>()
    };
    let all = [("BT-96", false), ("BT-103", false), ("BT-152", true)];
    assert_eq!(taxed("L", "0"), all);
    assert_eq!(taxed("L", "7"), []);
    assert_eq!(taxed("M", "0"), []);
}

#[test]
fn totals_are_never_calculated_again() {
    let cii = to_cii(&[
        (
            ">200.00</cbc:LineExtensionAmount><cbc:AccountingCost>",
            ">-109.98</cbc:LineExtensionAmount><cbc:AccountingCost>",
        ),
        (">138.00</cbc:PayableAmount>", ">250.33</cbc:PayableAmount>"),
    ]);
    assert!(cii.has("<ram:LineTotalAmount>-109.98</ram:LineTotalAmount>"));
    assert!(cii.has("<ram:DuePayableAmount>250.33</ram:DuePayableAmount>"));
    let ubl = to_ubl(&[(">138.00<", ">250.33<")]);
    assert!(ubl.has("<cbc:PayableAmount currencyID=\"EUR\">250.33</cbc:PayableAmount>"));
}

#[test]
fn the_base_quantity_stays() {
    let cii = to_cii(&[
        (">19.00</cbc:PriceAmount>", ">0.0088</cbc:PriceAmount>"),
        ("<cbc:BaseQuantity unitCode=\"C62\">1<", "<cbc:BaseQuantity unitCode=\"KGM\">1000<"),
    ]);
    assert!(cii.has(
        "<ram:ChargeAmount>0.0088</ram:ChargeAmount>\
        <ram:BasisQuantity unitCode=\"KGM\">1000</ram:BasisQuantity>"
    ));
    // Beside the gross price it is the same; another one there has a row.
    let gross = "<ram:ChargeAmount>20.00</ram:ChargeAmount>";
    let base = |quantity| {
        format!("{gross}<ram:BasisQuantity unitCode=\"C62\">{quantity}</ram:BasisQuantity>")
    };
    assert_eq!(to_ubl(&[(gross, &base("1.0"))]).tally.listed, 0);
    let ubl = to_ubl(&[(gross, &base("7"))]);
    assert!(ubl.has("<cbc:BaseQuantity unitCode=\"C62\">1</cbc:BaseQuantity>"));
    assert!(ubl.rows().contains(&("-", LossKind::Lost, "7")));
}

#[test]
fn the_breakdown_goes_to_the_total_of_its_currency() {
    let own = "<ram:TaxTotalAmount currencyID=\"EUR\">47.50</ram:TaxTotalAmount>";
    let other = "<ram:TaxTotalAmount currencyID=\"SEK\">530.10</ram:TaxTotalAmount>";
    let ubl = to_ubl(&[(own, ""), (other, &format!("{other}{own}"))]);
    assert!(ubl.has(
        "<cac:TaxTotal><cbc:TaxAmount currencyID=\"EUR\">47.50</cbc:TaxAmount>\
        <cac:TaxSubtotal>"
    ));
    assert!(ubl.has(
        "<cac:TaxTotal><cbc:TaxAmount currencyID=\"SEK\">530.10</cbc:TaxAmount>\
        </cac:TaxTotal>"
    ));
}

#[test]
fn zero_is_not_absent() {
    let cii = to_cii(&[
        (
            "<cac:TaxTotal><cbc:TaxAmount currencyID=\"EUR\">47.50",
            "<cac:TaxTotal><cbc:TaxAmount currencyID=\"EUR\">0",
        ),
        (">100.00</cbc:PrepaidAmount>", ">0.00</cbc:PrepaidAmount>"),
        ("<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>", ""),
    ]);
    assert!(cii.has("<ram:TaxTotalAmount currencyID=\"EUR\">0</ram:TaxTotalAmount>"));
    assert!(cii.has("<ram:TotalPrepaidAmount>0.00</ram:TotalPrepaidAmount>"));
    assert_eq!(cii.count("RoundingAmount"), 0);
}

#[test]
fn a_charge_stays_a_charge_and_no_base_is_invented() {
    let base = "<cbc:BaseAmount currencyID=\"EUR\">195.00</cbc:BaseAmount>";
    let cii = to_cii(&[(base, ""), (">19.50<", ">-19.50<")]);
    assert!(cii.has(
        "<udt:Indicator>true</udt:Indicator></ram:ChargeIndicator>\
        <ram:CalculationPercent>10</ram:CalculationPercent>\
        <ram:ActualAmount>-19.50</ram:ActualAmount>"
    ));
    let base = "<ram:BasisAmount>195.00</ram:BasisAmount>";
    let ubl = to_ubl(&[(base, "")]);
    assert!(ubl.has("<cbc:Amount currencyID=\"EUR\">19.50</cbc:Amount></cac:AllowanceCharge>"));
}

#[test]
fn a_charge_on_the_gross_price_is_no_discount() {
    let discount = "<udt:Indicator>false</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>";
    let changed = discount.replace("false", "true");
    let text = super::compact(super::CII);
    let text = text.replacen(discount, &changed, 1);
    let ubl = super::converted(&text, super::ConversionTarget::UBL).unwrap();
    assert!(ubl.has("</cbc:BaseQuantity></cac:Price>"), "{}", ubl.document);
    assert!(ubl.rows().contains(&("BT-148", LossKind::Lost, "20.00")));
    assert!(ubl.rows().contains(&("-", LossKind::Lost, "1.00")));
}

#[test]
fn a_discount_without_a_gross_price_has_one_derived() {
    let cii = to_cii(&[("<cbc:BaseAmount currencyID=\"EUR\">20.00</cbc:BaseAmount>", "")]);
    assert!(cii.has("<ram:GrossPriceProductTradePrice><ram:ChargeAmount>20</ram:ChargeAmount>"));
    assert!(cii.rows().contains(&("BT-148", LossKind::Derived, "20")));
}

#[test]
fn category_e_and_its_reasons_stay() {
    let cii = to_cii(&[(
        "<cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>25</cbc:Percent><cbc:TaxEx",
        "<cac:TaxCategory><cbc:ID>E</cbc:ID><cbc:Percent>0</cbc:Percent><cbc:TaxEx",
    )]);
    assert!(cii.has(
        "<ram:CategoryCode>E</ram:CategoryCode>\
        <ram:ExemptionReasonCode>VATEX-EU-132</ram:ExemptionReasonCode>"
    ));
    assert!(cii.has("<ram:ExemptionReason>Not exempt, but every term</ram:ExemptionReason>"));
    // No line is in category E: the rules of CII refuse what those of UBL accept (BR-E-01).
    let row = cii.losses.iter().find(|loss| loss.term == Some("BT-118")).unwrap();
    assert_eq!((row.kind, row.value.as_str()), (LossKind::Changed, "E"));
    assert!(row.reason.contains("BR-E-01"));
}

#[test]
fn units_and_prices_are_not_rounded() {
    let cii = to_cii(&[
        (">19.00</cbc:PriceAmount>", ">19.000049</cbc:PriceAmount>"),
        ("unitCode=\"C62\">10<", "unitCode=\"X4G\">10.123456789<"),
    ]);
    assert!(cii.has("<ram:ChargeAmount>19.000049</ram:ChargeAmount>"));
    assert!(cii.has("<ram:BilledQuantity unitCode=\"X4G\">10.123456789</ram:BilledQuantity>"));
}

#[test]
fn a_total_that_only_the_breakdown_says_is_derived() {
    let own = "<ram:TaxTotalAmount currencyID=\"EUR\">47.50</ram:TaxTotalAmount>";
    let ubl = to_ubl(&[(own, "")]);
    assert!(ubl.rows().contains(&("BT-110", LossKind::Derived, "47.50")));
    let logistics = "<ram:SpecifiedLogisticsServiceCharge><ram:Description>Freight</ram:Description>\
        <ram:AppliedAmount>5.00</ram:AppliedAmount></ram:SpecifiedLogisticsServiceCharge>";
    let terms = "<ram:SpecifiedTradePaymentTerms>";
    let ubl = to_ubl(&[(terms, &format!("{logistics}{terms}"))]);
    assert!(ubl.has(
        "<cbc:ChargeIndicator>true</cbc:ChargeIndicator>\
        <cbc:AllowanceChargeReason>Freight</cbc:AllowanceChargeReason>\
        <cbc:Amount currencyID=\"EUR\">5.00</cbc:Amount>"
    ));
    assert!(ubl.rows().contains(&("BT-99", LossKind::Changed, "5.00")));
}

/// An amount of which the source does not say which it is would be taken off or added by luck.
#[test]
fn an_amount_that_is_neither_allowance_nor_charge_is_refused() {
    let group = "<ram:SpecifiedTradeAllowanceCharge>";
    let said = "<ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator>";
    let whole = format!("{group}{said}");
    for other in [group.to_owned(), whole.replace("false", "maybe")] {
        let text = edit(CII, &[(&whole, &other)]);
        for target in ConversionTarget::all().filter(|target| *target != ConversionTarget::CII) {
            let refusal = converted(&text, target).unwrap_err().to_string();
            assert!(refusal.contains("an allowance or a charge"), "{}: {refusal}", target.as_str());
        }
    }
}

/// The sample with a base quantity beside the gross price alone, and prices.
fn gross_base(gross: &str, base: &str, net: &str, total: &str) -> String {
    edit(
        CII,
        &[
            ("<ram:ChargeAmount>20.00</ram:ChargeAmount>", gross),
            (
                "<ram:ChargeAmount>19.00</ram:ChargeAmount>\
                 <ram:BasisQuantity unitCode=\"C62\">1</ram:BasisQuantity>",
                &format!("<ram:ChargeAmount>{net}</ram:ChargeAmount>{base}"),
            ),
            (
                "<ram:LineTotalAmount>200.00</ram:LineTotalAmount>",
                &format!("<ram:LineTotalAmount>{total}</ram:LineTotalAmount>"),
            ),
        ],
    )
}

#[test]
fn a_base_beside_the_gross_price_is_of_the_net_price_where_the_line_says_so() {
    let gross = "<ram:ChargeAmount>191.00</ram:ChargeAmount>\
        <ram:BasisQuantity unitCode=\"C62\">10</ram:BasisQuantity>";
    // 10 pieces at 190.00 for ten, less 9.50 and more 19.50.
    let of_both = gross_base(gross, "", "190.00", "200.00");
    let ubl = converted(&of_both, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<cbc:BaseQuantity unitCode=\"C62\">10</cbc:BaseQuantity>"));
    assert!(ubl.has("<cbc:BaseAmount currencyID=\"EUR\">191.00</cbc:BaseAmount>"));
    // 10 pieces at 190.00 each.
    let of_one = gross_base(gross, "", "190.00", "1910.00");
    for target in ConversionTarget::all().filter(|own| *own != ConversionTarget::CII) {
        let Ok(there) = converted(&of_one, target) else { continue };
        let base = "<cbc:BaseQuantity unitCode=\"C62\">10<";
        assert!(!there.has(base) && !there.has("\"priceBaseQuantity\""), "{}", target.as_str());
        let lost = |term: &str, text: &str| there.rows().contains(&(term, LossKind::Lost, text));
        assert!(!lost("BT-146", "190.00"), "{}", target.as_str());
        assert!(lost("-", "10"), "{}: {:?}", target.as_str(), there.rows());
    }
}

/// A gross price of another quantity than the net price would be another one.
#[test]
fn a_gross_price_of_another_quantity_is_listed() {
    let gross = "<ram:ChargeAmount>200.00</ram:ChargeAmount>\
        <ram:BasisQuantity unitCode=\"C62\">10</ram:BasisQuantity>";
    let one = "<ram:BasisQuantity unitCode=\"C62\">1</ram:BasisQuantity>";
    for base in [one, ""] {
        let ubl = converted(&gross_base(gross, base, "19.00", "200.00"), ConversionTarget::UBL);
        let ubl = ubl.unwrap();
        assert!(ubl.has("<cbc:PriceAmount currencyID=\"EUR\">19.00</cbc:PriceAmount>"));
        assert!(!ubl.has(">200.00</cbc:BaseAmount></cac:AllowanceCharge></cac:Price>"));
        for row in [("BT-148", LossKind::Lost, "200.00"), ("BT-147", LossKind::Lost, "1.00")] {
            assert!(ubl.rows().contains(&row), "{:?}", ubl.rows());
        }
    }
}

#[test]
fn a_charge_for_logistics_is_a_charge_of_the_document() {
    let logistics = "<ram:SpecifiedLogisticsServiceCharge>\
        <ram:Description>Freight</ram:Description><ram:AppliedAmount>7.31</ram:AppliedAmount><ram:AppliedTradeTax>\
        <ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode>\
        <ram:RateApplicablePercent>25</ram:RateApplicablePercent></ram:AppliedTradeTax>\
        </ram:SpecifiedLogisticsServiceCharge>";
    let terms = "<ram:SpecifiedTradePaymentTerms>";
    let text = edit(CII, &[(terms, &format!("{logistics}{terms}"))]);
    let mut count = 0;
    for target in ConversionTarget::all() {
        let Ok(there) = converted(&text, target) else { continue };
        count += 1;
        assert!(there.document.contains("7.31"), "{}\n{}", target.as_str(), there.document);
        let rows = there.rows();
        let is_told = rows.contains(&("BT-99", LossKind::Changed, "7.31"))
            && there
                .losses
                .iter()
                .all(|row| row.term != Some("BT-99") || row.target_path.is_some());
        assert!(is_told || target == ConversionTarget::CII, "{}: {rows:?}", target.as_str());
    }
    assert!(count >= 5, "{count}");
}

/// CII-DT-031 of EN 16931: what will not be valid is announced.
#[test]
fn an_amount_in_another_currency_is_announced() {
    let price = "<cbc:PriceAmount currencyID=\"EUR\">19.00<";
    let cii = to_cii(&[(price, &price.replace("EUR", "USD"))]);
    assert!(cii.has("<ram:ChargeAmount currencyID=\"USD\">19.00</ram:ChargeAmount>"));
    let row = cii.losses.iter().find(|loss| loss.value == "USD").expect("a row");
    assert_eq!(row.kind, LossKind::Changed);
    assert!(row.reason.contains("CII-DT-031"), "{row:?}");
    // The total of VAT in the currency of accounting is one of two.
    assert!(!to_cii(&[]).rows().iter().any(|row| row.2 == "SEK" && row.1 == LossKind::Changed));
}
