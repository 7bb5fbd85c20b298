//! Reading DICO: what it says otherwise than EN 16931.

use quoin_model::en16931::{Agreement, Derivation, Invoice, PartyRole};
use quoin_xml::tree::{Document, Limits};

use crate::readers::read_invoice;

const SAMPLE: &str = include_str!("../../../samples/dico.xml");

/// An invoice of INSBOU003: without a namespace, with longer names, and parties that are numbers.
const INSBOU003: &str = r#"<Invoice xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:noNamespaceSchemaLocation="Factuur_insbou003.xsd">
  <InvoiceType>384</InvoiceType><InvoiceNumber>C-9</InvoiceNumber>
  <InvoiceDate>2026-05-04</InvoiceDate><Currency>EUR</Currency>
  <InvoiceNumberToBeCorrected>C-8</InvoiceNumberToBeCorrected>
  <Buyer><GLN>8700000000019</GLN></Buyer>
  <Supplier><GLN>8700000000026</GLN></Supplier>
  <Invoicee><GLN>8700000000019</GLN><Name>Afnemer</Name><City>Sneek</City></Invoicee>
  <Invoicer><GLN>8700000000040</GLN><Name>Leverancier</Name></Invoicer>
  <InvoiceLine><LineNumber>1</LineNumber>
    <DeliveredQuantity>-3.000</DeliveredQuantity>
    <DeliveredQuantityMeasureUnitCode>PCE</DeliveredQuantityMeasureUnitCode>
    <NumberOfInvoicingUnits>-3</NumberOfInvoicingUnits><NetLineAmount>-6.00</NetLineAmount>
    <TradeItemIdentification>
      <SuppliersTradeItemIdentification>A-1</SuppliersTradeItemIdentification>
    </TradeItemIdentification>
    <PriceInformation><Price>2.00</Price><PriceBase>
      <NumberOfUnitsInPriceBasis>1.000</NumberOfUnitsInPriceBasis>
      <MeasureUnitPriceBasis>PCE</MeasureUnitPriceBasis></PriceBase></PriceInformation>
  </InvoiceLine>
  <InvoiceTotals><TotalInvoiceAmount>-7.26</TotalInvoiceAmount>
    <TotalNetLineAmount>-6.00</TotalNetLineAmount>
    <TotalAmountInvoiceChargeAllowance>0</TotalAmountInvoiceChargeAllowance>
    <TotalVATAmount>-1.26</TotalVATAmount></InvoiceTotals>
  <VATSubTotal><VATAmount>-1.26</VATAmount><VATInformation><VATRate>S</VATRate>
    <VATpercentage>21.00</VATpercentage><VATBaseAmount>-6.00</VATBaseAmount></VATInformation>
  </VATSubTotal></Invoice>"#;

