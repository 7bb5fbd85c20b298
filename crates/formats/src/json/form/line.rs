//! Lines: BG-25 to BG-30.

use quoin_model::en16931::Line;

use super::{begin, form, money};
use crate::json::output::JsonOutput;

begin!(Line, OrderLineReference, Price);

form! { Line {
    "identifier": text(id), "BT-126: the number of the line.";
    "note": text(note), "BT-127: a note.";
    "invoicedObject": invoiced_objects(*), "BT-128: what is invoiced, and its scheme (BT-128-1).";
    "quantity": quantity(quantity), "BT-129: the quantity, and its unit (BT-130).";
    "netAmount": amount(net_amount), "BT-131: the net amount.";
    "orderLine": text(order_lines => line_id), "BT-132: the line of the order of the buyer.";
    "accountingReference": text(accounting_reference), "BT-133: where the buyer books it.";
    "period": group<Period>(period), "BG-26: the period.";
    "allowances": allowances(allowance_charges), "BG-27: allowances.";
    "charges": charges(allowance_charges), "BG-28: charges.";
    "netPrice": amount(price => net), "BT-146: the net price.";
    "priceDiscount": discount(price), "BT-147: the discount on the gross price.";
    "grossPrice": amount(price => gross), "BT-148: the gross price.";
    "priceBaseQuantity": base_quantity(price),
        "BT-149: to how many the price belongs, and the unit (BT-150).";
    "vatCategory": text(tax_category => code), "BT-151: the VAT category (UNTDID 5305).";
    "vatRate": number(tax_category => rate), "BT-152: the VAT rate in percent.";
    "vatExemptionReason": text(tax_category => exemption_reason),
        "Why no VAT is due (an extension).";
    "vatExemptionReasonCode": text(tax_category => exemption_reason_code),
        "Why no VAT is due, as a code (an extension).";
    "item": group<ItemInformation>(item), "BG-31: what was sold.";
} tells tell_line }

fn tell_line<'d>(out: &mut JsonOutput<'d>, line: &Line<'d>) {
    money::tell_scheme(out, &line.tax_category);
}
