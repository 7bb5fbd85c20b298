//! The settlement in CII: BT-5 to BT-8, BG-3, BG-10, BG-14, BG-20 to BG-23.

use quoin_model::en16931::{
    AllowanceCharge, Amount, Date, Field, Invoice, PartyRole, Period, TaxCategory,
    TaxPointDateCode, Totals, ValueType, VatBreakdown,
};

use super::{amount, date, extensions, indicator, one_amount, party, payment, period, references};
use crate::writing::{InvoiceOutput, LossKind, OutputAttribute};

/// When VAT falls due: UNTDID 2005 in UBL, 2475 in CII (EN 16931, BT-8).
const TAX_POINT_CODES: &[(&str, &str)] = &[("3", "5"), ("35", "29"), ("432", "72")];

/// Writes the inside of `ApplicableHeaderTradeSettlement`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    // BT-111 is told by BT-6, which not every profile has.
    let has_tax_currency = out.has_place("ram:TaxCurrencyCode");
    creditor(out, invoice);
    out.once("ram:PaymentReference", &invoice.payment.remittance);
    tax_currency(out, invoice);
    out.first("ram:InvoiceCurrencyCode", &invoice.currency);
    extensions::payment_currency(out, invoice);
    out.first("ram:InvoiceIssuerReference", &invoice.extensions.issuer_reference);
    party::other(out, "ram:InvoicerTradeParty", invoice, PartyRole::Invoicer);
    party::other(out, "ram:InvoiceeTradeParty", invoice, PartyRole::Invoicee);
    party::write(out, "ram:PayeeTradeParty", &invoice.payee);
    party::other(out, "ram:PayerTradeParty", invoice, PartyRole::Payer);
    extensions::exchange_rates(out, invoice);
    payment::means(out, invoice);
    let code = invoice.tax_point_date_code.filled();
    if let Some(code) = code.filter(|_| out.has_place("ram:ApplicableTradeTax")) {
        out.repeated(&invoice.tax_point_date_code, code);
    }
    for (at, one) in invoice.breakdown_in_document_currency().enumerate() {
        let day = (at == 0).then_some(&invoice.tax_point_date);
        out.group("ram:ApplicableTradeTax", |out| breakdown(out, one, day, code));
    }
    let says = |one: &&Period<'d>| {
        let days = one.start.is_filled() || one.end.is_filled();
        days || one.description.is_filled() || one.duration.is_filled()
    };
    if let Some(one) = invoice.period.iter().find(says) {
        period(out, one);
    }
    for one in &invoice.allowance_charges {
        allowance_charge(out, one);
    }
    extensions::logistics(out, invoice);
    payment::terms(out, invoice);
    out.group("ram:SpecifiedTradeSettlementHeaderMonetarySummation", |out| {
        totals(out, invoice, has_tax_currency);
    });
    preceding(out, invoice);
    out.group("ram:ReceivableSpecifiedTradeAccountingAccount", |out| {
        out.first("ram:ID", &invoice.accounting_reference);
    });
    extensions::advance_payments(out, invoice);
}

/// BT-6. One that is BT-5 says nothing, and is against BR-53 in CII.
fn tax_currency<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let own = invoice.tax_currency.filled().filter(|_| out.has_place("ram:TaxCurrencyCode"));
    let Some(own) = own else { return };
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
        && scheme.is("SEPA")
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
    amount(out, "ram:LineTotalBasisAmount", &one.line_total);
    amount(out, "ram:AllowanceChargeBasisAmount", &one.allowance_charge_total);
    bare_code(out, "ram:CategoryCode", &category.code);
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
    let row = TAX_POINT_CODES.iter().find(|(ubl, cii)| code.is(ubl) || code.is(cii));
    if let Some((_, cii)) = row.filter(|_| out.has_place("ram:DueDateTypeCode")) {
        out.constant("ram:DueDateTypeCode", cii, &[]);
        out.ledger.carry(*code);
    }
}

/// A code without the white space around it, with which it is none in CII (CII-DT-037).
fn bare_code<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<T>,
) -> bool {
    field.filled().is_some_and(|value| out.number(name, value, &[]))
}

/// `VAT`, which the rules ask for where UBL has a tax scheme.
fn scheme<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>) {
    // In UBL it may be written in small letters, in CII not (CII-DT-037).
    let is_vat = category.scheme.filled().filter(|own| own.trimmed().eq_ignore_ascii_case("VAT"));
    if let Some(own) = is_vat {
        if out.has_place("ram:TypeCode") {
            out.kept("ram:TypeCode", "VAT", *own);
        }
        return;
    }
    if !bare_code(out, "ram:TypeCode", &category.scheme) && !category.scheme.is_filled() {
        out.constant("ram:TypeCode", "VAT", &[]);
    }
}

/// Category and rate of an allowance or a price, with the tax on it where the source says one.
pub(super) fn taxed_category<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    category: &TaxCategory<'d>,
    tax: &Field<Amount<'d>>,
) {
    out.group(name, |out| {
        amount(out, "ram:CalculatedAmount", tax);
        scheme(out, category);
        out.first("ram:ExemptionReason", &category.exemption_reason);
        bare_code(out, "ram:CategoryCode", &category.code);
        out.first("ram:ExemptionReasonCode", &category.exemption_reason_code);
        out.first("ram:RateApplicablePercent", &category.rate);
    });
}

