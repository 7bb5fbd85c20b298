//! Reading Svefaktura: what it says otherwise than EN 16931.

use quoin_model::en16931::{Agreement, Derivation, Invoice};
use quoin_xml::tree::{Document, Limits};

use crate::readers::read_invoice;

const SAMPLE: &str = include_str!("../../../samples/svefaktura.xml");

fn edited<T>(from: &str, to: &str, look: impl FnOnce(&Invoice<'_>) -> T) -> T {
    assert!(SAMPLE.contains(from), "{from}");
    let text = SAMPLE.replacen(from, to, 1);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    look(&read_invoice(&document).unwrap().invoice)
}

#[test]
fn the_total_with_vat_is_what_is_due_without_its_rounding() {
    for (due, with_vat, how) in
        [("1126.00", "1125.56", Agreement::Agrees), ("1127.00", "1126.56", Agreement::Differs)]
    {
        edited(">1126.00<", &format!(">{due}<"), |invoice| {
            let totals = invoice.totals.one().unwrap();
            let amount = totals.with_vat.get().unwrap();
            assert_eq!(
                (amount.text().as_ref(), totals.due.text().unwrap().as_ref()),
                (with_vat, due)
            );
            assert_eq!(amount.derivation(), Some(Derivation::Computed(how)));
            assert!(amount.currency().unwrap().is("SEK"));
        });
    }
    let none = "<cac:RoundOffAmount amountCurrencyID=\"SEK\">0.44</cac:RoundOffAmount>";
    edited(none, "", |invoice| {
        let totals = invoice.totals.one().unwrap();
        assert_eq!(totals.with_vat.get().unwrap().derivation(), None);
        assert_eq!(totals.with_vat.get(), totals.due.get());
    });
}

#[test]
fn a_document_without_a_currency_has_that_of_its_total() {
    edited("<InvoiceCurrencyCode>SEK</InvoiceCurrencyCode>", "", |invoice| {
        let currency = invoice.currency.get().unwrap();
        assert!(currency.is("SEK") && currency.path().ends_with("/@amountCurrencyID"));
        assert_eq!(invoice.vat_total().count(), 1);
    });
}

#[test]
fn a_line_without_a_category_has_the_only_one_of_the_document() {
    edited("<cac:ID>2</cac:ID>", "<cac:ID>2</cac:ID>", |invoice| {
        let category = invoice.lines[1].tax_category.one().unwrap();
        let (code, rate) = (category.code.get().unwrap(), category.rate.get().unwrap());
        assert_eq!((code.text().as_ref(), rate.text().as_ref()), ("S", "25"));
        assert_eq!(code.derivation(), Some(Derivation::Implied));
        assert!(code.path().contains("/cac:TaxTotal[1]/"));
    });
    let second = "<cac:TaxSubTotal><cac:TaxCategory><cac:ID>E</cac:ID></cac:TaxCategory>\
                  </cac:TaxSubTotal></cac:TaxTotal>";
    edited("</cac:TaxTotal>", second, |invoice| {
        assert!(invoice.lines[1].tax_category.is_absent());
    });
}

#[test]
fn the_order_of_the_lines_is_that_of_the_document_where_it_is_one() {
    let order = |invoice: &Invoice<'_>| {
        let reference = invoice.references.purchase_order.first()?;
        reference.id.text().map(|text| text.into_owned())
    };
    assert_eq!(edited("<ID>", "<ID>", order).as_deref(), Some("BEST-8"));
    let other = "<cac:ID>2</cac:ID><cac:OrderLineReference><cac:OrderReference><cac:BuyersID>\
                 BEST-9</cac:BuyersID></cac:OrderReference></cac:OrderLineReference>";
    assert_eq!(edited("<cac:ID>2</cac:ID>", other, order), None);
}

#[test]
fn a_number_of_lines_that_is_wrong_is_unread() {
    let text = SAMPLE.replace("Numeric>2<", "Numeric>3<");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let residue = read_invoice(&document).unwrap().residue;
    let paths: Vec<_> = residue.iter().map(|leaf| leaf.path()).collect();
    assert_eq!(paths, ["/Invoice[1]/LineItemCountNumeric[1]"]);
}

#[test]
fn a_registered_name_is_the_name_and_the_other_one_is_for_trade() {
    edited("<ID>", "<ID>", |invoice| {
        let seller = invoice.seller.one().unwrap();
        assert!(seller.name.is("Quoin Hörnsten AB") && seller.trading_name.is("Hörnstenen"));
        assert!(seller.legal_registration.is("5560000000"));
        assert!(seller.vat_identifiers().any(|id| id.is("SE556000000001")));
        assert!(seller.other_tax_registrations().any(|id| id.is("F-skattebevis finns")));
        assert!(invoice.buyer.one().unwrap().trading_name.is_absent());
    });
}

#[test]
fn a_reason_of_another_list_is_that_of_every_allowance() {
    for code in ["ZZZ", "19"] {
        edited(">ZZZ</cac:ReasonCode>", &format!(">{code}</cac:ReasonCode>"), |invoice| {
            let own = &invoice.allowance_charges[0];
            let read = own.reason_code.get().unwrap();
            let (wanted, how) = match (own.is_charge(), code) {
                (false, _) => ("95", Some(Derivation::Mapped)),
                (true, "ZZZ") => ("ZZZ", None),
                (true, _) => ("ZZZ", Some(Derivation::Mapped)),
            };
            assert!(read.is(wanted) && read.as_written() == code);
            assert_eq!(read.derivation(), how);
        });
    }
}

/// BR-61 asks for the account of a transfer.
#[test]
fn a_payment_without_an_account_is_no_transfer() {
    let means = |invoice: &Invoice<'_>| -> Vec<(bool, String)> {
        let all = invoice.payment.means.iter();
        all.map(|one| {
            let has_account = one.credit_transfers.iter().any(|own| own.account.is_filled());
            (has_account, one.code.text().unwrap_or_default().into_owned())
        })
        .collect()
    };
    edited("<cac:ID>2</cac:ID>", "<cac:ID>2</cac:ID>", |invoice| {
        assert!(means(invoice).iter().all(|(has, code)| *has == ["30", "58"].contains(&&**code)));
    });
    let (head, rest) = SAMPLE.split_once("<cac:PayeeFinancialAccount>").unwrap();
    let (_, tail) = rest.split_once("</cac:PayeeFinancialAccount>").unwrap();
    let document = Document::parse(format!("{head}{tail}").as_bytes(), &Limits::default()).unwrap();
    let invoice = read_invoice(&document).unwrap().invoice;
    assert_eq!(means(&invoice)[0], (false, "1".to_owned()));
}
