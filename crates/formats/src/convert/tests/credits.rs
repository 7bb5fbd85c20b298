//! What credits and what charges: types of documents, and totals below nought.

use super::{CREDIT_NOTE, ConversionRefusal, ConversionTarget, Converted, LossKind, UBL};
use super::{converted, edit};
use crate::readers::read_invoice;

/// Types of credit notes beside 381; the seller issues each of them.
const OTHER_TYPES: &[&str] = &["83", "262", "296", "308", "396", "420", "458", "502", "503", "532"];

/// The credit note without a prepaid amount and a rounding, with a GLN where one is asked for.
fn credit_note(code: &str) -> String {
    let paid = "<cbc:PrepaidAmount currencyID=\"EUR\">100.00</cbc:PrepaidAmount>";
    let rounding = "<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>";
    let due = (">138.00</cbc:PayableAmount>", ">237.50</cbc:PayableAmount>");
    let kind = format!(">{code}</cbc:CreditNoteTypeCode>");
    let own = (">381</cbc:CreditNoteTypeCode>", kind.as_str());
    let text = edit(CREDIT_NOTE, &[(paid, ""), (rounding, ""), due, own]);
    let gln = "8700000000019</cbc:EndpointID>";
    text.replace("7300010000001</cbc:EndpointID>", gln)
        .replace("7300010000018</cbc:EndpointID>", gln)
}

fn is_refused(result: &Result<Converted, ConversionRefusal>) -> bool {
    match result {
        Err(ConversionRefusal::ValueWithoutPlace { why, .. }) => why.contains("charges"),
        _ => false,
    }
}

#[test]
fn every_type_of_credit_notes_credits_in_every_target() {
    let targets = [
        (ConversionTarget::CII, "<ram:GrandTotalAmount>237.50<"),
        (ConversionTarget::FATTURAPA, "<TipoDocumento>TD04<"),
        (ConversionTarget::EBINTERFACE, "DocumentType=\"CreditMemo\""),
        (ConversionTarget::SVEFAKTURA, "<InvoiceTypeCode>381<"),
        (ConversionTarget::CXML, "purpose=\"creditMemo\""),
        (ConversionTarget::CXML, ">-237.50</Money>"),
        (ConversionTarget::DICO, "<TotalInvoiceAmount>-237.50<"),
        (ConversionTarget::SETU, "<Type>Credit<"),
    ];
    for code in OTHER_TYPES {
        let text = credit_note(code);
        for (target, wanted) in targets {
            let own = converted(&text, target).unwrap_or_else(|why| panic!("{code} {why}"));
            assert!(own.has(wanted), "{code} {wanted} {}", own.document);
        }
        let cii = converted(&text, ConversionTarget::CII).unwrap();
        let ubl = converted(&cii.document, ConversionTarget::UBL).unwrap();
        assert!(ubl.has("<CreditNote ") && ubl.has(&format!(">{code}</cbc:CreditNoteTypeCode>")));
    }
}

#[test]
fn a_type_of_both_stays_what_the_document_element_says() {
    let invoice = edit(UBL, &[("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>81<")]);
    let own = converted(&invoice, ConversionTarget::FATTURAPA).unwrap();
    assert!(own.has("<TipoDocumento>TD01<"), "{}", own.document);
    let own = converted(&credit_note("81"), ConversionTarget::FATTURAPA).unwrap();
    assert!(own.has("<TipoDocumento>TD04<"), "{}", own.document);
    // A type of credit notes in an invoice is neither.
    let wrong = edit(UBL, &[("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>502<")]);
    let refusal = converted(&wrong, ConversionTarget::CII);
    assert!(matches!(refusal, Err(ConversionRefusal::TypeWithoutPlace { .. })), "{refusal:?}");
}

/// A credit note of Italy is above nought.
#[test]
fn a_correction_below_nought_stays_an_invoice_below_nought_in_fatturapa() {
    let text = edit(UBL, &[("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>384<")])
        .replace(">237.50</cbc:TaxInclusive", ">-237.50</cbc:TaxInclusive");
    let own = converted(&text, ConversionTarget::FATTURAPA).expect("it has a place");
    assert!(own.has("<TipoDocumento>TD01<"), "{}", own.document);
    assert!(own.has("<ImportoTotaleDocumento>-237.50<"));
    assert!(own.rows().contains(&("BT-3", LossKind::Changed, "384")), "{:?}", own.rows());
}

/// Their readers take the sign of what credits away.
#[test]
fn a_credit_note_below_nought_is_refused_by_cxml_and_setu() {
    let below = credit_note("381").replace(">237.50<", ">-237.50<");
    for target in [ConversionTarget::CXML, ConversionTarget::SETU] {
        let result = converted(&below, target);
        assert!(is_refused(&result), "{result:?}");
        assert!(converted(&credit_note("381"), target).is_ok());
    }
    let own = converted(&below, ConversionTarget::DICO).expect("it has a place");
    let document = super::Document::parse(own.document.as_bytes(), &super::Limits::default());
    let document = document.unwrap();
    let invoice = read_invoice(&document).unwrap().invoice;
    assert!(invoice.type_code.is("384") && !invoice.is_credit_note());
    assert!(invoice.totals.one().unwrap().with_vat.is("237.50"));
}
