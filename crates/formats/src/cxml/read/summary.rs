//! Totals: BG-22 of the document, BT-131 of a line.

use quoin_model::en16931::{Agreement, Amount, CurrencyCode, Field, Invoice, Line, Totals};
use quoin_xml::tree::Element;

use super::{CxmlWalk, adjustment, child, open, tax};
use crate::reading::{RunningSum, summed};

/// Reads `InvoiceDetailSummary`.
pub(super) fn read<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut totals = Totals::new(element);
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "SubtotalAmount" => walk.amount(&mut totals.line_net, child),
            "Tax" => tax::of_document(walk, invoice, child),
            "SpecialHandlingAmount" | "ShippingAmount" => {
                adjustment::service(walk, &mut invoice.allowance_charges, child);
            }
            "InvoiceDetailDiscount" => {
                adjustment::discount(walk, &mut invoice.allowance_charges, child);
            }
            "InvoiceHeaderModifications" => {
                adjustment::several(walk, &mut invoice.allowance_charges, child);
            }
            "TotalCharges" => walk.amount(&mut totals.charges, child),
            "TotalAllowances" => walk.amount(&mut totals.allowances, child),
            "TotalAmountWithoutTax" => walk.amount(&mut totals.without_vat, child),
            "NetAmount" => walk.amount(&mut totals.with_vat, child),
            "DepositAmount" => walk.amount(&mut totals.paid, child),
            "DueAmount" => walk.amount(&mut totals.due, child),
            _ => walk.pass.unread(child),
        }
    }
    let currency = first_currency(&totals);
    invoice.currency.extend(currency);
    computed(invoice, &mut totals, currency);
    invoice.totals.push(totals);
}

/// BT-5 is the currency of the first total that says one.
fn first_currency<'d>(totals: &Totals<'d>) -> Option<CurrencyCode<'d>> {
    let amounts = [&totals.with_vat, &totals.line_net, &totals.due];
    amounts.into_iter().find_map(|field| field.get()?.currency())
}

/// BT-109 and BT-115 where the document does not say them: the total without its tax, and what is
/// left to be paid.
fn computed<'d>(
    invoice: &Invoice<'d>,
    totals: &mut Totals<'d>,
    currency: Option<CurrencyCode<'d>>,
) {
    let mut whole = RunningSum::default();
    whole.add(&totals.with_vat);
    if whole.value().is_none() {
        return;
    }
    if totals.without_vat.is_absent() {
        let mut vat = RunningSum::default();
        let amounts: Field<Amount<'d>> = invoice.vat_total().collect();
        vat.add(&amounts);
        let rest = if vat.value().is_some() { whole.minus(vat) } else { whole };
        summed(&mut totals.without_vat, totals.element, rest, Agreement::Unsaid, currency);
    }
    if totals.due.is_absent() {
        let mut paid = RunningSum::default();
        paid.add(&totals.paid);
        let rest = if paid.value().is_some() { whole.minus(paid) } else { whole };
        summed(&mut totals.due, totals.element, rest, Agreement::Unsaid, currency);
    }
}

/// The totals of a line, of which one is BT-131.
#[derive(Default)]
pub(super) struct LineTotals<'d> {
    all: Vec<Element<'d>>,
}

/// Totals of a line, the best answer to what BT-131 is first.
const NET: &[&str] = &["TotalAmountWithoutTax", "SubtotalAmount", "NetAmount"];

impl<'d> LineTotals<'d> {
    /// Whether the element is a total, which is kept.
    pub(super) fn knows(&mut self, element: Element<'d>) -> bool {
        let others = ["GrossAmount", "TotalCharges", "TotalAllowances"];
        let is_known = NET.contains(&element.local()) || others.contains(&element.local());
        self.all.extend(Some(element).filter(|_| is_known));
        is_known
    }

    /// BT-131 is the total without tax, else the amount of quantity and price where nothing changes
    /// it, else the net amount where the tax is not in it. The other totals are totals of the line.
    pub(super) fn settle(self, walk: &mut CxmlWalk<'d>, line: &mut Line<'d>) {
        let is_changed = !line.allowance_charges.is_empty();
        let has_tax = line.extensions.as_deref().is_some_and(|more| !more.taxes.is_empty());
        let fits = |name: &&&str| match **name {
            "SubtotalAmount" => !is_changed,
            "NetAmount" => !has_tax,
            _ => true,
        };
        let has_amount = |one: &Element<'d>| child(*one, "Money").is_some();
        let find = |name: &&str| {
            self.all.iter().copied().find(|one| one.local() == *name && has_amount(one))
        };
        let own = NET.iter().filter(fits).find_map(find);
        for element in self.all {
            if Some(element) == own {
                walk.amount(&mut line.net_amount, element);
            } else {
                let mut other = Field::default();
                walk.amount(&mut other, element);
                let extensions = line.extensions.get_or_insert_default();
                extensions.totals.extend(other.iter().copied());
            }
        }
    }
}
