//! The settlement in CII: BT-5 to BT-8, BG-3, BG-10, BG-14, BG-20 to BG-23.

use quoin_model::en16931::{
    AllowanceCharge, Amount, Date, Field, Invoice, TaxCategory, TaxPointDateCode, Totals,
    VatBreakdown,
};

use super::{amount, date, indicator, one_amount, party, payment, period, references};
use crate::writing::{InvoiceOutput, LossKind, OutputAttribute};

/// When VAT falls due: UNTDID 2005 in UBL, 2475 in CII (EN 16931, BT-8).
const TAX_POINT_CODES: &[(&str, &str)] = &[("3", "5"), ("35", "29"), ("432", "72")];

/// Writes the inside of `ApplicableHeaderTradeSettlement`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    creditor(out, invoice);
    out.once("ram:PaymentReference", &invoice.payment.remittance);
    tax_currency(out, invoice);
    out.first("ram:InvoiceCurrencyCode", &invoice.currency);
    party::write(out, "ram:PayeeTradeParty", &invoice.payee);
    payment::means(out, invoice);
    let code = invoice.tax_point_date_code.filled();
    if let Some(code) = code {
        out.repeated(&invoice.tax_point_date_code, code);
    }
    for (at, one) in invoice.breakdown_in_document_currency().enumerate() {
        let day = (at == 0).then_some(&invoice.tax_point_date);
        out.group("ram:ApplicableTradeTax", |out| breakdown(out, one, day, code));
    }
    if let Some(one) =
        invoice.period.iter().find(|one| one.start.is_filled() || one.end.is_filled())
    {
        period(out, one);
    }
    for one in &invoice.allowance_charges {
        allowance_charge(out, one);
    }
    payment::terms(out, invoice);
    out.group("ram:SpecifiedTradeSettlementHeaderMonetarySummation", |out| totals(out, invoice));
    preceding(out, invoice);
    out.group("ram:ReceivableSpecifiedTradeAccountingAccount", |out| {
        out.first("ram:ID", &invoice.accounting_reference);
    });
}

/// BT-6. One that is BT-5 says nothing, and is against BR-53 in CII.
fn tax_currency<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(own) = invoice.tax_currency.filled() else { return };
    if !own.is(&out.currency) {
        out.first("ram:TaxCurrencyCode", &invoice.tax_currency);
        return;
    }
    let reason = "it is the currency of the document (BT-5), which CII does not allow (BR-53)";
    out.ledger.list(*own, LossKind::Lost, None, reason);
    for total in invoice.vat_total_in_tax_currency() {
        let path = Some(out.path_of("ram:TaxTotalAmount"));
        out.ledger.list_as(Some("BT-111"), *total, LossKind::Merged, path, reason);
    }
}

/// BT-90, of which the scheme `SEPA` is a word of UBL.
fn creditor<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let ids = &invoice.payment.creditor_identifier;
    if out.once("ram:CreditorReferenceID", ids)
        && let Some(scheme) = ids.filled().and_then(|id| id.scheme())
    {
        out.ledger.carry(scheme);
    }
}

/// BG-23, with BT-8, which CII has in each of its groups, and BT-7, which it has in one of them
/// (CII-SR-461).
fn breakdown<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &VatBreakdown<'d>,
    day: Option<&Field<Date<'d>>>,
    code: Option<TaxPointDateCode<'d>>,
) {
    let empty = TaxCategory::new(one.element);
    let category = one.category.first().unwrap_or(&empty);
    amount(out, "ram:CalculatedAmount", &one.tax_amount);
    scheme(out, category);
    out.first("ram:ExemptionReason", &category.exemption_reason);
    amount(out, "ram:BasisAmount", &one.taxable_amount);
    out.first("ram:CategoryCode", &category.code);
    out.first("ram:ExemptionReasonCode", &category.exemption_reason_code);
    if let Some(day) = day {
        date(out, "ram:TaxPointDate", "udt:DateString", day);
    }
    if let Some(code) = code {
        tax_point_code(out, code);
    }
    out.first("ram:RateApplicablePercent", &category.rate);
}

