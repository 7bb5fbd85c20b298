//! Reading ebInterface: what its versions say differently.

use quoin_model::en16931::{Agreement, Derivation, Invoice};
use quoin_xml::tree::{Document, Limits};

use crate::readers::{read_invoice, syntax};

const SAMPLE: &str = include_str!("../../../samples/ebinterface.xml");

fn parsed(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

/// Terms of a document, and the paths that are unread.
fn terms(text: &str) -> (Vec<String>, Vec<String>) {
    let document = parsed(text);
    let reading = read_invoice(&document).unwrap();
    let all = reading.invoice.terms();
    let terms = all.iter().map(|term| format!("{} {}", term.id, term.source.trimmed()));
    (terms.collect(), reading.residue.iter().map(|leaf| leaf.path()).collect())
}

fn edited<T>(from: &str, to: &str, look: impl FnOnce(&Invoice<'_>) -> T) -> T {
    assert!(SAMPLE.contains(from), "{from}");
    let document = parsed(&SAMPLE.replacen(from, to, 1));
    look(&read_invoice(&document).unwrap().invoice)
}

#[test]
fn versions_from_4_0_are_read_and_older_ones_are_not() {
    for (version, read) in
        [("3p02", false), ("4p0", true), ("4p3", true), ("6p1", true), ("7p0", false)]
    {
        let text = format!("<Invoice xmlns='http://www.ebinterface.at/schema/{version}/'/>");
        assert_eq!(syntax(&parsed(&text)).is_some(), read, "{version}");
    }
}

#[test]
fn version_4_0_has_its_attributes_in_the_namespace() {
    let (mut sorted, unread) = terms(
        "<e:Invoice xmlns:e='http://www.ebinterface.at/schema/4p0/' e:DocumentType='CreditMemo' \
         e:InvoiceCurrency='EUR' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>\
         <e:Details><e:ItemList><e:ListLineItem><e:Quantity e:Unit='Stk'>2</e:Quantity>\
         <e:UnitPrice>5</e:UnitPrice><e:TaxRate e:TaxCode='A'>20</e:TaxRate>\
         <e:LineItemAmount>10.00</e:LineItemAmount><e:DiscountFlag>true</e:DiscountFlag>\
         </e:ListLineItem></e:ItemList></e:Details><e:Tax><e:VAT><e:Item>\
         <e:TaxedAmount>10.00</e:TaxedAmount><e:TaxRate>20</e:TaxRate><e:Amount>2.00</e:Amount>\
         </e:Item></e:VAT></e:Tax><e:TotalGrossAmount>12.00</e:TotalGrossAmount>\
         <e:PaymentMethod xsi:type='e:UniversalBankTransactionType' e:ConsolidatorPayable='true'>\
         <e:BeneficiaryAccount><e:BankAccountNr>123</e:BankAccountNr></e:BeneficiaryAccount>\
         </e:PaymentMethod><e:PresentationDetails><e:LayoutID>1</e:LayoutID>\
         </e:PresentationDetails></e:Invoice>",
    );
    let expected = [
        "BT-3 381",
        "BT-5 EUR",
        "BT-81 30",
        "BT-84 123",
        "BT-106 10.00",
        "BT-109 10.00",
        "BT-110 2.00",
        "BT-112 12.00",
        "BT-115 12.00",
        "BT-116 10.00",
        "BT-117 2.00",
        "BT-118 S",
        "BT-119 20",
        "BT-126 1",
        "BT-129 2",
        "BT-130 C62",
        "BT-131 10.00",
        "BT-146 5",
        "BT-151 S",
        "BT-152 20",
    ];
    sorted.sort_by_key(|term| {
        let number = term.split(['-', ' ']).nth(1).unwrap_or_default();
        number.parse::<u32>().unwrap_or_default()
    });
    assert_eq!(sorted, expected);
    assert_eq!(unread, ["/e:Invoice[1]/e:PresentationDetails[1]/e:LayoutID[1]"]);
}

#[test]
fn an_exemption_of_4_x_is_a_category() {
    let of = |code: &str| {
        let (terms, unread) = terms(&format!(
            "<e:Invoice xmlns:e='http://www.ebinterface.at/schema/4p3/'><e:Tax><e:VAT><e:VATItem>\
             <e:TaxedAmount>1.00</e:TaxedAmount><e:TaxExemption {code}>frei</e:TaxExemption>\
             <e:Amount>0.00</e:Amount></e:VATItem></e:VAT></e:Tax></e:Invoice>"
        ));
        assert_eq!(unread, Vec::<String>::new());
        terms.into_iter().find(|term| term.starts_with("BT-118")).unwrap()
    };
    assert_eq!(of(""), "BT-118 E");
    assert_eq!(of("e:TaxExemptionCode='S69'"), "BT-118 E");
    assert_eq!(of("e:TaxExemptionCode='RCH'"), "BT-118 AE");
}

#[test]
fn sums_say_whether_they_lead_to_the_total() {
    for (total, expected) in [("1240.00", Agreement::Agrees), ("1240.01", Agreement::Differs)] {
        edited(">1240.00<", &format!(">{total}<"), |invoice| {
            let totals = invoice.totals.one().unwrap();
            let all = [totals.line_net.get(), totals.charges.get(), totals.without_vat.get()];
            for amount in all {
                let how = amount.unwrap().derivation();
                assert_eq!(how, Some(Derivation::Computed(expected)));
            }
        });
    }
    edited("<eb:PayableAmount>1003.00</eb:PayableAmount>", "", |invoice| {
        let due = invoice.totals.one().unwrap().due.get().unwrap();
        assert_eq!(due.text(), "1240.00");
        assert_eq!(due.derivation(), Some(Derivation::Computed(Agreement::Unsaid)));
    });
}

#[test]
fn a_contact_is_made_whole_by_what_its_address_says() {
    edited("<eb:Details>", "<eb:Details>", |invoice| {
        let seller = invoice.seller.one().unwrap();
        let contact = seller.contact.one().unwrap();
        assert!(contact.name.is("Karl Probe") && contact.telephone.is("+43 1 18"));
        assert!(contact.email.is("probe@example.at"));
        let left = &seller.extensions.as_deref().unwrap().contacts;
        assert!(left.len() == 1 && left[0].telephone.is("+43 1 17"));
        let buyer = invoice.buyer.one().unwrap();
        assert!(buyer.contact.one().unwrap().email.is("bau@example.at"));
    });
}
