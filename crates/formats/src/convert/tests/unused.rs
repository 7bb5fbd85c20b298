//! What a profile of Factur-X does not use, though its schema has a place for it, is left out and
//! told; and what a profile needs that the source has not is refused.

use super::{
    CII, ConversionRefusal, ConversionRequest, ConversionTarget, Converted, Loss, LossKind, UBL,
    convert_at, edit,
};

const MINIMUM: &str = "factur-x-minimum";
const BASIC_WL: &str = "factur-x-basic-wl";

fn result(text: &str, name: &str) -> Result<Converted, ConversionRefusal> {
    let parsed = crate::read(text.as_bytes());
    convert_at(parsed.root().unwrap(), ConversionRequest::named(name).unwrap())
}

/// The sample in CII with what profiles do not use in several groups, each value once.
fn source() -> String {
    let address = |line: &str| {
        format!(
            "<ram:PostalTradeAddress><ram:LineOne>{line}</ram:LineOne>\
             <ram:CountryID>NL</ram:CountryID></ram:PostalTradeAddress>"
        )
    };
    let end = |text: &str| {
        format!(
            "<ram:URIUniversalCommunication><ram:URIID schemeID=\"0088\">{text}</ram:URIID>\
             </ram:URIUniversalCommunication>"
        )
    };
    let payee = "</ram:PayeeTradeParty>";
    let place = "</ram:ShipToTradeParty>";
    let more = format!("{}{}{payee}", address("Payee street"), end("payee-end"));
    let there = format!("{}{place}", end("there-end"));
    edit(
        CII,
        &[("<ram:RoundingAmount>0.50</ram:RoundingAmount>", ""), (payee, &more), (place, &there)],
    )
}

fn is_lost(converted: &Converted, value: &str) -> bool {
    let is_it = |loss: &&Loss| loss.value == value && loss.kind == LossKind::Lost;
    converted.losses.iter().any(|loss| is_it(&loss))
}

#[test]
fn what_a_profile_does_not_use_is_lost_with_a_row() {
    let source = source();
    for (name, unused) in [
        (BASIC_WL, &["Payee street", "payee-end", "there-end"][..]),
        ("factur-x-basic", &["Payee street", "payee-end", "there-end"]),
        ("factur-x-en16931", &["Payee street", "payee-end", "there-end"]),
        ("factur-x-extended", &[]),
    ] {
        let converted = result(&source, name).unwrap();
        for value in ["Payee street", "payee-end", "there-end"] {
            let is_unused = unused.contains(&value);
            assert_eq!(is_lost(&converted, value), is_unused, "{name}: {value}");
            assert_eq!(converted.document.contains(value), !is_unused, "{name}: {value}");
        }
    }
}

#[test]
fn what_a_line_says_of_its_price_and_tax_beyond_basic_is_lost() {
    let gross = "<ram:AppliedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false\
        </udt:Indicator></ram:ChargeIndicator>";
    let tax = "<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>";
    let source = source();
    let from = source.find("<ram:IncludedSupplyChainTradeLineItem>").unwrap();
    let (head, lines) = source.split_at(from);
    assert!(lines.contains(gross) && lines.contains(tax), "{lines}");
    let lines = lines.replacen(
        gross,
        &format!(
            "{gross}<ram:CalculationPercent>7.5</ram:CalculationPercent>\
             <ram:BasisAmount>77.77</ram:BasisAmount>"
        ),
        1,
    );
    let lines = lines.replacen(
        tax,
        &format!("{tax}<ram:ExemptionReason>Of a line</ram:ExemptionReason>"),
        1,
    );
    let source = format!("{head}{lines}");
    for (name, is_used) in
        [("factur-x-basic", false), ("factur-x-en16931", false), ("factur-x-extended", true)]
    {
        let converted = result(&source, name).unwrap();
        for value in ["7.5", "77.77", "Of a line"] {
            assert_eq!(is_lost(&converted, value), !is_used, "{name}: {value}");
            let is_there = converted.document.contains(&format!(">{value}<"));
            assert_eq!(is_there, is_used, "{name}: {value}");
        }
    }
}

/// BR-16: whatever asks for lines is not made of a document without them.
#[test]
fn a_document_without_lines_becomes_none_that_has_to_have_them() {
    let text = edit(
        UBL,
        &[("<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>", "")],
    );
    for own in [MINIMUM, BASIC_WL] {
        let without = result(&text, own).unwrap().document;
        for name in
            ["factur-x-basic", "factur-x-en16931", "factur-x-extended", "xrechnung-cii", "ubl"]
        {
            let refused = result(&without, name);
            assert_eq!(refused.err(), Some(ConversionRefusal::NoLines), "{own} to {name}");
        }
        for name in [own, "cii", "json", MINIMUM] {
            assert!(result(&without, name).is_ok(), "{own} to {name}");
        }
        // By its specification, and out of another syntax.
        let parsed = crate::read(without.as_bytes());
        let request = |specification| ConversionRequest {
            specification: Some(specification),
            ..ConversionTarget::CII.into()
        };
        let core = convert_at(parsed.root().unwrap(), request("urn:cen.eu:en16931:2017"));
        assert_eq!(core.err(), Some(ConversionRefusal::NoLines), "{own}");
        let json = result(&without, "json").unwrap().document;
        assert_eq!(result(&json, "cii").err(), Some(ConversionRefusal::NoLines), "{own}");
        assert!(result(&json, own).is_ok(), "{own}");
    }
}

/// PEPPOL-EN16931-R008: what is empty says nothing, and XRechnung refuses it.
#[test]
fn xrechnung_has_no_empty_elements() {
    let name = "<ram:Name>Payee name</ram:Name>";
    let text = edit(CII, &[(name, &format!("{name}<ram:RoleCode> </ram:RoleCode>"))]);
    let converted = result(&text, "xrechnung-cii").unwrap();
    assert!(!converted.document.contains("RoleCode"), "{}", converted.document);
    assert!(converted.losses.iter().all(|loss| loss.kind != LossKind::Lost));
    // Without one the tree is copied, as before.
    let converted = result(CII, "xrechnung-cii").unwrap();
    assert!(converted.document.contains("Payee name"));
}