fn look<T>(text: &str, look: impl FnOnce(&Invoice<'_>) -> T) -> T {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    look(&read_invoice(&document).unwrap().invoice)
}

fn edited<T>(from: &str, to: &str, looks: impl FnOnce(&Invoice<'_>) -> T) -> T {
    assert!(SAMPLE.contains(from), "{from}");
    look(&SAMPLE.replacen(from, to, 1), looks)
}

#[test]
fn dico_back_to_en_a_correction_below_nought_is_a_credit_note_with_the_other_sign() {
    look(INSBOU003, |invoice| {
        let code = invoice.type_code.get().unwrap();
        assert_eq!((code.trimmed().as_ref(), code.as_written().as_ref()), ("381", "384"));
        let line = &invoice.lines[0];
        assert!(line.quantity.is("3") && line.net_amount.is("6.00"));
        assert!(line.price.one().unwrap().net.is("2.00"), "a price keeps its sign");
        let totals = invoice.totals.one().unwrap();
        assert!(totals.with_vat.is("7.26") && totals.due.is("7.26"));
        assert!(invoice.vat_breakdown[0].taxable_amount.is("6.00"));
        assert_eq!(line.net_amount.get().unwrap().derivation(), Some(Derivation::Negated));
    });
}

#[test]
fn dico_back_to_en_if_the_type_says_invoice_the_negative_invoice_is_left() {
    look(&INSBOU003.replace(">384<", ">380<"), |invoice| {
        assert!(invoice.type_code.is("380"));
        assert!(invoice.lines[0].quantity.is("-3"));
        assert!(invoice.totals.one().unwrap().with_vat.is("-7.26"));
    });
    // A correction over nought is a correction.
    edited(">380<", ">384<", |invoice| {
        assert!(invoice.type_code.is("384") && invoice.lines[0].quantity.is("10"));
    });
}

#[test]
fn a_party_that_is_a_number_has_the_name_of_who_is_invoiced() {
    look(INSBOU003, |invoice| {
        let (buyer, seller) = (invoice.buyer.one().unwrap(), invoice.seller.one().unwrap());
        assert!(buyer.name.is("Afnemer") && seller.name.is("Leverancier"));
        assert!(seller.endpoint.is("8700000000040") && seller.identifiers.is("8700000000026"));
        assert!(seller.endpoint.get().unwrap().scheme().unwrap().is("0088"));
        assert!(invoice.payee.is_absent());
    });
    edited("<ShipFrom>", "<ShipFrom>", |invoice| {
        // The supplier has a name: who invoices under another one is paid.
        assert!(invoice.payee.one().unwrap().name.is("Quoin Factoring"));
        assert!(invoice.seller.one().unwrap().endpoint.is_absent());
        let roles: Vec<_> = invoice.extensions.parties.iter().map(|one| one.role).collect();
        let known = [PartyRole::ShipFrom, PartyRole::UltimateShipTo, PartyRole::Invoicee];
        assert_eq!(roles, known);
    });
}

#[test]
fn the_unit_is_that_of_delivery_where_what_was_delivered_is_invoiced() {
    edited("<ShipFrom>", "<ShipFrom>", |invoice| {
        let unit = |at: usize| {
            let quantity = invoice.lines[at].quantity.get().unwrap();
            quantity.unit().unwrap().trimmed().into_owned()
        };
        assert_eq!([unit(0), unit(1)], ["H87", "MTR"]);
        let more = invoice.lines[1].extensions.as_deref().unwrap();
        assert!(more.netherlands.as_deref().unwrap().delivered.is("2"));
    });
}

#[test]
fn one_amount_for_charges_and_allowances_is_checked() {
    let total = |text: &str| {
        let from = ">2.50</TotalAmountInvoiceChargeAllowance>";
        edited(from, &format!(">{text}</TotalAmountInvoiceChargeAllowance>"), |invoice| {
            let totals = invoice.totals.one().unwrap();
            let own = invoice.extensions.netherlands.as_deref().unwrap();
            (
                totals.allowances.text().unwrap().into_owned(),
                totals.charges.text().unwrap().into_owned(),
                own.charge_allowance_total.text().map(|text| text.into_owned()),
            )
        })
    };
    let own = |rest: Option<&str>| ("5.00".to_owned(), "7.50".to_owned(), rest.map(str::to_owned));
    assert_eq!(total("2.50"), own(None));
    assert_eq!(total("2.5"), own(None));
    assert_eq!(total("3.50"), own(Some("3.50")));
}

#[test]
fn the_total_without_vat_is_computed_and_says_whether_it_agrees() {
    let how = |from: &str, to: &str| {
        edited(from, to, |invoice| {
            let totals = invoice.totals.one().unwrap();
            let own = totals.without_vat.get().unwrap();
            (own.trimmed().into_owned(), own.derivation())
        })
    };
    let agrees = Some(Derivation::Computed(Agreement::Agrees));
    let differs = Some(Derivation::Computed(Agreement::Differs));
    assert_eq!(how("33.81</TotalVAT", "33.81</TotalVAT"), ("161.00".to_owned(), agrees));
    assert_eq!(how("33.81</TotalVAT", "33.82</TotalVAT"), ("161.00".to_owned(), differs));
}

#[test]
fn an_invoice_without_a_namespace_is_told_by_what_is_in_it() {
    for text in [
        "<Invoice><InvoiceNumber/><Buyer/></Invoice>",
        "<Invoice><Biller/></Invoice>",
        "<Order xmlns='http://www.ketenstandaard.nl/order/SALES/005'/>",
    ] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert!(read_invoice(&document).is_none(), "{text}");
    }
}
