//! To Svefaktura: what Sweden asks for, and what it has not.

use super::{ConversionRefusal, ConversionTarget, Converted, LossKind, UBL, converted, edit};

const PAID: (&str, &str) = ("<cbc:PrepaidAmount currencyID=\"EUR\">100.00</cbc:PrepaidAmount>", "");
const DUE: (&str, &str) = (">138.00</cbc:PayableAmount>", ">238.00</cbc:PayableAmount>");

fn result(changes: &[(&str, &str)]) -> Result<Converted, ConversionRefusal> {
    converted(&edit(UBL, changes), ConversionTarget::SVEFAKTURA)
}

/// What the UBL sample without a prepaid amount becomes, with more changed.
fn written(changes: &[(&str, &str)]) -> Converted {
    let all: Vec<_> = [PAID, DUE].iter().chain(changes).copied().collect();
    result(&all).expect("it has a place")
}

fn has_row(converted: &Converted, row: (&str, LossKind, &str)) -> bool {
    converted.rows().contains(&row)
}

#[test]
fn a_prepaid_amount_and_a_total_below_nought_are_refused() {
    let refusal = result(&[]);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
    let below = (DUE.0, ">-138.00</cbc:PayableAmount>");
    let refusal = result(&[PAID, below]);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
}

#[test]
fn the_total_is_what_is_due_rounded() {
    let own = written(&[]);
    assert!(own.has(">238.00</cbc:TaxInclusiveTotalAmount>"));
    assert!(own.has(">0.50</cac:RoundOffAmount>"));
    assert!(!own.rows().iter().any(|row| row.0 == "BT-112"), "{:?}", own.rows());
}

#[test]
fn both_names_are_there() {
    let vat = "<cbc:CompanyID>NL123456789</cbc:CompanyID>";
    let own = written(&[]);
    assert!(own.has("<cac:PartyName><cbc:Name>Seller trading</cbc:Name></cac:PartyName>"));
    assert!(own.has("<cbc:RegistrationName>Seller legal</cbc:RegistrationName>"));
    // Without an identifier beside which it could be registered there is one name.
    let one = written(&[(vat, "")]);
    assert!(one.has("<cac:PartyName><cbc:Name>Seller legal</cbc:Name></cac:PartyName>"));
    assert!(has_row(&one, ("BT-28", LossKind::Lost, "Seller trading")));
}

#[test]
fn other_categories_are_exempt_with_a_reason() {
    let text = edit(UBL, &[PAID, DUE])
        .replace("<cbc:ID>S</cbc:ID><cbc:Percent>25<", "<cbc:ID>AE</cbc:ID><cbc:Percent>0<");
    let own = converted(&text, ConversionTarget::SVEFAKTURA).expect("it has a place");
    assert!(own.has("<cac:ID>E</cac:ID><cbc:Percent>0</cbc:Percent><cbc:ExemptionReason>"));
    assert!(has_row(&own, ("BT-118", LossKind::Changed, "AE")));
}

#[test]
fn the_order_stands_on_each_line() {
    let own = written(&[]);
    assert!(
        own.has(
            "<cac:BuyersLineID>PO-1-1</cac:BuyersLineID><cac:OrderReference><cac:BuyersID>PO-1<"
        )
    );
    assert!(!own.rows().iter().any(|row| row.0 == "BT-13"), "{:?}", own.rows());
}

#[test]
fn several_allowances_of_a_line_are_one() {
    let own = written(&[]);
    assert!(own.has(
        "<cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:Amount amountCurrencyID=\"EUR\">10.00<"
    ));
    assert!(has_row(&own, ("BT-136", LossKind::Merged, "9.50")));
    assert!(has_row(&own, ("BT-141", LossKind::Merged, "19.50")));
}

#[test]
fn the_buyer_is_asked_for_a_reference() {
    let reference = "<cbc:BuyerReference>Desk 7</cbc:BuyerReference>";
    let own = written(&[(reference, "")]);
    assert!(has_row(&own, ("BT-10", LossKind::Derived, "PO-1")));
    let order = "<cac:OrderReference><cbc:ID>PO-1</cbc:ID><cbc:SalesOrderID>SO-2</cbc:SalesOrderID>\
        </cac:OrderReference>";
    let refusal = result(&[PAID, DUE, (reference, ""), (order, "")]);
    assert!(matches!(refusal, Err(ConversionRefusal::Required { .. })), "{refusal:?}");
}
