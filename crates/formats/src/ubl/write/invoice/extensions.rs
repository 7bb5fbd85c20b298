//! What the document level of UBL has beyond EN 16931: currencies and their rates, terms of
//! delivery, prepayments.

use quoin_model::en16931::{CurrencyCode, ExchangeRate, Invoice};

use super::{amount, date};
use crate::writing::InvoiceOutput;

/// The elements of the rates, and what CII calls them.
const RATES: [(&str, &str); 3] = [
    ("cac:TaxExchangeRate", "TaxApplicableTradeCurrencyExchange"),
    ("cac:PricingExchangeRate", "InvoiceApplicableTradeCurrencyExchange"),
    ("cac:PaymentExchangeRate", "PaymentApplicableTradeCurrencyExchange"),
];

/// The currency of payment.
pub(super) fn payment_currency<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let is_it = |code: &&CurrencyCode<'d>| code.element().local() == "PaymentCurrencyCode";
    if let Some(code) = invoice.extensions.currencies.iter().find(is_it) {
        out.text("cbc:PaymentCurrencyCode", *code);
    }
}

/// The rates, of which the schema asks for both currencies.
pub(super) fn exchange_rates<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for (name, cii) in RATES {
        let is_it = |rate: &&ExchangeRate<'d>| {
            let local = rate.element.local();
            let is_whole = rate.source.is_filled() && rate.target.is_filled();
            is_whole && (local == cii || name.ends_with(local))
        };
        let Some(rate) = invoice.extensions.exchange_rates.iter().find(is_it) else { continue };
        out.group(name, |out| {
            out.first("cbc:SourceCurrencyCode", &rate.source);
            out.first("cbc:SourceCurrencyBaseRate", &rate.source_base);
            out.first("cbc:TargetCurrencyCode", &rate.target);
            out.first("cbc:TargetCurrencyBaseRate", &rate.target_base);
            out.first("cbc:CalculationRate", &rate.rate);
            out.first("cbc:MathematicOperatorCode", &rate.operator);
            date(out, "cbc:Date", &rate.date);
        });
    }
}

/// The terms of delivery.
pub(super) fn delivery_terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if let Some(terms) = invoice.extensions.delivery_terms.first() {
        out.group("cac:DeliveryTerms", |out| {
            out.first("cbc:ID", &terms.id);
            out.first("cbc:SpecialTerms", &terms.text);
        });
    }
}

/// Prepayments, which a credit note has not.
pub(super) fn prepaid_payments<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for payment in &invoice.extensions.prepaid_payments {
        out.group("cac:PrepaidPayment", |out| {
            out.first("cbc:ID", &payment.id);
            amount(out, "cbc:PaidAmount", &payment.amount);
            date(out, "cbc:ReceivedDate", &payment.received_on);
            date(out, "cbc:PaidDate", &payment.paid_on);
            out.first("cbc:InstructionID", &payment.instruction);
        });
    }
}
