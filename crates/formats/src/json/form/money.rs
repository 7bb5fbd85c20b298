//! Allowances, charges, VAT and totals: BG-20 to BG-23, BG-27, BG-28.

use quoin_model::en16931::{
    AllowanceCharge, Derivation, Field, TaxCategory, ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::{Begin, begin, form};
use crate::json::output::JsonOutput;

begin!(AllowanceCharge, VatBreakdown);

/// The form has no tax but VAT.
impl<'d> Begin<'d> for TaxCategory<'d> {
    fn begin(element: Element<'d>) -> Self {
        let mut category = TaxCategory::new(element);
        let scheme = ValueSource::of(element).saying(Derivation::Named, "VAT");
        category.scheme.push(scheme.into());
        category
    }
}

form! { AllowanceCharge {
    "amount": amount(amount), "BT-92, BT-99, BT-136, BT-141: the amount without VAT.";
    "baseAmount": amount(base_amount), "BT-93, BT-100, BT-137, BT-142: of what amount.";
    "percentage": number(percentage), "BT-94, BT-101, BT-138, BT-143: how many percent of it.";
    "vatCategory": text(tax_category => code),
        "BT-95, BT-102: the VAT category (UNTDID 5305), of the document level only.";
    "vatRate": number(tax_category => rate),
        "BT-96, BT-103: the VAT rate in percent, of the document level only.";
    "reason": text(reason), "BT-97, BT-104, BT-139, BT-144: why.";
    "reasonCode": text(reason_code),
        "BT-98, BT-105, BT-140, BT-145: why, as a code (UNTDID 5189, 7161).";
} tells tell_change }

form! { VatBreakdown {
    "taxableAmount": amount(taxable_amount), "BT-116: the taxable amount.";
    "taxAmount": amount(tax_amount), "BT-117: the VAT.";
    "category": text(category => code), "BT-118: the category (UNTDID 5305).";
    "rate": number(category => rate), "BT-119: the rate in percent.";
    "exemptionReason": text(category => exemption_reason), "BT-120: why no VAT is due.";
    "exemptionReasonCode": text(category => exemption_reason_code),
        "BT-121: why no VAT is due, as a code (VATEX).";
} tells tell_breakdown }

form! { Totals {
    "lines": amount(line_net), "BT-106: the sum of the lines.";
    "allowances": amount(allowances), "BT-107: the sum of the allowances.";
    "charges": amount(charges), "BT-108: the sum of the charges.";
    "withoutVat": amount(without_vat), "BT-109: the total without VAT.";
    "withVat": amount(with_vat), "BT-112: the total with VAT.";
    "paid": amount(paid), "BT-113: what was paid.";
    "rounding": amount(rounding), "BT-114: what rounding makes.";
    "due": amount(due), "BT-115: the amount due.";
} }

fn tell_change<'d>(out: &mut JsonOutput<'d>, change: &AllowanceCharge<'d>) {
    tell_scheme(out, &change.tax_category);
}

fn tell_breakdown<'d>(out: &mut JsonOutput<'d>, one: &VatBreakdown<'d>) {
    tell_scheme(out, &one.category);
}

/// The tax scheme `VAT` is what the members are called.
pub(super) fn tell_scheme<'d>(out: &mut JsonOutput<'d>, categories: &Field<TaxCategory<'d>>) {
    let first = categories.first().filter(|category| category.is_vat());
    if let Some(scheme) = first.and_then(|category| category.scheme.filled()) {
        out.ledger.carry(*scheme);
    }
}
