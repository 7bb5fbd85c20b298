//! cXML that was converted, read again.

use quoin_model::amount::Decimal;
use quoin_xml::tree::{Document, Limits};

use crate::convert::{ConversionRefusal, ConversionTarget, Converted, LossKind, convert};
use crate::readers::read_invoice;

const UBL: &str = include_str!("../../../samples/every-term-ubl-invoice.xml");
const CREDIT: &str = include_str!("../../../samples/every-term-ubl-credit-note.xml");

fn converted(text: &str) -> Result<Converted, ConversionRefusal> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    convert(&document, ConversionTarget::CXML)
}

fn read_again(text: &str) -> Document {
    super::super::tree(text.as_bytes(), &Limits::default()).unwrap().unwrap()
}

#[test]
fn what_is_written_is_read() {
    let there = converted(UBL).unwrap();
    assert!(there.document.contains("<!DOCTYPE cXML SYSTEM"));
    let document = read_again(&there.document);
    let reading = read_invoice(&document).unwrap();
    assert!(reading.residue.is_empty(), "{:?}", reading.residue);
    let invoice = reading.invoice;
    assert!(invoice.number.is("E-164") && invoice.due_date.is("2026-06-03"));
    assert!(invoice.tax_currency.is("SEK") && invoice.vat_total_in_tax_currency().count() == 1);
    assert_eq!(invoice.seller.first().unwrap().vat_identifiers().count(), 1);
    assert!(invoice.references.contract.first().unwrap().id.is("C-6"));
}

/// cXML says how is paid once: it is said of every account.
#[test]
fn every_account_is_paid_as_the_document_says() {
    let place = "<cac:PaymentTerms>";
    let second = "<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>\
        <cac:PayeeFinancialAccount><cbc:ID>DE75512108001245126199</cbc:ID>\
        </cac:PayeeFinancialAccount></cac:PaymentMeans>";
    let there = converted(&UBL.replace(place, &format!("{second}{place}"))).unwrap();
    let document = read_again(&there.document);
    let back = convert(&document, ConversionTarget::UBL).unwrap();
    let text = &back.document;
    assert_eq!(text.matches("<cac:PayeeFinancialAccount>").count(), 2, "{text}");
    assert_eq!(text.matches(">30</cbc:PaymentMeansCode>").count(), 2, "{text}");
    assert!(!text.contains(">1</cbc:PaymentMeansCode>"), "{text}");
}

#[test]
fn a_credit_note_has_negative_amounts_and_comes_back() {
    let there = converted(CREDIT).unwrap();
    assert!(there.document.contains("purpose=\"creditMemo\""));
    let source = Document::parse(CREDIT.as_bytes(), &Limits::default()).unwrap();
    let source = read_invoice(&source).unwrap().invoice;
    let total = source.totals.first().unwrap().with_vat.value().unwrap();
    assert!(there.document.contains(&format!(">-{total}")));
    let document = read_again(&there.document);
    let back = read_invoice(&document).unwrap().invoice;
    assert_eq!(back.totals.first().unwrap().with_vat.value(), Some(total));
    let count = |invoice: &quoin_model::en16931::Invoice<'_>| -> Vec<Option<Decimal>> {
        invoice.lines.iter().map(|line| line.quantity.value()).collect()
    };
    assert_eq!(count(&back), count(&source));
    let price = |invoice: &quoin_model::en16931::Invoice<'_>| {
        invoice.lines.first().and_then(|line| line.price.first()?.net.value())
    };
    assert_eq!(price(&back), price(&source));
}

#[test]
fn without_an_order_there_is_no_cxml() {
    let mut text = UBL.to_owned();
    for name in ["OrderReference", "ContractDocumentReference"] {
        let (from, until) = (format!("<cac:{name}>"), format!("</cac:{name}>"));
        let (before, rest) = text.split_once(&from).unwrap();
        let (_, after) = rest.split_once(&until).unwrap();
        text = format!("{before}{after}");
    }
    let refused = converted(&text).unwrap_err();
    assert!(matches!(refused, ConversionRefusal::TermMissing { term } if term.contains("BT-13")));
    assert!(refused.to_string().contains("which the target must have"));
}

