//! Allowances and charges in UBL: BG-20, BG-21, BG-27, BG-28.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{name, totals};
use crate::reading::Pass;
use quoin_model::en16931::AllowanceCharge;

/// Reads `AllowanceCharge`, of the document or of a line, and `FreightAllowanceCharge`.
pub(in crate::ubl) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut one = AllowanceCharge::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ChargeIndicator") => pass.take(&mut one.indicator, child),
            Basic("Amount") => pass.take(&mut one.amount, child),
            Basic("BaseAmount") => pass.take(&mut one.base_amount, child),
            Basic("MultiplierFactorNumeric") => pass.take(&mut one.percentage, child),
            Basic("AllowanceChargeReason") => pass.take(&mut one.reason, child),
            Basic("AllowanceChargeReasonCode") => pass.take(&mut one.reason_code, child),
            Aggregate("TaxCategory") => one.tax_category.push(totals::category(pass, child)),
            Aggregate("TaxTotal") => super::wrapped(pass, &mut one.tax, child, "TaxAmount"),
            Basic("SequenceNumeric") => pass.take(&mut one.sequence, child),
            Basic("ID") => pass.take(&mut one.id, child),
            _ => pass.unread(child),
        }
    }
    one
}