/// Category and rate of a line, with its tax where the source says it; `due` writes what stands
/// before the rate.
pub(super) fn line_category<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    taxed: Option<&VatBreakdown<'d>>,
    due: impl FnOnce(&mut InvoiceOutput<'d>),
) {
    out.group("ram:ApplicableTradeTax", |out| {
        if let Some(taxed) = taxed {
            amount(out, "ram:CalculatedAmount", &taxed.tax_amount);
        }
        scheme(out, category);
        out.first("ram:ExemptionReason", &category.exemption_reason);
        if let Some(taxed) = taxed {
            amount(out, "ram:BasisAmount", &taxed.taxable_amount);
        }
        bare_code(out, "ram:CategoryCode", &category.code);
        out.first("ram:ExemptionReasonCode", &category.exemption_reason_code);
        due(out);
        out.first("ram:RateApplicablePercent", &category.rate);
        if let Some(own) = taxed.and_then(|taxed| taxed.category.first()) {
            told_by(out, own, category);
        }
    });
}

/// Counts the category of the tax of a line as told by the category of the line.
fn told_by<'d>(out: &mut InvoiceOutput<'d>, own: &TaxCategory<'d>, category: &TaxCategory<'d>) {
    let pairs = [
        (own.code.filled().map(|one| *one), category.code.filled().map(|one| *one)),
        (own.rate.filled().map(|one| *one), category.rate.filled().map(|one| *one)),
        (own.scheme.filled().map(|one| *one), category.scheme.filled().map(|one| *one)),
    ];
    for (own, written) in pairs {
        if let (Some(own), Some(written)) = (own, written)
            && own != written
            && own.is(&written.trimmed())
            && out.ledger.is_told(written)
        {
            out.ledger.derive(own);
        }
    }
}

/// BG-20, BG-21, BG-27, BG-28.
pub(super) fn allowance_charge<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    out.group("ram:SpecifiedTradeAllowanceCharge", |out| {
        // Which of the two it is, is not guessed.
        if one.indicator.is_filled() {
            indicator(out, &one.indicator, "false");
        }
        out.first("ram:ID", &one.id);
        out.first("ram:SequenceNumeric", &one.sequence);
        out.first("ram:CalculationPercent", &one.percentage);
        amount(out, "ram:BasisAmount", &one.base_amount);
        amount(out, "ram:ActualAmount", &one.amount);
        reason(out, one);
        if let Some(tax) = one.tax_category.first() {
            taxed_category(out, "ram:CategoryTradeTax", tax, &one.tax);
        }
    });
}

/// Why it is made. A code that the list of the schema has not is told as text where there is no
/// other: one of the two must be there (BR-CO-21 to BR-CO-24).
fn reason<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    const NAME: &str = "ram:Reason";
    let is_written = out.first("ram:ReasonCode", &one.reason_code);
    let is_told = out.first(NAME, &one.reason);
    let is_other = out.has_place("ram:ReasonCode") && out.has_place(NAME);
    let code = one.reason_code.filled().filter(|_| !is_written && !is_told && is_other);
    if let Some(code) = code {
        let why = "the list of the target has no such code: it is told as text";
        out.told_otherwise(NAME, *code, LossKind::CarriedAsText, why);
        out.constant(NAME, &code.trimmed(), &[]);
    }
}

/// BG-22, BT-110, BT-111.
fn totals<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, has_tax_currency: bool) {
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
    let is_other = has_tax_currency && invoice.tax_currency.text() != invoice.currency.text();
    for vat in invoice.vat_total_in_tax_currency().filter(|_| is_other).take(1) {
        tax_total(out, vat);
    }
    rounding(out, totals);
    amount(out, "ram:GrandTotalAmount", &totals.with_vat);
    amount(out, "ram:TotalPrepaidAmount", &totals.paid);
    amount(out, "ram:DuePayableAmount", &totals.due);
}

/// BT-114. Without it the amount due is not what the rest leads to (BR-CO-16).
fn rounding<'d>(out: &mut InvoiceOutput<'d>, totals: &Totals<'d>) {
    let is_needed = out.has_place("ram:TotalPrepaidAmount") && !out.has_place("ram:RoundingAmount");
    let own = totals.rounding.filled().filter(|own| own.value().is_none_or(|own| !own.is_zero()));
    match own.filter(|_| is_needed) {
        Some(own) => out.refuse_value(*own, "the profile has no rounding of the amount due"),
        None => amount(out, "ram:RoundingAmount", &totals.rounding),
    }
}

/// Totals of tax always say their currency.
pub(super) fn tax_total<'d>(out: &mut InvoiceOutput<'d>, vat: Amount<'d>) {
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

/// BG-3, of which D16B has one; later releases and Factur-X have any number.
fn preceding<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let name = "ram:InvoiceReferencedDocument";
    let reason = "CII D16B has one preceding invoice (BG-3)";
    for (at, one) in invoice.references.preceding_invoices.iter().enumerate() {
        if at == 0 || out.has_many_preceding() {
            references::dated(out, name, one);
            continue;
        }
        for id in &one.id {
            out.ledger.list(**id, LossKind::Lost, None, reason);
        }
        for day in &one.issue_date {
            out.ledger.list(**day, LossKind::Lost, None, reason);
        }
    }
}
