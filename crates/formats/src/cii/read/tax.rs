//! VAT, allowances and charges in CII: BG-20, BG-21, BG-23, BG-27, BG-28, BG-30.

use quoin_xml::tree::Element;

use super::{date, indicator, ram};
use crate::reading::Pass;
use quoin_model::en16931::{
    AllowanceCharge, Amount, Field, TaxCategory, TaxPointDateCode, VatBreakdown,
};

/// Reads `ApplicableTradeTax` of the document and other taxes that have amounts.
pub(super) fn breakdown<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut breakdown = VatBreakdown::new(element);
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "CalculatedAmount" => pass.take(&mut breakdown.tax_amount, child),
            "BasisAmount" => pass.take(&mut breakdown.taxable_amount, child),
            "TaxPointDate" => date(pass, &mut breakdown.point_date, child),
            "DueDateTypeCode" => pass.take(&mut breakdown.point_date_code, child),
            "LineTotalBasisAmount" => pass.take(&mut breakdown.line_total, child),
            "AllowanceChargeBasisAmount" => {
                pass.take(&mut breakdown.allowance_charge_total, child);
            }
            _ => part(pass, &mut category, child),
        }
    }
    breakdown.category.push(category);
    breakdown
}

/// Reads a tax that has no amounts: `CategoryTradeTax`.
pub(super) fn category<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        part(pass, &mut category, child);
    }
    category
}

/// Reads a tax of which the sum may be said beside: `CategoryTradeTax` of an allowance or a price.
pub(super) fn taxed_category<'d>(
    pass: &mut Pass<'d>,
    tax: &mut Field<Amount<'d>>,
    element: Element<'d>,
) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "CalculatedAmount" => pass.take(tax, child),
            _ => part(pass, &mut category, child),
        }
    }
    category
}

/// Reads `ApplicableTradeTax` of a line, which in Factur-X says when the tax falls due. Its sums
/// are an extension.
pub(super) fn line_category<'d>(
    pass: &mut Pass<'d>,
    due: &mut Field<TaxPointDateCode<'d>>,
    sums: &mut VatBreakdown<'d>,
    element: Element<'d>,
) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "DueDateTypeCode" => pass.take(due, child),
            "CalculatedAmount" => pass.take(&mut sums.tax_amount, child),
            "BasisAmount" => pass.take(&mut sums.taxable_amount, child),
            _ => part(pass, &mut category, child),
        }
    }
    category
}

fn part<'d>(pass: &mut Pass<'d>, category: &mut TaxCategory<'d>, child: Element<'d>) {
    match ram(child) {
        "TypeCode" => pass.take(&mut category.scheme, child),
        "CategoryCode" => pass.take(&mut category.code, child),
        "RateApplicablePercent" => pass.take(&mut category.rate, child),
        "ExemptionReason" => pass.take(&mut category.exemption_reason, child),
        "ExemptionReasonCode" => pass.take(&mut category.exemption_reason_code, child),
        _ => pass.unread(child),
    }
}

/// Reads `SpecifiedTradeAllowanceCharge`, of the document or of a line.
pub(super) fn allowance_charge<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
) -> AllowanceCharge<'d> {
    let mut one = AllowanceCharge::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ChargeIndicator" => indicator(pass, &mut one.indicator, child),
            "ActualAmount" => pass.take(&mut one.amount, child),
            "BasisAmount" => pass.take(&mut one.base_amount, child),
            "CalculationPercent" => pass.take(&mut one.percentage, child),
            "CategoryTradeTax" => {
                let category = taxed_category(pass, &mut one.tax, child);
                one.tax_category.push(category);
            }
            "ID" => pass.take(&mut one.id, child),
            "Reason" => pass.take(&mut one.reason, child),
            "ReasonCode" => pass.take(&mut one.reason_code, child),
            "SequenceNumeric" => pass.take(&mut one.sequence, child),
            "BasisQuantity" => pass.take(&mut one.base_quantity, child),
            _ => pass.unread(child),
        }
    }
    one
}
