//! Signs, the shape of numbers, and the awkward places between UBL and CII.

use super::{
    CREDIT_NOTE, ConversionRefusal, ConversionTarget, LossKind, UBL, converted, edit, to_cii,
    to_ubl,
};

#[test]
fn the_document_element_follows_the_type_and_never_the_sign() {
    let negative = |text: &str| text.replace(">138.00<", ">-138.00<");
    let invoice = negative(&super::compact(super::CII));
    let ubl = converted(&invoice, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<Invoice ") && ubl.has(">-138.00</cbc:PayableAmount>"));
    let credit = invoice.replace("<ram:TypeCode>380<", "<ram:TypeCode>381<");
    let ubl = converted(&credit, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<CreditNote ") && ubl.has(">-138.00</cbc:PayableAmount>"));
    let cii = converted(&negative(CREDIT_NOTE), ConversionTarget::CII).unwrap();
    assert!(cii.has("<ram:TypeCode>381<") && cii.has("<ram:DuePayableAmount>-138.00<"));
}

#[test]
fn a_negative_allowance_stays_an_allowance() {
    let cii =
        to_cii(&[(">20.00</cbc:Amount><cbc:BaseAmount", ">-20.00</cbc:Amount><cbc:BaseAmount")]);
    let allowance = "<ram:ActualAmount>-20.00</ram:ActualAmount>";
    let (before, _) = cii.document.split_once(allowance).expect("the amount");
    let indicator = before.rsplit_once("<udt:Indicator>").unwrap().1;
    assert!(indicator.starts_with("false<"), "{indicator}");
}

#[test]
fn a_negative_price_keeps_its_sign_and_so_does_the_quantity() {
    // BR-27 refuses it in both syntaxes: nothing is repaired.
    let price = "<ram:ChargeAmount>19.00</ram:ChargeAmount>";
    let ubl = to_ubl(&[(price, &price.replace("19.00", "-19.00"))]);
    assert!(ubl.has(">-19.00</cbc:PriceAmount>"));
    assert!(ubl.has("<cbc:InvoicedQuantity unitCode=\"C62\">10</cbc:InvoicedQuantity>"));
}

#[test]
fn numbers_are_written_as_the_source_writes_them() {
    for text in ["138", "138.0", "138.000", "0138.00", "+138.00"] {
        let cii =
            to_cii(&[(">138.00</cbc:PayableAmount>", &format!(">{text}</cbc:PayableAmount>"))]);
        assert!(cii.has(&format!("<ram:DuePayableAmount>{text}</ram:DuePayableAmount>")), "{text}");
    }
}

#[test]
fn schemes_of_invoiced_objects_are_carried_both_ways() {
    let cii = to_cii(&[]);
    assert_eq!(cii.count("<ram:ReferenceTypeCode>"), 2);
    let ubl = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert_eq!(ubl.count("<cbc:DocumentTypeCode>130</cbc:DocumentTypeCode>"), 2);
    let again = converted(&ubl.document, ConversionTarget::CII).unwrap();
    assert_eq!(again.document, cii.document);
}

#[test]
fn a_provider_without_an_account_has_a_row() {
    let text = super::compact(super::CII);
    let (head, rest) = text.split_once("<ram:PayeePartyCreditorFinancialAccount>").unwrap();
    let (_, tail) = rest.split_once("</ram:PayeePartyCreditorFinancialAccount>").unwrap();
    let ubl = converted(&format!("{head}{tail}"), ConversionTarget::UBL).unwrap();
    assert!(ubl.rows().iter().any(|(term, kind, _)| (*term, *kind) == ("BT-86", LossKind::Lost)));
    assert_eq!(ubl.count("<cac:PayeeFinancialAccount>"), 0);
}

#[test]
fn attributes_that_en_16931_has_not_are_listed() {
    let cii = to_cii(&[
        ("<cbc:DocumentCurrencyCode>", "<cbc:DocumentCurrencyCode listID=\"ISO4217\">"),
        ("<cbc:Note>", "<cbc:Note languageID=\"en\">"),
    ]);
    for value in ["ISO4217", "en"] {
        assert!(cii.rows().contains(&("-", LossKind::Lost, value)), "{value}");
    }
}

#[test]
fn what_only_ubl_has_is_listed() {
    let number = "<cbc:ID>E-164</cbc:ID>";
    let more = "<cbc:UUID>6a1f</cbc:UUID>";
    let date = "<cbc:IssueDate>2026-05-04</cbc:IssueDate>";
    let cii = to_cii(&[
        (number, &format!("{number}{more}")),
        (date, &format!("{date}<cbc:IssueTime>11:00:00</cbc:IssueTime>")),
    ]);
    for value in ["6a1f", "11:00:00"] {
        assert!(cii.rows().contains(&("-", LossKind::Lost, value)), "{value}");
    }
    // How many lines there are follows from the lines.
    let place = "<cbc:BuyerReference>";
    let cii = to_cii(&[(place, &format!("<cbc:LineCountNumeric>1</cbc:LineCountNumeric>{place}"))]);
    assert_eq!((cii.tally.listed, cii.tally.derived > 0), (0, true));
}

#[test]
fn a_third_party_payment_of_xrechnung_is_refused() {
    let specification = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
        #conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0";
    let place = "<cac:AllowanceCharge>";
    let payment = "<cac:PrepaidPayment><cbc:ID>1</cbc:ID>\
        <cbc:PaidAmount currencyID=\"EUR\">5.00</cbc:PaidAmount></cac:PrepaidPayment>";
    let text = edit(
        UBL,
        &[
            (">urn:cen.eu:en16931:2017<", &format!(">{specification}<")),
            (place, &format!("{payment}{place}")),
        ],
    );
    let refusal = converted(&text, ConversionTarget::CII).unwrap_err();
    assert!(matches!(refusal, ConversionRefusal::ThirdPartyPayment { .. }), "{refusal}");
}

#[test]
fn white_space_inside_an_identifier_stays() {
    let cii = to_cii(&[]);
    assert!(cii.has("<ram:IBANID>NL02 ABNA 0123456789</ram:IBANID>"));
    let ubl = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<cbc:ID>NL02 ABNA 0123456789</cbc:ID>"));
}

#[test]
fn what_the_rules_of_one_syntax_ask_for_more_is_announced() {
    let says = |converted: &super::Converted, rule: &str| {
        converted.losses.iter().any(|loss| loss.reason.contains(rule))
    };
    // BR-CO-15: CII takes a total with VAT that is the one without.
    let ubl = to_ubl(&[("<ram:GrandTotalAmount>237.50<", "<ram:GrandTotalAmount>190.00<")]);
    assert!(says(&ubl, "BR-CO-15") && !says(&to_ubl(&[]), "BR-CO-15"));
    // BR-S-08: UBL takes a difference of less than 1.
    let cii = to_cii(&[(">190.00</cbc:TaxableAmount>", ">190.40</cbc:TaxableAmount>")]);
    assert!(says(&cii, "BR-S-08") && !says(&to_cii(&[]), "BR-S-08"));
    // Peppol has rules for Germany and Norway on UBL.
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    let text = super::compact(super::CII).replace(">urn:cen.eu:en16931:2017<", &format!(">{bis}<"));
    let parts = text.split("<ram:CountryID>").map(|part| match part.split_once('<') {
        Some((_, rest)) if !part.starts_with("<?xml") => format!("DE<{rest}"),
        _ => part.to_owned(),
    });
    let german = parts.collect::<Vec<_>>().join("<ram:CountryID>");
    let german = german.replace("<ram:BuyerReference>Desk 7</ram:BuyerReference>", "");
    let ubl = converted(&german, ConversionTarget::UBL).unwrap();
    assert!(says(&ubl, "DE-R-015") && !says(&ubl, "DE-R-001"));
    let norway = text.replace("NL123456789", "NO123456789");
    assert!(says(&converted(&norway, ConversionTarget::UBL).unwrap(), "NO-R-001"));
}
