//! The document level of UBL: BT-1 to BT-24, and the groups below it.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{allowance, delivery, line, name, party, payment, references, totals};
use crate::reading::Pass;
use crate::syntax::Syntax;
use crate::ubl::CAC;
use quoin_model::en16931::{
    AttributeName, Invoice, Note, PartyRole, Root, TaxPointDateCode, Text, ValueSource,
};

/// Reads the document element.
pub(super) fn read<'d>(pass: &mut Pass<'d>, syntax: Syntax, element: Element<'d>) -> Invoice<'d> {
    let root = if syntax == Syntax::UblCreditNote { Root::CreditNote } else { Root::Invoice };
    let mut invoice = Invoice { root, ..Invoice::new(element) };
    pass.open_root(element);
    for child in element.elements() {
        let known = match name(child) {
            Basic(local) => basic(pass, &mut invoice, local, child),
            Aggregate(local) => {
                one_party(pass, &mut invoice, local, child)
                    || group(pass, &mut invoice, local, child)
                    || references::document_level(pass, &mut invoice, local, child)
            }
            super::UblName::Foreign => false,
        };
        if !known {
            pass.unread(child);
        }
    }
    invoice
}

/// The basic components. Whether it was one that is known.
fn basic<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    local: &str,
    child: Element<'d>,
) -> bool {
    let is_invoice = invoice.root == Root::Invoice;
    match local {
        "ID" => pass.take(&mut invoice.number, child),
        "IssueDate" => pass.take(&mut invoice.issue_date, child),
        "InvoiceTypeCode" if is_invoice => type_code(pass, invoice, child),
        "CreditNoteTypeCode" if !is_invoice => type_code(pass, invoice, child),
        "DocumentCurrencyCode" => pass.take(&mut invoice.currency, child),
        "TaxCurrencyCode" => pass.take(&mut invoice.tax_currency, child),
        "TaxPointDate" => pass.take(&mut invoice.tax_point_date, child),
        "DueDate" if is_invoice => pass.take(&mut invoice.due_date, child),
        "BuyerReference" => pass.take(&mut invoice.buyer_reference, child),
        "AccountingCost" => pass.take(&mut invoice.accounting_reference, child),
        "ProfileID" => pass.take(&mut invoice.process.profile, child),
        "CustomizationID" => pass.take(&mut invoice.process.customization, child),
        "Note" => {
            let mut note = Note::new(child);
            pass.take(&mut note.text, child);
            invoice.notes.push(note);
        }
        "UBLVersionID" => pass.take(&mut invoice.extensions.ubl_version, child),
        "ProfileExecutionID" => pass.take(&mut invoice.extensions.profile_execution, child),
        "UUID" => pass.take(&mut invoice.extensions.uuid, child),
        "IssueTime" => pass.take(&mut invoice.extensions.issue_time, child),
        "CopyIndicator" => pass.take(&mut invoice.extensions.copy, child),
        "AccountingCostCode" => pass.take(&mut invoice.extensions.accounting_code, child),
        "LineCountNumeric" => {
            let line = if is_invoice { "InvoiceLine" } else { "CreditNoteLine" };
            let lines = invoice.element.elements().filter(|other| other.is(CAC, line)).count();
            pass.derive(child, &lines.to_string());
        }
        "PricingCurrencyCode" | "PaymentCurrencyCode" | "PaymentAlternativeCurrencyCode" => {
            invoice.extensions.currencies.push(pass.value(child));
        }
        _ => return false,
    }
    true
}

/// BT-3, and the kind of document in words beside it.
fn type_code<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, child: Element<'d>) {
    pass.take(&mut invoice.type_code, child);
    let words = ValueSource::attribute_of(child, AttributeName::Name);
    invoice.extensions.document_name.extend(words.map(Text::from));
}

/// The parties. Whether it was one.
fn one_party<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    local: &str,
    child: Element<'d>,
) -> bool {
    use PartyRole::{Buyer, BuyerCustomer, Originator, Payee, Seller, SellerSupplier};
    match local {
        "AccountingSupplierParty" => invoice.seller.extend(party::role(pass, Seller, child)),
        "AccountingCustomerParty" => invoice.buyer.extend(party::role(pass, Buyer, child)),
        "PayeeParty" => invoice.payee.push(party::read(pass, Payee, child)),
        "TaxRepresentativeParty" => {
            let party = party::read(pass, PartyRole::TaxRepresentative, child);
            invoice.tax_representative.push(party);
        }
        "BuyerCustomerParty" | "SellerSupplierParty" | "OriginatorCustomerParty" => {
            let role = match local {
                "BuyerCustomerParty" => BuyerCustomer,
                "SellerSupplierParty" => SellerSupplier,
                _ => Originator,
            };
            invoice.extensions.parties.extend(party::role(pass, role, child));
        }
        _ => return false,
    }
    true
}

/// The groups that are neither parties nor references. Whether it was one.
fn group<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    local: &str,
    child: Element<'d>,
) -> bool {
    match (invoice.root, local) {
        (Root::Invoice, "InvoiceLine") | (Root::CreditNote, "CreditNoteLine") => {
            invoice.lines.push(line::read(pass, child));
        }
        (_, "InvoicePeriod") => {
            let period = delivery::period(pass, child);
            let codes: &[TaxPointDateCode<'d>] = period.description_code.all();
            invoice.tax_point_date_code.extend(codes.iter().copied());
            invoice.period.push(period);
        }
        (_, "Delivery") => invoice.delivery.push(delivery::read(pass, child)),
        (_, "DeliveryTerms") => {
            invoice.extensions.delivery_terms.push(delivery::terms(pass, child));
        }
        (_, "PaymentMeans") => payment::means(pass, invoice, child),
        (_, "PaymentTerms") => invoice.payment.terms.push(payment::terms(pass, child)),
        (_, "PrepaidPayment") => {
            invoice.extensions.prepaid_payments.push(payment::prepaid(pass, child));
        }
        (_, "AllowanceCharge") => {
            invoice.allowance_charges.push(allowance::read(pass, child));
        }
        (_, "TaxTotal") => totals::tax_total(pass, invoice, child),
        (_, "WithholdingTaxTotal") => {
            invoice.extensions.withholding.push(totals::withholding(pass, child));
        }
        (_, "LegalMonetaryTotal") => invoice.totals.push(totals::read(pass, child)),
        (
            _,
            "TaxExchangeRate"
            | "PricingExchangeRate"
            | "PaymentExchangeRate"
            | "PaymentAlternativeExchangeRate",
        ) => invoice.extensions.exchange_rates.push(totals::exchange_rate(pass, child)),
        _ => return false,
    }
    true
}
