//! Lines within lines: XRechnung has them within one another, Factur-X EXTENDED in a row.

use super::{CII, ConversionRefusal, ConversionTarget, Converted, LossKind, UBL, converted, edit};
use crate::convert::{ConversionProfile, convert_at};

/// A line of CII with its parent, what it is for, and its net amount.
fn line(id: &str, parent: &str, reason: &str, net: &str) -> String {
    let parent = match parent {
        "" => String::new(),
        id => format!("<ram:ParentLineID>{id}</ram:ParentLineID>"),
    };
    format!(
        "<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>\
         <ram:LineID>{id}</ram:LineID>{parent}\
         <ram:LineStatusReasonCode>{reason}</ram:LineStatusReasonCode>\
         </ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>Part {id}\
         </ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement>\
         <ram:NetPriceProductTradePrice><ram:ChargeAmount>{net}</ram:ChargeAmount>\
         </ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>\
         <ram:SpecifiedLineTradeDelivery>\
         <ram:BilledQuantity unitCode=\"C62\">1</ram:BilledQuantity>\
         </ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement>\
         <ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>\
         <ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>25\
         </ram:RateApplicablePercent></ram:ApplicableTradeTax>\
         <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>{net}\
         </ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>\
         </ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>"
    )
}

fn with_lines(lines: &[String]) -> String {
    let text = super::compact(CII);
    let (head, rest) = text.split_once("<ram:IncludedSupplyChainTradeLineItem>").unwrap();
    let (_, tail) = rest.rsplit_once("</ram:IncludedSupplyChainTradeLineItem>").unwrap();
    format!("{head}{}{tail}", lines.concat())
}

fn to_extended(text: &str) -> Converted {
    let document = super::Document::parse(text.as_bytes(), &super::Limits::default()).unwrap();
    let extended = ConversionProfile::named("factur-x-extended").unwrap();
    convert_at(document.root(), extended).unwrap()
}

#[test]
fn a_row_of_lines_becomes_lines_within_lines() {
    let text = with_lines(&[
        // The lines of a group may stand before it.
        line("1.1", "1", "DETAIL", "30"),
        line("1", "", "GROUP", "90"),
        line("1.2", "1", "GROUP", "60"),
        line("1.2.1", "1.2", "DETAIL", "60.00"),
        line("2", "", "DETAIL", "110"),
        line("2.1", "2", "INFORMATION", "0"),
    ]);
    let ubl = converted(&text, ConversionTarget::UBL).unwrap();
    assert_eq!((ubl.count("<cac:InvoiceLine>"), ubl.count("<cac:SubInvoiceLine>")), (2, 4));
    let (first, second) = ubl.document.split_once("<cbc:ID>2</cbc:ID>").unwrap();
    assert!(first.contains("Part 1.2.1") && second.contains("Part 2.1"));
    // What each line is for follows from where it stands.
    for word in ["GROUP", "DETAIL", "INFORMATION"] {
        assert!(!ubl.losses.iter().any(|loss| loss.value == word), "{word}");
    }
    // And back again.
    let back = to_extended(&ubl.document);
    for line in ["1", "1.1", "1.2", "1.2.1", "2", "2.1"] {
        assert!(back.has(&format!("<ram:LineID>{line}</ram:LineID>")), "{line}");
    }
    assert!(back.has(
        "<ram:LineID>1.2.1</ram:LineID><ram:ParentLineID>1.2</ram:ParentLineID>\
         <ram:LineStatusReasonCode>DETAIL<"
    ));
    assert!(back.has("<ram:ParentLineID>2</ram:ParentLineID><ram:LineStatusReasonCode>INFORM"));
    assert!(back.rows().contains(&("-", LossKind::Derived, "GROUP")));
}

#[test]
fn a_row_that_is_no_tree_of_sums_is_refused() {
    for lines in [
        // A parent that is not there, the line itself, two that name one another, two of one name.
        vec![line("1", "7", "DETAIL", "1")],
        vec![line("1", "1", "DETAIL", "1")],
        vec![line("1", "2", "DETAIL", "1"), line("2", "1", "DETAIL", "1")],
        vec![line("1", "", "", "1"), line("1", "", "", "1"), line("2", "1", "", "1")],
        // A group that is not the sum of its lines, and one without lines.
        vec![line("1", "", "GROUP", "5"), line("2", "1", "DETAIL", "1")],
        vec![line("1", "", "GROUP", "5")],
        // What is not counted would be.
        vec![line("1", "", "INFORMATION", "5")],
    ] {
        let refusal = converted(&with_lines(&lines), ConversionTarget::UBL).unwrap_err();
        assert!(matches!(refusal, ConversionRefusal::LineHierarchy { .. }), "{refusal}");
    }
    let deep: Vec<String> = (0..100)
        .map(|at| {
            line(
                &at.to_string(),
                &if at == 0 { String::new() } else { (at - 1).to_string() },
                "DETAIL",
                "1",
            )
        })
        .collect();
    assert!(converted(&with_lines(&deep), ConversionTarget::UBL).is_err());
    // The other syntaxes have no lines within lines.
    let text = with_lines(&[line("1", "", "GROUP", "5"), line("2", "1", "DETAIL", "5")]);
    assert!(converted(&text, ConversionTarget::JSON).is_err());
}

#[test]
fn lines_within_lines_are_lost_in_cii_and_carried_in_extended() {
    let sub = "<cac:SubInvoiceLine><cbc:ID>1.1</cbc:ID>\
        <cbc:InvoicedQuantity unitCode=\"C62\">1</cbc:InvoicedQuantity>\
        <cbc:LineExtensionAmount currencyID=\"EUR\">200.00</cbc:LineExtensionAmount>\
        <cac:Item><cbc:Name>Part</cbc:Name></cac:Item></cac:SubInvoiceLine>";
    let text = edit(UBL, &[("</cac:InvoiceLine>", &format!("{sub}</cac:InvoiceLine>"))]);
    let cii = converted(&text, ConversionTarget::CII).unwrap();
    assert!(cii.rows().contains(&("BT-153", LossKind::Lost, "Part")));
    let extended = to_extended(&text);
    assert!(extended.has("<ram:ParentLineID>1</ram:ParentLineID>"));
    assert!(!extended.losses.iter().any(|loss| loss.kind == LossKind::Lost));
}
