//! cXML: what is particular to it.

use quoin_model::amount::Decimal;
use quoin_xml::tree::{Document, Limits};

use crate::convert::{ConversionRefusal, ConversionTarget, convert};
use crate::readers::read_invoice;

const SAMPLE: &str = include_str!("../../../samples/cxml.xml");

fn parsed(text: &str) -> Document {
    super::super::tree(text.as_bytes(), &Limits::default()).unwrap().unwrap()
}

fn number(text: &str) -> Option<Decimal> {
    Decimal::parse(text).ok()
}

/// A credit memo, whose amounts and quantities are negative.
fn credit() -> String {
    let text = SAMPLE.replace("purpose=\"standard\"", "purpose=\"creditMemo\"");
    let text = text.replace("quantity=\"20\"", "quantity=\"-20\"");
    text.replace("<Money currency=\"EUR\">", "<Money currency=\"EUR\">-")
        .replace("-0.00", "0.00")
        .replace(">-45.00</Money>\n            <Mod", ">45.00</Money>\n            <Mod")
}

#[test]
fn the_secret_of_a_message_is_in_no_list() {
    let document = parsed(SAMPLE);
    let reading = read_invoice(&document).unwrap();
    assert!(!format!("{:?}", reading.invoice).contains("not-for-lists"));
    let converted = convert(&document, ConversionTarget::UBL).unwrap();
    assert!(!format!("{:?}", converted.losses).contains("not-for-lists"));
    assert!(!converted.document.contains("not-for-lists"));
    let unread = crate::readers::unread(document.root()).unwrap();
    assert_eq!(unread.count, 0, "{:?}", unread.leaves);
}

#[test]
fn a_credit_memo_is_a_credit_note_with_positive_amounts() {
    let document = parsed(&credit());
    let invoice = read_invoice(&document).unwrap().invoice;
    assert!(invoice.type_code.is("381"));
    let totals = invoice.totals.first().unwrap();
    assert_eq!(totals.with_vat.value(), number("927.40"));
    assert_eq!(totals.with_vat.get().unwrap().as_written(), "-927.40");
    let line = invoice.lines.first().unwrap();
    assert_eq!(line.quantity.value(), number("20"));
    assert_eq!(line.net_amount.value(), number("430.00"));
    // The price has no sign.
    assert_eq!(line.price.first().unwrap().net.value(), number("45.00"));
    let ubl = convert(&document, ConversionTarget::UBL).unwrap();
    assert!(ubl.document.contains("<CreditNote "));
    assert!(ubl.losses.iter().any(|loss| loss.reason.contains("negative")));
}

#[test]
fn an_invoice_that_is_negative_stays_as_it_is() {
    let text = credit().replace("purpose=\"creditMemo\"", "purpose=\"standard\"");
    let document = parsed(&text);
    let invoice = read_invoice(&document).unwrap().invoice;
    assert!(invoice.type_code.is("380"));
    assert_eq!(invoice.totals.first().unwrap().with_vat.value(), number("-927.40"));
}

#[test]
fn the_net_amount_of_the_summary_is_with_tax() {
    let total =
        "<TotalAmountWithoutTax><Money currency=\"EUR\">835.00</Money></TotalAmountWithoutTax>";
    let text = SAMPLE.replace(total, "");
    assert!(text.len() < SAMPLE.len());
    let document = parsed(&text);
    let invoice = read_invoice(&document).unwrap().invoice;
    let totals = invoice.totals.first().unwrap();
    assert_eq!(totals.with_vat.value(), number("927.40"));
    assert_eq!(totals.without_vat.value(), number("835.00"));
}

#[test]
fn the_day_that_payment_is_due_follows_from_the_days_of_the_terms() {
    let document = parsed(SAMPLE);
    let invoice = read_invoice(&document).unwrap().invoice;
    assert!(invoice.due_date.is("2026-06-03"));
    let own = "<Extrinsic name=\"invoiceDueDate\">2026-06-10</Extrinsic>\n<Extrinsic name=\"buyerR";
    let document = parsed(&SAMPLE.replace("<Extrinsic name=\"buyerR", own));
    assert!(read_invoice(&document).unwrap().invoice.due_date.is("2026-06-10"));
}

#[test]
fn a_tax_that_is_not_vat_is_none_of_en_16931() {
    let document = parsed(&SAMPLE.replace("category=\"vat\"", "category=\"gst\""));
    let refused = convert(&document, ConversionTarget::UBL).unwrap_err();
    assert!(matches!(refused, ConversionRefusal::OtherTax { scheme, .. } if scheme == "GST"));
}

#[test]
fn who_is_paid_is_another_only_where_the_name_is() {
    let document = parsed(&SAMPLE.replace("Factor House", "Seller Works"));
    let invoice = read_invoice(&document).unwrap().invoice;
    assert!(invoice.payee.is_absent());
    assert_eq!(invoice.payment.credit_transfers().count(), 1);
}

#[test]
fn another_message_is_no_invoice() {
    for text in ["<cXML/>", "<cXML><Request><OrderRequest/></Request></cXML>"] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert!(read_invoice(&document).is_none());
    }
    // What takes an invoice back must not become one.
    let back = parsed(&SAMPLE.replace("operation=\"new\"", "operation=\"delete\""));
    assert!(read_invoice(&back).is_none());
    let refusal = convert(&back, ConversionTarget::UBL).unwrap_err();
    assert!(refusal.to_string().contains("'cXML'"), "{refusal}");
}

#[test]
fn the_declaration_of_a_file_is_passed_over() {
    let parsed = crate::read(SAMPLE.as_bytes());
    assert_eq!(parsed.detection().syntax, Some(crate::Syntax::Cxml));
    assert!(read_invoice(parsed.tree().unwrap()).is_some());
    let entity = SAMPLE.replace("InvoiceDetail.dtd\">", "InvoiceDetail.dtd\" [<!ENTITY a 'b'>]>");
    assert!(crate::read(entity.as_bytes()).tree().is_err());
}
