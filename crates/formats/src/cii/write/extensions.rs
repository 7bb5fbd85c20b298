//! What the settlement of CII has beyond EN 16931: currencies and their rates, charges for
//! logistics, advance payments.

use quoin_model::en16931::{
    CurrencyCode, ExchangeRate, Invoice, LogisticsCharge, PrepaidPayment, VatBreakdown,
};

use super::{amount, date, indicator, one_amount, references, settlement};
use crate::writing::{InvoiceOutput, LossKind};

/// The elements of the rates, and what UBL calls them.
const RATES: [(&str, &str); 3] = [
    ("ram:TaxApplicableTradeCurrencyExchange", "TaxExchangeRate"),
    ("ram:InvoiceApplicableTradeCurrencyExchange", "PricingExchangeRate"),
    ("ram:PaymentApplicableTradeCurrencyExchange", "PaymentExchangeRate"),
];

/// The currency of payment.
pub(super) fn payment_currency<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let is_it = |code: &&CurrencyCode<'d>| code.element().local() == "PaymentCurrencyCode";
    if let Some(code) = invoice.extensions.currencies.iter().find(is_it) {
        out.text("ram:PaymentCurrencyCode", *code);
    }
}

/// The rates, of which the schema asks for both currencies and the rate itself.
pub(super) fn exchange_rates<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for (name, ubl) in RATES {
        let is_it = |rate: &&ExchangeRate<'d>| {
            let local = rate.element.local();
            let is_whole =
                rate.source.is_filled() && rate.target.is_filled() && rate.rate.is_filled();
            is_whole && (local == ubl || name.ends_with(local))
        };
        let Some(rate) = invoice.extensions.exchange_rates.iter().find(is_it) else { continue };
        out.group(name, |out| {
            out.first("ram:SourceCurrencyCode", &rate.source);
            out.first("ram:SourceUnitBasisNumeric", &rate.source_base);
            out.first("ram:TargetCurrencyCode", &rate.target);
            out.first("ram:TargetUnitBaseNumeric", &rate.target_base);
            out.first("ram:ConversionRate", &rate.rate);
            date(out, "ram:ConversionRateDateTime", "udt:DateTimeString", &rate.date);
        });
    }
}

/// Charges for logistics. Where the target counts no such charges they are charges of the document,
/// which the totals of the source count.
pub(super) fn logistics<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for charge in &invoice.extensions.logistics_charges {
        match out.is_extended() {
            true => logistics_charge(out, charge),
            false => document_charge(out, charge),
        }
    }
}

fn logistics_charge<'d>(out: &mut InvoiceOutput<'d>, charge: &LogisticsCharge<'d>) {
    out.group("ram:SpecifiedLogisticsServiceCharge", |out| {
        out.first("ram:Description", &charge.description);
        amount(out, "ram:AppliedAmount", &charge.amount);
        for tax in &charge.tax_category {
            settlement::taxed_category(out, "ram:AppliedTradeTax", tax, &Default::default());
        }
    });
}

fn document_charge<'d>(out: &mut InvoiceOutput<'d>, charge: &LogisticsCharge<'d>) {
    let Some(value) = charge.amount.filled() else { return };
    out.group("ram:SpecifiedTradeAllowanceCharge", |out| {
        let tax = charge.tax_category.first();
        let terms = [
            ("BT-99", "ram:ActualAmount", Some(*value)),
            ("BT-104", "ram:Reason", charge.description.filled().map(|one| *one)),
            (
                "BT-102",
                "ram:CategoryTradeTax",
                tax.and_then(|tax| tax.code.filled()).map(|one| *one),
            ),
            (
                "BT-103",
                "ram:CategoryTradeTax",
                tax.and_then(|tax| tax.rate.filled()).map(|one| *one),
            ),
        ];
        for (term, name, source) in terms {
            let path = Some(out.path_of(name));
            let reason = "a charge for logistics is a charge of the document (BG-21)";
            if let Some(source) = source {
                out.ledger.list_as(Some(term), source, LossKind::Changed, path, reason);
            }
        }
        indicator(out, &Default::default(), "true");
        one_amount(out, "ram:ActualAmount", value);
        out.first("ram:Reason", &charge.description);
        if let Some(tax) = tax {
            settlement::taxed_category(out, "ram:CategoryTradeTax", tax, &Default::default());
        }
    });
}

/// Advance payments. Factur-X asks for the tax in them.
pub(super) fn advance_payments<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for payment in &invoice.extensions.prepaid_payments {
        let is_whole = !out.is_of_factur_x() || !payment.taxes.is_empty();
        if payment.amount.is_filled() && is_whole {
            out.group("ram:SpecifiedAdvancePayment", |out| advance(out, payment));
        }
    }
}

fn advance<'d>(out: &mut InvoiceOutput<'d>, payment: &PrepaidPayment<'d>) {
    amount(out, "ram:PaidAmount", &payment.amount);
    let inner = "qdt:DateTimeString";
    date(out, "ram:FormattedReceivedDateTime", inner, &payment.received_on);
    for tax in &payment.taxes {
        out.group("ram:IncludedTradeTax", |out| included(out, tax));
    }
    // D16B has no invoice here.
    if let Some(invoice) = payment.invoices.first().filter(|_| out.is_of_factur_x()) {
        references::dated(out, "ram:InvoiceSpecifiedReferencedDocument", invoice);
    }
}

fn included<'d>(out: &mut InvoiceOutput<'d>, tax: &VatBreakdown<'d>) {
    amount(out, "ram:CalculatedAmount", &tax.tax_amount);
    let category = tax.category.first();
    if let Some(category) = category {
        out.first("ram:TypeCode", &category.scheme);
        out.first("ram:ExemptionReason", &category.exemption_reason);
    }
    amount(out, "ram:BasisAmount", &tax.taxable_amount);
    if let Some(category) = category {
        out.first("ram:CategoryCode", &category.code);
        out.first("ram:ExemptionReasonCode", &category.exemption_reason_code);
        out.first("ram:RateApplicablePercent", &category.rate);
    }
}
