//! VAT (BG-23, BT-110, BT-111), allowances and charges (BG-20, BG-21, BG-27, BG-28) and totals
//! (BG-22).

use quoin_model::en16931::{
    Agreement, AllowanceCharge, Amount, Derivation, Field, Invoice, ReasonCode, TaxCategory,
    TaxTotal, Totals, ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::{name, take, value, wrapped};
use crate::reading::{DISCOUNT, Pass, RunningSum, agreement, summed};

/// Reads `TaxTotal`.
pub(super) fn total<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut total = TaxTotal::new(element);
    let (first, mut accounting) = (invoice.vat_breakdown.len(), RunningSum::default());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TotalTaxAmount" => take(pass, &mut total.amount, child),
            "TaxSubTotal" => {
                let own = subtotal(pass, child);
                accounting.add(&own.tax_currency_amount);
                invoice.vat_breakdown.push(own);
            }
            _ => pass.unread(child),
        }
    }
    total.breakdown = first..invoice.vat_breakdown.len();
    invoice.tax_totals.push(total);
    let mut other = TaxTotal::new(element);
    let currency = invoice.tax_currency.get();
    summed(&mut other.amount, element, accounting, Agreement::Unsaid, currency);
    if other.amount.is_present() {
        invoice.tax_totals.push(other);
    }
}

fn subtotal<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut own = VatBreakdown::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TaxableAmount" => take(pass, &mut own.taxable_amount, child),
            "TaxAmount" => take(pass, &mut own.tax_amount, child),
            "TaxCategory" => own.category.push(category(pass, child)),
            "TaxCurrencyTaxAmount" => take(pass, &mut own.tax_currency_amount, child),
            _ => pass.unread(child),
        }
    }
    own
}

/// Reads `TaxCategory`.
pub(super) fn category<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ID" => take(pass, &mut category.code, child),
            "Percent" => take(pass, &mut category.rate, child),
            "ExemptionReason" => take(pass, &mut category.exemption_reason, child),
            "TaxScheme" => wrapped(pass, &mut category.scheme, child, &["ID"]),
            _ => pass.unread(child),
        }
    }
    category
}

/// Reads `AllowanceCharge` of the document or of a line.
pub(super) fn allowance_charge<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
) -> AllowanceCharge<'d> {
    let mut own = AllowanceCharge::new(element);
    let mut codes: Field<ReasonCode<'d>> = Field::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ChargeIndicator" => take(pass, &mut own.indicator, child),
            "ReasonCode" => {
                let code: ReasonCode<'d> = value(pass, child);
                let words = ValueSource::attribute_called(child, "", "name");
                own.reason.extend(words.map(Into::into));
                codes.push(code);
            }
            "MultiplierFactorNumeric" => take(pass, &mut own.percentage, child),
            "Amount" => take(pass, &mut own.amount, child),
            "TaxCategory" => own.tax_category.push(category(pass, child)),
            "AllowanceChargeBaseAmount" => take(pass, &mut own.base_amount, child),
            _ => pass.unread(child),
        }
    }
    // Their list is another one (UNTDID 4465): one that has no meaning in that of EN 16931.
    let other = if own.is_charge() { "ZZZ" } else { DISCOUNT };
    own.reason_code.extend(codes.iter().map(|code| match code.is(other) {
        true => *code,
        false => code.saying(Derivation::Mapped, other).into(),
    }));
    own
}

/// What the allowances and the charges of the document are together.
#[derive(Clone, Copy, Default)]
pub(super) struct DocumentChanges {
    less: RunningSum,
    more: RunningSum,
}

impl DocumentChanges {
    pub(super) fn of(invoice: &Invoice<'_>) -> DocumentChanges {
        let mut own = DocumentChanges::default();
        for one in &invoice.allowance_charges {
            if one.is_charge() { &mut own.more } else { &mut own.less }.add(&one.amount);
        }
        own
    }
}

/// Reads `LegalTotal`. `TaxInclusiveTotalAmount` is what is due, rounded; BT-112 is that without
/// the rounding.
pub(super) fn totals<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    changes: DocumentChanges,
    element: Element<'d>,
) {
    let mut totals = Totals::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "LineExtensionTotalAmount" => take(pass, &mut totals.line_net, child),
            "TaxExclusiveTotalAmount" => take(pass, &mut totals.without_vat, child),
            "TaxInclusiveTotalAmount" => take(pass, &mut totals.due, child),
            "RoundOffAmount" => take(pass, &mut totals.rounding, child),
            _ => pass.unread(child),
        }
    }
    let (currency, [mut net, mut vat]) = (invoice.currency.get(), [RunningSum::default(); 2]);
    net.add(&totals.without_vat);
    invoice.tax_totals.iter().take(1).for_each(|total| vat.add(&total.amount));
    with_vat(&mut totals, net.plus(vat));
    let DocumentChanges { less, more } = changes;
    let mut lines = RunningSum::default();
    lines.add(&totals.line_net);
    let how = agreement(lines.plus(more).minus(less).value(), &[totals.without_vat.value()]);
    summed(&mut totals.allowances, element, less, how, currency);
    summed(&mut totals.charges, element, more, how, currency);
    invoice.totals.push(totals);
}

/// BT-112.
fn with_vat(totals: &mut Totals<'_>, expected: RunningSum) {
    let Some(due) = totals.due.get() else { return };
    if totals.rounding.is_absent() {
        totals.with_vat.push(due);
        return;
    }
    let [mut whole, mut rounding] = [RunningSum::default(); 2];
    whole.add(&totals.due);
    rounding.add(&totals.rounding);
    let exact = whole.minus(rounding);
    let how = agreement(exact.value(), &[expected.value()]);
    let mut with_vat: Field<Amount<'_>> = Field::default();
    summed(&mut with_vat, due.element(), exact, how, due.currency());
    totals.with_vat.append(&mut with_vat);
}