#[test]
fn an_electronic_address_is_no_credential() {
    let there = converted(UBL).unwrap();
    let rows = there.losses.iter().filter(|loss| loss.term == Some("BT-34"));
    assert_eq!(rows.filter(|loss| loss.kind == LossKind::Changed).count(), 1);
    assert!(!there.document.contains("SharedSecret"));
}

#[test]
fn a_category_that_cxml_does_not_tell_is_exempt_and_listed() {
    let text = UBL.replace("<cbc:ID>S</cbc:ID>", "<cbc:ID>AE</cbc:ID>");
    assert!(text.len() > UBL.len());
    let there = converted(&text).unwrap();
    let row = there.losses.iter().find(|loss| loss.value == "AE").unwrap();
    assert_eq!(row.kind, LossKind::Changed);
}

/// White space beside text is text.
#[test]
fn a_description_is_the_same_after_a_way_round() {
    let there = converted(UBL).unwrap();
    assert!(there.document.contains("</ShortName></Description>"), "{}", there.document);
    let document = read_again(&there.document);
    let back = convert(&document, ConversionTarget::UBL).unwrap();
    let own = |text: &str| {
        let (_, rest) = text.split_once("<cbc:Description>").unwrap();
        let (own, _) = rest.split_once("</cbc:Description>").unwrap();
        own.to_owned()
    };
    let item = |text: &str| own(text.split_once("<cac:Item>").unwrap().1);
    assert_eq!(item(&back.document), item(UBL));
    // What others indent is read without it.
    let spread = there.document.replace("<ShortName>", "\n      <ShortName>");
    let document = read_again(&spread.replace("</ShortName>", "</ShortName>\n    "));
    let back = convert(&document, ConversionTarget::UBL).unwrap();
    assert_eq!(item(&back.document), item(UBL));
}

/// One place: not the number of one with the street of another.
#[test]
fn an_order_goes_to_one_place() {
    let order = include_str!("../../../samples/order.xml");
    let document = Document::parse(order.as_bytes(), &Limits::default()).unwrap();
    let there = convert(&document, ConversionTarget::CXML).unwrap();
    let (_, rest) = there.document.split_once("<ShipTo>").unwrap();
    let (to, _) = rest.split_once("</ShipTo>").unwrap();
    assert!(to.contains("8712345000042") && to.contains("Kade 9"), "{to}");
    assert!(!to.contains("Kade 11"), "{to}");
    let lost = |loss: &crate::convert::Loss| loss.kind == LossKind::Lost && loss.value == "Kade 11";
    assert!(there.losses.iter().any(lost), "{:?}", there.losses);
}

/// A line of cXML says the tax, and not what is taxed.
#[test]
fn the_tax_of_a_line_without_what_is_taxed_has_no_parts_in_ubl() {
    let tax = "<Tax><Money currency=\"EUR\">50.00</Money><Description xml:lang=\"en\"/><TaxDetail \
               category=\"vat\" percentageRate=\"25\"><TaxAmount><Money currency=\"EUR\">50.00\
               </Money></TaxAmount></TaxDetail></Tax>";
    let place = "<TotalAmountWithoutTax>";
    let there = converted(UBL).unwrap().document;
    let (head, rest) = there.split_once(place).expect("a line");
    let (head, _) = head.rsplit_once("<Tax>").unwrap_or((head, ""));
    let document = read_again(&format!("{head}{tax}{place}{rest}"));
    let back = convert(&document, ConversionTarget::UBL).unwrap().document;
    let (_, line) = back.split_once("<cac:InvoiceLine>").unwrap();
    assert!(line.contains("<cbc:TaxAmount currencyID=\"EUR\">50.00"), "{line}");
    assert!(!line.contains("<cac:TaxSubtotal>"), "{line}");
}

#[test]
fn numbers_have_no_plus() {
    let text = UBL
        .replace("<cbc:Percent>25<", "<cbc:Percent>+25.0<")
        .replace("unitCode=\"C62\">1<", "unitCode=\"C62\">+1.0<");
    let there = converted(&text).unwrap();
    assert!(there.document.contains("percentageRate=\"25.0\""), "{}", there.document);
    assert!(there.document.contains("<PriceBasisQuantity quantity=\"1.0\""));
}
