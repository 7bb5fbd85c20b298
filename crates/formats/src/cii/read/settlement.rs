//! The settlement in CII: currencies, payee, period, totals, preceding invoices.

use quoin_xml::tree::Element;

use super::{date, party, payment, ram, references, tax};
use crate::reading::Pass;
use quoin_model::en16931::{
    ExchangeRate, Invoice, LogisticsCharge, PartyRole, Period, PrepaidPayment, TaxTotal, Totals,
};

/// Reads `ApplicableHeaderTradeSettlement`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "InvoiceCurrencyCode" => pass.take(&mut invoice.currency, child),
            "TaxCurrencyCode" => pass.take(&mut invoice.tax_currency, child),
            "ApplicableTradeTax" => {
                let breakdown = tax::breakdown(pass, child);
                invoice.tax_point_date.extend(breakdown.point_date.iter().copied());
                let codes = breakdown.point_date_code.iter().copied();
                invoice.tax_point_date_code.extend(codes);
                invoice.vat_breakdown.push(breakdown);
            }
            "SpecifiedTradeSettlementHeaderMonetarySummation" => totals(pass, invoice, child),
            "SpecifiedTradeAllowanceCharge" => {
                invoice.allowance_charges.push(tax::allowance_charge(pass, child));
            }
            "SpecifiedTradeSettlementPaymentMeans" => {
                invoice.payment.means.push(payment::means(pass, child));
            }
            "SpecifiedTradePaymentTerms" => payment::terms(pass, invoice, child),
            "PaymentReference" => pass.take(&mut invoice.payment.remittance, child),
            "CreditorReferenceID" => {
                pass.take(&mut invoice.payment.creditor_identifier, child);
            }
            "BillingSpecifiedPeriod" => invoice.period.push(period(pass, child)),
            "PayeeTradeParty" => invoice.payee.push(party::read(pass, PartyRole::Payee, child)),
            "InvoiceReferencedDocument" => {
                let reference = references::read(pass, child);
                invoice.references.preceding_invoices.push(reference);
            }
            "ReceivableSpecifiedTradeAccountingAccount" => account(pass, invoice, child),
            _ => extension(pass, invoice, child),
        }
    }
}

/// What only extensions have.
fn extension<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, child: Element<'d>) {
    let more = &mut invoice.extensions;
    let role = match ram(child) {
        "InvoicerTradeParty" => PartyRole::Invoicer,
        "InvoiceeTradeParty" => PartyRole::Invoicee,
        "PayerTradeParty" => PartyRole::Payer,
        "SpecifiedLogisticsServiceCharge" => {
            return more.logistics_charges.push(logistics(pass, child));
        }
        "SpecifiedAdvancePayment" => return more.prepaid_payments.push(advance(pass, child)),
        "TaxApplicableTradeCurrencyExchange"
        | "InvoiceApplicableTradeCurrencyExchange"
        | "PaymentApplicableTradeCurrencyExchange" => {
            return more.exchange_rates.push(exchange(pass, child));
        }
        "PaymentCurrencyCode" => return more.currencies.push(pass.value(child)),
        "InvoiceIssuerReference" => return pass.take(&mut more.issuer_reference, child),
        _ => return pass.unread(child),
    };
    more.parties.push(party::read(pass, role, child));
}

/// BG-22, and BT-110 and BT-111, which stand in it.
fn totals<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut totals = Totals::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "LineTotalAmount" => pass.take(&mut totals.line_net, child),
            "AllowanceTotalAmount" => pass.take(&mut totals.allowances, child),
            "ChargeTotalAmount" => pass.take(&mut totals.charges, child),
            "TaxBasisTotalAmount" => pass.take(&mut totals.without_vat, child),
            "TaxTotalAmount" => {
                let mut total = TaxTotal::new(child);
                pass.take(&mut total.amount, child);
                invoice.tax_totals.push(total);
            }
            "GrandTotalAmount" => pass.take(&mut totals.with_vat, child),
            "TotalPrepaidAmount" => pass.take(&mut totals.paid, child),
            "RoundingAmount" => pass.take(&mut totals.rounding, child),
            "DuePayableAmount" => pass.take(&mut totals.due, child),
            _ => pass.unread(child),
        }
    }
    invoice.totals.push(totals);
}

/// Reads `BillingSpecifiedPeriod`, of the document or of a line, and other periods.
pub(super) fn period<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Period<'d> {
    let mut period = Period::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "StartDateTime" => date(pass, &mut period.start, child),
            "EndDateTime" => date(pass, &mut period.end, child),
            "Description" => pass.take(&mut period.description, child),
            "DurationMeasure" => pass.take(&mut period.duration, child),
            "TypeCode" => pass.take(&mut period.type_code, child),
            _ => pass.unread(child),
        }
    }
    period
}

/// BT-19.
fn account<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut invoice.accounting_reference, child),
            "TypeCode" => pass.take(&mut invoice.extensions.accounting_code, child),
            _ => pass.unread(child),
        }
    }
}

fn logistics<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> LogisticsCharge<'d> {
    let mut charge = LogisticsCharge::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "Description" => pass.take(&mut charge.description, child),
            "AppliedAmount" => pass.take(&mut charge.amount, child),
            "AppliedTradeTax" => charge.tax_category.push(tax::category(pass, child)),
            _ => pass.unread(child),
        }
    }
    charge
}

fn advance<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PrepaidPayment<'d> {
    let mut payment = PrepaidPayment::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "PaidAmount" => pass.take(&mut payment.amount, child),
            "FormattedReceivedDateTime" => date(pass, &mut payment.received_on, child),
            "IncludedTradeTax" => payment.taxes.push(tax::breakdown(pass, child)),
            "InvoiceSpecifiedReferencedDocument" => {
                payment.invoices.push(references::read(pass, child));
            }
            _ => pass.unread(child),
        }
    }
    payment
}

fn exchange<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ExchangeRate<'d> {
    let mut rate = ExchangeRate::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "SourceCurrencyCode" => pass.take(&mut rate.source, child),
            "TargetCurrencyCode" => pass.take(&mut rate.target, child),
            "ConversionRate" => pass.take(&mut rate.rate, child),
            "ConversionRateDateTime" => date(pass, &mut rate.date, child),
            "SourceUnitBasisNumeric" => pass.take(&mut rate.source_base, child),
            "TargetUnitBaseNumeric" => pass.take(&mut rate.target_base, child),
            _ => pass.unread(child),
        }
    }
    rate
}