fn tax_point_code<'d>(out: &mut InvoiceOutput<'d>, code: TaxPointDateCode<'d>) {
    let row = TAX_POINT_CODES.iter().find(|(ubl, _)| code.is(ubl));
    if let Some((_, cii)) = row {
        out.constant("ram:DueDateTypeCode", cii, &[]);
        out.ledger.carry(*code);
    }
}

/// `VAT`, which the rules ask for where UBL has a tax scheme.
fn scheme<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>) {
    if !out.first("ram:TypeCode", &category.scheme) {
        out.constant("ram:TypeCode", "VAT", &[]);
    }
}

/// Category and rate of a line or an allowance.
pub(super) fn category<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    category: &TaxCategory<'d>,
) {
    out.group(name, |out| {
        scheme(out, category);
        out.first("ram:ExemptionReason", &category.exemption_reason);
        out.first("ram:CategoryCode", &category.code);
        out.first("ram:ExemptionReasonCode", &category.exemption_reason_code);
        out.first("ram:RateApplicablePercent", &category.rate);
    });
}

/// BG-20, BG-21, BG-27, BG-28.
pub(super) fn allowance_charge<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    out.group("ram:SpecifiedTradeAllowanceCharge", |out| {
        indicator(out, &one.indicator, "false");
        out.first("ram:SequenceNumeric", &one.sequence);
        out.first("ram:CalculationPercent", &one.percentage);
        amount(out, "ram:BasisAmount", &one.base_amount);
        amount(out, "ram:ActualAmount", &one.amount);
        out.first("ram:ReasonCode", &one.reason_code);
        out.first("ram:Reason", &one.reason);
        if let Some(tax) = one.tax_category.first() {
            category(out, "ram:CategoryTradeTax", tax);
        }
    });
}

/// BG-22, BT-110, BT-111.
fn totals<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    amount(out, "ram:LineTotalAmount", &totals.line_net);
    amount(out, "ram:ChargeTotalAmount", &totals.charges);
    amount(out, "ram:AllowanceTotalAmount", &totals.allowances);
    amount(out, "ram:TaxBasisTotalAmount", &totals.without_vat);
    let own: Vec<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    for vat in own.into_iter().take(1) {
        tax_total(out, vat);
    }
    let is_other = invoice.tax_currency.text() != invoice.currency.text();
    for vat in invoice.vat_total_in_tax_currency().filter(|_| is_other).take(1) {
        tax_total(out, vat);
    }
    amount(out, "ram:RoundingAmount", &totals.rounding);
    amount(out, "ram:GrandTotalAmount", &totals.with_vat);
    amount(out, "ram:TotalPrepaidAmount", &totals.paid);
    amount(out, "ram:DuePayableAmount", &totals.due);
}

/// Totals of tax always say their currency.
fn tax_total<'d>(out: &mut InvoiceOutput<'d>, vat: Amount<'d>) {
    let own = vat.currency().map(|code| OutputAttribute::Carried(*code));
    let usual = out.currency.clone();
    let currency = own.unwrap_or(OutputAttribute::Constant(&usual));
    match vat.is_blank() {
        true => one_amount(out, "ram:TaxTotalAmount", vat),
        false => {
            out.number("ram:TaxTotalAmount", vat, &[("currencyID", Some(currency))]);
        }
    }
}

/// BG-3, of which D16B has one.
fn preceding<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let mut all = invoice.references.preceding_invoices.iter();
    if let Some(first) = all.next() {
        references::dated(out, "ram:InvoiceReferencedDocument", first);
    }
    let reason = "CII D16B has one preceding invoice (BG-3)";
    for further in all {
        for id in &further.id {
            out.ledger.list(**id, LossKind::Lost, None, reason);
        }
        for day in &further.issue_date {
            out.ledger.list(**day, LossKind::Lost, None, reason);
        }
    }
}
