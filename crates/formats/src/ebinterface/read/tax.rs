//! VAT (BG-23), the category of a line or a charge, and taxes other than VAT.

use quoin_model::en16931::{
    Agreement, AllowanceCharge, Amount, AttributeName, Derivation, Field, Invoice, Percentage,
    TaxCategory, Text, ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::super::codes::EXEMPTIONS;
use super::{attribute, name, put, with_attribute};
use crate::reading::{Pass, cents, implied, lookup, share};

/// Reads `Tax`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TaxItem" => invoice.vat_breakdown.push(breakdown(pass, child)),
            "VAT" => {
                pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "VATItem" | "Item" => {
                            invoice.vat_breakdown.push(breakdown(pass, inner));
                        }
                        _ => pass.unread(inner),
                    }
                }
            }
            "OtherTax" => invoice.allowance_charges.push(other_tax(pass, child)),
            _ => pass.unread(child),
        }
    }
}

/// Reads `TaxItem` (5.0), `VATItem` (4.1) or `Item` (4.0).
pub(super) fn item<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let (mut own, mut category) = (VatBreakdown::new(element), TaxCategory::new(element));
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TaxableAmount" | "TaxedAmount" => pass.take(&mut own.taxable_amount, child),
            "TaxAmount" | "Amount" => pass.take(&mut own.tax_amount, child),
            "AccountingCurrencyAmount" => {
                let (amount, currency): (Amount<'d>, _) = with_attribute(pass, child, "Currency");
                let currency = currency.map(|one| (AttributeName::CurrencyId, one));
                own.tax_currency_amount.push(amount.with(currency.as_slice()).into());
            }
            "Comment" => pass.take(&mut category.exemption_reason, child),
            _ if rate(pass, &mut category, child) => {}
            _ => pass.unread(child),
        }
    }
    own.category.push(category);
    own
}

/// BT-117: a tax item need not say its tax.
fn computed(own: &mut VatBreakdown<'_>) {
    let (Some(base), true) = (own.taxable_amount.get(), own.tax_amount.is_absent()) else { return };
    let rate = own.category.first().and_then(|category| category.rate.value());
    if let Some(tax) = share(base.value(), rate) {
        let how = Derivation::Computed(Agreement::Unsaid);
        own.tax_amount.push(base.saying(how, cents(tax)).into());
    }
}

/// A tax item of the document.
fn breakdown<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut own = item(pass, element);
    computed(&mut own);
    own
}

/// Reads `TaxPercent` (5.0), `VATRate` (4.1), `TaxRate` (4.0) or `TaxExemption` (4.x); whether it
/// was one of them.
pub(super) fn rate<'d>(
    pass: &mut Pass<'d>,
    category: &mut TaxCategory<'d>,
    element: Element<'d>,
) -> bool {
    match name(element) {
        "TaxPercent" => {
            let (rate, _) = with_attribute(pass, element, "TaxCategoryCode");
            category.rate.push(rate);
            put(&mut category.code, element, "TaxCategoryCode");
        }
        "VATRate" | "TaxRate" => {
            let (rate, _): (Percentage<'d>, _) = with_attribute(pass, element, "TaxCode");
            // What no VAT means is not said.
            let taxed = rate.value().is_some_and(|rate| !rate.is_zero());
            category.code.extend(taxed.then(|| implied(element, "S")));
            category.rate.push(rate);
            put(&mut category.name, element, "TaxCode");
        }
        "TaxExemption" => {
            let (reason, code): (Text<'d>, _) = with_attribute(pass, element, "TaxExemptionCode");
            let known = code.and_then(|code| lookup(EXEMPTIONS, &code.trimmed()));
            let place = ValueSource::of(element);
            let own = match (known, code) {
                (Some(known), Some(code)) => code.saying(Derivation::Mapped, known),
                _ => place.saying(Derivation::Implied, "E"),
            };
            category.code.push(own.into());
            category.exemption_reason.push(reason);
            put(&mut category.exemption_reason_code, element, "TaxExemptionCode");
        }
        _ => return false,
    }
    if category.scheme.is_absent() {
        category.scheme.push(implied(element, "VAT"));
    }
    true
}

/// `OtherTax` is outside VAT: a charge (BG-21) of category `O`.
fn other_tax<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut charge = AllowanceCharge::new(element);
    let mut category = TaxCategory::new(element);
    category.code.push(implied(element, "O"));
    category.scheme.push(implied(element, "VAT"));
    charge.tax_category.push(category);
    charge.indicator.push(implied(element, "true"));
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Comment" => pass.take(&mut charge.reason, child),
            "Amount" | "TaxAmount" => pass.take(&mut charge.amount, child),
            "TaxableAmount" => pass.take(&mut charge.base_amount, child),
            "TaxPercent" => percentage(pass, &mut charge, child),
            _ => pass.unread(child),
        }
    }
    charge
}

/// The percentage of a tax other than VAT; the category of VAT, if it says one, is that of the tax.
pub(super) fn percentage<'d>(
    pass: &mut Pass<'d>,
    charge: &mut AllowanceCharge<'d>,
    element: Element<'d>,
) {
    let (rate, _) = with_attribute(pass, element, "TaxCategoryCode");
    charge.percentage.push(rate);
    let Some(code) = attribute(element, "TaxCategoryCode") else { return };
    let mut category = TaxCategory::new(element);
    category.code.push(code.into());
    category.scheme.push(implied(element, "VAT"));
    charge.tax_category = Field::default();
    charge.tax_category.push(category);
}
