//! Tax: BG-23, BG-30, BT-6, BT-7, BT-110, BT-111.

use quoin_model::en16931::{
    Amount, AttributeName, Derivation, Field, Invoice, Line, LineTax, TaxCategory, TaxTotal, Text,
    ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::super::codes::{EXEMPTIONS, TAXES};
use super::header::day_at;
use super::{CxmlWalk, at, open, take, take_at};
use crate::reading::mapped;

/// Attributes of `TaxDetail` that are read.
const DETAIL: &[&str] = &["category", "percentageRate", "taxPointDate", "exemptDetail", "purpose"];

/// What a group of tax says.
#[derive(Default)]
struct CxmlTax<'d> {
    amount: Field<Amount<'d>>,
    details: Vec<VatBreakdown<'d>>,
}

/// Reads `Tax`.
fn read<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> CxmlTax<'d> {
    let mut tax = CxmlTax::default();
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Money" => {
                let known = ["alternateAmount", "alternateCurrency"];
                tax.amount.push(walk.money_of(child, &known));
            }
            // The definition asks for words that say what the amount is.
            "Description" => walk.pass.regenerate(child),
            "TaxDetail" => {
                let one = detail(walk, child);
                tax.details.push(one);
            }
            _ => walk.pass.unread(child),
        }
    }
    tax
}

fn detail<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut own = VatBreakdown::new(element);
    open(&mut walk.pass, element, DETAIL);
    let mut category = TaxCategory::new(element);
    take_at(&mut category.rate, element, "percentageRate");
    code(&mut category, element);
    // What the tax is of is the name of the kind of tax: of the goods, or of shipping.
    category.scheme_name.extend(at::<Text<'d>>(element, "purpose"));
    own.point_date.extend(day_at(element, "taxPointDate"));
    for child in element.elements() {
        match child.local() {
            "TaxableAmount" => walk.amount(&mut own.taxable_amount, child),
            "TaxAmount" => walk.amount(&mut own.tax_amount, child),
            "Description" => take(&mut walk.pass, &mut category.exemption_reason, child),
            "TaxExemption" => {
                open(&mut walk.pass, child, &["exemptCode"]);
                take_at(&mut category.exemption_reason_code, child, "exemptCode");
                for inner in child.elements() {
                    match inner.local() {
                        "ExemptReason" => {
                            take(&mut walk.pass, &mut category.exemption_reason, inner);
                        }
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            _ => walk.pass.unread(child),
        }
    }
    own.category.push(category);
    own
}

/// BT-118: cXML says which tax it is; of VAT, and of GST as it is called elsewhere, the category
/// follows from the rate and from what is said of an exemption. Another tax is one of its own.
fn code<'d>(category: &mut TaxCategory<'d>, element: Element<'d>) {
    let Some(own) = ValueSource::attribute_called(element, "", "category") else { return };
    category.scheme.push(mapped(own, TAXES));
    if !category.is_vat() && !category.scheme.is("GST") {
        return;
    }
    let exempt = ValueSource::attribute_called(element, "", "exemptDetail");
    category.code.push(match exempt {
        Some(exempt) => mapped(exempt, EXEMPTIONS),
        None => {
            let is_zero = category.rate.value().is_some_and(|rate| rate.is_zero());
            own.saying(Derivation::Implied, if is_zero { "Z" } else { "S" }).into()
        }
    });
}

/// Reads the tax of a line: its category is BG-30, its amounts are its own.
pub(super) fn of_line<'d>(walk: &mut CxmlWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let tax = read(walk, element);
    line.tax_category.extend(tax.details.iter().flat_map(|one| one.category.iter().cloned()));
    let mut own = LineTax::new(element);
    own.amount = tax.amount;
    own.breakdown = tax.details;
    line.extensions.get_or_insert_default().taxes.push(own);
}

/// Reads the tax of a modification, of which the category counts.
pub(super) fn of_change<'d>(
    walk: &mut CxmlWalk<'d>,
    changed: &mut quoin_model::en16931::AllowanceCharge<'d>,
    element: Element<'d>,
) {
    let tax = read(walk, element);
    let categories = tax.details.iter().flat_map(|one| one.category.iter().cloned());
    changed.tax_category.extend(categories);
    changed.tax = tax.amount;
    changed.taxes = tax.details;
}

/// Reads the tax of the document.
pub(super) fn of_document<'d>(
    walk: &mut CxmlWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    let tax = read(walk, element);
    let mut total = TaxTotal::new(element);
    let first = invoice.vat_breakdown.len();
    for one in &tax.details {
        invoice.tax_point_date.extend(one.point_date.iter().copied());
    }
    invoice.vat_breakdown.extend(tax.details);
    let others: Vec<_> = tax.amount.iter().filter_map(|amount| alternate(walk, *amount)).collect();
    total.amount = tax.amount;
    total.breakdown = first..invoice.vat_breakdown.len();
    invoice.tax_totals.push(total);
    for (amount, currency) in others {
        let mut other = TaxTotal::new(element);
        other.amount.push(amount);
        invoice.tax_totals.push(other);
        invoice.tax_currency.push(currency.into());
    }
}

/// BT-111 and BT-6: the amount in another currency.
fn alternate<'d>(walk: &CxmlWalk<'d>, amount: Amount<'d>) -> Option<(Amount<'d>, ValueSource<'d>)> {
    let money = amount.element();
    let other = ValueSource::attribute_called(money, "", "alternateAmount")?;
    let currency = ValueSource::attribute_called(money, "", "alternateCurrency")?;
    let amount = walk.signed(other).with(&[(AttributeName::CurrencyId, currency)]);
    Some((amount.into(), currency))
}
