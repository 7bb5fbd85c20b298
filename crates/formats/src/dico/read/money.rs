//! VAT (BG-23), allowances and charges (BG-20, BG-21, BG-27, BG-28) and totals (BG-22).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    AllowanceCharge, Amount, Derivation, Field, Invoice, ReasonCode, TaxCategory, TaxTotal, Totals,
    ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::super::codes::ALLOWANCES;
use super::{DicoWalk, dutch, name, party};
use crate::reading::{RunningSum, agreement, mapped, summed, view};

/// What follows from the rest, when all of it is read.
#[derive(Default)]
pub(super) struct DocumentMoney<'d> {
    totals: Vec<Element<'d>>,
}

impl<'d> DocumentMoney<'d> {
    /// Whether the element is money of the document, which is read or kept.
    pub(super) fn take(
        &mut self,
        walk: &mut DicoWalk<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) -> bool {
        match name(element) {
            "InvoiceCharge" | "InvoiceAllowance" => {
                let own = allowance_charge(walk, element);
                invoice.allowance_charges.push(own);
            }
            "InvoiceTotals" => self.totals.push(element),
            "VATSubTotal" => {
                let own = subtotal(walk, element);
                invoice.vat_breakdown.push(own);
            }
            _ => return false,
        }
        true
    }

    /// Reads the totals.
    pub(super) fn settle(self, walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>) {
        let mut changes = [RunningSum::default(); 2];
        let [less, more] = &mut changes;
        for one in &invoice.allowance_charges {
            if one.is_charge() { &mut *more } else { &mut *less }.add(&one.amount);
        }
        for element in self.totals {
            totals(walk, invoice, element, changes);
        }
    }
}

/// Accounts and codes are one BG-16.
pub(super) fn accounts(invoice: &mut Invoice<'_>) {
    party::one_means(invoice);
}

/// Reads `VATInformation`; the base amount of one in a total goes into `base`.
pub(super) fn category<'d>(
    walk: &mut DicoWalk<'d>,
    element: Element<'d>,
    mut base: Option<&mut Field<Amount<'d>>>,
) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match (name(child), base.as_deref_mut()) {
            ("VATRate", _) => walk.pass.take(&mut category.code, child),
            ("VATPercentage" | "VATpercentage", _) => walk.pass.take(&mut category.rate, child),
            ("VATBaseAmount", Some(base)) => walk.amount(base, child),
            _ => walk.pass.unread(child),
        }
    }
    // `VATRate` says which tax it is by its name.
    let place = category.code.first().map_or(ValueSource::of(element), |code| **code);
    category.scheme.push(place.saying(Derivation::Named, "VAT").into());
    category
}

fn subtotal<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut own = VatBreakdown::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "VATAmount" => walk.amount(&mut own.tax_amount, child),
            "VATInformation" => {
                let category = category(walk, child, Some(&mut own.taxable_amount));
                own.category.push(category);
            }
            _ => walk.pass.unread(child),
        }
    }
    own
}

/// Reads an allowance or a charge, of the document or of a line; the names of its elements say
/// which it is.
pub(super) fn allowance_charge<'d>(
    walk: &mut DicoWalk<'d>,
    element: Element<'d>,
) -> AllowanceCharge<'d> {
    let mut own = AllowanceCharge::new(element);
    let is_charge = name(element).ends_with("Charge");
    let text = if is_charge { "true" } else { "false" };
    own.indicator.push(ValueSource::of(element).saying(Derivation::Named, text).into());
    walk.pass.open(element);
    for child in element.elements() {
        match (name(child), is_charge) {
            ("AllowanceTypeCode", false) => {
                let code: ReasonCode<'d> = walk.pass.value(child);
                own.reason_code.push(mapped(*code, ALLOWANCES));
            }
            ("ChargeTypeCode", true) => walk.pass.take(&mut own.reason_code, child),
            ("AllowanceAmount", false) | ("ChargeAmount", true) => {
                walk.amount(&mut own.amount, child);
            }
            ("AllowancePercentage", false) => walk.pass.take(&mut own.percentage, child),
            ("ChargeDescription", true) => walk.pass.take(&mut own.reason, child),
            ("VATInformation", _) => {
                let category = category(walk, child, None);
                own.tax_category.push(category);
            }
            _ => walk.pass.unread(child),
        }
    }
    own
}

/// Reads `InvoiceTotals`. BT-115 is BT-112: there is no other element.
fn totals<'d>(
    walk: &mut DicoWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
    changes: [RunningSum; 2],
) {
    let mut totals = Totals::new(element);
    let mut said: Vec<Element<'d>> = Vec::new();
    let mut vat = RunningSum::default();
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TotalInvoiceAmount" => walk.amount(&mut totals.with_vat, child),
            "TotalNetLineAmount" => walk.amount(&mut totals.line_net, child),
            "TotalAmountSubjectToPaymentDiscount" => {
                let own = walk.signed(child);
                dutch(invoice).discountable_total.push(own);
            }
            "TotalAmountInvoiceChargeAllowance" => said.push(child),
            "TotalVATAmount" => {
                let mut total = TaxTotal::new(child);
                walk.amount(&mut total.amount, child);
                vat.add(&total.amount);
                total.breakdown = 0..invoice.vat_breakdown.len();
                invoice.tax_totals.push(total);
            }
            _ => walk.pass.unread(child),
        }
    }
    totals.due.extend(totals.with_vat.iter().copied());
    let sum = computed(invoice, &mut totals, changes, vat);
    said.into_iter().for_each(|one| checked(walk, invoice, sum, one));
    invoice.totals.push(totals);
}

/// BT-107, BT-108 and BT-109, of which DICO has one element for the first two and none for the
/// last. Gives the charges less the allowances.
fn computed<'d>(
    invoice: &Invoice<'d>,
    totals: &mut Totals<'d>,
    [less, more]: [RunningSum; 2],
    vat: RunningSum,
) -> RunningSum {
    let (currency, place) = (invoice.currency.get(), totals.element);
    let [mut lines, mut whole] = [RunningSum::default(); 2];
    lines.add(&totals.line_net);
    whole.add(&totals.with_vat);
    let net = lines.plus(more).minus(less);
    let how = agreement(net.value(), &[whole.minus(vat).value()]);
    summed(&mut totals.allowances, place, less, how, currency);
    summed(&mut totals.charges, place, more, how, currency);
    if totals.line_net.is_filled() {
        summed(&mut totals.without_vat, place, net, how, currency);
    }
    more.minus(less)
}

/// `TotalAmountInvoiceChargeAllowance`, which follows from the charges and allowances.
fn checked<'d>(
    walk: &mut DicoWalk<'d>,
    invoice: &mut Invoice<'d>,
    sum: RunningSum,
    element: Element<'d>,
) {
    let own: Amount<'d> = view(element);
    let number = Decimal::parse(&own.trimmed()).ok();
    let said = if walk.is_negated { number.map(Decimal::negated) } else { number };
    // Without charges and allowances the sum is nought.
    let is_nought = sum.value().is_none() && said.is_some_and(Decimal::is_zero);
    match said.is_some() && (said == sum.value() || is_nought) {
        true => walk.pass.derive(element, &own.trimmed()),
        false => {
            let own = walk.signed(element);
            dutch(invoice).charge_allowance_total.push(own);
        }
    }
}
